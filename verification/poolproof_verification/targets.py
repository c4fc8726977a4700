"""Which manager is judged: the shipped one, the textbook's, or any class by `module:Class`."""

from __future__ import annotations

import importlib
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from poolproof import BlockManager
from poolproof_verification.adapters.lesson import (
    NEEDED,
    Interface,
    LessonAdapter,
    has,
    interface_of,
)
from poolproof_verification.textbook import Textbook
from poolproof_verification.verdict import CouldNotRun
from poolproof_verification.words import error_told, told

SHIPPED = "poolproof"


@dataclass(frozen=True)
class ClassTarget:
    """A class with the lesson's interface; `name` as the user called it."""

    name: str
    manager_class: type

    def make(self, total: int, block_size: int) -> LessonAdapter:
        """A manager with an empty pool; CouldNotRun where the class makes none of this size."""
        return LessonAdapter(self.manager(total, block_size), self.interface)

    def manager(self, total: int, block_size: int) -> object:
        """An instance of the class, as it is."""
        try:
            return self.manager_class(total, block_size)
        except (Exception, SystemExit) as error:
            call = f"Class(num_blocks={total}, block_size={block_size})"
            raise CouldNotRun(f"target {self.name!r}: {call}: {error_told(error)}") from error

    @cached_property
    def interface(self) -> Interface:
        """What the class offers, read off a manager of it."""
        return interface_of(self.manager(2, 1))

    @property
    def class_name(self) -> str:
        """What a test calls the class: as the user did, or as the class calls itself."""
        return self.name.partition(":")[2] or self.manager_class.__name__

    @property
    def import_line(self) -> str:
        """How a test imports the class."""
        module, separator, _ = self.name.partition(":")
        if not separator:
            module = self.manager_class.__module__.removesuffix(".block_manager")
        return f"from {module} import {self.class_name}"


BUILT_IN = {SHIPPED: BlockManager, "textbook": Textbook}


def find_target(name: str) -> ClassTarget:
    """The target of this name; CouldNotRun says what is wrong with it."""
    if name in BUILT_IN:
        return ClassTarget(name, BUILT_IN[name])
    module, separator, class_name = name.partition(":")
    if not (separator and module and class_name):
        choices = ", ".join(BUILT_IN)
        raise CouldNotRun(
            f"unknown target {name!r}: give one of {choices}, or package.module:Class"
        )
    target = ClassTarget(name, load_class(name, module, class_name))
    check_interface(target)
    return target


def load_class(name: str, module: str, class_name: str) -> type:
    """The class `class_name` of the module, which may lie in the current folder."""
    folder = str(Path.cwd())
    if folder not in sys.path:
        sys.path.insert(0, folder)
    try:
        imported = importlib.import_module(module)
    except (Exception, SystemExit) as error:
        words = f"{module} does not import: {error_told(error)}"
        raise CouldNotRun(f"target {name!r}: {words}") from error
    try:
        found = getattr(imported, class_name)
    except AttributeError:
        raise CouldNotRun(f"target {name!r}: module {module} has no {class_name}") from None
    if not isinstance(found, type):
        raise CouldNotRun(f"target {name!r}: {class_name} is no class, but {told(found)}")
    return found


def check_interface(target: ClassTarget) -> None:
    """The class makes a manager of 2 blocks that has what the lesson's interface needs."""
    manager = target.manager(2, 1)
    missing = [attribute for attribute in NEEDED if not has(manager, attribute)]
    if missing:
        raise CouldNotRun(f"target {target.name!r} lacks {', '.join(missing)}")

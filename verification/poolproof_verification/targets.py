"""Which manager is judged: the shipped one, the textbook's, or any class by `module:Class`."""

from __future__ import annotations

import importlib
import sys
from dataclasses import dataclass
from pathlib import Path

from poolproof import BlockManager
from poolproof_verification.adapters.lesson import NEEDED, LessonAdapter, refusals
from poolproof_verification.textbook import Textbook
from poolproof_verification.verdict import CouldNotRun

SHIPPED = "poolproof"


@dataclass(frozen=True)
class ClassTarget:
    """A class with the lesson's interface; `name` as the user called it."""

    name: str
    manager_class: type

    def make(self, total: int, block_size: int) -> LessonAdapter:
        """A manager with an empty pool."""
        manager = self.manager_class(total, block_size)
        return LessonAdapter(manager, refusals(self.manager_class))

    @property
    def import_line(self) -> str:
        """How a test imports the class."""
        module, name = self.manager_class.__module__, self.manager_class.__qualname__
        return f"from {module.removesuffix('.block_manager')} import {name}"


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
        found = getattr(importlib.import_module(module), class_name)
    except AttributeError:
        raise CouldNotRun(f"target {name!r}: module {module} has no {class_name}") from None
    except Exception as error:
        words = f"{type(error).__name__}: {error}"
        raise CouldNotRun(f"target {name!r}: {module} does not import: {words}") from error
    if not isinstance(found, type):
        raise CouldNotRun(f"target {name!r}: {class_name} is no class, but {found!r}")
    return found


def check_interface(target: ClassTarget) -> None:
    """The class makes a manager of 2 blocks that has what the lesson's interface needs."""
    try:
        manager = target.manager_class(2, 1)
    except Exception as error:
        words = f"{type(error).__name__}: {error}"
        raise CouldNotRun(
            f"target {target.name!r}: Class(num_blocks=2, block_size=1): {words}"
        ) from None
    missing = [attribute for attribute in NEEDED if not hasattr(manager, attribute)]
    if missing:
        raise CouldNotRun(f"target {target.name!r} lacks {', '.join(missing)}")

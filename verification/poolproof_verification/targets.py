"""Which manager is judged: a shipped one, one that a package brings, or any by `module:Class`.

A package brings targets of its own by name as entry points of the group `poolproof.targets`. What
the name leads to is a class with the lesson's interface, or a `Target`, or a class that makes one.
Built-in names come first: a package's target of such a name goes by `module:Class` only.
"""

from __future__ import annotations

import importlib
import sys
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, Final, Literal, Protocol, overload

from poolproof import BlockManager
from poolproof_verification.adapters.adapter import Adapter, Target, UnreadableView
from poolproof_verification.adapters.face import Face
from poolproof_verification.adapters.lesson import (
    NEEDED,
    Interface,
    LessonAdapter,
    has,
    interface_of,
)
from poolproof_verification.limits import Guarded, Unmade, made, timed, why
from poolproof_verification.places import Place, place_of, place_of_function
from poolproof_verification.textbook import Textbook
from poolproof_verification.verdict import CouldNotRun
from poolproof_verification.visibility import Traits, traits_of
from poolproof_verification.words import class_of, error_told, harmless, told

SHIPPED: Final = "poolproof"
GROUP = "poolproof.targets"
METHODS = ("call", "agrees", "ask", "view")
TRIED_SIZES = ((2, 1), (8, 2), (16, 16))  # of which a target must make at least one


class KnownTarget(Protocol):
    """A target with all that a report says of it."""

    @property
    def name(self) -> str:
        """As the user calls it."""

    @property
    def traits(self) -> Traits:
        """What its managers can do, promise and show."""

    @property
    def class_name(self) -> str:
        """What a test calls to make a manager."""

    @property
    def import_line(self) -> str:
        """How a test imports that."""

    def make(self, total: int, block_size: int) -> Adapter:
        """A manager with an empty pool; CouldNotRun."""

    def place(self, operation: str) -> Place | None:
        """Where the code for the operation is."""


@dataclass(frozen=True)
class ClassTarget:
    """A class with the lesson's interface; `name` as the user called it."""

    name: str
    manager_class: type

    def make(self, total: int, block_size: int) -> LessonAdapter:
        """A manager with an empty pool; whatever the class raises instead of making one."""
        return LessonAdapter(self.manager_class(total, block_size), self.interface)

    def manager(self, total: int, block_size: int) -> object:
        """An instance of the class, as it is; CouldNotRun."""
        try:
            return timed(self.manager_class, total, block_size)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            call = f"Class(num_blocks={total}, block_size={block_size})"
            raise CouldNotRun(f"target {self.name!r}: {call}: {why(error)}") from error

    def place(self, operation: str) -> Place | None:
        """Where the class has the operation."""
        return place_of(self.manager_class, operation)

    @cached_property
    def interface(self) -> Interface:
        """What the class offers, read off a manager of it."""
        return interface_of(self.manager(2, 1))

    @cached_property
    def traits(self) -> Traits:
        """What the class can do, promises and shows."""
        said = self.interface
        return Traits(said.operations, said.questions, undefined=said.undefined)

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


@dataclass(frozen=True)
class AdapterTarget:
    """A target with an adapter of its own."""

    name: str
    target: Target

    def make(self, total: int, block_size: int) -> Adapter:
        """A manager with an empty pool; CouldNotRun where the target makes none of this size."""
        return made(self.target, total, block_size)

    def manager(self, total: int, block_size: int) -> Face:
        """A manager as a test calls it."""
        return Face(self.make(total, block_size))

    @cached_property
    def traits(self) -> Traits:
        """What the adapter says of itself, read off a manager; CouldNotRun says what it lacks."""
        adapter = self.make_any()
        lacking = [name for name in METHODS if not callable(getattr(adapter, name, None))]
        if lacking:
            raise CouldNotRun(f"adapter {class_of(adapter)} lacks {', '.join(lacking)}")
        try:
            return traits_of(adapter, Guarded(adapter).view())
        except UnreadableView:
            return traits_of(adapter, None)

    def place(self, operation: str) -> Place | None:
        """Where the manager's method is, if the adapter names it; or else where that translates.

        It does so in a method of its own, or in `call`.
        """
        adapter = self.make_any()
        methods: Any = None
        with suppress(Exception):  # it is foreign
            methods = adapter.methods  # type: ignore[attr-defined]  # not every one has it
        named = methods.get(operation) if isinstance(methods, dict) else None
        name = operation if operation in vars(type(adapter)) else "call"
        return place_of_function(named) or place_of(type(adapter), name)

    def make_any(self) -> Adapter:
        """A manager of some small size; CouldNotRun."""
        for total, block_size in TRIED_SIZES[:-1]:
            try:
                return self.make_one(total, block_size)
            except CouldNotRun:
                continue
        return self.make_one(*TRIED_SIZES[-1])

    def make_one(self, total: int, block_size: int) -> Adapter:
        """A manager of this size; CouldNotRun, whyever none is made."""
        adapter = self.make(total, block_size)
        if isinstance(adapter, Unmade):
            raise CouldNotRun(f"target {self.name!r}: {adapter.words}")
        return adapter

    @property
    def class_name(self) -> str:
        """What a test calls to make a manager."""
        return f"find_target({self.name!r}).manager"

    @property
    def import_line(self) -> str:
        """How a test imports that."""
        return f"from {find_target.__module__} import find_target"


BUILT_IN = {SHIPPED: BlockManager, "textbook": Textbook}


@overload
def find_target(name: Literal["poolproof", "textbook"]) -> ClassTarget: ...
@overload
def find_target(name: str) -> ClassTarget | AdapterTarget: ...
def find_target(name: str) -> ClassTarget | AdapterTarget:
    """The target of this name; CouldNotRun says what is wrong with it."""
    if name in BUILT_IN:
        return ClassTarget(name, BUILT_IN[name])
    brought = brought_targets()
    if name in brought:
        return target_of(name, name, loaded(name, brought[name]))
    module, separator, attribute = name.partition(":")
    if not (separator and module and attribute):
        choices = ", ".join((*BUILT_IN, *sorted(brought.keys() - BUILT_IN)))
        hidden = "".join(
            f"; the {each} of {told(brought[each].value)} goes by that only: the name is built in"
            for each in sorted(brought.keys() & BUILT_IN)
        )
        raise CouldNotRun(
            f"unknown target {name!r}: give one of {choices}, or package.module:Class{hidden}"
        )
    return target_of(name, attribute, attribute_of(name, module, attribute))


def brought_targets() -> dict[str, EntryPoint]:
    """The targets that installed packages bring."""
    return {each.name: each for each in entry_points(group=GROUP)}


def loaded(name: str, entry_point: EntryPoint) -> Any:
    """What the entry point leads to."""
    try:
        return entry_point.load()
    except (Exception, SystemExit) as error:
        words = f"{entry_point.value} does not load: {error_told(error)}"
        raise CouldNotRun(f"target {name!r}: {words}") from error


def target_of(name: str, attribute: str, found: Any) -> ClassTarget | AdapterTarget:
    """A class with the lesson's interface, or a target, or a class that makes one."""
    try:
        makes = callable(getattr(found, "make", None))
    except (Exception, SystemExit) as error:  # of a metaclass, or a property
        raise CouldNotRun(f"target {name!r}: {attribute}.make: {error_told(error)}") from error
    if isinstance(found, type) and not makes:
        target = ClassTarget(name, found)
        check_interface(target)
        return target
    if not makes:
        raise CouldNotRun(f"target {name!r}: {harmless(attribute)} is no class, but {told(found)}")
    try:
        known = AdapterTarget(name, found() if isinstance(found, type) else found)
    except CouldNotRun as error:
        raise CouldNotRun(f"target {name!r}: {error}") from error
    except (Exception, SystemExit) as error:
        raise CouldNotRun(
            f"target {name!r}: {harmless(attribute)}(): {error_told(error)}"
        ) from error
    try:
        assert known.traits
    except CouldNotRun as error:
        prefix = "" if repr(name) in str(error) else f"target {name!r}: "
        raise CouldNotRun(f"{prefix}{error}") from error
    return known


def attribute_of(name: str, module: str, attribute: str) -> Any:
    """The module's attribute; the module may lie in the current folder."""
    folder = str(Path.cwd())
    if folder not in sys.path:
        sys.path.insert(0, folder)
    try:
        imported = importlib.import_module(module)
    except (Exception, SystemExit) as error:
        words = f"{harmless(module)} does not import: {error_told(error)}"
        raise CouldNotRun(f"target {name!r}: {words}") from error
    try:
        return getattr(imported, attribute)
    except AttributeError:
        raise CouldNotRun(
            f"target {name!r}: module {harmless(module)} has no {harmless(attribute)}"
        ) from None
    except (Exception, SystemExit) as error:  # of the module's own __getattr__
        words = f"{harmless(module)}.{harmless(attribute)}: {error_told(error)}"
        raise CouldNotRun(f"target {name!r}: {words}") from error


def check_interface(target: ClassTarget) -> None:
    """The class makes a manager of 2 blocks that has what the lesson's interface needs."""
    manager = target.manager(2, 1)
    missing = [attribute for attribute in NEEDED if not has(manager, attribute)]
    if missing:
        raise CouldNotRun(f"target {target.name!r} lacks {', '.join(missing)}")

"""The class under test, and how it is brought into a given hidden state."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import TYPE_CHECKING

from poolproof import BlockManager
from poolproof_verification.contracts.frame import NAME, Frame
from poolproof_verification.verdict import CouldNotRun

if TYPE_CHECKING:
    from poolproof_verification.contracts.step import Step

# Every field of the three classes. A contract speaks of all of them, or it would speak of fresh
# managers only.
FIELDS = {
    "block_manager.BlockManager": {"_block_size", "_pool", "_sequences"},
    "block_pool.BlockPool": {"extra", "free_map", "lowest", "num_free", "total"},
    "block_table.BlockTable": {"blocks", "forked", "length", "limit"},
}
WINDOW_CONSTANTS = ("WINDOW_FROM", "LONG_RUN", "WINDOW_SLACK")


def module_beside(manager: type[BlockManager], name: str) -> ModuleType:
    """A module of the package that the class comes from. Raises CouldNotRun."""
    package = manager.__module__.rpartition(".")[0]
    try:
        return sys.modules[f"{package}.{name}"]
    except KeyError:
        raise CouldNotRun(
            f"contracts speak of poolproof's own manager, not of {manager.__module__}."
            f"{manager.__qualname__}: there is no module {name!r} beside it"
        ) from None


class Subject:
    """Holds the class of which the contract functions speak, and who watches their steps."""

    def __init__(self, manager: type[BlockManager]) -> None:
        """`manager`: the shipped class, or a seeded bug of it."""
        self.watcher: Callable[[Step], None] | None = None
        self.use(manager)

    def use(self, manager: type[BlockManager]) -> None:
        """From now on the contract functions speak of this class."""
        self.pool_module = module_beside(manager, "block_pool")
        self.table_module = module_beside(manager, "block_table")
        self.manager = manager

    def build(self, frame: Frame) -> BlockManager:
        """The class in this state; past its constructor, which makes fresh managers only."""
        manager = object.__new__(self.manager)
        pool = object.__new__(self.pool_module.BlockPool)
        layout = frame.layout
        pool.total = len(frame.others)
        pool.num_free = len(layout.free)
        pool.free_map = layout.free_map.copy()
        pool.lowest = frame.lowest
        pool.extra = list(frame.others)
        for block in layout.elsewhere:
            pool.extra[block] -= 1
        own = NAME, layout.blocks, frame.length, frame.limit, frame.forked
        manager._block_size = frame.block_size
        manager._pool = pool
        manager._sequences = {
            name: self.table_module.BlockTable(list(blocks), *fields)
            for name, blocks, *fields in (own, *frame.bystanders)
        }
        return manager

    def set_windows(self, window_from: int, long_run: int, slack: int) -> None:
        """The pool takes so many blocks in pieces: long runs whole, the rest through windows."""
        for constant, value in zip(WINDOW_CONSTANTS, (window_from, long_run, slack), strict=True):
            setattr(self.pool_module, constant, value)


SUBJECT = Subject(BlockManager)


@contextmanager
def under_test(
    manager: type[BlockManager], watcher: Callable[[Step], None] | None = None
) -> Iterator[None]:
    """Within, the contract functions speak of this class; its module's constants are restored."""
    before = SUBJECT.manager, SUBJECT.watcher
    SUBJECT.use(manager)
    SUBJECT.watcher = watcher
    constants = {name: vars(SUBJECT.pool_module)[name] for name in WINDOW_CONSTANTS}
    try:
        yield
    finally:
        vars(SUBJECT.pool_module).update(constants)
        SUBJECT.use(before[0])
        SUBJECT.watcher = before[1]


def check_fields(manager: type[BlockManager]) -> None:
    """The classes have the fields that a frame fills in, no more and no fewer, or CouldNotRun."""
    for place, known in FIELDS.items():
        module, _, name = place.partition(".")
        fields = set(getattr(module_beside(manager, module), name).__slots__)
        if fields != known:
            difference = sorted(fields ^ known)
            raise CouldNotRun(f"contracts and {place} differ in the fields {difference}")

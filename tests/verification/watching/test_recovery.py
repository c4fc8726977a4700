"""After an interrupt or a fault that was told, releasing all sequences is no reason to complain."""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable
from functools import partial
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from tests.verification.watching.driven import Leaks, watched

from poolproof import BlockManager, block_manager
from poolproof_verification.operations import Operation
from poolproof_verification.textbook import Textbook
from poolproof_verification.watching import Kind


class Recovers(Textbook):
    """Its `release_all` makes the pool whole, whatever has become of it."""

    def release_all(self) -> list[int]:
        freed = [block for block in range(self.total) if block not in self.free]
        self.seqs, self.ref, self.free = {}, {}, list(range(self.total))
        return freed


class Loses(Recovers, Leaks):
    """It leaks until then."""


class Undercounts(Recovers):
    """A fork does not count the last block that it shares."""

    def fork(self, parent: Hashable, child: Hashable) -> list[int]:
        blocks = super().fork(parent, child)
        self.ref[blocks[-1]] -= 1
        return blocks


def test_a_leak_that_was_told_is_recovered_from_in_silence() -> None:
    manager, found = watched(Loses(6, 2), every=1)
    manager.allocate("A", 5)
    manager.allocate("B", 1)
    manager.release("A")
    assert [each.kind for each in found] == [Kind.LEAK]
    assert manager.release_all() == [2, 3]
    manager.allocate("C", 12)
    assert len(found) == 1


def test_a_missing_count_that_was_told_is_recovered_from_in_silence() -> None:
    manager, found = watched(Undercounts(6, 2), every=1)
    manager.allocate("A", 5)
    manager.fork("A", "B")
    assert [each.kind for each in found] == [Kind.MISSING_COUNT]
    assert manager.release_all() == [0, 1, 2]
    manager.allocate("C", 12)
    assert len(found) == 1


def test_a_leak_that_is_not_recovered_is_not_told_again() -> None:
    manager, found = watched(Leaks(6, 2), every=1)
    manager.allocate("A", 1)
    manager.release("A")
    manager.release_all()
    assert [each.kind for each in found] == [Kind.LEAK]


def test_blocks_that_releasing_all_loses_are_a_leak() -> None:
    manager, found = watched(Leaks(6, 2), every=10**9)
    manager.allocate("A", 1)
    manager.release_all()
    assert [(each.kind, each.block) for each in found] == [(Kind.LEAK, 0)]


POOL = str(Path(block_manager.__file__).parent)


class Struck(BaseException):
    """Raised from outside, as by a signal."""


def struck(point: int, call: Callable[[], object]) -> bool:
    """The call is interrupted at this opcode of the shipped manager's, and does not end before."""
    left = point

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal left
        if not frame.f_code.co_filename.startswith(POOL):
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            left -= 1
            if left == -1:
                raise Struck
        return trace

    try:
        sys.settrace(trace)
        try:
            call()
        finally:
            sys.settrace(None)
    except Struck:
        return True
    return False


@pytest.mark.parametrize(
    "operation",
    [
        Operation("allocate", ("D", 11)),
        Operation("fork", ("A", "D")),
        Operation("append", ("C",)),
        Operation("grow", ("C", 9)),
        Operation("release", ("A",)),
        Operation("release_all"),
    ],
    ids=str,
)
def test_after_an_interrupt_at_any_point_recovery_is_not_complained_of(
    operation: Operation,
) -> None:
    for point in count():
        manager, found = watched(BlockManager(20, 4))
        manager.allocate("A", 9)
        manager.allocate("B", 5)
        manager.fork("A", "C")
        if not struck(point, partial(getattr(manager, operation.name), *operation.arguments)):
            break
        for name in operation.arguments:
            if name in manager.seqs:
                manager.release(name)
        manager.release_all()
        manager.allocate("E", 80)
        manager.release_all()
        assert [str(each) for each in found] == [], point
    assert point > 100

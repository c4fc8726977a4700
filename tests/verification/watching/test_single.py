"""A single operation is judged by what it touched: block, owner and operation are named at once."""

from __future__ import annotations

from collections.abc import Hashable
from contextlib import suppress
from typing import Any

import pytest
from tests.verification.faults import FAULTS
from tests.verification.faulty_managers import ReturnsItsOwnList
from tests.verification.watching.driven import FreesTwice, Leaks, calls, drive, mutant, watched

from poolproof_verification.mutants import MUTANTS, Mutant
from poolproof_verification.mutants.patches import load
from poolproof_verification.textbook import Textbook
from poolproof_verification.watching import Kind


def test_a_leak_names_the_block_and_the_operation_that_lost_it() -> None:
    manager, found = watched(Leaks(4, 1))
    manager.allocate("B", 2)
    manager.allocate("A", 2)
    manager.release("A")
    (fault,) = found
    assert str(fault) == (
        "block 3 is lost after release('A'): not free, no table holds it, not counted"
    )
    assert (fault.kind, fault.law, fault.block, fault.owners) == (Kind.LEAK, "partition", 3, ())
    assert (fault.number, fault.operation, fault.exact) == (3, "release('A')", True)


def test_a_block_that_is_free_while_held_is_a_double_count_with_its_owner() -> None:
    manager, found = watched(FreesTwice(4, 1))
    manager.allocate("A", 1)
    manager.fork("A", "B")
    manager.release("A")
    (fault,) = found
    assert str(fault) == "block 0 is free while 'B' still holds it after release('A')"
    assert (fault.kind, fault.block, fault.owners) == (Kind.DOUBLE_COUNT, 0, ("B",))


def test_a_count_is_seen_to_be_wrong_at_once_inside_the_shipped_manager() -> None:
    manager, found = watched(mutant("copy_keeps_reference"))
    manager.allocate("A", 1)
    manager.fork("A", "B")
    manager.append("B")
    assert [str(each) for each in found] == [
        "block 0 is counted twice, yet 'A' still holds it after append('B')"
    ]
    assert (found[0].kind, found[0].owners) == (Kind.DOUBLE_COUNT, ("A",))


def test_a_write_into_a_shared_block_names_the_others() -> None:
    manager, found = watched(mutant("append_without_copy"))
    manager.allocate("A", 1)
    manager.fork("A", "B")
    manager.append("B")
    assert str(found[0]) == (
        "block 0 is written by 'B' without a copy after append('B'): 'A' still holds it"
    )
    assert (found[0].law, found[0].kind) == ("contents", Kind.SHARED_WRITE)


def test_a_name_that_is_overwritten_loses_its_blocks() -> None:
    manager, found = watched(Textbook(2, 1))
    manager.allocate("A", 1)
    manager.allocate("A", 0)
    assert str(found[0]).startswith("block 0 is lost after allocate('A', 0): ")
    assert str(found[1]).startswith("'A' has the wrong table after allocate('A', 0): ")


def test_a_refusal_that_should_not_be_is_told_with_the_error() -> None:
    manager, found = watched(mutant("exact_fit_refused"))
    with pytest.raises(MemoryError):
        manager.allocate("A", 8)
    assert found[0].kind is Kind.REFUSAL
    assert str(found[0]).startswith("allocate('A', 8) must be accepted, yet it refused: ")


def test_what_is_seen_later_only_says_since_when_it_may_be_broken() -> None:
    manager, found = watched(Textbook(4, 1), every=4)
    manager.watcher.glimpse.count = None
    manager.allocate("A", 1)
    manager.allocate("B", 1)
    manager.ref[0] = 2
    manager.append("B")
    assert found == []
    manager.append("B")
    (fault,) = found
    assert not fault.exact
    assert str(fault) == (
        "block 0 is counted twice, yet 'A' still holds it, found after append('B'), "
        "broken in one of operations 1 to 4"
    )


@pytest.mark.parametrize(
    "bug",
    [
        each
        for each in MUTANTS
        if each.canary and not each.name.startswith(("takes_the_highest", "fork_leaves_room"))
    ],
    ids=lambda bug: bug.name,
)
def test_a_seeded_bug_is_noticed_by_glimpses_alone(bug: Mutant) -> None:
    manager_class, noticed = load(bug), []
    for seed in range(10):
        manager, found = watched(manager_class(6, 2))
        try:
            drive(manager, calls(seed, 200))
        except Exception:  # some bugs end in errors of Python's
            assert found
        noticed += found
        if noticed:
            return
    pytest.fail("nobody noticed")


SEEN_BY_GLIMPSES = {"partition", "counts", "release", "refusals", "tables", "lengths"}


@pytest.mark.parametrize(
    ("manager_class", "operations", "law"),
    [
        (each[0], each[1], each[2])
        for each in FAULTS
        if each[2] in SEEN_BY_GLIMPSES and each[0] is not ReturnsItsOwnList
    ],
    ids=lambda value: getattr(value, "__name__", None) or str(value)[:30],
)
def test_a_foreign_manager_that_damages_its_state_is_found_out(
    manager_class: type, operations: list[Any], law: str
) -> None:
    manager, found = watched(manager_class(2, 2), every=1)
    for name, arguments in operations:
        with suppress(Exception, SystemExit):
            getattr(manager, name)(*arguments)
    assert found


# --- each thing that a glimpse shows, with no look at the whole state -----------------------------


class Loses(Textbook):
    """A refused allocation keeps a block."""

    def allocate(self, name: Hashable, n_tokens: int) -> list[int]:
        try:
            return super().allocate(name, n_tokens)
        except MemoryError:
            self.free.pop()
            raise


class Sneaks(Textbook):
    """A refused fork makes the parent longer."""

    def fork(self, parent: Hashable, child: Hashable) -> list[int]:
        if child in self.seqs:
            self.seqs[parent]["len"] += 1
            raise ValueError("it exists")
        return super().fork(parent, child)


class TakesHeld(Textbook):
    """It takes block 0 again and again."""

    def _take(self) -> int:
        self.free.pop()
        self.ref[0] = self.ref.get(0, 0) + 1
        return 0


class TakesOdd(Textbook):
    """It takes a block that there is not."""

    def _take(self) -> int:
        self.free.pop()
        self.ref[99] = 1
        return 99


class Forgets(Textbook):
    """An append forgets the token."""

    def append(self, name: Hashable) -> bool:
        copied = super().append(name)
        self.seqs[name]["len"] -= 1
        return copied


class Keeps(Textbook):
    """A released sequence lives on without blocks."""

    def release(self, name: Hashable) -> list[int]:
        freed = super().release(name)
        self.seqs[name] = {"blocks": [], "len": 0}
        return freed


class TooMany(Textbook):
    """It takes a block more than the tokens need."""

    def allocate(self, name: Hashable, n_tokens: int) -> list[int]:
        blocks = [*super().allocate(name, n_tokens), self._take()]
        self.seqs[name]["blocks"] = list(blocks)
        return blocks


class Boasts(Textbook):
    """It reports a copy that was not made."""

    def append(self, name: Hashable) -> bool:
        super().append(name)
        return True


class Withholds(Textbook):
    """It does not report what it frees."""

    def release(self, name: Hashable) -> list[int]:
        super().release(name)
        return []


A1, A2, B1 = (("allocate", *rest) for rest in (("A", 1), ("A", 2), ("B", 1)))
APPEND, RELEASE = ("append", "A"), ("release", "A")


@pytest.mark.parametrize(
    ("manager_class", "operations", "words"),
    [
        (Loses, [("allocate", "A", 9)], "block 3 is lost after allocate('A', 9): not free"),
        (Sneaks, [A1, B1, ("fork", "A", "B")], "'A' has the wrong table after fork('A', 'B')"),
        (TakesHeld, [A1, B1], "block 0 was taken though in use after allocate('B', 1): 'A' still"),
        (TakesHeld, [A2, APPEND], "block 0 was taken though in use after append('A'): 'A' still"),
        (TakesHeld, [("allocate", "A", 3)], "block 0 was taken twice after allocate('A', 3)"),
        (TakesOdd, [A1], "block 99 was taken, which is none of the pool's after allocate('A', 1)"),
        (Forgets, [A1, APPEND], "'A' has the wrong table after append('A'): [0] for 1 tokens"),
        (Keeps, [A1, RELEASE], "'A' is live after release('A'): no operation made it"),
        (TooMany, [A2], "'A' has 2 blocks of 2 for 2 tokens after allocate('A', 2)"),
        (Boasts, [A1, APPEND], "append('A') returned True, where False is right"),
        (Withholds, [A1, RELEASE], "release('A') returned [], where [0] is right"),
    ],
    ids=lambda value: getattr(value, "__name__", None) or str(value)[:40],
)
def test_it_is_noticed_in_the_very_operation(
    manager_class: type, operations: list[tuple[Any, ...]], words: str
) -> None:
    manager, found = watched(manager_class(4, 2))
    for name, *arguments in operations:
        assert found == []
        with suppress(MemoryError, ValueError):
            getattr(manager, name)(*arguments)
    named = [each for each in found if str(each).startswith(words)]
    assert named, list(map(str, found))
    assert named[0].exact


class CountsOnce(Textbook):
    """A block that is free twice counts once."""

    @property
    def num_free(self) -> int:
        return len(set(self.free))


def test_what_follows_from_a_block_that_is_wrong_already_is_no_news() -> None:
    manager, found = watched(CountsOnce(4, 1), every=1)
    manager.allocate("A", 1)
    manager.append("A")
    manager.free.insert(0, 0)
    manager.fork("A", "B")
    assert [each.block for each in found] == [0]
    manager.watcher.every = 10**9
    manager.release("A")
    manager.release("B")
    assert [each.block for each in found] == [0]

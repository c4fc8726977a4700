"""The watcher follows a right manager in silence, tells a fault once, and goes on."""

from __future__ import annotations

import logging
from collections.abc import Hashable
from typing import Any

import pytest
from tests.verification.watching.driven import Leaks, calls, drive, mutant, watched

from poolproof import BlockManager
from poolproof_verification.textbook import Textbook
from poolproof_verification.watching import (
    BrokenLaw,
    PoolWarning,
    Watched,
    complain,
    stop,
    watch,
)
from poolproof_verification.watching.watcher import MOST_KEPT, MOST_TOLD


@pytest.mark.parametrize("every", [1, 7, 10**9])
@pytest.mark.parametrize("manager_class", [BlockManager, Textbook])
def test_a_manager_that_does_nothing_wrong_is_never_complained_of(
    manager_class: type, every: int
) -> None:
    for seed in range(5):
        manager, found = watched(manager_class(6, 2), every)
        operations = calls(seed, 200, absurd=True)
        if manager_class is Textbook:  # what it lacks and what it does not refuse is left out
            operations = (
                each
                for each in operations
                if each.name in ("append", "release", "release_all")
                or (each.name == "allocate" and each.arguments[0] not in manager.seqs
                    and isinstance(each.arguments[1], int) and each.arguments[1] >= 0)
                or (each.name == "fork" and each.arguments[1] not in manager.seqs)
            )  # fmt: skip
        drive(manager, operations)
        assert [str(each) for each in found] == []
        assert manager.watcher.operations > 100 or manager_class is Textbook


def test_a_fault_is_told_once_and_what_follows_from_it_is_not_told_again() -> None:
    manager, found = watched(Textbook(6, 1), every=3)
    manager.allocate("A", 2)
    manager.ref[0] = 2
    for number in range(30):
        manager.allocate(number, 1)
        manager.release(number)
    assert len(found) == 1
    assert manager.release("A") == [1]
    manager.allocate("B", 2)
    assert len(found) == 1
    manager.ref[2] = 7
    manager.append("B")
    manager.allocate("C", 0)
    manager.allocate("D", 0)
    assert [each.block for each in found] == [0, 2]


def test_a_block_that_was_mended_may_break_again() -> None:
    manager, found = watched(Textbook(2, 1), every=1)
    manager.allocate("A", 1)
    for _ in range(3):
        manager.ref[0] = 2
        manager.allocate("B", 0)
        manager.release("B")
        manager.ref[0] = 1
        manager.allocate("B", 0)
        manager.release("B")
    assert [each.block for each in found] == [0, 0, 0]


def test_faults_of_one_kind_are_told_a_few_times_and_then_only_counted() -> None:
    manager, found = watched(Leaks(300, 1))
    for number in range(200):
        manager.allocate(number, 1)
        manager.release(number)
    assert len(found) == MOST_TOLD
    assert manager.watcher.counted["release", "partition"] == 200
    assert len(manager.watcher.faults) == MOST_KEPT


def test_a_manager_that_shows_nothing_is_told_so_and_goes_on() -> None:
    class Shy(Textbook):
        shy = False

        @property
        def seqs(self) -> Any:
            if self.shy:
                raise RuntimeError("not today")
            return self.__dict__["shown"]

        @seqs.setter
        def seqs(self, value: Any) -> None:
            self.__dict__["shown"] = value

        def append(self, name: Hashable) -> bool:
            return False

    manager, found = watched(Shy(4, 1), every=1)
    manager.manager.shy = True
    for _ in range(50):
        assert manager.append("A") is False
    assert found
    assert len(found) <= 2 * MOST_TOLD
    assert any("not today" in str(each) for each in found)


def test_what_was_wrong_before_is_told_at_the_start() -> None:
    manager = Textbook(3, 1)
    manager.allocate("A", 1)
    manager.free.remove(2)
    _, found = watched(manager)
    assert [str(each) for each in found] == [
        "block 2 is lost after watch(): not free, no table holds it, not counted"
    ]


def test_an_interrupt_leaves_the_books_as_the_manager_is() -> None:
    class Interrupted(Textbook):
        def fork(self, parent: Hashable, child: Hashable) -> list[int]:
            super().fork(parent, child)
            raise KeyboardInterrupt

    manager, found = watched(Interrupted(4, 1))
    manager.allocate("A", 2)
    with pytest.raises(KeyboardInterrupt):
        manager.fork("A", "B")
    assert manager.release("B") == []
    assert manager.release("A") == [0, 1]
    assert found == []


# --- telling --------------------------------------------------------------------------------------


def broken(on_fault: Any) -> Watched:
    """A manager that was made to lose a block."""
    manager = watch(Textbook(2, 1), on_fault=on_fault)
    manager.allocate("A", 1)
    manager.allocate("A", 0)
    return manager


def test_it_warns_at_the_servers_own_line() -> None:
    manager = watch(Leaks(2, 1))
    manager.allocate("A", 1)
    with pytest.warns(PoolWarning, match="block 0 is lost after release") as caught:
        manager.release("A")
    assert caught[0].filename == __file__


def test_it_logs_an_error(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR, "poolproof.watching"):
        broken(complain)
    assert caplog.records[0].getMessage().startswith("partition: block 0 is lost after allocate")


def test_it_raises_and_has_kept_every_fault() -> None:
    manager = watch(Textbook(2, 1), on_fault=stop)
    manager.allocate("A", 1)
    with pytest.raises(BrokenLaw, match="block 0 is lost after allocate") as caught:
        manager.allocate("A", 0)
    assert caught.value.fault.block == 0
    assert len(manager.watcher.faults) == 2
    assert manager.seqs["A"]["len"] == 0


def test_a_refusal_that_breaks_a_law_raises_from_it() -> None:
    manager = watch(mutant("exact_fit_refused"), on_fault=stop)
    with pytest.raises(BrokenLaw) as caught:
        manager.allocate("A", 8)
    assert isinstance(caught.value.__context__, MemoryError)

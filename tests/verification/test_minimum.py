"""A minimum is about as short as the shortest operations that exploration finds."""

from __future__ import annotations

from collections.abc import Hashable

import pytest
from tests.verification.test_minimize import call, found

from poolproof_verification.canaries import target_of
from poolproof_verification.driver import Driver
from poolproof_verification.explore import explore_scope
from poolproof_verification.findings import Trace
from poolproof_verification.lockstep import Lockstep
from poolproof_verification.minimize import minimize, named
from poolproof_verification.mutants import MUTANTS, Mutant, mutant_named
from poolproof_verification.record import Record
from poolproof_verification.scopes import Scope
from poolproof_verification.targets import ClassTarget
from poolproof_verification.textbook import Textbook

TINY = Scope(total=2, sequences=2, block_size=2, tokens=3)
RUNS = 40


@pytest.mark.parametrize(
    "bug", [each for each in MUTANTS if each.canary], ids=lambda each: each.name
)
def test_a_minimum_is_at_most_one_longer_than_what_exploration_finds(bug: Mutant) -> None:
    target = target_of(bug)
    shortest = {each.fault: each for each in explore_scope(target, TINY).faults.traces()}
    record = Record(target)
    driver = Driver(record, seed=0)
    for _ in range(RUNS):
        driver.run()
    compared = 0
    for trace in record.faults.traces():
        if trace.fault in shortest:
            compared += 1
            known = shortest[trace.fault].operations
            assert len(minimize(target, trace).operations) <= len(known) + 1, trace.fault
    assert compared


def test_a_wrong_answer_on_the_way_does_not_hide_shorter_operations() -> None:
    target = target_of(mutant_named("growth_of_nothing_refused"))
    trace = found(
        target,
        4,
        2,
        call("allocate", "C", 2),
        call("allocate", "A", 3),
        call("release", "C"),
        call("fork", "A", "B"),
        call("allocate", "C", 4),
        call("grow", "A", 0),
    )
    assert trace.fault == ("grow", "refusals")
    assert len(minimize(target, trace).operations) == 3


def test_of_many_wrong_answers_the_list_that_was_written_into_is_the_fault() -> None:
    target = target_of(mutant_named("table_returns_own_list"))
    lockstep = Lockstep(target, 4, 2)
    operations = (call("allocate", "A", 2), call("fork", "A", "B"), call("append", "B"))
    finding = [
        lockstep.do(each, ("A", "B") if each == operations[-1] else ()) for each in operations
    ][-1].finding
    assert finding is not None
    trace = named(target, Trace(4, 2, operations, finding))
    assert trace.fault == ("table", "questions")
    assert minimize(target, trace).operations == (call("allocate", "A", 0),)


def test_a_fault_may_need_fewer_operations_on_other_sequences() -> None:
    target = target_of(mutant_named("hole_taken_for_run"))
    trace = found(
        target,
        6,
        2,
        call("allocate", "A", 1),
        call("allocate", "B", 1),
        call("release", "A"),
        call("allocate", "A", 3),
        call("release", "B"),
        call("allocate", "B", 3),
        call("release", "B"),
    )
    assert len(minimize(target, trace).operations) == 5


class AskingTakesABlock(Textbook):
    def can_allocate(self, n_tokens: int) -> bool:
        self.free = self.free[1:]
        return True


class AskingAddsAToken(Textbook):
    def can_append(self, name: Hashable) -> bool:
        if name in self.seqs:
            self.seqs[name]["len"] += 1
        return True


@pytest.mark.parametrize(
    ("manager_class", "question", "length"),
    [(AskingTakesABlock, "can_allocate", 0), (AskingAddsAToken, "can_append", 1)],
)
def test_a_question_that_changes_the_state_is_the_fault_whatever_is_answered_then(
    manager_class: type, question: str, length: int
) -> None:
    target = ClassTarget("asking", manager_class)
    shortest = explore_scope(target, TINY).faults.best[question, "questions"]
    assert len(minimize(target, shortest).operations) == length
    assert ("asking", "questions") not in explore_scope(target, TINY).faults.best


class ForgetsTheCopy(Textbook):
    """`grow` does not count the copy's block when it asks whether enough are free."""

    def grow(self, name: Hashable, n_tokens: int) -> tuple[list[int], tuple[int, int] | None]:
        if n_tokens < 0:
            raise ValueError("refused")
        sequence = self.seqs[name]
        old = list(sequence["blocks"])
        if -(-(sequence["len"] + n_tokens) // self.block_size) - len(old) > len(self.free):
            raise MemoryError("refused")
        for _ in range(n_tokens):
            self.append(name)
        new = sequence["blocks"]
        copied = new[: len(old)] != old
        return new[len(old) :], (old[-1], new[len(old) - 1]) if copied else None


def test_fewer_operations_with_larger_numbers_are_shorter_than_many_with_small_ones() -> None:
    target = ClassTarget("forgets", ForgetsTheCopy)
    trace = found(
        target,
        3,
        2,
        call("allocate", "A", 2),
        call("fork", "A", "B"),
        call("grow", "B", 1),
        call("release", "A"),
        call("fork", "B", "A"),
        call("grow", "B", 2),
    )
    smallest = minimize(target, trace)
    assert smallest.fault == trace.fault == ("grow", "OUT_OF_BLOCKS")
    assert [operation.name for operation in smallest.operations] == ["allocate", "fork", "grow"]

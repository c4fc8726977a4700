"""A minimum is about as short as the shortest operations that exploration finds."""

from __future__ import annotations

from collections.abc import Hashable

import pytest
from tests.verification.test_minimize import call, found

from poolproof_verification.canaries import target_of
from poolproof_verification.driver import Driver
from poolproof_verification.explore import explore_scope
from poolproof_verification.minimize import minimize
from poolproof_verification.mutants import MUTANTS, Mutant
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

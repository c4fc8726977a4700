"""Interrupts strike at every opcode, and what they break is told."""

from __future__ import annotations

import sys
from collections.abc import Hashable
from functools import partial

import pytest
from tests.verification.faulty_managers import Strict

from poolproof import BlockManager
from poolproof_verification.interrupts import (
    interrupted,
    interruptions,
    promised_by,
    told_by_interrupts,
)
from poolproof_verification.limits import limited_to
from poolproof_verification.lives import Life
from poolproof_verification.mutants import Mutant, load, mutant_named
from poolproof_verification.operations import Operation
from poolproof_verification.targets import ClassTarget, find_target


def call(name: str, *arguments: object) -> Operation:
    return Operation(name, arguments)


SHARED = Life(4, 2, (call("allocate", "A", 3), call("fork", "A", "B")))
OPERATIONS = (
    call("allocate", "C", 3),
    call("fork", "A", "C"),
    call("append", "B"),
    call("grow", "B", 3),
    call("release", "B"),
    call("release_all"),
)


@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
def test_the_shipped_manager_keeps_its_promise_at_every_point(operation: Operation) -> None:
    found = list(interruptions(find_target("poolproof"), SHARED, operation))
    assert len(found) > 15 and not any(found)


def broken(wrong: str, file: str, old: str, new: str) -> ClassTarget:
    return ClassTarget(wrong, load(Mutant(wrong, wrong, "interrupts", file, old, new)))


COPY_UNCOUNTED = broken(
    "copy_uncounted_first",
    "block_manager.py",
    "        blocks[-1] = new\n        self._pool.extra[last] -= 1\n",
    "        self._pool.extra[last] -= 1\n        blocks[-1] = new\n",
)
FREED_WHILE_HELD = broken(
    "cleared_after_the_reset",
    "block_manager.py",
    "        self._sequences.clear()\n        return self._pool.reset()\n",
    "        freed = self._pool.reset()\n        self._sequences.clear()\n        return freed\n",
)
HINT_NOT_RESET = broken(
    "hint_not_reset",
    "block_pool.py",
    "        self.lowest = 0\n        self.free_map[:]",
    "        self.free_map[:]",
)
LOSSES_UNTOLD = ClassTarget("lost_block_escapes", load(mutant_named("lost_block_escapes")))


@pytest.mark.parametrize(
    ("target", "operation", "words"),
    [
        (COPY_UNCOUNTED, call("append", "B"), "is free while a table has it, once 'B' is released"),
        (
            FREED_WHILE_HELD,
            call("release_all"),
            "is free while a table has it, once 'A' is released",
        ),
        (HINT_NOT_RESET, call("allocate", "C", 1), "after release_all"),
        (LOSSES_UNTOLD, call("allocate", "C", 3), "violations does not name the lost blocks [2"),
    ],
    ids=lambda each: getattr(each, "name", ""),
)
def test_a_broken_promise_is_told(target: ClassTarget, operation: Operation, words: str) -> None:
    said = told_by_interrupts(target, SHARED, operation)
    assert "interrupted at opcode" in said and words in said


def test_another_sequence_that_changes_is_told() -> None:
    class ShortensTheOthers(Strict):
        def append(self, name: Hashable) -> bool:
            for other in self.seqs:
                self.seqs[other]["len"] += other != name
            copied = super().append(name)
            for other in self.seqs:
                self.seqs[other]["len"] -= other != name
            return copied

    said = told_by_interrupts(
        ClassTarget("shortens", ShortensTheOthers), SHARED, call("append", "B")
    )
    assert "'A' was {'blocks': [0, 1], 'len': 3} and is {'blocks': [0, 1], 'len': 4}" in said


def test_an_operation_that_does_not_end_after_an_interrupt_is_told() -> None:
    class Stubborn(Strict):
        def append(self, name: Hashable) -> bool:
            try:
                return super().append(name)
            except KeyboardInterrupt:
                while True:
                    pass

    with limited_to(0.05):
        said = told_by_interrupts(ClassTarget("stubborn", Stubborn), SHARED, call("append", "A"))
    assert "not ended after" in said


def test_a_class_makes_the_promise_in_its_docstring() -> None:
    class Promises(Strict):
        """A KeyboardInterrupt leaves the sequences that the operation named half-way."""

    assert promised_by(ClassTarget("promises", Promises))
    assert promised_by(find_target("poolproof"))
    assert not promised_by(find_target("textbook"))
    assert not promised_by(find_target("poolproof_verification.adapters.example:Example"))


def test_an_operation_that_is_refused_is_not_interrupted() -> None:
    assert list(interruptions(find_target("poolproof"), SHARED, call("append", "Z"))) == []


def test_the_interrupt_strikes_every_point_up_to_the_end_and_tracing_is_restored() -> None:
    outer, struck = sys.gettrace(), 0
    while interrupted(partial(BlockManager(2, 1).allocate, "A", 1), struck):
        struck += 1
    assert struck > 30
    assert sys.gettrace() is outer


def test_the_users_own_interrupt_is_not_taken_for_ours() -> None:
    def ended() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted(ended, 10_000)

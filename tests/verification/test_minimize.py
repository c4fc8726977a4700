"""What remains is the same fault in the fewest, smallest and plainest operations."""

from __future__ import annotations

import random
from collections.abc import Hashable
from typing import Any, ClassVar

import pytest

from poolproof_verification.findings import Trace
from poolproof_verification.lockstep import FRESH, Lockstep
from poolproof_verification.machine import campaign
from poolproof_verification.minimize import (
    at_any_size,
    candidates,
    in_smaller_pool,
    minimize,
    rename,
    renamed,
    replay,
    smaller_arguments,
    with_another_name,
    with_fewer_names,
    with_longer_prompts,
    with_other_numbers,
    with_two_fewer,
    with_up_to_two_fewer,
)
from poolproof_verification.operations import Operation
from poolproof_verification.record import Record
from poolproof_verification.targets import ClassTarget
from poolproof_verification.textbook import Textbook

TEXTBOOK = ClassTarget("textbook", Textbook)


def call(name: str, *arguments: Any) -> Operation:
    return Operation(name, arguments)


def found(target: ClassTarget, total: int, block_size: int, *operations: Operation) -> Trace:
    """The trace of these operations, the last of which breaks a law, and no other."""
    lockstep = Lockstep(target, total, block_size)
    findings = [lockstep.do(operation).finding for operation in operations]
    assert not any(findings[:-1])
    assert findings[-1] is not None
    return Trace(total, block_size, operations, findings[-1])


def long_one() -> Trace:
    return found(
        TEXTBOOK,
        7,
        3,
        call("allocate", "C", 4),
        call("fork", "C", "D"),
        call("append", "D"),
        call("release", "C"),
        call("allocate", "B", 2),
        call("append", "B"),
        call("allocate", "D", 5),
    )


def test_the_optimum_of_a_known_fault_is_reached() -> None:
    trace = minimize(TEXTBOOK, long_one())
    assert trace.operations == (call("allocate", "A", 1), call("allocate", "A", 0))
    assert (trace.total, trace.block_size) == (1, 1)
    assert trace.fault == ("allocate", "EXISTS")


@pytest.mark.parametrize("seed", range(3))
def test_a_minimum_is_the_same_fault_no_longer_and_no_less_harmful(seed: int) -> None:
    record = Record(TEXTBOOK)
    campaign(record, seed, examples=25)
    assert len(record.faults) >= 2
    for trace in record.faults.traces():
        smallest = minimize(TEXTBOOK, trace)
        assert smallest.fault == trace.fault
        assert len(smallest.operations) <= len(trace.operations)
        assert smallest.rank[0] <= trace.rank[0]
        assert (smallest.total, smallest.block_size) <= (trace.total, trace.block_size)
        assert minimize(TEXTBOOK, smallest) == smallest


def test_no_smaller_candidate_of_a_minimum_shows_the_fault() -> None:
    trace = minimize(TEXTBOOK, long_one())
    for candidate in candidates(trace):
        again = replay(TEXTBOOK, candidate)
        assert again is None or again.fault != trace.fault or again.rank[0] > trace.rank[0]


def test_every_candidate_is_smaller_in_something_and_larger_in_nothing() -> None:
    trace = long_one()
    seen = list(candidates(trace))
    assert seen
    for each in seen:
        assert len(each.operations) <= len(trace.operations)
        assert (each.total, each.block_size) <= (trace.total, trace.block_size)
        assert each != trace


def test_arguments_come_closer_to_zero_and_keep_their_sign() -> None:
    smaller = list(smaller_arguments(call("grow", "A", 3)))
    assert smaller == [call("grow", "A", count) for count in (0, 1, 2)]
    assert list(smaller_arguments(call("allocate", "A", -1))) == []
    assert list(smaller_arguments(call("allocate", "A", -5))) == [call("allocate", "A", -1)]
    assert list(smaller_arguments(call("allocate", "A", "2"))) == []
    assert list(smaller_arguments(call("release", "A"))) == []
    assert len(list(smaller_arguments(call("allocate", "A", 10**30)))) == 64


def test_appends_become_part_of_the_prompt() -> None:
    operations = (call("allocate", "A", 0), call("append", "A"), call("grow", "A", 2))
    assert list(with_longer_prompts(operations)) == [
        (call("allocate", "A", 1), call("grow", "A", 2)),
        (call("allocate", "A", 2), call("append", "A")),
    ]
    assert list(with_longer_prompts((call("allocate", "A", "x"), call("append", "A")))) == []
    assert list(with_longer_prompts((call("append", "A"), call("allocate", "B", 1)))) == []


def test_up_to_two_operations_are_left_out_at_once_of_a_few() -> None:
    few = tuple(call("append", name) for name in "ABC")
    assert [len(kept) for kept in with_up_to_two_fewer(few)] == [1, 1, 1, 2, 2, 2, 3]
    assert list(with_up_to_two_fewer(few * 5)) == [few * 5]
    assert list(with_up_to_two_fewer(few[:1])) == [(), few[:1]]
    assert list(with_up_to_two_fewer(())) == [()]


def test_a_single_operation_that_names_two_sequences_is_minimised() -> None:
    class MindsStrangers(Textbook):
        def fork(self, parent: Hashable, child: Hashable) -> list[int]:
            raise RuntimeError("what now?") if parent not in self.seqs else NotImplementedError

    target = ClassTarget("minds", MindsStrangers)
    trace = found(target, 3, 2, call("fork", "B", "C"))
    assert minimize(target, trace).operations == (call("fork", "A", "A"),)


def test_an_operation_changes_its_sequence_while_two_others_but_never_the_last_are_left_out() -> (
    None
):
    operations = (call("fork", "B", "C"), call("append", "B"))
    assert list(with_another_name(operations)) == [
        (call("fork", "C", "C"), call("append", "B")),
        (call("fork", "B", "B"), call("append", "B")),
        (call("fork", "B", "C"), call("append", "C")),
    ]
    few = tuple(call("append", name) for name in "ABCD")
    assert list(with_two_fewer(few)) == [(each, few[3]) for each in few[:3]]
    assert list(with_two_fewer(few[:2])) == []


def test_names_are_merged_pair_by_pair() -> None:
    operations = (call("fork", "B", "C"), call("append", "A"))
    assert list(with_fewer_names(operations)) == [
        (call("fork", "B", "B"), call("append", "A")),
        (call("fork", "B", "C"), call("append", "B")),
        (call("fork", "B", "C"), call("append", "C")),
    ]


def test_sequences_are_renamed_in_the_order_of_their_first_use() -> None:
    trace = rename(long_one())
    assert [operation.arguments[0] for operation in trace.operations] == [
        "A", "A", "B", "A", "C", "C", "B",
    ]  # fmt: skip


def test_only_names_are_renamed() -> None:
    operations = (call("allocate", "X", "X"), call("append", []), call("grow", "X", 1))
    assert renamed(operations, {"X": "A"}) == (
        call("allocate", "A", "X"),
        call("append", []),
        call("grow", "A", 1),
    )


def test_what_breaks_nothing_replays_to_nothing() -> None:
    trace = long_one()
    harmless = Trace(7, 3, trace.operations[:-1], trace.finding)
    assert replay(TEXTBOOK, harmless) is None


class LosesBlock(Textbook):
    """Not even its empty pool is right."""

    def __init__(self, num_blocks: int, block_size: int) -> None:
        super().__init__(num_blocks, block_size)
        self.free = self.free[:-1]


def test_a_manager_that_is_wrong_from_the_start_needs_no_operation() -> None:
    target = ClassTarget("loses", LosesBlock)
    lockstep = Lockstep(target, 5, 3)
    finding = lockstep.ask(("A",), FRESH).finding
    assert finding is not None
    smallest = minimize(target, Trace(5, 3, (), finding))
    assert (smallest.total, smallest.block_size, smallest.operations) == (1, 1, ())


class Picky(Textbook):
    """It makes no pool of fewer than two blocks."""

    def __init__(self, num_blocks: int, block_size: int) -> None:
        if num_blocks < 2:
            raise ValueError("too few")
        super().__init__(num_blocks, block_size)


def test_pools_that_the_target_does_not_make_are_passed_over() -> None:
    target = ClassTarget("picky", Picky)
    operations = (call("allocate", "A", 2), call("allocate", "A", 0))
    smallest = minimize(target, found(target, 4, 1, *operations))
    assert (smallest.total, smallest.operations[0]) == (2, call("allocate", "A", 1))


class MindsUnhashable(Textbook):
    """What is not hashable is refused as it should be, but not where a sequence lives."""

    def append(self, name: Hashable) -> bool:
        if self.seqs and isinstance(name, list):
            raise RuntimeError("what now?")
        return super().append(name)


def test_a_name_that_is_not_hashable_is_not_asked_about() -> None:
    target = ClassTarget("minds", MindsUnhashable)
    operations = (call("allocate", "B", 1), call("append", []))
    smallest = minimize(target, found(target, 4, 2, *operations))
    assert smallest.operations == (call("allocate", "A", 0), call("append", []))


class Liar(Textbook):
    """It counts no used block while a sequence has two."""

    def used(self) -> int:
        return 0 if any(len(each["blocks"]) == 2 for each in self.seqs.values()) else super().used()


def test_a_question_that_is_answered_wrongly_is_minimised_too() -> None:
    target = ClassTarget("liar", Liar)
    operations = (call("allocate", "C", 1), call("allocate", "B", 2), call("append", "B"))
    lockstep = Lockstep(target, 6, 2)
    findings = [lockstep.do(each, ("B", "C", "Z")).finding for each in operations]
    assert findings[-1] is not None
    smallest = minimize(target, Trace(6, 2, operations, findings[-1]))
    assert smallest.fault == ("used", "questions")
    assert [operation.name for operation in smallest.operations] == ["allocate"]


class Flaky(Textbook):
    """It breaks in one run, and in no other."""

    runs: ClassVar[list[int]] = []

    def append(self, name: Hashable) -> bool:
        self.runs.append(1)
        if len(self.runs) == 1:
            raise RuntimeError("once only")
        return super().append(name)


def test_what_cannot_be_shown_again_stays_as_it_was() -> None:
    Flaky.runs.clear()
    target = ClassTarget("flaky", Flaky)
    trace = found(target, 4, 2, call("allocate", "B", 1), call("append", "B"))
    assert minimize(target, trace) == trace


def test_random_pruning_finds_nothing_shorter_than_the_minimum() -> None:
    trace, random_numbers = long_one(), random.Random(5)
    smallest = minimize(TEXTBOOK, trace)
    for _ in range(200):
        kept = tuple(each for each in trace.operations if random_numbers.random() < 0.4)
        again = replay(TEXTBOOK, Trace(7, 3, kept, trace.finding))
        assert again is None or len(again.operations) >= len(smallest.operations)


def test_numbers_are_tried_at_the_edges_of_blocks_and_pool() -> None:
    trace = Trace(3, 4, (call("release", "A"), call("grow", "A", 2)), long_one().finding)
    sizes = [each.arguments[1] for each in at_any_size(trace, trace.operations[1])]
    assert sizes == [0, 1, 3, 4, 5, 11, 12, 13]
    assert at_any_size(trace, trace.operations[0]) == [trace.operations[0]]
    assert at_any_size(trace, call("release_all")) == [call("release_all")]
    assert at_any_size(trace, call("allocate", "A", True)) == [call("allocate", "A", True)]
    tried = [each.operations for each in with_other_numbers(trace)]
    assert tried == [(call("grow", "A", each),) for each in sizes]


def test_one_operation_shrinks_with_the_pool() -> None:
    operations = (call("allocate", "A", 5), call("append", "A"), call("grow", "A", 3))
    trace = Trace(3, 2, operations, long_one().finding)
    smaller = [each.operations for each in in_smaller_pool(trace, 1)]
    assert smaller == [(call("allocate", "A", 1), *operations[1:])]
    assert len(list(in_smaller_pool(trace, 2))) == 2

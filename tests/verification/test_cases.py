"""A case tells what an operation meets, from the model's states before and after it."""

from __future__ import annotations

from typing import Any

import pytest

from poolproof_verification.cases import Case, case_of
from poolproof_verification.operations import Operation
from poolproof_verification.oracle import carry_out
from poolproof_verification.visibility import Traits, start_of


def call(name: str, *arguments: Any) -> Operation:
    return Operation(name, arguments)


A3, FORK = call("allocate", "A", 3), call("fork", "A", "B")


def case_after(*operations: Operation, total: int = 4, traits: Traits | None = None) -> Case:
    """The last of these accepted operations, on blocks of 2."""
    before = pool = start_of(total, 2, traits or Traits(), contents=False)
    for operation in operations:
        before, (pool, _) = pool, carry_out(pool, operation)
    return case_of(before, operations[-1].arguments, pool)


def test_counts_are_those_of_the_first_name_before() -> None:
    assert case_after(A3).counts == []
    assert case_after(A3, FORK).counts == [1, 1]
    released = case_after(A3, FORK, call("append", "A"), call("release", "A"))
    assert (released.counts, released.most, released.last) == ([2, 1], 2, 1)
    assert (case_after(A3).most, case_after(A3).last) == (0, 0)


@pytest.mark.parametrize(
    ("before", "kind"),
    [
        ([call("allocate", "A", 0)], "boundary"),
        ([call("allocate", "A", 2)], "boundary"),
        ([call("allocate", "A", 2), FORK], "boundary"),
        ([A3], "in_place"),
        ([A3, FORK], "copies"),
        ([A3, FORK, call("append", "B")], "in_place"),
    ],
)
def test_the_next_token_meets_one_of_three(before: list[Operation], kind: str) -> None:
    case = case_after(*before, call("append", "A"))
    kinds = {each: getattr(case, each) for each in ("boundary", "in_place", "copies")}
    assert [each for each, met in kinds.items() if met] == [kind]


def test_blocks_are_taken_entries_are_added_and_the_last_free_one_is_told() -> None:
    copied = case_after(A3, FORK, call("grow", "B", 3), total=4)
    assert (copied.taken, copied.added, copied.takes_last, copied.full) == (2, 1, True, False)
    full = case_after(call("allocate", "A", 8), call("allocate", "B", 0))
    assert (full.taken, full.takes_last, full.full) == (0, False, True)
    assert case_after(call("allocate", "A", 8), call("release", "A")).makes_room
    assert not case_after(A3, call("release", "A")).makes_room


def test_room_for_one_token_and_for_a_prompt() -> None:
    pool, _ = carry_out(start_of(2, 2, Traits(), contents=False), A3)
    assert case_of(pool, ("A", 2), pool).has_room
    assert case_of(pool, ("B", 3), pool).lacking == 2
    pool, _ = carry_out(pool, call("append", "A"))
    assert not case_of(pool, ("A", 2), pool).has_room


def test_a_reserved_block_is_no_sequence_and_not_shared() -> None:
    case = case_after(call("release_all"), traits=Traits(reserved=frozenset({0})))
    assert (case.live, case.shares) == (0, False)
    assert case_after(A3, FORK, call("release_all")).shares

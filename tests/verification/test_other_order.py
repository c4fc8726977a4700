"""Which operations may be told the other way round, the model says."""

from __future__ import annotations

import pytest

from poolproof_verification.lives import Life, pool_after
from poolproof_verification.operations import Accepted, Operation, Response, View
from poolproof_verification.other_order import may_be_swapped, parting
from poolproof_verification.seen import Seen
from poolproof_verification.visibility import EVERYTHING


def gone(response: Response, before: str, after: str) -> Seen:
    return Seen(call("release", "B"), response, before, after)


def test_an_answer_that_differs_is_told_with_its_operation() -> None:
    same = gone(Accepted([]), "a", "b")
    runs = [same, gone(Accepted([0]), "b", "c")], [same, gone(Accepted([1]), "b", "c")]
    assert parting(*runs, numbered=False) == "release('B') answers [0], or [1]"


def test_answers_that_read_the_same_are_told_with_the_states_that_make_them_differ() -> None:
    here, there = View(1, None, {"B": {"blocks": [0], "len": 1}}), View(1, None, {})
    one, two = (
        [Seen(call("release", "B"), Accepted([0]), before, View(2, None, {}))]
        for before in (here, there)
    )
    assert parting(one, two, numbered=True) == (
        f"release('B') answers [0] either way, and leads from {here} to {View(2, None, {})}, "
        f"or from {there} to {View(2, None, {})}"
    )


def call(name: str, *arguments: object) -> Operation:
    return Operation(name, arguments)


PAIRS = [
    (call("release", "A"), call("release", "B"), True),  # they share, so the second one frees
    (call("release", "A"), call("release", "A"), False),
    (call("append", "C"), call("fork", "A", "D"), True),
    (call("append", "C"), call("fork", "C", "D"), False),
    (call("append", "A"), call("append", "C"), False),  # A is copied, and takes a block
    (call("release", "A"), call("append", "C"), True),  # B still has the block
    (call("release", "A"), call("append", "B"), False),  # which is copied unless A is gone
    (call("release", "C"), call("append", "E"), False),  # frees a block
    (call("append", "X"), call("release", "A"), False),  # refused
    (call("release_all"), call("fork", "A", "D"), False),
]


@pytest.mark.parametrize(("one", "two", "may"), PAIRS, ids=str)
def test_which_operations_may_be_swapped(one: Operation, two: Operation, may: bool) -> None:
    operations = call("allocate", "A", 1), call("fork", "A", "B"), call("allocate", "C", 2)
    life = Life(4, 3, (*operations, call("allocate", "E", 1)))
    pool = pool_after(EVERYTHING, life)
    assert pool is not None
    assert may_be_swapped(EVERYTHING, pool, (one, two)) is may
    assert may_be_swapped(EVERYTHING, pool, (two, one)) is may

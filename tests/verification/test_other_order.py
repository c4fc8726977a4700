"""Which operations may be told the other way round, the model says."""

from __future__ import annotations

import pytest

from poolproof_verification.lives import Life, pool_after
from poolproof_verification.operations import Operation
from poolproof_verification.other_order import may_be_swapped
from poolproof_verification.visibility import EVERYTHING


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

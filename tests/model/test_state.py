from __future__ import annotations

import pytest
from tests.model.by_hand import pool_of

from poolproof_model.execute import chosen
from poolproof_model.state import lawful

# Five tokens in blocks 3, 0 and 2, in this order; block 1 is free.
POOL = pool_of(4, 2, a=((3, 0, 2), "vwxyz"), b=((), ""))
STATE = POOL.state()


def test_the_pool_has_the_blocks_from_zero_up_to_its_size() -> None:
    assert [block for block in range(-2, 7) if STATE.is_block(block)] == [0, 1, 2, 3]


def test_a_sequence_holds_the_blocks_of_its_table() -> None:
    assert [block for block in range(4) if STATE.holds("a", block)] == [0, 2, 3]
    assert not any(STATE.holds("b", block) for block in range(4))


def test_free_blocks_are_counted() -> None:
    assert STATE.num_free() == 1
    assert pool_of(0, 2).state().num_free() == 0


@pytest.mark.parametrize(
    ("count", "predicate"),
    [
        (4, lambda block: True),
        (0, lambda block: False),
        (3, lambda block: block > 0),  # of the pool's blocks only
        (3, lambda block: STATE.reference_count(block) == 1),
        (1, lambda block: STATE.free(block)),
        (1, STATE.free),
    ],
)
def test_how_many_counts_the_blocks_of_the_pool(count: int, predicate: object) -> None:
    assert STATE.how_many(predicate) == count  # type: ignore[arg-type]  # lambdas of no kind


def test_the_last_block_is_the_last_entry_of_the_table() -> None:
    assert STATE.last_block("a") == 2


def test_a_sequence_is_read_through_its_table() -> None:
    assert [STATE.read("a", position) for position in range(5)] == list("vwxyz")
    assert STATE.content(0, 1) == "y"  # position 3: entry 1, offset 1


def test_takes_holds_of_the_first_picks_only() -> None:
    picks = chosen((5, 3, 4))
    assert [block for block in range(-2, 9) if picks.takes(2, block)] == [3, 5]
    assert not any(picks.takes(0, block) for block in range(-2, 9))


def test_a_pick_that_is_free_and_differs_from_the_others_is_lawful() -> None:
    assert lawful(STATE, chosen((1,)), 1, 0)


@pytest.mark.parametrize("block", [0, 2, 3, -1, 4])
def test_a_pick_that_is_not_free_is_unlawful(block: int) -> None:
    assert not lawful(STATE, chosen((block,)), 1, 0)


def test_one_of_two_equal_picks_is_unlawful() -> None:
    picks = chosen((1, 1))
    assert [lawful(STATE, picks, 2, index) for index in range(2)] != [True, True]


def test_what_is_not_needed_may_be_anything() -> None:
    picks = chosen((1, 0))
    assert [lawful(STATE, picks, 1, index) for index in (-1, 0, 1, 2)] == [True] * 4

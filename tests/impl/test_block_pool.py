"""The pool against the plainest one there is: a sorted list of the free blocks."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from poolproof import OutOfBlocks
from poolproof.block_pool import BlockPool

SHARES_FREE = (0.02, 0.25, 0.5, 0.9, 1.0)


def pool_with_free(total: int, free: list[int]) -> BlockPool:
    pool = BlockPool(total)
    pool.take(total)
    for block in free:
        pool.give([block])
    return pool


def scattered(chance: random.Random, total: int, share: float) -> list[int]:
    return [block for block in range(total) if chance.random() < share]


def in_runs(chance: random.Random, total: int, share: float) -> list[int]:
    free: list[int] = []
    block = 0
    while block < total:
        run = chance.randint(1, 12)
        if chance.random() < share:
            free += range(block, min(block + run, total))
        block += run
    return free


@pytest.mark.parametrize("holes", [scattered, in_runs])
@pytest.mark.parametrize("share", SHARES_FREE)
def test_take_gives_the_lowest_free_blocks_whatever_the_holes(
    holes: Callable[[random.Random, int, float], list[int]], share: float
) -> None:
    chance = random.Random(1)
    for total in (1, 7, 40, 200, 700):
        free = holes(chance, total, share)
        for count in {0, 1, 2, 5, 15, 16, 17, 40, 63, 64, 65, 150, len(free) - 1, len(free)}:
            if 0 <= count <= len(free):
                pool = pool_with_free(total, free)
                assert pool.take(count) == free[:count]
                assert pool.free_blocks() == free[count:]
                assert pool.num_free == len(free) - count


def test_take_again_and_again_empties_the_pool_in_ascending_order() -> None:
    chance = random.Random(2)
    free = in_runs(chance, 1_000, 0.5)
    pool, taken = pool_with_free(1_000, free), []
    while pool.num_free:
        taken += pool.take(min(pool.num_free, chance.choice((1, 3, 20, 100))))
    assert taken == free
    assert pool.free_blocks() == []


def test_take_one_is_take_of_one() -> None:
    free = [2, 3, 9]
    singly, whole = pool_with_free(10, free), pool_with_free(10, free)
    assert [singly.take_one() for _ in free] == [whole.take(1)[0] for _ in free] == free
    with pytest.raises(OutOfBlocks):
        singly.take_one()


def test_asking_for_more_than_there_are_takes_nothing() -> None:
    pool = pool_with_free(10, [2, 3, 9])
    with pytest.raises(OutOfBlocks) as refusal:
        pool.take(4)
    assert (refusal.value.asked, refusal.value.free) == (4, 3)
    assert pool.take(3) == [2, 3, 9]


@pytest.mark.parametrize("given", [[], [4], [9], [0, 1, 2], [3, 4, 8], [0, 9], list(range(10))])
def test_given_blocks_are_free_and_are_taken_next(given: list[int]) -> None:
    pool = BlockPool(10)
    pool.take(10)
    pool.give(given)
    assert pool.free_blocks() == given
    assert pool.num_free == len(given)
    assert pool.take(len(given)) == given


def test_a_block_is_let_go_when_its_last_reference_goes() -> None:
    pool = BlockPool(5)
    blocks = pool.take(3)
    pool.share(blocks)
    pool.share([1])
    assert pool.reference_counts() == {0: 2, 1: 3, 2: 2}
    assert pool.let_go(blocks) == []
    assert pool.let_go(blocks) == [0, 2]
    assert pool.let_go([1]) == [1]


def test_reset_makes_the_pool_whole_and_says_what_was_not_free() -> None:
    pool = BlockPool(6)
    pool.share(pool.take(4))
    pool.give([2])
    assert pool.reset() == [0, 1, 3]
    assert pool.free_blocks() == list(range(6))
    assert pool.take(6) == list(range(6))
    assert pool.reference_counts() == dict.fromkeys(range(6), 1)


def test_a_pool_without_blocks_takes_and_gives_none() -> None:
    pool = BlockPool(0)
    assert (pool.take(0), pool.free_blocks(), pool.reset()) == ([], [], [])
    with pytest.raises(OutOfBlocks):
        pool.take_one()

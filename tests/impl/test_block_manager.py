"""What the operations do and return, what the questions answer, what the views show."""

from __future__ import annotations

from typing import Any

import pytest

from poolproof import BlockManager, Growth, OutOfBlocks


def hidden(manager: BlockManager) -> object:
    pool = manager._pool
    tables = {
        name: (tuple(table.blocks), table.length, table.limit, table.forked)
        for name, table in manager._sequences.items()
    }
    return bytes(pool.free_map), tuple(pool.extra), pool.lowest, pool.num_free, tables


# --- operations -----------------------------------------------------------------------------------


def test_the_lesson() -> None:
    manager = BlockManager(10, 16)
    assert manager.allocate("A", 20) == [0, 1]
    assert manager.fork("A", "B") == [0, 1]
    assert manager.ref == {0: 2, 1: 2}
    assert manager.append("B") is True
    assert manager.seqs == {"A": {"blocks": [0, 1], "len": 20}, "B": {"blocks": [0, 2], "len": 21}}
    assert manager.ref == {0: 2, 1: 1, 2: 1}
    assert manager.num_free == 7
    assert manager.release("A") == [1]
    assert manager.ref == {0: 1, 2: 1}
    assert manager.num_free == 8
    assert manager.release("B") == [0, 2]
    assert manager.free == list(range(10))
    assert manager.ref == {} and manager.seqs == {}


@pytest.mark.parametrize(("tokens", "blocks"), [(0, 0), (1, 1), (16, 1), (17, 2), (32, 2), (33, 3)])
def test_a_prompt_takes_as_many_blocks_as_it_fills(tokens: int, blocks: int) -> None:
    manager = BlockManager(3, 16)
    assert manager.allocate("a", tokens) == list(range(blocks))
    assert (manager.length("a"), manager.used()) == (tokens, blocks)


def test_the_lowest_free_blocks_are_taken_first() -> None:
    manager = BlockManager(6, 1)
    for name in "abcdef":
        manager.allocate(name, 1)
    for name in "eb":
        manager.release(name)
    assert manager.allocate("x", 2) == [1, 4]
    manager.release("a")
    manager.append("x")
    assert manager.table("x") == [1, 4, 0]
    assert manager.release("x") == [0, 1, 4]


def test_only_a_token_written_into_a_shared_block_makes_a_copy() -> None:
    manager = BlockManager(6, 2)
    manager.allocate("full", 2)
    manager.fork("full", "child")
    assert manager.append("child") is False  # the next block, not the shared one
    assert manager.table("child") == [0, 1]
    manager.fork("child", "grandchild")
    assert manager.append("grandchild") is True
    assert manager.append("grandchild") is False
    assert manager.table("grandchild") == [0, 2, 3]


def test_the_last_holder_of_a_block_writes_in_place() -> None:
    manager = BlockManager(2, 4)
    manager.allocate("a", 1)
    manager.fork("a", "b")
    manager.release("a")
    assert manager.append("b") is False
    assert manager.table("b") == [0]


def test_each_sharer_but_the_last_copies() -> None:
    manager = BlockManager(3, 4)
    manager.allocate("a", 1)
    for child in "bc":
        manager.fork("a", child)
    assert [manager.append(name) for name in "abc"] == [True, True, False]
    assert [manager.last_block(name) for name in "abc"] == [1, 2, 0]


def test_a_name_is_any_hashable() -> None:
    manager = BlockManager(6, 1)
    for name in (None, 0, "", ("request", 7), frozenset({1}), 2.5):
        manager.allocate(name, 1)
    manager.fork(None, b"child")
    assert manager.table(b"child") == manager.table(None) == [0]
    assert manager.release(("request", 7)) == [3]


def test_a_released_name_may_be_used_again() -> None:
    manager = BlockManager(1, 1)
    for _ in range(3):
        assert manager.allocate("a", 1) == [0]
        assert manager.release("a") == [0]


def test_grow_by_nothing_does_nothing() -> None:
    manager = BlockManager(0, 1)
    manager.allocate("a", 0)
    assert manager.grow("a", 0) == Growth([], None)


def test_arithmetic_is_exact_at_any_size() -> None:
    manager = BlockManager(3, 10**20)
    assert manager.allocate("a", 2 * 10**20) == [0, 1]
    assert manager.append("a") is False
    assert manager.table("a") == [0, 1, 2]
    assert manager.slot("a", 2 * 10**20) == 2 * 10**20
    assert manager.can_grow("a", 10**20 - 1) and not manager.can_grow("a", 10**20)
    with pytest.raises(OutOfBlocks) as refusal:
        BlockManager(3, 16).allocate("a", 10**30)
    assert refusal.value.asked == 10**30 // 16
    assert BlockManager(3, 10**20).can_allocate(3 * 10**20)
    assert not BlockManager(3, 10**20).can_allocate(3 * 10**20 + 1)


# --- questions and views --------------------------------------------------------------------------


def test_what_a_view_returns_is_not_the_manager_s_own() -> None:
    manager = BlockManager(6, 4)
    returned: list[Any] = [manager.allocate("a", 6), manager.fork("a", "b")]
    growth = manager.grow("b", 5)
    before = hidden(manager)
    seqs = manager.seqs
    returned += [growth.blocks, manager.table("a"), manager.free, manager.violations()]
    returned += [seqs["a"]["blocks"], manager.ref, seqs]
    seqs["a"]["len"] = 99
    for view in returned:
        view.clear()
    assert hidden(manager) == before
    released = manager.release("a")
    released.clear()
    manager.release_all().clear()
    assert manager.free == list(range(6))


def test_a_slot_is_the_block_s_place_and_the_offset_in_it() -> None:
    manager = BlockManager(4, 4)
    manager.allocate("first", 4)
    manager.allocate("a", 4)
    manager.release("first")
    manager.grow("a", 2)
    assert manager.table("a") == [1, 0]
    assert [manager.slot("a", position) for position in range(6)] == [4, 5, 6, 7, 0, 1]


def test_the_representation_shows_sizes_and_use() -> None:
    manager = BlockManager(10, 16)
    manager.allocate("a", 20)
    assert repr(manager) == "BlockManager(10, 16): 1 sequences, 8 blocks free"

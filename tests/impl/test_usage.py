"""Every figure of the usage, on states small enough to count by hand."""

from __future__ import annotations

import pytest

from poolproof import BlockManager, Usage


def test_33_tokens_in_blocks_of_16_waste_15_of_48_slots() -> None:
    manager = BlockManager(10, 16)
    manager.allocate("a", 33)
    usage = manager.usage()
    assert usage == Usage(160, 3, 3, 48, 33)
    assert usage.slack_slots == 15
    assert usage.slack_share_of_allocated_slots == 0.3125
    assert usage.slack_share_of_pool_slots == 15 / 160
    assert usage == manager.usage_of("a")


def test_a_shared_block_is_stored_once_and_listed_by_each_holder() -> None:
    manager = BlockManager(10, 16)
    manager.allocate("a", 40)
    for child in "bcd":
        manager.fork("a", child)
    usage = manager.usage()
    assert (usage.logical_blocks, usage.physical_blocks, usage.saved_blocks) == (12, 3, 9)
    assert usage.saved_share_of_logical_blocks == 0.75
    assert (usage.filled_slots, usage.slack_slots) == (40, 8)


def test_a_copy_on_write_ends_the_sharing_of_one_block() -> None:
    manager = BlockManager(10, 16)
    manager.allocate("a", 20)
    manager.fork("a", "b")
    manager.append("b")
    usage = manager.usage()
    assert (usage.logical_blocks, usage.physical_blocks, usage.saved_blocks) == (4, 3, 1)
    assert usage.filled_slots == 16 + 4 + 5
    assert usage.slack_slots == 12 + 11


def test_a_sharer_that_goes_on_fills_a_block_of_its_own() -> None:
    manager = BlockManager(10, 4)
    manager.allocate("a", 8)
    manager.fork("a", "b")
    manager.append("a")
    assert manager.usage().filled_slots == 9
    assert manager.usage_of("b").filled_slots == 8


def test_usage_of_one_sequence_knows_no_sharing() -> None:
    manager = BlockManager(10, 16)
    manager.allocate("a", 20)
    manager.fork("a", "b")
    assert manager.usage_of("b") == Usage(160, 2, 2, 32, 20)
    assert manager.usage_of("b").saved_share_of_logical_blocks == 0.0
    with pytest.raises(KeyError):
        manager.usage_of("c")


@pytest.mark.parametrize("total", [0, 3])
def test_a_share_of_nothing_is_zero(total: int) -> None:
    usage = BlockManager(total, 16).usage()
    assert usage == Usage(total * 16, 0, 0, 0, 0)
    assert usage.slack_share_of_allocated_slots == 0.0
    assert usage.slack_share_of_pool_slots == 0.0
    assert usage.saved_share_of_logical_blocks == 0.0


def test_an_empty_sequence_uses_nothing() -> None:
    manager = BlockManager(3, 16)
    manager.allocate("a", 0)
    assert manager.usage() == manager.usage_of("a") == Usage(48, 0, 0, 0, 0)


def test_figures_are_exact_at_any_block_size() -> None:
    manager = BlockManager(3, 10**20)
    manager.allocate("a", 2 * 10**20 + 1)
    assert manager.usage().slack_slots == 10**20 - 1
    assert manager.usage().pool_slots == 3 * 10**20

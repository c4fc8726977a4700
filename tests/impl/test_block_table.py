"""A table says how far appends go without block work, and a growth what the engine has to do."""

from __future__ import annotations

from poolproof import BlockManager, Growth
from poolproof.block_table import BlockTable


def table_of(manager: BlockManager, name: str) -> BlockTable:
    return manager._sequences[name]


def test_an_unshared_table_may_be_filled_to_its_last_slot() -> None:
    manager = BlockManager(4, 16)
    manager.allocate("a", 20)
    assert (table_of(manager, "a").limit, table_of(manager, "a").forked) == (32, False)


def test_a_fork_makes_both_tables_look_at_the_last_block_again() -> None:
    manager = BlockManager(4, 16)
    manager.allocate("a", 20)
    manager.fork("a", "b")
    for name in "ab":
        assert (table_of(manager, name).limit, table_of(manager, name).forked) == (20, True)
    manager.append("b")
    assert table_of(manager, "b").limit == 32
    assert table_of(manager, "a").limit == 20


def test_a_table_has_no_room_for_other_attributes() -> None:
    assert not hasattr(BlockTable([], 0, 0, False), "__dict__")


def test_a_growth_reads_by_name_and_by_place() -> None:
    blocks, copy = growth = Growth([3, 4], (1, 2))
    assert (growth.blocks, growth.copy) == (blocks, copy) == ([3, 4], (1, 2))

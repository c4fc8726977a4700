"""A frame is a valid state exactly where the manager's own self-check finds nothing."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from poolproof import BlockManager
from poolproof.block_table import BlockTable
from poolproof_verification.contracts.cases import Arguments, precondition, small_states
from poolproof_verification.contracts.frame import THREE, Frame, layouts, pick
from poolproof_verification.contracts.subject import SUBJECT
from poolproof_verification.contracts.table_contracts import append, state

VALID = precondition(append)
STATES = small_states(THREE, True)


def whole(frame: Frame) -> BlockManager:
    """The manager with the other holders as sequences of one block each."""
    manager = SUBJECT.build(frame)
    for block, count in enumerate(frame.others):
        for number in range(count):
            table = BlockTable([block], frame.block_size, frame.block_size, True)
            manager._sequences[block, number] = table
    return manager


def agrees(arguments: Arguments) -> bool:
    values: dict[str, Any] = {**arguments}
    return VALID(arguments) == whole(state(**values)).check_invariants()


def test_there_is_one_layout_for_each_table_and_each_set_of_other_blocks_in_use() -> None:
    assert len(THREE) == 8 + 3 * 4 + 6 * 2 + 6
    assert len({(layout.blocks, layout.elsewhere) for layout in THREE}) == len(THREE)
    for layout in THREE:
        assert sorted(layout.blocks + layout.elsewhere + layout.free) == [0, 1, 2]
        assert [block for block in range(3) if layout.free_map[block]] == list(layout.free)


@pytest.mark.parametrize("length", range(1, 9))
def test_picking_by_bisection_is_indexing(length: int) -> None:
    options = range(length)
    assert [pick(options, index) for index in options] == list(options)


def test_no_layout_lies_outside_the_list() -> None:
    arguments = STATES[0]
    assert not VALID(arguments | {"layout": -1})
    assert not VALID(arguments | {"layout": len(THREE)})


def test_valid_states_are_those_in_which_the_self_check_finds_nothing() -> None:
    sample = Random(0).sample(STATES, 3_000)
    assert {VALID(arguments) for arguments in sample} == {True, False}
    assert [arguments for arguments in sample if not agrees(arguments)] == []


def test_a_pool_without_a_table_has_a_layout_for_each_set_of_blocks_in_use() -> None:
    assert len(layouts(4, longest=0)) == 2**4

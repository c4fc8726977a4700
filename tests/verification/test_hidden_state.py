"""Hidden states are read off, put back and tampered with one value at a time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from poolproof import BlockManager
from poolproof_verification.hidden_state import HiddenState, build, reached, read, tampered
from poolproof_verification.operations import view_of


def shared() -> BlockManager:
    """`A` and `B` share block 0; `B` has block 2 in the place of 1, which is `A`'s."""
    manager = BlockManager(4, 2)
    manager.allocate("A", 3)
    manager.fork("A", "B")
    manager.append("B")
    return manager


def test_what_is_read_off_is_put_back() -> None:
    manager = shared()
    copy = build(BlockManager, read(manager))
    assert read(copy) == read(manager)
    assert (copy.free, copy.ref, copy.seqs) == (manager.free, manager.ref, manager.seqs)
    copy.release("A")
    assert manager.table("A") == [0, 1]


def test_the_model_has_the_same_state() -> None:
    for state in reached():
        shown, manager = view_of(state.pool()), build(BlockManager, state)
        assert (shown.free, shown.ref, shown.seqs) == (manager.free, manager.ref, manager.seqs)


def test_a_free_block_that_a_table_holds_is_counted_in_the_model() -> None:
    state = read(shared())
    pool = replace(state, free_map=b"\1\0\0\1").pool()
    assert sorted(pool.free) == [0, 3]
    assert pool.counts == {0: 2, 1: 1, 2: 1}


def test_the_lives_lead_to_states_of_every_kind() -> None:
    tables = [table for state in reached() for _, table in state.tables]
    assert len(reached()) >= 15
    assert any(not state.total for state in reached())
    assert any(state.total and not state.num_free for state in reached())
    assert any(max(state.extra, default=0) > 1 for state in reached())
    assert any(table.length == 0 for table in tables)
    assert any(table.limit > table.length for table in tables)


@pytest.mark.parametrize("state", reached()[:6], ids=str)
def test_a_tampered_state_differs_in_one_field(state: HiddenState) -> None:
    states = list(tampered(state))
    assert len(set(states)) == len(states)
    for other in states:
        fields = vars(state)
        different = [name for name in fields if getattr(other, name) != fields[name]]
        assert len(different) == 1
        assert different != ["total"] and different != ["block_size"]


def test_a_state_reads_as_one_line() -> None:
    assert str(read(shared())) == (
        "4 blocks of 2, free map [0, 0, 0, 1], references beyond the first [1, 0, 0, 0], num_free "
        "1, search from 3, tables: A [0, 1] 3 token(s), limit 3, forked True; B [0, 2] 4 token(s), "
        "limit 4, forked True"
    )

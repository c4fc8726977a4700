from __future__ import annotations

from dataclasses import replace

import pytest
from tests.model.by_hand import pool_of
from tests.model.reach import SCOPES, explore, failures, wrong

from poolproof_model.execute import FreeBlocks, Members, Pool, Table, broken, empty_pool
from poolproof_model.invariants import AUXILIARY, INVARIANTS, SAFETY

# Blocks of 2: three tokens in blocks 0 and 1; block 2 is free.
GOOD = pool_of(3, 2, a=((0, 1), "xyz"))


def with_table(blocks: tuple[int, ...], tokens: str) -> Pool:
    """The good state, but for the table of its sequence."""
    return replace(GOOD, tables={"a": Table(blocks, len(tokens), tuple(tokens))})


BAD = {
    "partition": {
        "a block is lost": replace(GOOD, free=FreeBlocks()),
        "a block is free while it is held": replace(GOOD, free=FreeBlocks({1, 2})),
        "a free block is not the pool's": replace(GOOD, free=FreeBlocks({2, 3})),
        "a negative number is free": replace(GOOD, free=FreeBlocks({2, -1})),
    },
    "counts": {
        "a block is counted too often": replace(GOOD, counts={0: 2, 1: 1}),
        "a shared block is counted too little": replace(
            pool_of(3, 2, a=((0,), "x"), b=((0,), "x")), counts={0: 1}
        ),
    },
    "lengths": {
        "a table has too few blocks": replace(GOOD, tables={"a": Table((0, 1), 5, tuple("xyz"))}),
        "a table has too many blocks": with_table((0, 1), "xy"),
        "a sequence without tokens has blocks": with_table((0, 1), ""),
        "a length is negative": replace(GOOD, tables={**GOOD.tables, "b": Table((), -1)}),
    },
    "contents": {
        "a slot has another token": replace(GOOD, contents={0: ("x", "x"), 1: ("z", None)}),
        "a slot is not written": replace(GOOD, contents={0: ("x", "y"), 1: (None, None)}),
        "a table has its blocks in the wrong order": replace(
            pool_of(3, 2, a=((0, 1), "xyzv")), contents={0: ("z", "v"), 1: ("x", "y")}
        ),
    },
    "holders": {
        "a sequence holds a block that its table has not": replace(
            GOOD,
            free=FreeBlocks(),
            counts={0: 1, 1: 1, 2: 1},
            holders={**GOOD.holders, 2: Members("a")},
        ),
        "somebody not live holds a block": replace(
            GOOD,
            free=FreeBlocks(),
            counts={0: 1, 1: 1, 2: 1},
            holders={**GOOD.holders, 2: Members("b")},
        ),
        "a block that is not the pool's stands in a table": pool_of(3, 2, a=((0, 3), "xyz")),
    },
    "tables": {
        "a block stands twice in a table": pool_of(3, 2, a=((0, 0), "xyxy")),
        "a sequence does not hold a block of its table": replace(
            GOOD, free=FreeBlocks({1, 2}), counts={0: 1}, holders={0: Members("a")}
        ),
    },
}
CASES = [(name, case) for name, cases in BAD.items() for case in cases]


@pytest.mark.parametrize("scope", SCOPES)
def test_every_reachable_state_keeps_every_invariant(scope: str) -> None:
    states, _ = explore(SCOPES[scope])
    assert len(states) > 50
    for pool in states:
        assert wrong(pool, INVARIANTS, SCOPES[scope].names) == [], pool
        assert list(broken(pool)) == [], pool


@pytest.mark.parametrize("pool", [empty_pool(0, 1), empty_pool(3, 2), GOOD])
def test_invariants_hold_in_well_formed_states(pool: Pool) -> None:
    assert wrong(pool, INVARIANTS, "ab") == []


def test_every_invariant_has_a_state_that_breaks_it() -> None:
    assert list(BAD) == [clause.__name__ for clause in INVARIANTS]


@pytest.mark.parametrize(("name", "case"), CASES)
def test_an_invariant_notices_what_no_other_does(name: str, case: str) -> None:
    assert wrong(BAD[name][case], INVARIANTS, "ab") == [name]


def test_who_is_not_live_holds_no_block_even_of_a_table_it_had() -> None:
    state = replace(GOOD.state(), live=lambda sequence: False)
    assert set(failures(INVARIANTS, {"state": state}, GOOD, "ab")) == {"holders"}


def test_a_block_counted_below_zero_is_noticed_first_by_partition() -> None:
    pool = replace(GOOD, free=FreeBlocks(), counts={0: 1, 1: 1, 2: -1})
    assert wrong(pool, INVARIANTS, "ab") == ["partition", "counts"]


def test_safety_and_the_auxiliary_clauses_are_all_there_is() -> None:
    assert INVARIANTS == SAFETY + AUXILIARY
    assert len({clause.__name__ for clause in INVARIANTS}) == len(INVARIANTS)

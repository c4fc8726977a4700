from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
from tests.model.by_hand import TWO_SHARING, pool_of, prompt_of
from tests.model.reach import SCOPES, STRANGER, Step, explore

from poolproof_model.execute import (
    NO_BLOCK,
    NOBODY,
    FreeBlocks,
    Members,
    Pool,
    Table,
    broken,
    chosen,
    empty_pool,
    is_lawful,
    needed,
    refusal,
    step,
)
from poolproof_model.state import State
from poolproof_model.system import ALLOCATE, APPEND, FORK, RELEASE, Transition, call

# Blocks of 4: A and B share block 0, each has one token in a block of its own; 3, 4 are free.
POOL = pool_of(5, 4, **TWO_SHARING)


def lowest(pool: Pool, transition: Transition, arguments: dict[str, Any]) -> Pool:
    """The state after the transition, which takes the lowest free blocks."""
    assert refusal(pool, transition, arguments) is None
    count = needed(pool, transition, arguments)
    return step(pool, transition, arguments, tuple(sorted(pool.free)[:count]))


def allocated(name: str, length: int) -> dict[str, Any]:
    """The arguments of an allocation."""
    return {"sequence": name, "length": length, "prompt": prompt_of("abcdefghi"[:length])}


# --- the lesson -----------------------------------------------------------------------------------


def test_the_lesson_runs_as_it_is_told() -> None:
    """Ten blocks of 16; A has 20 tokens; B is forked from it, and one token longer."""
    prompt = prompt_of("the twenty tokens...")
    arguments = {"sequence": "A", "length": 20, "prompt": prompt}
    pool = lowest(empty_pool(10, 16), ALLOCATE, arguments)
    pool = lowest(pool, FORK, {"parent": "A", "child": "B"})
    assert (pool.tables["A"].blocks, pool.tables["B"].blocks) == ((0, 1), (0, 1))
    pool = lowest(pool, APPEND, {"sequence": "B", "token": "!"})
    assert (pool.tables["A"].blocks, pool.tables["B"].blocks) == ((0, 1), (0, 2))
    assert (pool.counts, len(pool.free)) == ({0: 2, 1: 1, 2: 1}, 7)
    assert [pool.state().read("B", 16 + offset) for offset in range(5)] == list("s...!")
    after_a = lowest(pool, RELEASE, {"sequence": "A"})
    assert after_a.free - pool.free == {1}
    after_b = lowest(after_a, RELEASE, {"sequence": "B"})
    assert after_b.free - after_a.free == {0, 2}
    assert (len(after_b.free), after_b.counts, after_b.tables) == (10, {}, {})


# --- a pool as total functions --------------------------------------------------------------------


def test_an_empty_pool_is_the_models_initial_state() -> None:
    pool = empty_pool(3, 2)
    assert pool == Pool(3, 2, FreeBlocks({0, 1, 2}))
    assert (pool.counts, pool.tables, pool.holders, pool.contents) == ({}, {}, {}, {})
    assert empty_pool(3, 2, contents=False).contents is None
    assert empty_pool(0, 1).free == frozenset()


def test_a_row_changes_one_member_at_a_time() -> None:
    row = NOBODY.with_member("a", True).with_member("b", True).with_member("a", True)
    assert (row, row.size(), row.contains("a")) == (Members("ab"), 2, True)
    row = row.with_member("a", False).with_member("c", False)
    assert (row, row.size(), row.contains("a")) == (Members("b"), 1, False)
    assert (row.emptied(), row.emptied().size()) == (NOBODY, 0)


def test_a_pool_is_read_as_a_state() -> None:
    state = POOL.state()
    assert (state.total, state.block_size, state.num_free()) == (5, 4, 2)
    assert [state.reference_count(block) for block in range(-1, 6)] == [0, 2, 1, 1, 0, 0, 0]
    assert [state.free(block) for block in (2, 3, 4, 5)] == [False, True, True, False]
    assert (state.live("B"), state.length("B"), state.table_length("B")) == (True, 5, 2)
    assert [state.block_at("B", index) for index in range(-1, 3)] == [NO_BLOCK, 0, 2, NO_BLOCK]
    assert [state.index_of("B", block) for block in range(3)] == [0, -1, 1]
    assert [state.content(2, offset) for offset in range(-1, 5)] == [None, "x", *[None] * 4]
    assert [state.history("B", position) for position in (-1, 4, 5)] == [None, "x", None]
    assert (state.live(STRANGER), state.length(STRANGER), state.table_length(STRANGER)) == (
        (False, 0, 0)
    )


def test_a_choice_knows_the_place_of_each_block() -> None:
    picks = chosen((7, 2))
    assert [picks.block(index) for index in range(-1, 3)] == [NO_BLOCK, 7, 2, NO_BLOCK]
    assert [picks.index_of(block) for block in (7, 2, 3)] == [0, 1, -1]


# --- choices --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("blocks", "lawful"),
    [
        ((3, 4), True),
        ((4, 3), True),
        ((3,), False),  # too few
        ((), False),
        ((3, 3), False),  # one twice
        ((3, 1), False),  # one that is held
        ((3, 5), False),  # one that the pool has not
        ((-1, 3), False),
        ((3, 4, 3), False),  # too many
        ((3, 4, 0), False),
    ],
)
def test_only_free_and_distinct_blocks_as_many_as_needed_are_lawful(
    blocks: tuple[int, ...], lawful: bool
) -> None:
    assert is_lawful(POOL, ALLOCATE, allocated("C", 5), blocks) is lawful


def test_who_needs_no_block_takes_none() -> None:
    for transition, arguments in (
        (FORK, {"parent": "A", "child": "C"}),
        (RELEASE, {"sequence": "A"}),
        (APPEND, {"sequence": "A", "token": "z"}),
        (ALLOCATE, allocated("C", 0)),
    ):
        assert is_lawful(POOL, transition, arguments, ())
        assert not is_lawful(POOL, transition, arguments, (3,))


# --- steps ----------------------------------------------------------------------------------------


def effect_of(taken: Step) -> State:
    """The state after the step, by the transition's effect alone."""
    values = {"state": taken.before.state(), "choice": chosen(taken.blocks), **taken.arguments}
    after: State = call(taken.transition.effect, values)
    return after


def meaning(state: State, names: str) -> Iterator[object]:
    """Every value that means something: at every block, sequence, index, offset and position."""
    yield state.total, state.block_size
    for block in range(-1, state.total + 1):
        holders = {name for name in (*names, STRANGER) if state.holds(name, block)}
        yield state.free(block), state.reference_count(block), holders
        yield state.holders(block).size()
        for offset in range(state.block_size):
            yield state.content(block, offset)
    for name in (*names, STRANGER):
        length, entries = state.length(name), state.table_length(name)
        yield name, state.live(name), length, entries
        for index in range(entries):
            block = state.block_at(name, index)
            yield block, state.index_of(name, block)
        for position in range(length):
            yield state.history(name, position)


@pytest.mark.parametrize("scope", SCOPES)
def test_a_step_is_its_effect_at_every_block_and_every_sequence(scope: str) -> None:
    """Though it evaluates the effect at the footprint only."""
    _, steps = explore(SCOPES[scope])
    names = SCOPES[scope].names
    for taken in steps:
        stepped, evaluated = taken.after.state(), effect_of(taken)
        assert [*meaning(stepped, names)] == [*meaning(evaluated, names)], taken


class Watched(dict[int, int]):
    """Reference counts that tell which blocks they are asked about."""

    def __init__(self, counts: Mapping[int, int], asked: set[int]) -> None:
        super().__init__(counts)
        self.asked = asked

    def get(self, block: int, default: Any = None) -> Any:
        self.asked.add(block)
        return super().get(block, default)


@pytest.mark.parametrize(
    ("transition", "arguments", "blocks", "footprint"),
    [
        (ALLOCATE, allocated("C", 5), (7, 3), {7, 3}),
        (FORK, {"parent": "A", "child": "C"}, (), {0, 1}),
        (APPEND, {"sequence": "A", "token": "z"}, (), {1}),  # the last entry, not the table
        (RELEASE, {"sequence": "B"}, (), {0, 2}),
    ],
)
def test_a_step_asks_about_its_footprint_only(
    transition: Transition,
    arguments: dict[str, Any],
    blocks: tuple[int, ...],
    footprint: set[int],
) -> None:
    pool, asked = pool_of(100_000, 4, **TWO_SHARING), set[int]()
    step(replace(pool, counts=Watched(pool.counts, asked)), transition, arguments, blocks)
    assert asked <= footprint


TRIED: tuple[tuple[Transition, dict[str, Any], tuple[int, ...]], ...] = (
    (ALLOCATE, allocated("C", 5), (4, 3)),
    (FORK, {"parent": "A", "child": "C"}, ()),
    (APPEND, {"sequence": "A", "token": "z"}, ()),
    (RELEASE, {"sequence": "A"}, ()),
)


@pytest.mark.parametrize(("transition", "arguments", "blocks"), TRIED)
def test_a_step_leaves_the_state_before_as_it_was(
    transition: Transition, arguments: dict[str, Any], blocks: tuple[int, ...]
) -> None:
    pool = pool_of(5, 4, **TWO_SHARING)
    assert step(pool, transition, arguments, blocks) != pool
    assert pool == POOL


@pytest.mark.parametrize(("transition", "arguments", "blocks"), TRIED)
def test_contents_may_be_left_out_of_account(
    transition: Transition, arguments: dict[str, Any], blocks: tuple[int, ...]
) -> None:
    """Then everything else is as it is with them."""
    without = without_contents(POOL)
    expected = without_contents(step(POOL, transition, arguments, blocks))
    assert step(without, transition, arguments, blocks) == expected
    assert list(broken(expected)) == []


def without_contents(pool: Pool) -> Pool:
    tables = {name: Table(table.blocks, table.length) for name, table in pool.tables.items()}
    return replace(pool, tables=tables, contents=None)


def test_what_has_no_value_worth_keeping_is_left_out() -> None:
    """So that states that mean the same are equal."""
    pool = step(pool_of(2, 4, A=((1,), "ab")), RELEASE, {"sequence": "A"}, ())
    assert (pool.counts, pool.holders, pool.tables) == ({}, {}, {})


# --- clauses --------------------------------------------------------------------------------------


def test_what_is_broken_is_named_with_where() -> None:
    contents = {0: tuple("abcd"), 1: tuple("e   "), 2: tuple("y   ")}
    pool = replace(POOL, counts={0: 3, 1: 1, 2: 1}, contents=contents)
    assert list(broken(pool)) == [
        ("counts", "block 0"),
        ("contents", "sequence 'B', position 4"),
    ]


def test_only_the_clauses_asked_about_are_evaluated() -> None:
    def no_sequence_is_longer_than_four(state: State, sequence: str) -> bool:
        return bool(state.length(sequence) <= 4)

    def never(state: State) -> bool:
        return False

    assert list(broken(POOL, (no_sequence_is_longer_than_four, never))) == [
        ("no_sequence_is_longer_than_four", "sequence 'A'"),
        ("no_sequence_is_longer_than_four", "sequence 'B'"),
        ("never", ""),
    ]

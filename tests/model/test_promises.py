from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import pytest
from tests.model.by_hand import pool_of
from tests.model.reach import SCOPES, STRANGER, Step, broken_by, explore, failures

from poolproof_model import promises
from poolproof_model.algebra import at, row_at
from poolproof_model.invariants import INVARIANTS
from poolproof_model.promises import FRAMES
from poolproof_model.state import State
from poolproof_model.system import TRANSITIONS, Clause, Transition, call

NAMES = [transition.name for transition in TRANSITIONS]
STRIDE = 7  # of the steps whose wrong ends are tried
# Where one wrong value in the state after breaks a clause, though everything else is right.
BROKEN_BY = {
    "others_keep_their_tables": "live table_length block_at",
    "others_keep_their_tokens": "length history",
    "others_keep_their_contents": "content",
    "writes_only_its_own_blocks": "content holders reference_count",
    "allocate_makes_it_live": "live length",
    "allocate_writes_the_prompt": "block_at content history",
    "allocate_takes_free_blocks": "block_at free reference_count table_length",
    "allocate_takes_no_other_block": "free reference_count holders",
    "fork_shares_the_table": "live table_length block_at",
    "fork_shares_the_tokens": "length block_at content history",
    "fork_counts_each_block_once_more": "free reference_count",
    "append_adds_the_token": "live length block_at content history",
    "append_keeps_earlier_tokens": "block_at content history",
    "append_keeps_earlier_blocks": "block_at",
    "append_frees_nothing": "free",
    "release_ends_the_sequence": "live holders",
    "release_drops_one_reference": "reference_count",
    "release_frees_exactly_the_last_held": "free reference_count",
    "release_frees_no_held_block": "free reference_count holders",
    "release_loses_no_block": "free",
    "release_writes_nothing": "content",
}


def steps_of(transition: Transition, scope: str = "lowest") -> tuple[Step, ...]:
    _, steps = explore(SCOPES[scope])
    return tuple(taken for taken in steps if taken.transition is transition)


@pytest.mark.parametrize("scope", SCOPES)
def test_every_step_fulfils_every_promise(scope: str) -> None:
    names = SCOPES[scope].names
    for transition in TRANSITIONS:
        clauses: tuple[Clause, ...] = (*transition.promises, *FRAMES)
        steps = steps_of(transition, scope)
        assert steps
        for taken in steps:
            assert list(broken_by(taken, taken.after.state(), clauses, names)) == [], taken


@pytest.mark.parametrize("transition", TRANSITIONS, ids=NAMES)
def test_a_transition_that_does_nothing_breaks_a_promise(transition: Transition) -> None:
    """Wherever it is admitted, though it keeps every invariant and every frame."""
    for taken in steps_of(transition):
        unchanged = taken.before.state()
        assert any(broken_by(taken, unchanged, transition.promises, "ab")), taken
        assert not any(broken_by(taken, unchanged, FRAMES, "ab")), taken


def altered(state: State, names: str) -> Iterator[tuple[str, State]]:
    """The state with one value changed, of those that mean something, and in which component."""
    for block in range(state.total):
        yield "free", replace(state, free=at(state.free, block, not state.free(block)))
        more = at(state.reference_count, block, state.reference_count(block) + 1)
        yield "reference_count", replace(state, reference_count=more)
        for name in (*names, STRANGER):
            row = state.holders(block).with_member(name, not state.holds(name, block))
            yield "holders", replace(state, holders=at(state.holders, block, row))
    for name in names:
        yield "live", replace(state, live=at(state.live, name, not state.live(name)))
        if state.live(name):
            yield from altered_table(state, name)
            yield from altered_tokens(state, name)


def altered_table(state: State, name: str) -> Iterator[tuple[str, State]]:
    """The state with another length of a live sequence, or another entry of its table."""
    for change in (-1, 1):
        length = at(state.length, name, state.length(name) + change)
        yield "length", replace(state, length=length)
        entries = at(state.table_length, name, state.table_length(name) + change)
        yield "table_length", replace(state, table_length=entries)
    for index in range(state.table_length(name)):
        block = state.block_at(name, index)
        place = at(partial(state.index_of, name), block, index + 1)
        yield "index_of", replace(state, index_of=row_at(state.index_of, name, place))
        for other in {*range(-1, state.total + 1)} - {block}:
            row = at(partial(state.block_at, name), index, other)
            yield "block_at", replace(state, block_at=row_at(state.block_at, name, row))


def altered_tokens(state: State, name: str) -> Iterator[tuple[str, State]]:
    """The state with another token given to a live sequence, or read by it."""
    for position in range(state.length(name)):
        given = at(partial(state.history, name), position, "?")
        yield "history", replace(state, history=row_at(state.history, name, given))
        index, offset = divmod(position, state.block_size)
        block = state.block_at(name, index)
        slots = at(partial(state.content, block), offset, "?")
        yield "content", replace(state, content=row_at(state.content, block, slots))


def wrong_ends(transition: Transition) -> Iterator[tuple[Step, str, State]]:
    """Some steps, each with every end that is wrong in one value, and in which component."""
    for taken in steps_of(transition, "every choice")[::STRIDE]:
        for component, after in altered(taken.after.state(), "ab"):
            yield taken, component, after


def test_each_clause_notices_a_wrong_value_of_what_it_speaks_of() -> None:
    noticed: dict[str, set[str]] = {}
    for transition in TRANSITIONS:
        clauses: tuple[Clause, ...] = (*transition.promises, *FRAMES)
        for taken, component, after in wrong_ends(transition):
            for name in broken_by(taken, after, clauses, "ab"):
                noticed.setdefault(name, set()).add(component)
    assert noticed == {name: set(components.split()) for name, components in BROKEN_BY.items()}


@pytest.mark.parametrize("transition", TRANSITIONS, ids=NAMES)
def test_no_other_end_will_do(transition: Transition) -> None:
    """Promises, frames and invariants together leave no value that means something open."""
    for taken, component, after in wrong_ends(transition):
        noticed = [
            *broken_by(taken, after, (*transition.promises, *FRAMES), "ab"),
            *failures(INVARIANTS, {"state": after}, taken.after, "ab"),
        ]
        assert noticed, f"{component}, after {taken}"


def test_every_promise_belongs_to_the_transition_it_is_named_after() -> None:
    written = {
        name for name in vars(promises) if name.startswith(tuple(f"{each}_" for each in NAMES))
    }
    listed = [
        (transition.name, clause.__name__)
        for transition in TRANSITIONS
        for clause in (transition.admits, *transition.promises)
    ]
    assert {clause for _, clause in listed} == written
    assert all(clause.startswith(f"{name}_") for name, clause in listed)


def test_freed_means_free_now_and_not_before() -> None:
    held, whole = pool_of(2, 2, a=((0,), "x")).state(), pool_of(2, 2).state()
    values = {"before": held, "after": whole}
    assert [call(promises.freed, {**values, "block": block}) for block in (0, 1)] == [True, False]

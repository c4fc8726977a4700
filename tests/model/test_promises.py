from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from tests.model.by_hand import pool_of
from tests.model.reach import SCOPES, Step, broken_by, explore

from poolproof_model import promises
from poolproof_model.execute import FreeBlocks, Pool
from poolproof_model.promises import FRAMES
from poolproof_model.system import TRANSITIONS, Clause, Transition, call

NAMES = [transition.name for transition in TRANSITIONS]
CLAUSES = [
    (transition, clause) for transition in TRANSITIONS for clause in (*transition.promises, *FRAMES)
]
# What no reachable state has: blocks lost, and a block free while it is held.
ILL_FORMED = (
    replace(pool_of(3, 2), free=FreeBlocks()),
    replace(pool_of(3, 2, a=((0, 1), "xyz"), b=((2,), "v")), free=FreeBlocks({0, 1, 2})),
)


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


def wrong_ends(transition: Transition) -> Iterator[tuple[Step, Pool]]:
    """Each of some steps, with where it does not lead."""
    states, _ = explore(SCOPES["lowest"])
    for taken in steps_of(transition)[::7]:
        for pool in (*ILL_FORMED, *states[::5]):
            yield taken, pool


@pytest.mark.parametrize(
    ("transition", "clause"), CLAUSES, ids=[f"{t.name}-{c.__name__}" for t, c in CLAUSES]
)
def test_no_promise_is_kept_whatever_happens(transition: Transition, clause: Clause) -> None:
    assert any(
        any(broken_by(taken, pool.state(), (clause,), "ab"))
        for taken, pool in wrong_ends(transition)
    )


def test_every_promise_belongs_to_the_transition_it_is_named_after() -> None:
    written = {
        name for name in vars(promises) if name.startswith(tuple(f"{each}_" for each in NAMES))
    }
    listed = [
        (transition.name, clause.__name__)
        for transition in TRANSITIONS
        for clause in transition.promises
    ]
    assert {clause for _, clause in listed} == written
    assert all(clause.startswith(f"{name}_") for name, clause in listed)


def test_freed_means_free_now_and_not_before() -> None:
    held, whole = pool_of(2, 2, a=((0,), "x")).state(), pool_of(2, 2).state()
    values = {"before": held, "after": whole}
    assert [call(promises.freed, {**values, "block": block}) for block in (0, 1)] == [True, False]

from __future__ import annotations

import pytest
from tests.model.by_hand import TWO_SHARING, pool_of

from poolproof_model.promises import FRAMES
from poolproof_model.system import (
    ALLOCATE,
    APPEND,
    FORK,
    RELEASE,
    TRANSITIONS,
    Clause,
    Refusal,
    Transition,
    call,
    last_entry,
    names_of,
    none_needed,
    whole_table,
)

STATE = pool_of(5, 4, **TWO_SHARING).state()
VARIABLES = {"sequence", "other", "block", "index", "position", "offset"}
transitions = pytest.mark.parametrize("transition", TRANSITIONS, ids=lambda each: each.name)


def test_there_are_four_transitions() -> None:
    assert TRANSITIONS == (ALLOCATE, FORK, APPEND, RELEASE)
    assert [each.name for each in TRANSITIONS] == ["allocate", "fork", "append", "release"]


@transitions
def test_a_transition_asks_only_for_what_it_is_given(transition: Transition) -> None:
    given = {"state", *transition.parameters}
    for _, condition in transition.requirements:
        assert set(names_of(condition)) <= given
    assert set(names_of(transition.needs)) <= given
    assert set(names_of(transition.touches)) <= {"state", "source"}
    assert set(names_of(transition.effect)) == {*given, "choice"}


@transitions
def test_a_promise_asks_only_for_arguments_and_known_variables(transition: Transition) -> None:
    clauses: tuple[Clause, ...] = (*transition.promises, *FRAMES)
    for clause in clauses:
        assert "after" in names_of(clause)
        known = {"before", "after", "acting", *transition.parameters, *VARIABLES}
        assert set(names_of(clause)) <= known


@transitions
def test_source_and_acting_are_sequences_among_the_parameters(transition: Transition) -> None:
    assert {transition.source, transition.acting} <= set(transition.parameters)


@transitions
def test_refusals_are_asked_for_in_their_documented_order(transition: Transition) -> None:
    order, reasons = list(Refusal), [reason for reason, _ in transition.requirements]
    assert reasons == sorted(reasons, key=order.index)
    assert not {Refusal.WRONG_TYPE, Refusal.OUT_OF_BLOCKS} & set(reasons)


def test_every_refusal_says_why() -> None:
    assert all(refusal.value for refusal in Refusal)
    assert len({refusal.value for refusal in Refusal}) == len(Refusal)


def test_a_transition_that_needs_no_block_touches_a_whole_table() -> None:
    assert none_needed(STATE) == 0
    assert whole_table(STATE, "A") == 0


def test_append_touches_the_last_entry_of_a_table_if_there_is_one() -> None:
    assert last_entry(STATE, "A") == 1
    assert last_entry(STATE, "nobody") == -1


def test_names_are_those_of_the_parameters_and_of_nothing_inside() -> None:
    def function(first: int, second: int) -> int:
        inside = first + second
        return inside

    assert names_of(function) == ("first", "second")
    assert names_of(lambda: 0) == ()


def test_a_function_is_given_what_it_asks_for_by_name() -> None:
    values = {"first": 10, "second": 3, "third": 0}
    assert call(lambda second, first: first - second, values) == 7


def test_what_is_asked_for_must_be_there() -> None:
    with pytest.raises(KeyError, match="missing"):
        call(lambda missing: missing, {"first": 10})

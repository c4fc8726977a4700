from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

import pytest

from poolproof_model.state import Choice, State
from poolproof_model.system import ALLOCATE, APPEND, FORK, RELEASE, TRANSITIONS, Refusal, Transition
from poolproof_verification.proofs.agreement import disagreements
from poolproof_verification.proofs.term import MUL, BlockSize, Term, TermRow, bare

STEPS = int(os.environ.get("AGREEMENT_STEPS", "100"))  # more at night


def test_solver_terms_and_execution_agree_on_random_steps() -> None:
    assert STEPS >= 100
    assert list(disagreements(STEPS)) == []


def less(one: Any, other: Any) -> Term:
    return Term(bare(one) < bare(other))


def product(one: Any, other: Any) -> Term:
    return Term(MUL(bare(other) + 1))


def same_row(row: TermRow, sequence: Any, member: Any) -> TermRow:
    return row


@pytest.mark.parametrize(
    ("wrapper", "operator", "wrong"),
    [
        (Term, "__le__", less),
        (Term, "choose", None),
        (BlockSize, "__rmod__", product),
        (TermRow, "with_member", same_row),
    ],
    ids=["<=", "choose", "%", "with_member"],
)
def test_an_operator_that_the_wrapper_gets_wrong_is_noticed(
    monkeypatch: pytest.MonkeyPatch, wrapper: type, operator: str, wrong: Any
) -> None:
    right = Term.choose
    if operator == "choose":

        def wrong(self: Term, then: Any, otherwise: Any) -> Any:
            return right(self, otherwise, then)

    monkeypatch.setattr(wrapper, operator, wrong)
    assert any("the solver's term is" in said for said in disagreements(30))


def in_place_of(transition: Transition) -> tuple[Transition, ...]:
    return tuple(transition if each.name == transition.name else each for each in TRANSITIONS)


def test_a_driver_that_overlooks_a_touched_block_is_noticed() -> None:
    blind = replace(APPEND, touches=lambda state, source: 100)
    assert any("executed" in said for said in disagreements(60, transitions=in_place_of(blind)))


def test_a_text_that_relies_on_what_nobody_cares_for_is_noticed() -> None:
    def dead_and_empty(state: State, sequence: Any) -> Any:
        return state.length(sequence) == 0

    def nothing(state: State, choice: Choice, sequence: Any) -> State:
        return state

    idle = replace(
        RELEASE, name="idle", requirements=((Refusal.UNKNOWN, dead_and_empty),), effect=nothing
    )
    found = disagreements(60, transitions=(ALLOCATE, FORK, idle))
    assert any("refused where values nobody cares for differ" in said for said in found)

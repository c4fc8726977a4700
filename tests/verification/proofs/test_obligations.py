from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import z3

from poolproof_model.algebra import Block, Position, Sequence, Token, Truth, absent, at, implies
from poolproof_model.invariants import INVARIANTS
from poolproof_model.promises import FRAMES, release_admits
from poolproof_model.state import Choice, State
from poolproof_model.system import RELEASE, TRANSITIONS, Refusal, Transition
from poolproof_model.transitions import release, sequence_is_live
from poolproof_verification.laws import LAWS
from poolproof_verification.proofs.claims import COMPONENTS
from poolproof_verification.proofs.goals import Obligation
from poolproof_verification.proofs.lemmas import LEMMAS
from poolproof_verification.proofs.obligations import obligations
from poolproof_verification.proofs.prove import results_of
from poolproof_verification.proofs.solve import discharge
from poolproof_verification.verdict import CouldNotRun

EVERYTHING = tuple(obligations(TRANSITIONS, INVARIANTS))
NAMES = {obligation.name for obligation in EVERYTHING}


def test_every_obligation_has_a_name_of_its_own_a_law_and_a_sentence() -> None:
    assert len(NAMES) == len(EVERYTHING)
    assert {obligation.law for obligation in EVERYTHING} <= set(LAWS)
    assert all(obligation.sentence.endswith(".") for obligation in EVERYTHING)


@pytest.mark.parametrize("transition", TRANSITIONS, ids=lambda transition: transition.name)
def test_every_transition_has_all_its_obligations(transition: Transition) -> None:
    about = {each.clause: each for each in EVERYTHING if each.transition == transition.name}
    clauses = {clause.__name__ for clause in (*INVARIANTS, *transition.promises, *FRAMES)}
    footprint = {f"footprint of {component.name}" for component in COMPONENTS}
    assert set(about) - {"loop"} == clauses | footprint | {"frame", "admits", "admission"}


def test_every_invariant_is_initiated() -> None:
    assert {f"the initial state has {clause.__name__}" for clause in INVARIANTS} <= NAMES


def test_the_names_read_as_sentences() -> None:
    assert "release preserves counts" in NAMES
    assert "append: others keep their contents" in NAMES
    assert "fork has no lawful choice elsewhere" in NAMES
    assert "every block is free when no sequence is live" in NAMES


SETTINGS = {(each.transition, each.clause in ("loop", "admission")): each for each in EVERYTHING}


@pytest.mark.parametrize("obligation", SETTINGS.values(), ids=lambda obligation: obligation.name)
def test_the_hypotheses_are_no_contradiction_to_the_solver(obligation: Obligation) -> None:
    absurd = replace(obligation, goal=z3.BoolVal(False))
    assert not discharge(absurd, LEMMAS, 200).proved


# --- a model with more in it needs nothing here ---------------------------------------------------


def last_block_stays(state: State, sequence: Sequence) -> Truth:
    """GUARD: there is a token, and it is not alone in its block."""
    length = state.length(sequence)
    return (length >= 1) & ((length - 1) % state.block_size >= 1)


def trim(state: State, choice: Choice, sequence: Sequence) -> State:
    """EFFECT: the last token is forgotten."""
    return replace(state, length=at(state.length, sequence, state.length(sequence) - 1))


def trim_admits(state: State, sequence: Sequence) -> Truth:
    """Admitted: a live sequence whose last token does not stand first in its block."""
    length = state.length(sequence)
    first = (length - 1) % state.block_size == 0
    return release_admits(state, sequence) & (length > 0) & absent(first)


def trim_drops_one(before: State, after: State, sequence: Sequence) -> Truth:
    """The sequence is one token shorter."""
    return after.length(sequence) == before.length(sequence) - 1


def trim_keeps_the_rest(
    before: State, after: State, sequence: Sequence, position: Position
) -> Truth:
    """What is left reads as before."""
    return after.read(sequence, position) == before.read(sequence, position)


TRIM = replace(
    RELEASE,
    name="trim",
    requirements=((Refusal.UNKNOWN, sequence_is_live), (Refusal.UNKNOWN, last_block_stays)),
    effect=trim,
    admits=trim_admits,
    promises=(trim_drops_one, trim_keeps_the_rest),
)


def overwrite(state: State, choice: Choice, sequence: Sequence, block: Block, mark: Token) -> State:
    """EFFECT: nothing at all, whatever block and mark are given."""
    return state


def overwrite_marks_nothing(before: State, after: State, block: Block, mark: Token) -> Truth:
    """The given block is not written."""
    return after.content(block, mark) == before.content(block, mark)


TOUCH = replace(
    RELEASE,
    name="touch",
    parameters=("sequence", "block", "mark"),
    effect=overwrite,
    promises=(overwrite_marks_nothing,),
)


def tables_are_natural(state: State, sequence: Sequence) -> Truth:
    """A live sequence has no negative number of blocks."""
    return implies(state.live(sequence), state.table_length(sequence) >= 0)


@pytest.mark.parametrize("transition", [TRIM, TOUCH], ids=lambda transition: transition.name)
def test_another_transition_gets_its_obligations_and_their_proofs(transition: Transition) -> None:
    results = list(results_of(transition.name, transitions=(*TRANSITIONS, transition)))
    own = [result for result in results if result.obligation.transition == transition.name]
    assert len(own) == len(INVARIANTS) + len(transition.promises) + len(FRAMES) + 15
    assert [str(result) for result in results if not result.proved] == []


def test_another_invariant_gets_its_obligations_and_their_proofs() -> None:
    invariants = (*INVARIANTS, tables_are_natural)
    results = list(results_of("tables_are_natural", invariants=invariants))
    own = [result for result in results if result.obligation.clause == "tables_are_natural"]
    assert len(own) == 1 + len(TRANSITIONS)
    assert all(result.proved for result in results)


def test_a_false_invariant_is_not_proved() -> None:
    def nobody_shares(state: State, block: Block) -> Truth:
        """No block is referenced twice."""
        return state.reference_count(block) <= 1

    results = results_of("nobody_shares", invariants=(*INVARIANTS, nobody_shares))
    assert [result.name for result in results if not result.proved] == [
        "fork preserves nobody_shares"
    ]


# --- text that can not be read symbolically -------------------------------------------------------


def branching(state: State, choice: Choice, sequence: Any) -> State:
    return release(state, choice, sequence) if state.live(sequence) else state


def counting(state: State, choice: Choice, sequence: Any) -> State:
    free = state.how_many(lambda block: state.free(block) & (block == 0))
    return replace(state, length=lambda sequence: free)


@pytest.mark.parametrize(
    ("effect", "why"), [(branching, "no truth value"), (counting, "only the free blocks")]
)
def test_text_that_branches_or_counts_otherwise_is_told(effect: Any, why: str) -> None:
    wrong = replace(RELEASE, effect=effect)
    with pytest.raises(CouldNotRun, match=f"text for release cannot be stated: .*{why}"):
        list(obligations((wrong,), INVARIANTS))

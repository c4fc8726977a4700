from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from poolproof_model.invariants import INVARIANTS
from poolproof_model.state import State
from poolproof_model.system import RELEASE, TRANSITIONS, Refusal
from poolproof_verification.proofs import obligations
from poolproof_verification.proofs.goals import by_induction
from poolproof_verification.proofs.lemmas import NATURAL, A, n
from poolproof_verification.proofs.term import COUNT, TOTAL
from poolproof_verification.proofs.witness import Witness, lemma_witness, of_interest, witnesses


@cache
def witness_of() -> dict[str, Witness]:
    return {witness.transition: witness for witness in witnesses()}


def test_every_transition_has_a_witness_of_all_its_hypotheses() -> None:
    assert list(witness_of()) == ["initially", *(transition.name for transition in TRANSITIONS)]
    assert [witness.faults for witness in witness_of().values()] == [()] * len(witness_of())
    stated = tuple(obligations.obligations(TRANSITIONS, INVARIANTS))
    for transition in TRANSITIONS:
        about = [each for each in stated if each.transition == transition.name]
        witness = witness_of()[transition.name]
        assert witness.lemmas == len({x for each in about for x in each.lemmas})
        assert witness.hypotheses > len(INVARIANTS) + 3


@pytest.mark.parametrize("name", [transition.name for transition in TRANSITIONS])
def test_in_each_state_several_sequences_share_a_last_block_that_is_not_full(name: str) -> None:
    pool = of_interest(TRANSITIONS, INVARIANTS)[name].before
    last = [table.blocks[-1] for table in pool.tables.values() if table.length % pool.block_size]
    assert any(last.count(block) > 1 for block in last)
    assert f"{name}(" in str(witness_of()[name])


def test_a_lemma_that_is_false_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    natural, *others = obligations.BASICS
    wrong = replace(natural, statement=COUNT(A, n) >= 1)
    monkeypatch.setattr(obligations, "BASICS", (wrong, *others))
    for witness in witnesses():
        assert "the lemma 'count is natural' does not hold" in witness.faults
        assert "no witness" in str(witness)


def test_a_hypothesis_that_is_false_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(obligations, "SIZED", (*obligations.SIZED, ("absurd", TOTAL < 0)))
    for witness in witnesses():
        assert any("its hypothesis 'absurd' does not hold" in fault for fault in witness.faults)


def test_what_the_lemmas_assume_is_true_of_some_sets_and_numbers() -> None:
    found = lemma_witness()
    assert found.faults == ()
    assert found.hypotheses > 40


def test_a_lemma_that_assumes_what_is_true_of_nothing_is_told() -> None:
    below = replace(NATURAL, proof=by_induction(n, COUNT(A, n) < COUNT(A, 0), COUNT(A, 0) == n))
    found = lemma_witness((below,))
    assert found.faults == tuple(
        f"lemma count is natural: {step}: nothing satisfies all its hypotheses"
        for step in ("base", "step")
    )


def test_an_invariant_that_is_false_there_is_told() -> None:
    def nobody_is_live(state: State, sequence: Any) -> Any:
        """No sequence is live."""
        return state.live(sequence) & False

    found = list(witnesses(TRANSITIONS, (*INVARIANTS, nobody_is_live)))
    assert all(witness.faults for witness in found)


def test_a_transition_that_never_fires_has_none() -> None:
    def impossible(state: State, sequence: Any) -> Any:
        return state.live(sequence) & (state.length(sequence) < 0)

    never = replace(RELEASE, name="never", requirements=((Refusal.UNKNOWN, impossible),))
    *_, last = witnesses((*TRANSITIONS, never))
    assert str(last).startswith("never: no witness: it does not fire in any of ")

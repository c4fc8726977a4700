from __future__ import annotations

from dataclasses import replace

import z3

from poolproof_verification.proofs.goals import Lemma, Obligation
from poolproof_verification.proofs.lemmas import ENUMERATION, LEMMAS, NATURAL, ONE, PIGEONHOLE, A, n
from poolproof_verification.proofs.solve import discharge, in_order, prove_lemmas
from poolproof_verification.proofs.term import COUNT

TIMEOUT = 2000
X = z3.Int("x")
TRUE = Obligation("x has a successor", "", X + 1 > X)
COUNTED = Obligation("counts are natural", "", COUNT(A, 7) >= 0, lemmas=(NATURAL,))


def test_what_follows_is_proved() -> None:
    result = discharge(TRUE, set(), TIMEOUT)
    assert result.proved
    assert str(result).startswith("x has a successor: held (proved of the model, ")


def test_what_the_hypotheses_contradict_is_not_proved() -> None:
    result = discharge(replace(TRUE, goal=X > 3), set(), TIMEOUT)
    assert not result.proved
    assert "unknown (not proved: the hypotheses allow the contrary" in str(result)


def test_a_hypothesis_counts() -> None:
    goal = replace(TRUE, goal=X > 3)
    assert discharge(replace(goal, hypotheses=(("above", X > 4),)), set(), TIMEOUT).proved


def test_what_finds_no_proof_is_not_proved() -> None:
    f = z3.Function("f", z3.IntSort(), z3.IntSort())
    increasing = z3.ForAll([X], f(X) < f(X + 1), patterns=[f(X)])
    open_ = replace(TRUE, goal=f(0) == 0, hypotheses=(("increasing", increasing),))
    result = discharge(open_, set(), 100)
    assert not result.proved
    assert result.reason in ("no proof found", "out of time")


def test_an_obligation_uses_only_lemmas_that_are_proved() -> None:
    refused = discharge(COUNTED, set(), TIMEOUT)
    assert (refused.proved, refused.tried) == (False, False)
    assert "rests on the lemma 'count is natural', which is not proved" in refused.reason
    assert discharge(COUNTED, {NATURAL}, TIMEOUT).proved


def test_a_lemma_made_false_can_not_be_used() -> None:
    wrong = replace(NATURAL, statement=COUNT(A, n) > 0)
    proved = {NATURAL}
    results = list(prove_lemmas((wrong,), proved, TIMEOUT, 0))
    assert not all(result.proved for result in results)
    assert wrong not in proved
    absurd = replace(COUNTED, goal=COUNT(A, 7) > 0, lemmas=(wrong,))
    assert not discharge(absurd, proved, TIMEOUT).tried


def test_a_lemma_that_uses_a_false_one_is_not_proved_either() -> None:
    wrong = replace(NATURAL, statement=COUNT(A, n) > 0)
    above = replace(ONE, uses=(wrong,))
    proved: set[Lemma] = set()
    list(prove_lemmas(in_order((above,)), proved, TIMEOUT, 0))
    assert proved == set()


def test_a_lemma_without_obligations_is_not_proved() -> None:
    proved: set[Lemma] = set()
    empty = replace(NATURAL, proof=lambda statement: ())
    assert list(prove_lemmas((empty,), proved, TIMEOUT, 0)) == []
    assert proved == set()


def test_lemmas_come_after_those_they_use_each_once() -> None:
    ordered = in_order((PIGEONHOLE, ENUMERATION, NATURAL))
    assert len(set(ordered)) == len(ordered)
    for position, lemma in enumerate(ordered):
        assert set(lemma.uses) <= set(ordered[:position])
    assert set(in_order(LEMMAS)) == set(LEMMAS)

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.verification.proofs.by_hand import obligation

from poolproof_model.invariants import INVARIANTS
from poolproof_model.system import RELEASE
from poolproof_verification.proofs.confirm import confirm, confirmations
from poolproof_verification.proofs.lemmas import NATURAL, A, n
from poolproof_verification.proofs.obligations import obligations
from poolproof_verification.proofs.prove import results_of
from poolproof_verification.proofs.solvers import Solver, solvers_named
from poolproof_verification.proofs.term import COUNT

TIMEOUT = 10_000
SOON = 300
BOTH = solvers_named("both")
each_solver = pytest.mark.parametrize("solver", BOTH, ids=lambda solver: solver.name)
OF_RELEASE = tuple(obligations((RELEASE,), INVARIANTS))
COUNTED = obligation("counts are natural", "", COUNT(A, 7) >= 0, lemmas=(NATURAL,))


@each_solver
def test_the_lemmas_and_release_are_confirmed(solver: Solver) -> None:
    results = list(confirmations(OF_RELEASE, solver, TIMEOUT))
    assert [str(result) for result in results if not result.proved] == []
    made = {each.name for each in results_of(transitions=(RELEASE,))}
    assert {each.name for each in results} == made


@each_solver
def test_a_release_that_does_nothing_is_confirmed_by_nobody(solver: Solver) -> None:
    idle = replace(RELEASE, effect=lambda state, choice, sequence: state)
    made = {each.name: each for each in obligations((idle,), INVARIANTS)}
    for name in ("release ends the sequence", "release drops one reference"):
        result = confirm(made[name], {*made[name].lemmas}, solver, SOON)
        assert not result.proved
        assert result.reason.endswith(("no proof found", "out of time", "allow the contrary"))


@each_solver
def test_an_obligation_uses_only_lemmas_that_are_proved(solver: Solver) -> None:
    refused = confirm(COUNTED, set(), solver, TIMEOUT)
    assert (refused.proved, refused.tried) == (False, False)
    assert "rests on the lemma 'count is natural', which is not proved" in refused.reason
    assert confirm(COUNTED, {NATURAL}, solver, TIMEOUT).proved


@each_solver
def test_a_lemma_made_false_leaves_nothing_that_rests_on_it(solver: Solver) -> None:
    wrong = replace(NATURAL, statement=COUNT(A, n) > 0)
    absurd = replace(COUNTED, goal=COUNT(A, 7) > 0, lemmas=(wrong,))
    *_, last = confirmations((absurd,), solver, SOON, lemmas=())
    assert (last.name, last.proved, last.tried) == ("counts are natural", False, False)


@each_solver
def test_why_there_is_no_proof_is_told(solver: Solver) -> None:
    contrary = replace(COUNTED, goal=n > 3, hypotheses=(("above", n > 2),), lemmas=())
    assert confirm(contrary, set(), solver, TIMEOUT).reason == "the hypotheses allow the contrary"

"""Asks a solver, by text, for every proof there is: the lemmas first, then what rests on them.

Does not cover: more than `solve` does, but by a solver of another make where it is `cvc5`.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence

from poolproof_verification.proofs.cases import cases_of
from poolproof_verification.proofs.goals import Lemma, Obligation
from poolproof_verification.proofs.lemmas import LEMMAS
from poolproof_verification.proofs.smtlib import text_of
from poolproof_verification.proofs.solve import Result, prove_all, rests_on_unproved
from poolproof_verification.proofs.solvers import Answer, Solver, attempt


def confirmations(
    selected: Sequence[Obligation],
    solver: Solver,
    timeout: int,
    seed: int = 0,
    lemmas: Iterable[Lemma] = LEMMAS,
) -> Iterator[Result]:
    """Each result as it is found: these lemmas and those needed, then the selected obligations."""
    needed = (*lemmas, *(lemma for each in selected for lemma in each.lemmas))

    def ask(obligation: Obligation, proved: Container[Lemma]) -> Result:
        return confirm(obligation, proved, solver, timeout, seed)

    return prove_all(needed, selected, ask)


def confirm(
    obligation: Obligation, proved: Container[Lemma], solver: Solver, timeout: int, seed: int = 0
) -> Result:
    """As `solve.discharge`, by this solver; `timeout`: milliseconds a text."""
    if untried := rests_on_unproved(obligation, proved):
        return untried
    cases = (cases_of(obligation) if solver.by_cases else ()) or (obligation,)
    answers = [attempt(solver, text_of(case), solver.options, timeout, seed) for case in cases]
    spent = sum(answer.milliseconds for answer in answers)
    open_ = [
        f"{case.name}: {told(answer)}" if len(cases) > 1 else told(answer)
        for case, answer in zip(cases, answers, strict=True)
        if answer.answer != "unsat"
    ]
    return Result(obligation, not open_, "; ".join(open_), spent)


def told(answer: Answer) -> str:
    """Why an answer is no proof."""
    if answer.answer == "sat":
        return "the hypotheses allow the contrary"
    return "out of time" if "timeout" in answer.reason.lower() else "no proof found"

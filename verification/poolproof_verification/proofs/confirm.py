"""Asks a solver, by text, for every proof there is: the lemmas first, then what rests on them.

Does not cover: more than `solve` does, but by a solver of another make where it is `cvc5`.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence

from poolproof_verification.proofs.cases import cases_of
from poolproof_verification.proofs.goals import Lemma, Obligation
from poolproof_verification.proofs.lemmas import LEMMAS
from poolproof_verification.proofs.smtlib import text_of
from poolproof_verification.proofs.solve import Result, in_order
from poolproof_verification.proofs.solvers import Answer, Solver, attempt


def confirmations(
    selected: Sequence[Obligation],
    solver: Solver,
    timeout: int,
    seed: int = 0,
    lemmas: Iterable[Lemma] = LEMMAS,
) -> Iterator[Result]:
    """Each result as it is found: these lemmas and those needed, then the selected obligations."""
    proved: set[Lemma] = set()
    needed = (lemma for each in selected for lemma in each.lemmas)
    for lemma in in_order((*lemmas, *needed)):
        results = [confirm(each, proved, solver, timeout, seed) for each in lemma.obligations()]
        if results and all(result.proved for result in results):
            proved.add(lemma)
        yield from results
    for obligation in selected:
        yield confirm(obligation, proved, solver, timeout, seed)


def confirm(
    obligation: Obligation, proved: Container[Lemma], solver: Solver, timeout: int, seed: int = 0
) -> Result:
    """As `solve.discharge`, by this solver; `timeout`: milliseconds a text."""
    for lemma in obligation.lemmas:
        if lemma not in proved:
            why = f"it rests on the lemma {lemma.name!r}, which is not proved"
            return Result(obligation, False, why, 0.0, tried=False)
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

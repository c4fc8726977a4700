"""From what a search has seen to verdicts, law by law."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import replace

from poolproof_verification.counterexample import Counterexample
from poolproof_verification.laws import LAWS
from poolproof_verification.verdict import INTERRUPTED, Evidence, Judgement, Outcome, Verdict
from poolproof_verification.visibility import SELF_CHECKS

PATIENCE = 3.0  # seconds in which the counterexamples of an interrupted search are shortened
NOTHING_TRIED = "no allocate was ever accepted, so nothing could be tried"
# Questions are put to a state, not to an operation.
UNITS = {"can": "states", "questions": "states", "self-check": "states"}


def asked(questions: Set[str], states: int) -> dict[str, int]:
    """In how many states the laws about questions were judged, for a target that answers these."""
    can = {question for question in questions if question.startswith("can_")}
    self_checks = questions & set(SELF_CHECKS)
    return {
        "can": states if can else 0,
        "questions": states if questions - can - self_checks else 0,
        "self-check": states if self_checks else 0,
    }


def judge(
    method: str,
    evidence: Evidence,
    scope: str,
    unit: str,
    counts: Mapping[str, int],
    counterexamples: list[Counterexample],
) -> tuple[Verdict, ...]:
    """One verdict for each law that was judged at all, or that a counterexample breaks.

    `counts`: how many `unit` each law was judged in; states for the laws about questions.
    """
    verdicts = []
    for law in LAWS:
        found = next((each for each in counterexamples if each.breaks(law)), None)
        if found is None and not counts.get(law):
            continue
        verdicts.append(
            Verdict(
                method=method,
                law=law,
                outcome=Outcome.REFUTED if found else Outcome.HELD,
                evidence=evidence,
                count=counts.get(law, 0),
                unit=UNITS.get(law, unit),
                scope=scope,
                detail=found.breach_of(law) if found else "",
                counterexample=found,
            )
        )
    return tuple(verdicts)


def unfinished(judgement: Judgement) -> Judgement:
    """The same of a search that was interrupted: what it did not refute is unknown."""
    notes = (INTERRUPTED, *judgement.notes)
    verdicts = (
        unsettled(each, f"interrupted; not broken in the {each.count:,} {each.unit} until then")
        for each in judgement.verdicts
    )
    return replace(judgement, verdicts=tuple(verdicts), notes=notes)


def untried(judgement: Judgement) -> Judgement:
    """The same of a search in which no sequence ever came to be: nothing it says has held."""
    verdicts = (unsettled(each, NOTHING_TRIED) for each in judgement.verdicts)
    return replace(judgement, verdicts=tuple(verdicts), notes=(NOTHING_TRIED, *judgement.notes))


def unsettled(verdict: Verdict, why: str) -> Verdict:
    """Unknown, unless it is refuted."""
    if verdict.outcome is not Outcome.HELD:
        return verdict
    return replace(verdict, outcome=Outcome.UNKNOWN, evidence=Evidence.NONE, detail=why)

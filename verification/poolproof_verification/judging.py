"""From what a search has seen to verdicts, law by law."""

from __future__ import annotations

from collections.abc import Mapping

from poolproof_verification.counterexample import Counterexample
from poolproof_verification.laws import LAWS
from poolproof_verification.verdict import Evidence, Outcome, Verdict


def judge(
    method: str,
    evidence: Evidence,
    scope: str,
    unit: str,
    counts: Mapping[str, int],
    counterexamples: list[Counterexample],
) -> tuple[Verdict, ...]:
    """One verdict for each law that was judged at all, or that a counterexample breaks.

    `counts`: how many `unit` each law was judged in.
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
                unit=unit,
                scope=scope,
                detail=found.headline if found else "",
                counterexample=found,
            )
        )
    return tuple(verdicts)

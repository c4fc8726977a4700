"""What a search has reached of the model's cases: a line of its report, and a verdict.

Does not cover: searches of less than full size; what they leave out is told, and no verdict.
"""

from __future__ import annotations

from collections import Counter

from poolproof_verification.coverage import possible
from poolproof_verification.record import Record
from poolproof_verification.verdict import Evidence, Outcome, Verdict
from poolproof_verification.words import plural, times

LAW = "coverage"


def counts(record: Record) -> dict[str, int]:
    """How often each goal was reached, of those that the target allows."""
    found: Counter[str] = Counter()
    for goals, number in record.reached.items():
        for each in goals:
            found[each] += number
    return {each: found[each] for each in possible(record.target.traits, record.block_sizes)}


def note(record: Record) -> str:
    """How many goals were reached and how often; which never, or the one least often."""
    found = counts(record)
    never = [each for each, number in found.items() if not number]
    words = f"cases of the model: {len(found) - len(never)} of {plural(len(found), 'goal')} reached"
    if never:
        return f"{words}; never: {', '.join(never)}"
    least = min(found, key=found.__getitem__)
    total = times(sum(found.values()))
    return f"{words}, {total} in all; least often: {least}, {times(found[least])}"


def verdict(record: Record, method: str, scope: str) -> Verdict:
    """Held if a search of full size reached every goal; unknown otherwise, as nobody looked."""
    found = counts(record)
    never = [each for each, number in found.items() if not number]
    return Verdict(
        method=method,
        law=LAW,
        outcome=Outcome.UNKNOWN if never else Outcome.HELD,
        evidence=Evidence.NONE if never else Evidence.CASES,
        count=len(found) - len(never),
        unit="goals",
        scope=scope,
        detail=f"never reached: {', '.join(never)}" if never else "",
    )

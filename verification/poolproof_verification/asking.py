"""What the shipped manager says of small states when it is asked, beside its operations.

Its check of itself on tampered states, its figures of usage, its sizes, words and errors.

Does not cover: states beyond four small lives; two hidden values tampered with at once; the wording
of messages.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from poolproof import BlockManager
from poolproof_verification import interface, measuring, tampering
from poolproof_verification.mutants import Mutant, load
from poolproof_verification.verdict import Canary, Evidence, Judgement, Outcome, Verdict

METHOD = "asking"
SCOPE = "every state of four small lives, tampered with in one value; calls by hand"
NOT_COVERED = (
    "states beyond four small lives; two hidden values tampered with at once; the wording of "
    "messages"
)


def disagreements(manager_class: type[BlockManager]) -> Iterator[str]:
    """Everything that the class says and that is not so, or does not say and should."""
    yield from tampering.disagreements(manager_class)
    yield from others(manager_class)


def others(manager_class: type[BlockManager]) -> Iterator[str]:
    """The same without its check of itself."""
    yield from measuring.disagreements(manager_class)
    yield from interface.disagreements(manager_class)


def check(manager_class: type[BlockManager] = BlockManager) -> Judgement:
    """Judge the class in every state and call."""
    started = time.process_time()
    figures = sum(len(answers) for _, answers in measuring.cases())
    states, calls = len(tampering.cases()), figures + interface.CALLS
    verdicts = (
        verdict("alarms", list(tampering.disagreements(manager_class)), states, "states"),
        verdict("questions", list(others(manager_class)), calls, "answers"),
    )
    healthy = sum(not case.broken for case in tampering.cases())
    notes = (f"{states:,} states, nothing broken in {healthy:,} of them; {calls:,} other answers",)
    return Judgement(METHOD, verdicts, time.process_time() - started, NOT_COVERED, notes)


def verdict(law: str, found: list[str], count: int, unit: str) -> Verdict:
    """What the disagreements amount to."""
    outcome = Outcome.REFUTED if found else Outcome.HELD
    detail = found[0] if found else ""
    return Verdict(METHOD, law, outcome, Evidence.CASES, count, unit, SCOPE, detail)


def canary(mutant: Mutant) -> Canary:
    """Whether a seeded bug of the manager's answers is noticed."""
    words = next(disagreements(load(mutant)), "")
    return Canary(METHOD, mutant.wrong, bool(words), words or "nothing said is wrong")

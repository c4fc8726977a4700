"""Verdicts that never overclaim: what was found, by which kind of evidence, in which scope."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from poolproof_verification.counterexample import Counterexample
from poolproof_verification.exhibits import Chart, Grid

SECONDS_DIGITS = 2  # behind the point


class Outcome(Enum):
    """What a check found. Unknown never passes."""

    HELD = "held"
    REFUTED = "refuted"
    UNKNOWN = "unknown"


class Evidence(Enum):
    """What a verdict rests on."""

    PROVED = "proved of the model, for any size"
    EXHAUSTED = "all states of the code within the scope"
    SCOPE = "search of the code within the scope"
    CASES = "cases searched"
    NONE = "nothing settles it"


@dataclass(frozen=True)
class Verdict:
    """One law as judged by one method."""

    method: str
    law: str  # a key of `laws.LAWS`
    outcome: Outcome
    evidence: Evidence
    count: int  # how many `unit` were judged
    unit: str
    scope: str
    detail: str = ""  # why it is unknown, or what is broken
    counterexample: Counterexample | None = None


@dataclass(frozen=True)
class Judgement:
    """What one method says of one target, and what it does not cover."""

    method: str
    verdicts: tuple[Verdict, ...]
    seconds: float  # CPU
    not_covered: str
    notes: tuple[str, ...] = ()  # lines a reader wants to see, the same in every run
    counterexamples: tuple[Counterexample, ...] = ()  # one a distinct fault, the worst first
    timings: tuple[str, ...] = ()  # lines that differ from run to run: rates, the slowest
    grids: tuple[Grid, ...] = ()  # tables a click away
    charts: tuple[Chart, ...] = ()
    measures: bool = False  # it was to judge no law, so none is lacking

    def __post_init__(self) -> None:
        """Seconds are rounded here alone, so that every rendering tells what the file does."""
        object.__setattr__(self, "seconds", round(self.seconds, SECONDS_DIGITS))


@dataclass(frozen=True)
class Canary:
    """A seeded bug that a method must refute, or its verdicts count for nothing."""

    method: str
    bug: str  # what is wrong, in a sentence
    refuted: bool
    how: str  # the counterexample in a line, or how the bug escaped


def overall(verdicts: Iterable[Verdict]) -> Outcome:
    """Refuted if anything is, else unknown if anything is or nothing was checked, else held."""
    judged = tuple(verdicts)
    if any(verdict.outcome is Outcome.REFUTED for verdict in judged):
        return Outcome.REFUTED
    held = all(verdict.outcome is Outcome.HELD and verdict.count for verdict in judged)
    return Outcome.HELD if judged and held else Outcome.UNKNOWN


EXIT_CODES = {Outcome.HELD: 0, Outcome.REFUTED: 1, Outcome.UNKNOWN: 3}
COULD_NOT_RUN = 2
INTERRUPTED = "interrupted before its end"  # why it is unknown


class CouldNotRun(Exception):
    """Bad input, a missing extra, an unknown target: one line that names what and where."""

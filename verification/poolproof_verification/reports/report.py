"""All that one run found of one target; every rendering is made from this alone."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import PurePath

from poolproof_verification.counterexample import Counterexample, project_version
from poolproof_verification.verdict import (
    EXIT_CODES,
    SECONDS_DIGITS,
    Canary,
    CouldNotRun,
    Judgement,
    Outcome,
    Verdict,
    overall,
)
from poolproof_verification.workloads.lines import shown

MEASURED = "measured"


@dataclass(frozen=True)
class Report:
    """What a run found, and how to run it again."""

    target: str
    seed: int
    judgements: tuple[Judgement, ...]
    canaries: tuple[Canary, ...] = ()
    seconds: float = 0.0  # of the clock
    command: str = ""  # what to type to have the same once more
    interrupted: bool = False  # the run was ended before its end: this is what there was
    version: str = project_version()  # of poolproof

    def __post_init__(self) -> None:
        """Seconds are rounded here alone, so that every rendering tells what the file does."""
        object.__setattr__(self, "seconds", round(self.seconds, SECONDS_DIGITS))

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """Every verdict of every method."""
        return tuple(verdict for judgement in self.judgements for verdict in judgement.verdicts)

    @property
    def outcome(self) -> Outcome:
        """Held only if everything held, every method caught its canary, and the end was reached."""
        judged = (each for each in self.judgements if not each.measures)
        outcomes = {overall(judgement.verdicts) for judgement in judged}
        if Outcome.REFUTED in outcomes:
            return Outcome.REFUTED
        trusted = all(canary.refuted for canary in self.canaries) and not self.interrupted
        return Outcome.HELD if outcomes == {Outcome.HELD} and trusted else Outcome.UNKNOWN

    @property
    def ending(self) -> Outcome:
        """What a command ends with: unknown where it was interrupted, whatever it had found."""
        return Outcome.UNKNOWN if self.interrupted else self.outcome

    @property
    def measured(self) -> bool:
        """It was there to measure, and did so to its end: no verdict is lacking."""
        silent = all(each.measures for each in self.judgements)
        return bool(self.judgements) and silent and not (self.canaries or self.interrupted)

    @property
    def result(self) -> str:
        """The outcome, or what there is in the place of one."""
        return MEASURED if self.measured else self.outcome.value

    @property
    def ended(self) -> str:
        """The result, for which an end that came too early is told first."""
        if not self.interrupted:
            return self.result
        found = self.outcome is Outcome.REFUTED
        return f"interrupted, {self.result} by then" if found else "interrupted"

    @property
    def exit_code(self) -> int:
        """What the reported command ended with."""
        return 0 if self.measured else EXIT_CODES[self.ending]

    @property
    def failures(self) -> tuple[Counterexample, ...]:
        """Each distinct counterexample once, whichever methods found it, in their order."""
        return tuple(found for found, _ in self.failures_by_method())

    def failures_by_method(self) -> Iterator[tuple[Counterexample, str]]:
        """Each distinct counterexample once, with the method that found it first."""
        seen: set[tuple[str, ...]] = set()
        for judgement in self.judgements:
            for counterexample in judgement.counterexamples:
                if counterexample.fault not in seen:
                    seen.add(counterexample.fault)
                    yield counterexample, judgement.method

    def untimed(self) -> Report:
        """What would be the same in another run of it."""
        judgements = (replace(each, seconds=0.0, timings=()) for each in self.judgements)
        return replace(self, seconds=0.0, judgements=tuple(judgements))

    def followed_by(self, *others: Report) -> Report:
        """One report of all: this one's command, and everybody's findings of the same target.

        CouldNotRun: another target's would be shown as findings of this one, or the same twice.
        """
        reports = (self, *others)
        for number, other in enumerate(others, 1):
            if other.target != self.target:
                both = f"{shown(self.target)}, another of {shown(other.target)}"
                raise CouldNotRun(f"one report is of {both}: only those of one target go together")
            if other.untimed() in [each.untimed() for each in reports[:number]]:
                raise CouldNotRun("two of the reports are the same: it would be counted twice")
        return replace(
            self,
            judgements=tuple(each for report in reports for each in report.judgements),
            canaries=tuple(each for report in reports for each in report.canaries),
            seconds=sum(report.seconds for report in reports),
            interrupted=any(report.interrupted for report in reports),
        )


def command_of(name: str, *arguments: object, **options: object) -> str:
    """What to type for a command with these arguments, and those options that are not None.

    Of a path that is absolute only the name is kept, as elsewhere the rest would be another.
    """
    words = ["poolproof", name]
    for option, value in options.items():
        if value is not None and value is not False:
            words.append(f"--{option.replace('_', '-')}")
            words += [] if value is True else [kept(value)]
    return shlex.join([*words, *map(kept, arguments)])


def kept(value: object) -> str:
    """The value as it is typed."""
    return value.name if isinstance(value, PurePath) and value.is_absolute() else str(value)

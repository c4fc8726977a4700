"""A folder of counterexamples, each of which must stay fixed.

Does not cover: whatever no file in the folder shows.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path

from poolproof_verification.counterexample import Counterexample
from poolproof_verification.counterexample_file import name_of, write, wrong
from poolproof_verification.replay import ANSWERS, Replay, replay
from poolproof_verification.verdict import (
    CouldNotRun,
    Evidence,
    Judgement,
    Outcome,
    Verdict,
)
from poolproof_verification.words import plural
from poolproof_verification.workloads.lines import shown

NOT_COVERED = "whatever no file in the folder shows"


def keep(counterexamples: Iterable[Counterexample], folder: Path) -> list[Path]:
    """Write each into the folder, under the same name whenever it is found; CouldNotRun."""
    return [write(each, folder / name_of(each)) for each in counterexamples]


def files_in(folder: Path) -> list[Path]:
    """The counterexamples of the folder, sorted by name; CouldNotRun: there is none."""
    try:
        names = sorted(path.name for path in folder.iterdir() if path.suffix == ".json")
    except (OSError, ValueError) as error:  # ValueError: a strange path
        reason = getattr(error, "strerror", None) or error
        raise CouldNotRun(f"{shown(folder)}: cannot be read: {reason}") from error
    if not names:
        raise CouldNotRun(f"{shown(folder)}: no counterexample in it; their names end in .json")
    return [folder / name for name in names]


def judge_regressions(
    folder: Path, target: str | None = None, progress: Callable[[str], None] = lambda line: None
) -> Judgement:
    """Replay them all: refuted where one still fails, unknown where one is stale; CouldNotRun."""
    started = time.process_time()
    replays = []
    for path in files_in(folder):
        replayed = replay(path, target)
        if not replayed.law:
            raise wrong(path, "a log in which nothing is broken is no counterexample")
        progress(replayed.line())
        replays.append(replayed)
    verdicts = tuple(map(verdict_of, replays))
    seconds = time.process_time() - started
    return Judgement("regressions", verdicts, seconds, NOT_COVERED, (summary(replays),))


def summary(replays: list[Replay]) -> str:
    """How many got which answer."""
    counts = {outcome: sum(each.outcome is outcome for each in replays) for outcome in Outcome}
    answers = (f"{answer} {counts[outcome]}" for outcome, answer in ANSWERS.items())
    return f"{plural(len(replays), 'counterexample')}: {', '.join(answers)}"


def verdict_of(replayed: Replay) -> Verdict:
    """One file's verdict."""
    return Verdict(
        method="regressions",
        law=replayed.law,
        outcome=replayed.outcome,
        evidence=Evidence.CASES,
        count=1,
        unit="counterexample",
        scope=replayed.path.name,
        detail=replayed.line(),
    )

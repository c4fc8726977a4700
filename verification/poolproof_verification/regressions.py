"""A folder of counterexamples, each of which must stay fixed.

What a run writes with `--out` is such a folder, too: what it keeps in `counterexamples/` is read,
and none of its renderings.

Does not cover: whatever no file in the folder shows.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from poolproof_verification.counterexample_file import wrong
from poolproof_verification.progress import at
from poolproof_verification.replay import ANSWERS, Replay, replay
from poolproof_verification.reports import FORMATS
from poolproof_verification.reports.folder import COUNTEREXAMPLES
from poolproof_verification.reports.report_file import NAME
from poolproof_verification.verdict import (
    CouldNotRun,
    Evidence,
    Judgement,
    Outcome,
    Verdict,
)
from poolproof_verification.words import plural
from poolproof_verification.workloads.lines import shown

RENDERINGS = {NAME, *FORMATS.values()}
NOT_COVERED = "whatever no file in the folder shows"


def files_in(folder: Path) -> list[Path]:
    """The counterexamples of the folder, sorted by name; CouldNotRun: there is none."""
    inner = folder / COUNTEREXAMPLES
    try:
        found = [*folder.iterdir(), *(inner.iterdir() if inner.is_dir() else ())]
    except (OSError, ValueError) as error:  # ValueError: a strange path
        reason = getattr(error, "strerror", None) or error
        raise CouldNotRun(f"{shown(folder)}: cannot be read: {reason}") from error
    paths = [path for path in found if path.suffix == ".json" and path.name not in RENDERINGS]
    if not paths:
        raise CouldNotRun(f"{shown(folder)}: no counterexample in it; their names end in .json")
    return sorted(paths, key=lambda path: (path.name, path))


def is_new(folder: Path) -> bool:
    """There is no such folder, or nothing in it."""
    return not folder.exists() or (folder.is_dir() and not any(folder.iterdir()))


def judge_regressions(
    folder: Path, target: str | None = None, progress: Callable[[str], None] = lambda line: None
) -> Judgement:
    """Replay them all: refuted where one still fails, unknown where one is stale; CouldNotRun.

    After Ctrl-C what became of those before.
    """
    started = time.process_time()
    replays: list[Replay] = []
    paths = files_in(folder)
    try:
        for path in paths:
            at(f"{len(replays)} of {len(paths)} replayed", len(replays) / len(paths))
            replays.append(replayed(path, target))
            progress(replays[-1].line())
    except KeyboardInterrupt:
        progress(f"interrupted: {len(paths) - len(replays)} of {len(paths)} were not replayed")
    verdicts = tuple(map(verdict_of, replays))
    seconds = time.process_time() - started
    return Judgement("regressions", verdicts, seconds, NOT_COVERED, (summary(replays),))


def replayed(path: Path, target: str | None) -> Replay:
    """What became of one; CouldNotRun: it is none."""
    found = replay(path, target)
    if not found.law:
        raise wrong(path, "a log in which nothing is broken is no counterexample")
    return found


def summary(replays: list[Replay]) -> str:
    """How many got which answer."""
    counts = {outcome: sum(each.outcome is outcome for each in replays) for outcome in Outcome}
    answers = (f"{answer} {counts[outcome]}" for outcome, answer in ANSWERS.items())
    return f"{plural(len(replays), 'counterexample')}: {', '.join(answers)}"


def verdict_of(found: Replay) -> Verdict:
    """One file's verdict."""
    return Verdict(
        method="regressions",
        law=found.law,
        outcome=found.outcome,
        evidence=Evidence.CASES,
        count=1,
        unit="counterexample",
        scope=found.path.name,
        detail=found.line(),
    )

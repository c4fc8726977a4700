"""A run's folder: report.json, every rendering of it, and each counterexample as files of its own.

    report.json            everything; the other files are made of it
    report.txt, ...        one a format, see `FORMATS`
    counterexamples/       what `poolproof replay` and `fuzz --regressions` read, each beside a test
    model/                 the same of the proofs, which no manager can replay
    traces/                each of both as an ITF trace

Each file is whole or not there. A later run into the same folder takes away what the report there
says is of the earlier one, and nothing else.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterator
from pathlib import Path

from poolproof_verification.counterexample import Counterexample
from poolproof_verification.counterexample_file import name_of
from poolproof_verification.counterexample_file import write as write_counterexample
from poolproof_verification.files import read_whole, write_whole
from poolproof_verification.reports import FORMATS, renderer, report_file
from poolproof_verification.reports.itf import trace
from poolproof_verification.reports.report import Report
from poolproof_verification.signals import noted
from poolproof_verification.verdict import CouldNotRun
from poolproof_verification.workloads.lines import shown

COUNTEREXAMPLES, OF_THE_MODEL, TRACES = "counterexamples", "model", "traces"
EARLIER = "earlier"  # the folder in it for what is of an earlier run


def files_of(report: Report) -> Iterator[tuple[Path, Counterexample]]:
    """Each counterexample with the file it is written to, from the folder."""
    for found in report.failures:
        replayable = all(step.call is not None for step in found.steps)
        place = COUNTEREXAMPLES if replayable else OF_THE_MODEL
        yield Path(place, name_of(found)), found


def beside(path: Path) -> Path:
    """The file of the test that stands beside a counterexample's."""
    return path.with_name(f"test_{path.stem.replace('-', '_')}.py")


def traced(path: Path) -> Path:
    """The file of a counterexample's trace, from the folder; apart from what is replayed."""
    return Path(TRACES, f"{path.stem}.itf.json")


def prepare(folder: Path) -> None:
    """Make the folder, so that a run does not end in nothing.

    CouldNotRun: that is impossible, or a foreign file is where one will be written.
    """
    report_file.prepare(folder)
    known = folder / report_file.NAME
    expected = [known] if known.exists() else [folder / name for name in FORMATS.values()]
    for path in expected:
        if path.exists() and not (path == known and is_report(path)):
            words = "is of no earlier run; give --out another folder, or take it away"
            raise CouldNotRun(f"{shown(path)}: {words}")


def is_report(path: Path) -> bool:
    """The file is a report, of whichever version."""
    try:
        data = json.loads(read_whole(path, report_file.MOST_BYTES))
    except (CouldNotRun, ValueError, RecursionError):
        return False
    return isinstance(data, dict) and isinstance(data.get("report"), int)


def write(report: Report, folder: Path, kept: Collection[Path] = ()) -> list[str]:
    """Write everything, whatever interrupts; CouldNotRun. Gives what could not be taken away.

    `kept`: counterexamples that stay, whoever wrote them.
    """
    with noted():  # the run is over: half a folder would say less than it found
        written, before = dict(files_of(report)), outdated(folder)
        report_file.write(report, folder)
        for path, found in written.items():
            write_counterexample(found, folder / path)
            write_whole(folder / beside(path), found.test())
            write_whole(folder / traced(path), trace(found))
        for name, file in FORMATS.items():
            write_whole(folder / file, renderer(name)(report))
        staying = set(map(os.path.realpath, kept))
        gone = [each for each in before if each not in written]
        gone = [each for each in gone if os.path.realpath(folder / each) not in staying]
        return [why for file in with_its_own(gone) if (why := take_away(folder / file))]


def outdated(folder: Path) -> list[Path]:
    """The counterexamples of an earlier run there, as its report names them."""
    try:
        before = report_file.read(folder / report_file.NAME)
    except CouldNotRun:  # there is none, or one of another version
        return []
    return [path for path, _ in files_of(before)]


def with_its_own(paths: Collection[Path]) -> list[Path]:
    """Counterexamples' files, each with its test's and its trace's."""
    return [file for path in paths for file in (path, beside(path), traced(path))]


def set_aside(folder: Path, since: int, *, suite: bool = False) -> list[Path]:
    """What an earlier run left goes into a folder of its own there: whatever is older than this.

    `since`: nanoseconds, as in a file's time. `suite`: the counterexamples stay, to be repeated.
    Gives what was moved; nothing foreign is.
    """
    if not is_report(folder / report_file.NAME):
        return []
    found = [] if suite else with_its_own(outdated(folder))
    names = [Path(report_file.NAME), *map(Path, FORMATS.values()), *found]
    files = [name for name in names if (folder / name).is_file()]
    old = [name for name in files if (folder / name).stat().st_mtime_ns <= since]
    for name in old:
        (folder / EARLIER / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).replace(folder / EARLIER / name)
    return old


def take_away(path: Path) -> str:
    """The file is gone, or else why it is not."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        return f"{shown(path)}, of an earlier run, cannot be removed: {error.strerror or error}"
    return ""

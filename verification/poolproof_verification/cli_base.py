"""What all commands share: the application, options, output, and how a command ends."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from rich.console import Console
from rich.text import Text
from typer.core import TyperGroup

from poolproof_verification.verdict import (
    EXIT_CODES,
    CouldNotRun,
    Judgement,
    Outcome,
    overall,
)

if TYPE_CHECKING:
    from poolproof_verification.counterexample import Counterexample
    from poolproof_verification.reports.report import Report

STARTED, BEGAN = time.monotonic(), time.time_ns()
WANTED: list[Path] = []  # the folder for what is found, where one was asked for
REPEATED: list[Path] = []  # the folder of what is to be repeated, where one was
HERE: list[str] = []  # the folder in which the command began, unless that is gone
LOG_WIDTH = 120  # columns where the output is no terminal


class Interrupted(Exception):
    """The user pressed Ctrl-C."""


class Commands(TyperGroup):
    """The commands, where an end from outside is no verdict, as an exit code of its own tells."""

    def make_context(self, *arguments: Any, **named: Any) -> Any:
        """Read the options; that may print the help."""
        with ends_told_apart():
            return super().make_context(*arguments, **named)

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was asked for."""
        with ends_told_apart():
            return super().invoke(ctx)


@contextmanager
def ends_told_apart() -> Iterator[None]:
    """Within, Ctrl-C is Interrupted, and an output that cannot be written CouldNotRun."""
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except KeyboardInterrupt:
        raise Interrupted from None
    except OSError as error:
        if error.filename is not None:
            raise
        give_up_output()
        lost = isinstance(error, BrokenPipeError)
        why = f"the output cannot be written: {error.strerror}"
        raise CouldNotRun("nobody reads the output any more" if lost else why) from None


def give_up_output() -> None:
    """What cannot be written to standard output goes nowhere."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


app = typer.Typer(
    name="poolproof",
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Judge paged KV-cache block managers. "
    "Exit codes: 0 held, 1 refuted, 2 could not run, 3 unknown.",
)


@app.callback()
def output(
    no_color: Annotated[
        bool, typer.Option("--no-color", help="No colours, as with NO_COLOR in the environment.")
    ] = False,
) -> None:
    """What concerns the output of every command."""
    if no_color:
        os.environ["NO_COLOR"] = "1"


WHAT = (
    "poolproof, textbook, what a package brings by name, or package.module:Class, with the "
    "interface of the lesson or an adapter."
)
Target = Annotated[str, typer.Option(help=WHAT)]
AnyTarget = Annotated[str | None, typer.Option(help=f"{WHAT} poolproof if not given.")]
Seed = Annotated[int, typer.Option(min=0, help="What everything random is drawn from.")]
WRITTEN = (
    "The folder for report.json, all its renderings, and the counterexamples: in counterexamples/, "
    "each to replay, and as a test. What only an earlier run there found is taken away."
)


def folder_named(name: str | Path) -> Path:
    """The folder; an empty name, which would be the current folder's, is none."""
    if not str(name):
        raise typer.BadParameter("an empty name is no folder")
    return Path(name)


def out_named(name: str | Path) -> Path:
    """The folder for what is found; known from now on, also where nothing can run."""
    WANTED.append(folder_named(name))
    return WANTED[-1]


def repeated_named(name: str | Path) -> Path:
    """The folder of what is to be repeated, which stays where it is."""
    REPEATED.append(folder_named(name))
    return REPEATED[-1]


Out = Annotated[Path, typer.Option(help=WRITTEN, parser=out_named, metavar="FOLDER")]
OutIfAny = Annotated[
    Path | None,
    typer.Option(help=f"{WRITTEN} Nothing is written without.", parser=out_named, metavar="FOLDER"),
]


class Output(Console):
    """Standard output, where no line is a command to a CI, and nobody reading it no verdict."""

    def print(self, *objects: Any, **named: Any) -> None:
        """Not ended with the exit code of a refutation by a broken pipe, which is Rich's way."""
        from poolproof_verification.reports.plain_words import obeyed_by_nobody

        with self.capture() as captured:
            super().print(*objects, **named)
        self.file.write(obeyed_by_nobody(captured.get()))
        self.file.flush()


def console() -> Console:
    """Standard output, wide enough for tables in a log."""
    terminal = Output(highlight=False)
    return terminal if terminal.is_terminal else Output(highlight=False, width=LOG_WIDTH)


def tell(line: str) -> None:
    """Progress: one line on standard error, which is no command to a CI, either."""
    from poolproof_verification.reports.plain_words import obeyed_by_nobody

    print(obeyed_by_nobody(line), file=sys.stderr, flush=True)


def leave(outcome: Outcome) -> NoReturn:
    """End with the outcome's exit code."""
    raise typer.Exit(EXIT_CODES[outcome])


def print_judgement(
    judgement: Judgement,
    *,
    laws: bool = True,
    again: Callable[[Counterexample], Iterable[str]] | None = None,
) -> Outcome:
    """One method's verdicts, law by law, with its counterexamples first.

    Without `laws` a selection was judged, which says nothing of any law as a whole. `again`: the
    lines that say how a counterexample is found and replayed.
    """
    from poolproof_verification.ledger import STYLES, indent, wants_ascii
    from poolproof_verification.reports.plain_records import pasteable, plain
    from poolproof_verification.reports.story_text import story

    out = console()
    for counterexample in judgement.counterexamples:
        test = indent(pasteable(counterexample)) or "    it is long: --out keeps it"
        parts = [story(counterexample, ascii_only=wants_ascii(out))]
        parts += [f"  {line}" for line in (again(counterexample) if again else ())]
        parts.append(f"\n  as a test:\n\n{test}\n")
        out.print(Text("\n".join(parts)), soft_wrap=True)  # whole, to be pasted
    judgement = plain(replace(judgement, counterexamples=()))
    for note in (*judgement.notes, *judgement.timings):
        out.print(Text(note))
    for verdict in judgement.verdicts if laws else ():
        words = f"{verdict.law}: {verdict.outcome.value} ({verdict.evidence.value}), "
        words += f"{verdict.count:,} {verdict.unit}"
        detail = f": {verdict.detail}" if verdict.detail else ""
        out.print(Text(words + detail, style=STYLES[verdict.outcome]))
    out.print(Text(f"not covered: {judgement.not_covered}"))
    outcome = overall(judgement.verdicts)
    out.print(Text(f"{judgement.method}: {outcome.value}, {judgement.seconds:.1f} CPU s"))
    return outcome


def prepare(out: Path | None) -> None:
    """Make the folder, if one is wanted; CouldNotRun."""
    from poolproof_verification.reports import folder

    come_back()
    if out is not None:
        folder.prepare(out)


def write(report: Report, out: Path | None, kept: Collection[Path] = ()) -> None:
    """Write the folder, if one is wanted, and tell of it.

    A report that does not say how long the run took is of all since the start.
    """
    from poolproof_verification.reports import folder

    come_back()
    if out is not None:
        report = replace(report, seconds=report.seconds or time.monotonic() - STARTED)
        for warning in folder.write(report, out, kept):
            tell(warning)
        tell(f"wrote {out / 'report.json'}, its renderings and the counterexamples")
    if report.interrupted:
        tell("interrupted: this is what was found by then")


def begin() -> None:
    """Another command begins, in this folder."""
    WANTED.clear()
    REPEATED.clear()
    HERE.clear()
    with suppress(OSError):
        HERE.append(os.getcwd())


def come_back() -> None:
    """Folders are named as they were when the command began, wherever the target has gone."""
    for folder in HERE:
        with suppress(OSError):
            os.chdir(folder)


def set_earlier_aside() -> Iterator[str]:
    """Where nothing is known, no folder has what an earlier run knew; says what became of that."""
    from poolproof_verification.reports.folder import EARLIER, set_aside

    come_back()
    for out in WANTED:
        try:
            named = map(os.path.realpath, REPEATED)
            suite = any(os.path.realpath(out) in (each, os.path.dirname(each)) for each in named)
            if set_aside(out, BEGAN, suite=suite):
                yield f"what an earlier run left in {out} is in {out / EARLIER} now"
        except OSError as error:
            yield f"{out} has the files of an earlier run, which cannot be moved: {error.strerror}"


@contextmanager
def left_behind(out: Path | None, method: str, command: str) -> Iterator[None]:
    """Within, Ctrl-C leaves a report that says so in the folder, if one is wanted."""
    from poolproof_verification.reports.report import Report
    from poolproof_verification.suite import not_judged
    from poolproof_verification.targets import SHIPPED

    try:
        yield
    except KeyboardInterrupt:
        if out is None:
            raise
        judgements = (not_judged(method),)
        report = Report(SHIPPED, 0, judgements, command=command, interrupted=True)
        write(report, out)
        leave(report.ending)

"""The command line. Exit codes: 0 held, 1 refuted, 2 could not run, 3 unknown."""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text
from typer.core import TyperGroup

from poolproof import BlockManager
from poolproof_verification.verdict import (
    COULD_NOT_RUN,
    EXIT_CODES,
    CouldNotRun,
    Judgement,
    Outcome,
    overall,
)

LOG_WIDTH = 120  # columns where the output is no terminal


class Interrupted(Exception):
    """The user pressed Ctrl-C."""


class Commands(TyperGroup):
    """The commands, where an end from outside is no verdict, as an exit code of its own tells."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was asked for."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise Interrupted from None
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise CouldNotRun("nobody reads the output any more") from None


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
Target = Annotated[
    str,
    typer.Option(help="poolproof, textbook, or package.module:Class with the lesson's interface."),
]
Seed = Annotated[int, typer.Option(min=0, help="What everything random is drawn from.")]
Out = Annotated[Path, typer.Option(help="The folder for report.json.")]


def console() -> Console:
    """Standard output, wide enough for tables in a log."""
    terminal = Console(highlight=False)
    return terminal if terminal.is_terminal else Console(highlight=False, width=LOG_WIDTH)


def tell(line: str) -> None:
    """Progress: one line on standard error."""
    print(line, file=sys.stderr, flush=True)


def leave(outcome: Outcome) -> NoReturn:
    """End with the outcome's exit code."""
    raise typer.Exit(EXIT_CODES[outcome])


def print_judgement(judgement: Judgement, *, laws: bool = True) -> Outcome:
    """One method's verdicts, law by law, with its counterexamples first.

    Without `laws` a selection was judged, which says nothing of any law as a whole.
    """
    from poolproof_verification.ledger import STYLES, indent

    out = console()
    for counterexample in judgement.counterexamples:
        test = indent(counterexample.test())
        out.print(Text(f"{counterexample.text()}\n\n  as a test:\n\n{test}\n"))
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


@app.command()
def verify(target: Target = "poolproof", seed: Seed = 0, out: Out = Path("out")) -> None:
    """Run everything that fits the target; print the trust ledger; write report.json."""
    from poolproof_verification import ledger, report, suite

    report.prepare(out)
    found = suite.verify(target, seed, progress=tell)
    ledger.show(found, console())
    tell(f"wrote {report.write(found, out)}")
    leave(found.outcome)


@app.command()
def prove(
    only: Annotated[str | None, typer.Option(help="Part of a name: only these.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    show_trusted: Annotated[bool, typer.Option("--trusted", help="List what is trusted.")] = False,
    audit: Annotated[bool, typer.Option(help="Vacuous? Idle? The model that is run?")] = False,
    mutant: Annotated[str | None, typer.Option(help="Judge one mutant of the model.")] = None,
    mutants: Annotated[bool, typer.Option("--mutants", help="Judge all of them.")] = False,
    seeds: Annotated[int, typer.Option(min=1, help="Seeds of the solver to try.")] = 1,
    solver: Annotated[str, typer.Option(help="z3, cvc5 or both.")] = "z3",
    export: Annotated[Path | None, typer.Option(help="A folder for SMT-LIB 2 files.")] = None,
    timeout: Annotated[int, typer.Option(min=1, help="Milliseconds an obligation.")] = 10_000,
    seed: Seed = 0,
) -> None:
    """Prove, of the model and for any size, every invariant, promise and lemma."""
    from poolproof_verification import prove_command

    request = prove_command.Request(
        only, timeout, seed, seeds, solver, export, audit=audit, mutants=mutants
    )
    alone = request == prove_command.Request() and not (show_trusted and mutant)
    if (show_trusted or mutant is not None) and not alone:
        raise CouldNotRun("--trusted and --mutant are asked alone, or with --json")
    if show_trusted:
        lines = prove_command.trusted_text()
        print(prove_command.trusted_json() if as_json else "\n".join(lines))
        return
    if mutant is not None:
        outcome, told, data = prove_command.mutant(mutant)
        print(json.dumps(data, indent=2) if as_json else "\n".join(told))
        leave(outcome)
    found = prove_command.prove(request, tell)
    if as_json:
        print(prove_command.json_of(found))
    else:
        print("\n".join([*prove_command.text_of(found), ""]))
        print_judgement(found.judgement, laws=only is None)
        print(prove_command.last_line(found))
    leave(found.outcome)


@app.command()
def explore(target: Target = "poolproof") -> None:
    """Visit every reachable state of several small pools, and try everything in each."""
    from poolproof_verification.explore import explore as search
    from poolproof_verification.targets import find_target

    leave(print_judgement(search(find_target(target), progress=tell)))


@app.command()
def contracts(seed: Seed = 0) -> None:
    """Search the shipped manager's code, one operation from any valid state, with CrossHair."""
    from poolproof_verification.contracts import check
    from poolproof_verification.suite import CONTRACT_SECONDS

    leave(print_judgement(check(budget=CONTRACT_SECONDS, seed=seed)))


@app.command()
def fuzz(
    target: Target = "poolproof",
    examples: Annotated[int | None, typer.Option(help="How many runs.")] = None,
    seconds: Annotated[float | None, typer.Option(help="CPU seconds, in place of runs.")] = None,
    seed: Seed = 0,
) -> None:
    """Random operations in lockstep with the model, with a shadow of the KV memory."""
    from poolproof_verification.fuzz import fuzz as search
    from poolproof_verification.targets import find_target

    leave(print_judgement(search(find_target(target), seed, examples, seconds, progress=tell)))


@app.command()
def bench() -> None:
    """Measure the cost a block and a token beside the textbook's manager."""
    from poolproof_verification.benchmark import run as measure

    rows = measure(progress=tell)
    table = Table("workload", "unit", "manager ns", "baseline ns", "ratio", "bar", "")
    for row in rows:
        figures = (
            f"{row.manager:,.0f}",
            f"{row.baseline:,.0f}",
            f"{row.ratio:.2f}",
            f"{row.bar:g}",
        )
        table.add_row(row.name, row.unit, *figures, "held" if row.passed else "MISSED")
    console().print(table)
    leave(Outcome.HELD if all(row.passed for row in rows) else Outcome.REFUTED)


@app.command()
def workload(
    file: Annotated[Path, typer.Argument(help="Azure CSV or Mooncake JSONL, plain or gzip.")],
    block_size: Annotated[int, typer.Option(help="Slots in a block.")] = 16,
    blocks: Annotated[
        int | None, typer.Option(help="Blocks in the pool; without it, it is never full.")
    ] = None,
    samples: Annotated[int, typer.Option(help="Samples a prompt, by fork.")] = 1,
    limit: Annotated[int | None, typer.Option(help="The first requests only.")] = None,
    format: Annotated[str | None, typer.Option(help="azure or mooncake; else detected.")] = None,
    lockstep: Annotated[
        bool,
        typer.Option(help="The model judges every operation; slow in large pools, see --limit."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Run a real serving workload through the manager, and read waste and sharing off it."""
    from poolproof_verification.targets import SHIPPED, find_target
    from poolproof_verification.workloads import run as replay
    from poolproof_verification.workloads.judged import Disagreement, JudgedManager
    from poolproof_verification.workloads.table import lines

    def judged(total: int, size: int) -> JudgedManager:
        return JudgedManager(total, size, find_target(SHIPPED))

    try:
        with progress_bar(limit) as progress:
            figures = replay(
                file, format, block_size, blocks, samples, limit,
                judged if lockstep else BlockManager, progress,
            )  # fmt: skip
    except Disagreement as disagreement:
        print(f"the manager and the model disagree at {disagreement}")
        leave(Outcome.REFUTED)
    if as_json:
        print(json.dumps(figures.as_dict(), indent=2))
    else:
        print("\n".join(lines(figures)))
        if lockstep:
            print("the model judged every operation: held")


@contextmanager
def progress_bar(total: int | None) -> Iterator[Callable[[int], None] | None]:
    """Requests read so far, on a terminal only."""
    terminal = Console(stderr=True)
    if not terminal.is_terminal:
        yield None
        return
    columns = (TextColumn("{task.completed:,} requests"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=terminal, transient=True) as bar:
        task = bar.add_task("requests", total=total)
        yield lambda done: bar.update(task, completed=done)


def usage_error(error: Exception) -> str | None:
    """What is wrong with the options or arguments, if that is what the error says."""
    words = getattr(error, "format_message", None)
    return f"{words()} See poolproof --help." if words else None


def internal_error() -> str:
    """The traceback, for whoever mends it."""
    return f"internal error, please report it\n{traceback.format_exc()}"


def run() -> NoReturn:
    """Run the command line; whatever cannot run ends in one line and exit code 2."""
    try:
        code = app(prog_name="poolproof", standalone_mode=False)
        sys.exit(code or 0)
    except CouldNotRun as error:
        tell(f"poolproof: {error}")
    except ModuleNotFoundError as error:
        from poolproof_verification.__main__ import missing

        missing(error)
    except (Interrupted, KeyboardInterrupt):
        tell("poolproof: interrupted; nothing is known")
        sys.exit(EXIT_CODES[Outcome.UNKNOWN])
    except MemoryError:
        tell("poolproof: not enough memory for pools of this size")
    except Exception as error:  # neither a usage error nor a fault of poolproof's is a verdict
        tell(f"poolproof: {usage_error(error) or internal_error()}")
    sys.exit(COULD_NOT_RUN)

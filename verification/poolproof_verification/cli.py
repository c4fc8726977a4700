"""The command line. Exit codes: 0 held, 1 refuted, 2 could not run, 3 unknown."""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from poolproof import BlockManager
from poolproof_verification import cli_harness, cli_prove
from poolproof_verification.cli_base import (
    Interrupted,
    Out,
    Seed,
    Target,
    app,
    console,
    leave,
    tell,
)
from poolproof_verification.verdict import COULD_NOT_RUN, EXIT_CODES, CouldNotRun, Outcome

__all__ = ["app", "cli_harness", "cli_prove", "run"]  # importing a module of commands adds them


@app.command()
def verify(target: Target = "poolproof", seed: Seed = 0, out: Out = Path("out")) -> None:
    """Run everything that fits the target; print the trust ledger; write report.json."""
    from poolproof_verification import ledger, report, suite
    from poolproof_verification.targets import find_target

    find_target(target)  # tells what is wrong with it before a folder is made
    report.prepare(out)
    found = suite.verify(target, seed, progress=tell)
    ledger.show(found, console())
    tell(f"wrote {report.write(found, out)}")
    leave(found.outcome)


@app.command()
def bench() -> None:
    """Measure the cost a block and a token beside the textbook's manager, and the searchers."""
    from poolproof_verification.benchmark import run as measure
    from poolproof_verification.benchmark_search import rates

    rows, searchers = measure(progress=tell), rates(tell)
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
    table = Table("searcher, in lockstep", "accepted", "refused", "a CPU second", "bar", "")
    for rate in searchers:
        done = f"{rate.accepted:,}", f"{rate.refused:,}", f"{rate.per_second:,.0f}"
        judged = (f"{rate.bar:,}", "held" if rate.passed else "MISSED") if rate.bar else ("", "")
        table.add_row(rate.searcher, *done, *judged)
    console().print(table)
    passed = all(row.passed for row in rows) and all(rate.passed for rate in searchers)
    leave(Outcome.HELD if passed else Outcome.REFUTED)


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
    return f"{words().rstrip('.')}. See poolproof --help." if words else None


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

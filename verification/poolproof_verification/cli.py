"""The command line. Exit codes: 0 held, 1 refuted, 2 could not run, 3 unknown."""

from __future__ import annotations

import sys
import traceback
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from rich.table import Table

from poolproof_verification import cli_harness, cli_prove, cli_report, cli_workload
from poolproof_verification.cli_base import (
    Interrupted,
    Out,
    Seed,
    Target,
    app,
    begin,
    console,
    give_up_output,
    leave,
    prepare,
    set_earlier_aside,
    tell,
    write,
)
from poolproof_verification.progress import shown
from poolproof_verification.signals import raised
from poolproof_verification.verdict import COULD_NOT_RUN, EXIT_CODES, CouldNotRun, Outcome
from poolproof_verification.words import error_told

# Importing a module of commands adds them.
__all__ = ["app", "cli_harness", "cli_prove", "cli_report", "cli_workload", "run"]


@app.command()
def verify(target: Target = "poolproof", seed: Seed = 0, out: Out = Path("out")) -> None:
    """Run everything that fits the target; print the trust ledger; write the report."""
    from poolproof_verification import ledger, suite
    from poolproof_verification.targets import find_target

    find_target(target)  # tells what is wrong with it before a folder is made
    prepare(out)
    with shown("verify"):
        found = suite.verify(target, seed, progress=tell)
    write(found, out)
    ledger.show(found, console(), out)
    leave(found.ending)


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


def usage_error(error: Exception) -> str | None:
    """What is wrong with the options or arguments, if that is what the error says."""
    words = getattr(error, "format_message", None)
    if words is None:
        return None
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "poolproof"
    return f"{words().rstrip('.')}. See {command} --help."


def internal_error() -> str:
    """The traceback, for whoever mends it."""
    return f"internal error, please report it\n{traceback.format_exc()}"


def run() -> NoReturn:
    """Run the command line; whatever cannot run ends in one line and exit code 2."""
    begin()
    code = COULD_NOT_RUN
    try:
        with raised():
            code = app(prog_name="poolproof", standalone_mode=False) or 0
    except CouldNotRun as error:
        last_words(f"poolproof: {error}")
        nothing_is_known()
    except ModuleNotFoundError as error:
        from poolproof_verification.__main__ import missing

        missing(error)
    except (Interrupted, KeyboardInterrupt):
        last_words("poolproof: interrupted; nothing is known")
        nothing_is_known()
        code = EXIT_CODES[Outcome.UNKNOWN]
    except MemoryError:
        last_words("poolproof: not enough memory for pools of this size")
    except Exception as error:  # neither a usage error nor a fault of poolproof's is a verdict
        last_words(f"poolproof: {usage_error(error) or internal_error()}")
    except BaseException as error:  # a target's; SystemExit would look like a verdict
        last_words(f"poolproof: {error_told(error)} ended the run; nothing is known")
        nothing_is_known()
    sys.exit(code)


def nothing_is_known() -> None:
    """The folder that was asked for does not look as if something were."""
    for line in set_earlier_aside():
        last_words(line)


def last_words(line: str) -> None:
    """The line on standard error; where that cannot be written, on standard output."""
    try:
        tell(line)
    except OSError:
        with suppress(OSError):
            print(line, flush=True)
        give_up_output()

"""The commands that search a manager, repeat what was found, and search those with seeded bugs."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from poolproof_verification.cli_base import (
    AnyTarget,
    OutIfAny,
    Seed,
    Target,
    app,
    leave,
    left_behind,
    prepare,
    print_judgement,
    repeated_named,
    tell,
    write,
)
from poolproof_verification.progress import shown
from poolproof_verification.signals import raised
from poolproof_verification.words import harmless

if TYPE_CHECKING:
    from poolproof_verification.counterexample import Counterexample
    from poolproof_verification.reports.report import Report


@app.command()
def explore(target: Target = "poolproof", out: OutIfAny = None) -> None:
    """Visit every reachable state of several small pools, and try everything in each."""
    from poolproof_verification.explore import explore as search
    from poolproof_verification.reports.report import Report, command_of
    from poolproof_verification.targets import find_target

    judged = find_target(target)
    prepare(out)
    with shown("explore"), raised() as interrupts:
        found = search(judged, progress=tell)
    command = command_of("explore", target=target)
    finish(Report(judged.name, 0, (found,), command=command, interrupted=bool(interrupts())), out)


@app.command()
def contracts(
    seed: Seed = 0,
    night: Annotated[
        bool, typer.Option(help="Full states of several sequences; takes four minutes.")
    ] = False,
) -> None:
    """Search the shipped manager's code, one operation from any valid state, with CrossHair."""
    from poolproof_verification.contracts import NIGHT, SECONDS, check
    from poolproof_verification.suite import CONTRACT_SECONDS

    with shown("contracts"):
        if night:
            found = check(budget=SECONDS, seed=seed, form=NIGHT)
        else:
            found = check(budget=CONTRACT_SECONDS, seed=seed)
    leave(print_judgement(found))


@app.command()
def fuzz(
    target: AnyTarget = None,
    examples: Annotated[int | None, typer.Option(help="How many runs.")] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            help="CPU seconds to search, in place of runs; what is found is then made short."
        ),
    ] = None,
    seed: Seed = 0,
    max_failures: Annotated[int, typer.Option(min=1, help="Distinct faults to tell.")] = 12,
    regressions: Annotated[
        Path | None,
        typer.Option(
            parser=repeated_named,
            metavar="FOLDER",
            help="A folder of counterexamples to repeat first, or one that --out has written; "
            "if it is that of this --out, those in it stay.",
        ),
    ] = None,
    out: OutIfAny = None,
) -> None:
    """Explore small pools, then random operations, in lockstep with the model."""
    from poolproof_verification import regressions as regression
    from poolproof_verification.fuzz import fuzz as search
    from poolproof_verification.reports.report import Report, command_of
    from poolproof_verification.targets import SHIPPED, find_target

    judged = find_target(SHIPPED if target is None else target)
    if regressions is not None and regressions == out and regression.is_new(regressions):
        tell(f"{regressions}: nothing to repeat yet")
        regressions = None
    kept = regression.files_in(regressions) if regressions is not None else []
    prepare(out)
    judgements = []
    with shown("fuzz"), raised() as interrupts:
        if regressions is not None:
            judgements.append(regression.judge_regressions(regressions, target, tell))
        if not interrupts():
            judgements.append(search(judged, seed, examples, seconds, tell, max_failures))
    command = command_of(
        "fuzz", target=target, examples=examples, seconds=seconds, seed=seed,
        max_failures=max_failures, regressions=regressions,
    )  # fmt: skip
    interrupted = bool(interrupts())
    report = Report(judged.name, seed, tuple(judgements), command=command, interrupted=interrupted)
    finish(report, out, kept)


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="A counterexample, or a watcher's log.")],
    target: Annotated[
        str | None, typer.Option(help="What to carry it out on; else what the file names.")
    ] = None,
) -> None:
    """Carry a recorded failure out once more: still fails (1), fixed (0) or stale (3)."""
    from poolproof_verification.replay import replay as carry_out
    from poolproof_verification.reports.plain_words import obeyed_by_nobody

    found = carry_out(file, target)
    print(obeyed_by_nobody("\n".join(found.lines())))
    leave(found.outcome)


@app.command()
def mutants(
    mechanical: Annotated[bool, typer.Option(help="Those made by machine.")] = False,
    only: Annotated[str | None, typer.Option(help="Part of a name: only these.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    out: OutIfAny = None,
) -> None:
    """Search the shipped manager with a seeded bug, for each bug: who finds it, and how fast."""
    from poolproof_verification import mutants_command

    prepare(out)
    command = mutants_command.command(only, mechanical)
    with left_behind(out, mutants_command.METHOD, command), shown("mutants"):
        found = mutants_command.judge(only, mechanical)
    write(mutants_command.report_of(found, only, mechanical), out)
    if as_json:
        print(json.dumps(found.as_json(), indent=2))
    else:
        print("\n".join(mutants_command.text_of(found)))
    leave(mutants_command.outcome_of(found))


def finish(report: Report, out: Path | None, kept: Collection[Path] = ()) -> NoReturn:
    """Write and print what was found, and end. `kept`: counterexamples that are not taken away."""
    write(report, out, kept)
    for judgement in report.judgements:
        print_judgement(judgement, again=partial(again, report, out))
    leave(report.ending)


def again(report: Report, out: Path | None, found: Counterexample) -> Iterator[str]:
    """How it is found and replayed."""
    from poolproof_verification.reports.plain_records import once_more

    if out is not None:
        yield from once_more(found, report.command, out)
    else:
        yield f"found again by: {harmless(report.command)}"
        yield "kept, to be replayed, with: --out FOLDER"

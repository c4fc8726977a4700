"""The commands that search a manager, repeat what was found, and search those with seeded bugs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from poolproof_verification.cli_base import (
    AnyTarget,
    Seed,
    Target,
    app,
    leave,
    print_judgement,
    tell,
)
from poolproof_verification.verdict import Outcome


@app.command()
def explore(target: Target = "poolproof") -> None:
    """Visit every reachable state of several small pools, and try everything in each."""
    from poolproof_verification.explore import explore as search
    from poolproof_verification.targets import find_target

    leave(print_judgement(search(find_target(target), progress=tell)))


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

    if night:
        leave(print_judgement(check(budget=SECONDS, seed=seed, form=NIGHT)))
    leave(print_judgement(check(budget=CONTRACT_SECONDS, seed=seed)))


@app.command()
def fuzz(
    target: AnyTarget = None,
    examples: Annotated[int | None, typer.Option(help="How many runs.")] = None,
    seconds: Annotated[float | None, typer.Option(help="CPU seconds, in place of runs.")] = None,
    seed: Seed = 0,
    max_failures: Annotated[int, typer.Option(min=1, help="Distinct faults to tell.")] = 12,
    regressions: Annotated[
        Path | None, typer.Option(help="A folder of counterexamples to repeat first.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="A folder in which to keep the counterexamples.")
    ] = None,
) -> None:
    """Explore small pools, then random operations, in lockstep with the model."""
    from poolproof_verification import regressions as regression
    from poolproof_verification.fuzz import fuzz as search
    from poolproof_verification.targets import SHIPPED, find_target

    judged = find_target(target or SHIPPED)
    outcomes = []
    if regressions is not None:
        repeated = regression.judge_regressions(regressions, target, tell)
        outcomes += [print_judgement(repeated)]
    found = search(judged, seed, examples, seconds, tell, max_failures)
    outcomes += [print_judgement(found)]
    for path in regression.keep(found.counterexamples, out) if out else ():
        tell(f"wrote {path}")
    worst = (Outcome.REFUTED, Outcome.UNKNOWN, Outcome.HELD)
    leave(min(outcomes, key=worst.index))


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="A counterexample, or a watcher's log.")],
    target: Annotated[
        str | None, typer.Option(help="What to carry it out on; else what the file names.")
    ] = None,
) -> None:
    """Carry a recorded failure out once more: still fails (1), fixed (0) or stale (3)."""
    from poolproof_verification.replay import replay as carry_out

    found = carry_out(file, target)
    print("\n".join(found.lines()))
    leave(found.outcome)


@app.command()
def mutants(
    mechanical: Annotated[bool, typer.Option(help="Those made by machine.")] = False,
    only: Annotated[str | None, typer.Option(help="Part of a name: only these.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Search the shipped manager with a seeded bug, for each bug: who finds it, and how fast."""
    from poolproof_verification import mutants_command

    found = mutants_command.judge(only, mechanical, tell)
    if as_json:
        print(json.dumps(found.as_json(), indent=2))
    else:
        print("\n".join(mutants_command.text_of(found)))
    leave(mutants_command.outcome_of(found))

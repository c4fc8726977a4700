"""The commands about proofs: `prove`, and `recheck` of what it exports."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from poolproof_verification.cli_base import Seed, app, leave, print_judgement, tell
from poolproof_verification.verdict import CouldNotRun


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
        print_judgement(replace(found.judgement, timings=()), laws=only is None)
        print(prove_command.last_line(found))
    leave(found.outcome)


@app.command()
def recheck(
    folder: Annotated[Path, typer.Argument(help="What `prove --export` wrote.")],
    solver: Annotated[str, typer.Option(help="z3, cvc5 or both.")] = "z3",
    timeout: Annotated[int, typer.Option(min=1, help="Milliseconds a file.")] = 10_000,
    seed: Seed = 0,
) -> None:
    """Ask a solver for every exported obligation, from the files alone."""
    from poolproof_verification.proofs import recheck as rechecking
    from poolproof_verification.proofs.solvers import solvers_named

    found = []
    for each in rechecking.recheck(folder, solvers_named(solver), timeout, seed):
        print(each)
        found.append(each)
    confirmed, outcome = sum(each.confirmed for each in found), rechecking.outcome_of(found)
    print(f"recheck: {outcome.value}, {confirmed} of {len(found)} answers are unsat, as expected")
    leave(outcome)

"""The same obligations under other seeds, by another solver, and as files for anybody's solver.

An obligation that is not proved under every seed and by every solver asked counts as not proved.

Does not cover: anything itself; `stable`, `confirm` and `export` say what they do not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from poolproof_verification.proofs.cases import with_lemmas
from poolproof_verification.proofs.confirm import confirmations
from poolproof_verification.proofs.export import export
from poolproof_verification.proofs.matrix import as_json, line_of
from poolproof_verification.proofs.prove import results_of, selection
from poolproof_verification.proofs.solve import Result
from poolproof_verification.proofs.solvers import Solver, solvers_named
from poolproof_verification.proofs.stable import stable
from poolproof_verification.sections import Section
from poolproof_verification.verdict import CouldNotRun

Tell = Callable[[str], None]


def results_by(only: str | None, solver: str, timeout: int, seed: int) -> Iterator[Result]:
    """Each result as it is found: by z3 on its own terms, by another solver on texts."""
    if solver in ("z3", "both"):
        solvers_named(solver)  # says at once if one of them is not there
        yield from results_of(only, timeout, seed)
        return
    selected, lemmas = selection(only)
    for other in solvers_named(solver):
        yield from confirmations(selected, other, timeout, seed, lemmas)


def confirmed(only: str | None, timeout: int, seed: int) -> Section:
    """Every obligation once more, by cvc5."""
    (cvc5,) = solvers_named("cvc5")
    selected, lemmas = selection(only)
    found = tuple(confirmations(selected, cvc5, timeout, seed, lemmas))
    slowest = max(found, key=lambda result: result.milliseconds)
    held = sum(result.proved for result in found)
    return Section(
        f"a second solver: {cvc5.name} {cvc5.version}",
        (f"{held} of {len(found)} proved of the model; slowest: {line_of(slowest)}",),
        as_json(found),
        tuple(line_of(result) for result in found if not result.proved),
    )


def repeated(only: str | None, seeds: int, timeout: int, tell: Tell) -> Section:
    """Every obligation under so many seeds of z3."""
    selected, lemmas = selection(only)
    found = stable(selected, seeds, timeout, lemmas, progress=tell)
    return Section(
        f"stable: {seeds} seeds of the solver",
        (str(found),),
        {"seeds": seeds, "tried": found.tried, "slowest": found.slowest[1].name},
        tuple(f"seed {seed}: {line_of(result)}" for seed, result in found.unproved),
    )


def exported(only: str | None, folder: Path) -> Section:
    """Every obligation as a file, and the command that rechecks them."""
    selected, lemmas = selection(only)
    steps = tuple(each for lemma in lemmas for each in lemma.obligations())
    found = export(folder, with_lemmas((*steps, *selected)), solvers_here())
    data = {"folder": str(found.folder), "files": found.files, "command": found.command}
    return Section("exported", tuple(str(found).splitlines()), data)


def solvers_here() -> tuple[Solver, ...]:
    """Both solvers, or z3 alone where the other is not installed."""
    try:
        return solvers_named("both")
    except CouldNotRun:
        return solvers_named("z3")

"""`poolproof prove`: the obligation matrix, and on request whatever a sceptic asks next.

Each request adds a section, with lines to read, plain data, and an outcome of its own. Ctrl-C
ends with what there is by then, which is not held.

Does not cover: anything itself; the sections say what they do not.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from poolproof_verification import prove_audit, prove_solvers
from poolproof_verification.counterexample import Counterexample
from poolproof_verification.proofs.matrix import as_json, line_of, listing, matrix
from poolproof_verification.proofs.model_mutants import mutant_named
from poolproof_verification.proofs.model_mutants_judge import judge
from poolproof_verification.proofs.prove import judgement
from poolproof_verification.proofs.solve import Result
from poolproof_verification.proofs.trusted import trusted
from poolproof_verification.proofs.unproved import Refutation, refutations
from poolproof_verification.sections import Section
from poolproof_verification.verdict import Judgement, Outcome, overall

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Request:
    """What is asked of `poolproof prove`."""

    only: str | None = None
    timeout: int = 10_000  # milliseconds an obligation
    seed: int = 0
    seeds: int = 1
    solver: str = "z3"
    export: Path | None = None
    audit: bool = False
    mutants: bool = False


@dataclass
class Found:
    """What is known so far."""

    request: Request
    started: float = field(default_factory=time.process_time)
    results: list[Result] = field(default_factory=list)
    refuted: dict[str, Refutation] = field(default_factory=dict)
    sections: list[Section] = field(default_factory=list)
    complete: bool = False

    @property
    def judgement(self) -> Judgement:
        """The laws, as far as the results go."""
        return judgement(self.results, self.refuted, self.started)

    @property
    def broken(self) -> set[str]:
        """The obligations that operations from the empty pool break."""
        return {name for name, each in self.refuted.items() if each.operations}

    @property
    def outcome(self) -> Outcome:
        """Refuted if anything is, unknown if anything is or the end was not reached, else held."""
        outcomes = {overall(self.judgement.verdicts), *(each.outcome for each in self.sections)}
        if Outcome.REFUTED in outcomes:
            return Outcome.REFUTED
        return Outcome.HELD if self.complete and outcomes == {Outcome.HELD} else Outcome.UNKNOWN


def prove(request: Request, tell: Tell) -> Found:
    """Everything that is asked for; `tell` gets a line for each stage, for the impatient."""
    found = Found(request)
    try:
        asked = request.only, request.solver, request.timeout, request.seed
        for result in prove_solvers.results_by(*asked):
            found.results.append(result)
        found.refuted = refutations(found.results)
        for section in sections(request, tell):
            found.sections.append(section)
        found.complete = True
    except KeyboardInterrupt:
        tell("interrupted: this is what there is")
    return found


def sections(request: Request, tell: Tell) -> Iterator[Section]:
    """The sections that are asked for."""
    if request.solver == "both":
        yield prove_solvers.confirmed(request.only, request.timeout, request.seed, tell)
    if request.seeds > 1:
        yield prove_solvers.repeated(request.only, request.seeds, request.timeout, tell)
    if request.export:
        yield prove_solvers.exported(request.only, request.export)
    if request.audit:
        yield from prove_audit.sections(request.timeout, tell)
    if request.mutants:
        yield from prove_audit.mutants(tell)


def text_of(found: Found) -> Iterator[str]:
    """The report in lines: the matrix, every obligation, the sections."""
    refuted = found.broken
    yield from matrix(found.results, refuted)
    yield ""
    yield from listing(found.results, refuted)
    for section in found.sections:
        yield from ("", *section.text())
    yield ""
    slowest = max(found.results, key=lambda result: result.milliseconds, default=None)
    if slowest:
        yield f"budget: {found.request.timeout:,} ms an obligation; slowest: {line_of(slowest)}"
    if not found.complete:
        yield "interrupted: what is missing above is not known"


def json_of(found: Found) -> str:
    """The same for a program."""
    data = {
        "outcome": found.outcome.value,
        "complete": found.complete,
        "only": found.request.only,
        "milliseconds an obligation": found.request.timeout,
        "seconds": round(time.process_time() - found.started, 1),
        "obligations": as_json(found.results, found.broken),
        "counterexamples": [each.as_json() for each in found.judgement.counterexamples],
        "sections": {section.title: section.as_json() for section in found.sections},
    }
    return json.dumps(data, indent=2)


def trusted_text() -> Iterator[str]:
    """What remains trusted, where it is relied on and what tests it."""
    yield "what remains trusted, and is not proved of the model:"
    for item in trusted():
        first, *others = str(item).splitlines()
        yield f"  - {first}"
        yield from (f"      {line}" for line in others)


def trusted_json() -> str:
    """The same for a program."""
    return json.dumps([vars(item) for item in trusted()], indent=2)


def mutant(name: str, timeout: int) -> tuple[Outcome, list[str], dict[str, Any]]:
    """What becomes of one mutant of the model: in lines and as data. CouldNotRun: no such one."""
    fate = judge(mutant_named(name), timeout)
    lines = [f"mutant: {fate.mutant.wrong}", f"loses the proofs of: {', '.join(fate.lost)}"]
    for found in (fate.refutation.operations, fate.refutation.step):
        lines += shown(found)
    lines.append(str(fate))
    return Outcome.REFUTED if fate.refuted else Outcome.UNKNOWN, lines, fate.as_json()


def shown(counterexample: Counterexample | None) -> list[str]:
    """A counterexample with its test."""
    if counterexample is None:
        return []
    test = "\n".join(f"    {line}" for line in counterexample.test().splitlines())
    return ["", counterexample.text(), "", "  as a test:", "", test, ""]

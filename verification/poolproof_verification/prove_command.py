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
from poolproof_verification.cli_base import console
from poolproof_verification.counterexample import Counterexample
from poolproof_verification.ledger import wants_ascii
from poolproof_verification.proofs.export import refuse_folder
from poolproof_verification.proofs.matrix import as_json, line_of, listing, matrix
from poolproof_verification.proofs.model_mutants import mutant_named
from poolproof_verification.proofs.model_mutants_judge import judge
from poolproof_verification.proofs.prove import judgement
from poolproof_verification.proofs.solve import Result, interruptible
from poolproof_verification.proofs.trusted import trusted
from poolproof_verification.proofs.unproved import Refutation, refutations
from poolproof_verification.prove_solvers import confirmed, exported, repeated
from poolproof_verification.reports.story_text import story
from poolproof_verification.sections import Section, Stage
from poolproof_verification.verdict import CouldNotRun, Judgement, Outcome, overall

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

    def refuse_contradictions(self) -> None:
        """CouldNotRun: two of these do not go together, or nothing can be exported there."""
        if self.only is not None and (self.audit or self.mutants):
            raise CouldNotRun("--only selects obligations; --audit and --mutants judge them all")
        if self.seeds > 1 and self.solver == "cvc5":
            raise CouldNotRun("--seeds repeats the proofs of z3: use --solver z3, or both")
        if self.seeds > 1 and self.seed:
            raise CouldNotRun("--seeds tries the seeds from 0 on: leave --seed out")
        if self.export is not None:
            refuse_folder(self.export)


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
        proved = self.complete and all(result.proved for result in self.results)
        return Outcome.HELD if proved and outcomes == {Outcome.HELD} else Outcome.UNKNOWN


def prove(request: Request, tell: Tell) -> Found:
    """Everything that is asked for; `tell` gets a line for each stage, for the impatient.

    CouldNotRun: what is asked for does not go together.
    """
    request.refuse_contradictions()
    found = Found(request)
    try:
        with interruptible():
            find(found, tell)
    except KeyboardInterrupt:
        tell("interrupted: this is what there is")
    return found


def find(found: Found, tell: Tell) -> None:
    """Everything that is asked for, added to what is found as it comes."""
    request = found.request
    asked = request.only, request.solver, request.timeout, request.seed
    for result in prove_solvers.results_by(*asked):
        found.results.append(result)
    found.refuted = refutations(found.results)
    for stage, section in stages(request, tell):
        tell(stage)
        found.sections.append(section_or_why_not(stage, section))
    found.complete = True


def section_or_why_not(stage: str, section: Callable[[], Section]) -> Section:
    """The section, or one that says why it cannot be made: what was found before is not lost."""
    try:
        return section()
    except CouldNotRun as error:
        return Section(stage, (), None, (str(error),))


def stages(request: Request, tell: Tell) -> Iterator[Stage]:
    """What is asked for beside the obligations, each with what to tell before it is made."""
    only, timeout, seed = request.only, request.timeout, request.seed
    if request.solver == "both":
        yield "every obligation once more, by cvc5", lambda: confirmed(only, timeout, seed)
    if request.seeds > 1:
        seeds = request.seeds
        yield f"{seeds} seeds of z3", lambda: repeated(only, seeds, timeout, tell)
    if folder := request.export:
        yield f"exporting into {folder}", lambda: exported(only, folder)
    if request.audit:
        yield from prove_audit.stages(timeout)
    if request.mutants:
        yield from prove_audit.mutant_stages(tell)


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


def last_line(found: Found) -> str:
    """What it all amounts to, and what was not asked."""
    asked = "" if found.request.audit else "--audit asks whether they are vacuous or idle, "
    return f"all that was asked: {found.outcome.value}; {asked}--trusted lists what remains trusted"


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


def mutant(name: str) -> tuple[Outcome, list[str], dict[str, Any]]:
    """What becomes of one mutant of the model: in lines and as data. CouldNotRun: no such one."""
    fate = judge(mutant_named(name))
    lines = [f"mutant: {fate.mutant.wrong}"]
    for found in (fate.refutation.operations, fate.refutation.step):
        lines += shown(found)
    lines += [f"loses the proof that {name}" for name in fate.lost]
    lines.append(str(fate))
    return Outcome.REFUTED if fate.refuted else Outcome.UNKNOWN, lines, fate.as_json()


def shown(counterexample: Counterexample | None) -> list[str]:
    """A counterexample with its test."""
    if counterexample is None:
        return []
    test = "\n".join(f"    {line}" for line in counterexample.test().splitlines())
    told = "  as a test, which the model as it is passes:"
    return ["", story(counterexample, ascii_only=wants_ascii(console())), "", told, "", test, ""]

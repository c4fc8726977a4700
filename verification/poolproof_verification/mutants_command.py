"""`poolproof mutants`: which method finds which seeded bug; a bug that survives is a red run.

Does not cover: bugs that nobody seeded, and mechanical ones of more than one change.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, Protocol

from poolproof_verification.exhibits import Grid
from poolproof_verification.mutants import MUTANTS
from poolproof_verification.mutants.field import LEFT_OUT
from poolproof_verification.mutants.matrix import Matrix, matrix
from poolproof_verification.mutants.mechanical import code_mutants
from poolproof_verification.mutants.mechanical_judge import MechanicalReport, mechanical
from poolproof_verification.reports.report import Report, command_of
from poolproof_verification.targets import SHIPPED
from poolproof_verification.verdict import CouldNotRun, Evidence, Judgement, Outcome, Verdict

METHOD = "mutants"
NOT_COVERED = "bugs that are neither in the catalogue nor made by the machine"


class Found(Protocol):
    """What came of it."""

    def faults(self) -> tuple[str, ...]:
        """What is wrong with the checks."""

    def lines(self) -> list[str]:
        """The figures as text."""

    def grid(self) -> Grid:
        """The same as an exhibit of a report."""

    def counted(self) -> tuple[int, str]:
        """How many were hunted, and which they are."""

    def as_json(self) -> dict[str, Any]:
        """The same as plain data."""


def judge(
    only: str | None = None,
    by_machine: bool = False,
    progress: Callable[[str], None] = lambda line: None,
) -> Matrix | MechanicalReport:
    """Hunt the seeded bugs, or those made by machine; `only`: with this in their names."""
    if by_machine:
        made = [each for each in code_mutants() if only is None or only in each.name]
        check_any(only, made)
        return mechanical(made, progress)
    chosen = [each for each in MUTANTS if only is None or only in each.name]
    check_any(only, chosen)
    return matrix(chosen, progress=progress, control=only is None)


def check_any(only: str | None, chosen: list[Any]) -> None:
    """There is something to hunt, or CouldNotRun."""
    if not chosen:
        raise CouldNotRun(f"--only {only}: no mutant has that in its name")


def outcome_of(found: Found) -> Outcome:
    """Refuted where a bug survives or an explanation is wrong."""
    return Outcome.REFUTED if found.faults() else Outcome.HELD


def report_of(found: Found, only: str | None = None, by_machine: bool = False) -> Report:
    """The same as a report, to be shown behind another run's."""
    count, scope = found.counted()
    outcome = outcome_of(found)
    detail = "; ".join(found.faults())
    evidence = Evidence.CASES
    verdict = Verdict(METHOD, METHOD, outcome, evidence, count, "seeded bugs", scope, detail)
    judgement = Judgement(METHOD, (verdict,), spent(), NOT_COVERED, grids=(found.grid(),))
    return Report(SHIPPED, 0, (judgement,), command=command(only, by_machine))


def spent() -> float:
    """The CPU seconds of this process and of those it started, as each bug has one of its own."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def command(only: str | None, by_machine: bool) -> str:
    """What to type to hunt the same once more."""
    return command_of("mutants", mechanical=by_machine, only=only)


def text_of(found: Matrix | MechanicalReport) -> list[str]:
    """All there is to say, the faults last; what is not expressed, where all bugs were hunted."""
    lines = [*found.lines(), ""]
    if isinstance(found, Matrix):
        lines += [f"{row.name}: {row.wrong} ({row.seen})" for row in found.rows if row.seen]
        left_out = LEFT_OUT if found.shipped else {}
        lines += [f"not expressed: {fault}: {reason}" for fault, reason in left_out.items()]
        lines.append("")
    faults = found.faults()
    lines += faults or ["every bug is noticed, and every survivor is explained"]
    return [*lines, f"mutants: {outcome_of(found).value}"]

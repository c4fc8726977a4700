"""The trust ledger as the page shows it: a row a law, the worst first, a column a method."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from poolproof_verification.laws import LAWS
from poolproof_verification.ledger import WORST_FIRST, evidence_of, verdict_on
from poolproof_verification.reports.html_failure import Failure
from poolproof_verification.reports.report import MEASURED, Report
from poolproof_verification.targets import SHIPPED
from poolproof_verification.verdict import Canary, Judgement, Outcome, Verdict, overall
from poolproof_verification.words import plural


@dataclass(frozen=True)
class Cell:
    """One law as judged by one method."""

    method: str
    verdict: Verdict | None
    failure: int | None = None  # the number of the failure that tells it


@dataclass(frozen=True)
class Row:
    """One law."""

    law: str
    sentence: str
    cells: tuple[Cell, ...]

    @property
    def outcome(self) -> Outcome:
        """The worst that any method says."""
        found = {cell.verdict.outcome for cell in self.cells if cell.verdict}
        return next(each for each in WORST_FIRST if each in found)


@dataclass(frozen=True)
class Method:
    """What one method did, and what it does not cover."""

    judgement: Judgement
    result: str  # its outcome, or what there is in the place of one
    evidence: str
    scopes: tuple[str, ...]
    canaries: tuple[Canary, ...]


@dataclass(frozen=True)
class Ledger:
    """Everything of it."""

    rows: tuple[Row, ...]
    not_judged: tuple[tuple[str, str], ...]  # laws, each with its sentence
    methods: tuple[Method, ...]
    others: tuple[str, ...]  # what is refuted without a counterexample, and what is unknown
    summary: str
    foreign: bool  # not the shipped manager


def ledger_of(report: Report, failures: tuple[Failure, ...]) -> Ledger:
    """The report's ledger, whose refuted cells lead to the failures."""
    numbers = {failure.found.fault: failure.number for failure in failures}
    rows = [Row(law, LAWS[law], tuple(cells(report, law, numbers))) for law in LAWS]
    judged = [row for row in rows if any(cell.verdict for cell in row.cells)]
    judged.sort(key=lambda row: WORST_FIRST.index(row.outcome))
    return Ledger(
        rows=tuple(judged),
        not_judged=tuple((row.law, row.sentence) for row in rows if row not in judged),
        methods=tuple(method_of(report, each) for each in report.judgements),
        others=tuple(others(report)),
        summary=summary(report, judged),
        foreign=report.target != SHIPPED,
    )


def cells(report: Report, law: str, numbers: dict[tuple[str, ...], int]) -> Iterator[Cell]:
    """One cell a method."""
    for judgement in report.judgements:
        if judgement.measures:
            continue
        verdict = verdict_on(law, judgement)
        found = verdict.counterexample if verdict else None
        yield Cell(judgement.method, verdict, numbers.get(found.fault) if found else None)


def method_of(report: Report, judgement: Judgement) -> Method:
    """One method's part."""
    return Method(
        judgement,
        MEASURED if judgement.measures else overall(judgement.verdicts).value,
        evidence_of(judgement),
        tuple(dict.fromkeys(verdict.scope for verdict in judgement.verdicts)),
        tuple(canary for canary in report.canaries if canary.method == judgement.method),
    )


def others(report: Report) -> Iterator[str]:
    """What no failure on the page tells, in a line each."""
    for judgement in report.judgements:
        for verdict in judgement.verdicts:
            drawn = verdict.counterexample in judgement.counterexamples
            if verdict.outcome is Outcome.UNKNOWN or (
                verdict.outcome is Outcome.REFUTED and not drawn
            ):
                why = verdict.detail or verdict.evidence.value
                yield f"{verdict.law}: {verdict.outcome.value} by {verdict.method}: {why}"


def summary(report: Report, rows: list[Row]) -> str:
    """How many laws were judged, and what became of them."""
    if report.measured:
        return "A measurement: no law was judged"
    counts = {each: sum(row.outcome is each for row in rows) for each in WORST_FIRST}
    told = [f"{count} {outcome.value}" for outcome, count in counts.items() if count]
    judging = [each for each in report.judgements if not each.measures]
    methods = plural(len(judging), "method")
    return f"{plural(len(rows), 'law')} judged by {methods}: {', '.join(told) or 'nothing held'}"

"""The trust ledger: for each law, what is known and how, and what is not covered.

Made from a run's verdicts alone; no figure in it is written by hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from poolproof_verification.exhibits import Grid
from poolproof_verification.laws import LAWS
from poolproof_verification.reports.plain_records import once_more, pasteable, plain, story
from poolproof_verification.reports.plain_words import visible
from poolproof_verification.reports.report import MEASURED, Report
from poolproof_verification.targets import SHIPPED
from poolproof_verification.verdict import Evidence, Judgement, Outcome, Verdict, overall
from poolproof_verification.words import plural

STYLES = {Outcome.HELD: "green", Outcome.REFUTED: "bold red", Outcome.UNKNOWN: "bold yellow"}
WORST_FIRST = (Outcome.REFUTED, Outcome.UNKNOWN, Outcome.HELD)
NOT_JUDGED = "-"
MOST_ROWS, MOST_COLUMNS = 500, 12  # of a table that belongs to a method
LONGEST_CELL = 160  # characters
EVIDENCE = {
    Evidence.PROVED: "proved of the model, any size",
    Evidence.EXHAUSTED: "all states of the code in scope",
    Evidence.SCOPE: "search of the code in scope",
    Evidence.CASES: "cases searched",
    Evidence.NONE: "not settled",
}


def cell(verdict: Verdict | None) -> Text:
    """One law as judged by one method."""
    if verdict is None:
        return Text(NOT_JUDGED, style="dim")
    words = f"{verdict.outcome.value}, {verdict.count:,} {verdict.unit}"
    return Text(words, style=STYLES[verdict.outcome])


def table(report: Report) -> Table:
    """One row a law, one column a method."""
    title = Text(f"trust ledger: {report.target}")
    grid = Table(title=title, title_justify="left", show_lines=False)
    grid.add_column("law", overflow="fold", ratio=3)
    judging = [each for each in report.judgements if not each.measures]
    for judgement in judging:
        heading = Text(f"{judgement.method}\n({evidence_of(judgement)})")
        grid.add_column(heading, overflow="fold", ratio=2)
    for law, sentence in LAWS.items():
        cells = [cell(verdict_on(law, judgement)) for judgement in judging]
        grid.add_row(f"{law}: {sentence}", *cells)
    return grid


def evidence_of(judgement: Judgement) -> str:
    """The kinds of evidence in words that go without a law."""
    kinds = {verdict.evidence for verdict in judgement.verdicts}
    return "; ".join(EVIDENCE[kind] for kind in Evidence if kind in kinds) or "judged nothing"


def verdict_on(law: str, judgement: Judgement) -> Verdict | None:
    """The method's verdict on the law, the worst if there are several, None if it has none."""
    found = [verdict for verdict in judgement.verdicts if verdict.law == law]
    return min(found, key=lambda verdict: WORST_FIRST.index(verdict.outcome), default=None)


def footnotes(report: Report) -> Iterator[str]:
    """Scopes, counts, seconds, what is not covered, and the canaries."""
    for judgement in report.judgements:
        scopes = dict.fromkeys(verdict.scope for verdict in judgement.verdicts)
        outcome = MEASURED if judgement.measures else overall(judgement.verdicts).value
        yield f"{judgement.method}: {outcome}, {judgement.seconds:.1f} CPU s"
        yield from (f"  scope: {scope}" for scope in scopes)
        yield from (f"  {note}" for note in (*judgement.notes, *judgement.timings))
        yield f"  not covered: {judgement.not_covered}"
    for canary in report.canaries:
        escaped = f"ESCAPED, so these verdicts count for nothing: {canary.bug}: {canary.how}"
        told = f"found: {canary.bug}" if canary.refuted else escaped
        yield f"{canary.method}: seeded bug {told}"
    if report.target != SHIPPED:
        yield (
            "the proofs concern the model, the contracts and what is asked the shipped manager, "
            "so none of these says anything of this target"
        )


def unknowns(report: Report) -> Iterator[str]:
    """Why what is unknown is so."""
    for verdict in report.verdicts:
        if verdict.outcome is Outcome.UNKNOWN:
            yield f"unknown: {verdict.method}, {verdict.law}: {verdict.detail}"
    for silent in report.judgements:
        if not (silent.verdicts or silent.measures):
            yield f"unknown: {silent.method}: {'; '.join(silent.notes) or 'nothing was judged'}"


def stories(
    report: Report, folder: Path | None = None, *, ascii_only: bool = False
) -> Iterator[str]:
    """Each distinct counterexample, and other refutations in a line."""
    for found in report.failures:
        counterexample = plain(found)
        test = indent(pasteable(counterexample)) or "    it is long: report.json has it"
        told = story(counterexample, ascii_only=ascii_only)
        again = "".join(f"\n  {line}" for line in once_more(found, report.command, folder))
        yield f"{told}{again}\n\n  as a test:\n\n{test}"
    report = plain(report)
    for judgement in report.judgements:
        for verdict in judgement.verdicts:
            drawn = verdict.counterexample in judgement.counterexamples
            if verdict.outcome is Outcome.REFUTED and not drawn:
                yield f"{verdict.law}: refuted by {verdict.method}: {verdict.detail}"


def indent(text: str) -> str:
    """Four spaces before every line."""
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines())


def exhibit(grid: Grid) -> Iterator[RenderableType]:
    """A table that belongs to a method, up to so many rows."""
    shown = Table(show_lines=False)
    for name in grid.columns[:MOST_COLUMNS]:
        shown.add_column(Text(visible(name, LONGEST_CELL)), overflow="fold")
    for row in grid.rows[:MOST_ROWS]:
        shown.add_row(*(Text(visible(each, LONGEST_CELL)) for each in row[:MOST_COLUMNS]))
    yield from (Text(f"\n{grid.title}"), shown)
    if (more := len(grid.rows) - MOST_ROWS) > 0:
        yield Text(f"and {plural(more, 'more row')}, in report.json")
    if (more := len(grid.columns) - MOST_COLUMNS) > 0:
        yield Text(f"and {plural(more, 'more column')}, in report.json")
    if grid.note:
        yield Text(grid.note)


def render(
    report: Report,
    folder: Path | None = None,
    *,
    ascii_only: bool = False,
    exhibits: bool = False,
) -> RenderableType:
    """The ledger for a terminal or a log: the worst first, the whole table last but one.

    With `exhibits` the methods' own tables follow it. What only measured has no ledger.
    """
    told = stories(report, folder, ascii_only=ascii_only)
    report = plain(report)
    parts: list[RenderableType] = [as_it_is(f"{each}\n") for each in told]
    parts += [Text(f"{line}\n") for line in unknowns(report)]
    parts += [] if report.measured else [table(report)]
    parts += [Text(line) for line in footnotes(report)]
    for judgement in report.judgements if exhibits else ():
        parts += [part for grid in judgement.grids for part in exhibit(grid)]
    style = "" if report.measured else STYLES[report.ending]
    verdict = Text(f"{report.target}: {report.ended}", style=style)
    return Group(*parts, verdict)


def as_it_is(lines: str) -> Text:
    """Lines that are not broken, so that a command or a test in them can be pasted."""
    return Text(lines, no_wrap=True, overflow="ignore")


def wants_ascii(console: Console) -> bool:
    """Its encoding has no more, or the terminal says that it is dumb."""
    return console.options.ascii_only or console.is_dumb_terminal


def show(
    report: Report, console: Console, folder: Path | None = None, *, exhibits: bool = False
) -> None:
    """Print the ledger; `folder`: where the run's files are."""
    told = render(report, folder, ascii_only=wants_ascii(console), exhibits=exhibits)
    console.print(told, crop=False)

"""The report as Markdown, for the summary of a GitHub job: verdict, trust ledger, each failure.

GitHub takes at most 1 MiB. Where the whole is longer, the longest failures are shortened first, and
say which file of the run's artifact has the rest.

Does not cover: what is longer than it may be; the artifact's `report.json` has all of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from poolproof_verification.counterexample import Counterexample
from poolproof_verification.exhibits import Grid
from poolproof_verification.laws import LAWS
from poolproof_verification.ledger import (
    MOST_ROWS,
    cell,
    evidence_of,
    footnotes,
    unknowns,
    verdict_on,
)
from poolproof_verification.reports import ABOUT, FORMATS, INSTALL, ONCE_MORE, TO_HAVE_IT
from poolproof_verification.reports.markdown_words import code, fenced, in_cell
from poolproof_verification.reports.plain_records import (
    LONGEST_COMMAND,
    difference,
    pasteable,
    plain,
    replay_of,
    story,
)
from poolproof_verification.reports.plain_words import ends
from poolproof_verification.reports.report import MEASURED, Report
from poolproof_verification.verdict import Judgement, Outcome
from poolproof_verification.words import plural

MOST_BYTES = 1 << 20
ROOM = 4_096  # bytes for what is told at the end
FEW_LINES = 24  # of a story that is shortened
MOST_HEADLINES = 5  # told at once
MOST_METHODS = 12
MOST_NOTES = 100
LONGEST_CELL = 60  # characters of the ledger, each of which may take eighteen bytes
SHARE = 4  # of all that may be shown, the part that is for tables
POINTER = f"`{FORMATS['html']}` and `report.json` in the run's artifact have"


def render(report: Report) -> str:
    """The Markdown, within GitHub's limit."""
    parts = [*verdict(report), "", *([] if report.measured else ledger(report)), ""]
    before = "\n".join([*parts, *exhibits(report, MOST_BYTES // SHARE)])
    failures = tuple(report.failures_by_method())
    texts = within(failures, MOST_BYTES - ROOM - size(before))
    if left_out := len(failures) - len(texts):
        texts.append(f"**{left_out:,} more failures are not shown here**: {POINTER} all of them.\n")
    return "\n".join([before, *texts])


def size(text: str) -> int:
    """How many bytes it has when it is written."""
    return len(text.encode("utf-8"))


# --- the run --------------------------------------------------------------------------------------


def verdict(report: Report) -> Iterator[str]:
    """What came out, and how to have it once more."""
    yield f"## poolproof: {report.ended}"
    yield ""
    count = len(report.failures)
    told = f"{plural(count, 'distinct failure')} of " if count else ""
    yield f"{told}{code(report.target)}, seed {report.seed}. {POINTER} everything."
    for number, found in enumerate(report.failures[:MOST_HEADLINES], 1):
        yield f"{'' if number > 1 else chr(10)}{number}. {code(found.line())}"
    if report.interrupted:
        yield "\n**Interrupted**: what is told is what there was until then."
    if report.command:
        yield f"\nThe same once more: {code(report.command, LONGEST_COMMAND)}"
    yield f"\n{ABOUT} {TO_HAVE_IT} {code(INSTALL)}"


def ledger(report: Report) -> Iterator[str]:
    """A row a law, a column a method; below it scopes, counts, seconds and what is not covered."""
    judgements = [each for each in report.judgements if not each.measures][:MOST_METHODS]
    yield f"| law | {' | '.join(map(heading, judgements))} |"
    yield f"|---|{'---|' * max(len(judgements), 1)}"
    for law, sentence in LAWS.items():  # our own words
        cells = " | ".join(law_cell(law, judgement) for judgement in judgements)
        yield f"| **{law}**: {sentence} | {cells} |"
    notes = [*unknowns(report), *footnotes(report)]
    ahead, left_out, behind = ends(notes, MOST_NOTES)
    more = [(0, f"[... {left_out:,} lines ...]")] if left_out else []
    lines = "\n".join(plain(note) for _, note in [*ahead, *more, *behind])
    yield f"\n<details><summary>scopes, seconds, what is not covered</summary>\n\n{fenced(lines)}"
    yield "\n</details>"


def exhibits(report: Report, room: int) -> Iterator[str]:
    """The methods' own tables in so many bytes, folded but for those of what only measured."""
    for text in (text for judgement in report.judgements for text in tables(judgement)):
        if (room := room - size(text)) < 0:
            yield f"More tables are not shown here: {POINTER} all of them.\n"
            return
        yield text


def tables(judgement: Judgement) -> Iterator[str]:
    """A method's own tables; of a measurement also its notes, as no ledger has them."""
    if judgement.measures:
        yield f"{code(judgement.method)}: {MEASURED}\n"
    folded = "<details open>" if judgement.measures else "<details>"
    for grid in judgement.grids:
        text = "\n".join(table_of(grid))
        yield f"{folded}<summary>{in_cell(grid.title)}</summary>\n\n{text}\n\n</details>\n"
    if judgement.measures and judgement.notes:
        yield fenced("\n".join(map(plain, judgement.notes[:MOST_NOTES]))) + "\n"


def table_of(grid: Grid) -> Iterator[str]:
    """One of them."""
    yield f"| {' | '.join(map(in_cell, grid.columns))} |"
    yield f"|{'---|' * len(grid.columns)}"
    yield from (f"| {' | '.join(map(in_cell, row))} |" for row in grid.rows[:MOST_ROWS])
    if (more := len(grid.rows) - MOST_ROWS) > 0:
        yield f"\nNot shown here: {plural(more, 'more row')}."
    if grid.note:
        yield f"\nNote: {in_cell(grid.note)}"


def heading(judgement: Judgement) -> str:
    """A column's: the method and its kinds of evidence."""
    return f"{in_cell(judgement.method, LONGEST_CELL)} ({evidence_of(judgement)})"


def law_cell(law: str, judgement: Judgement) -> str:
    """One law as judged by one method."""
    found = verdict_on(law, judgement)
    words = in_cell(cell(found).plain, LONGEST_CELL)
    held = found is None or (found.outcome is Outcome.HELD and found.count)
    return words if held else f"**{words}**"


# --- the failures ---------------------------------------------------------------------------------


def within(failures: tuple[tuple[Counterexample, str], ...], room: int) -> list[str]:
    """The failures' texts in so many bytes: the longest shortened first, the last left out."""
    failures = failures[: max(room, 0) // 64]  # none is shorter than that
    texts = [full(*numbered) for numbered in enumerate(failures, 1)]
    over = sum(size(text) + 1 for text in texts) - room
    for shorter in (brief, headline):
        for index in sorted(range(len(texts)), key=lambda each: -len(texts[each])):
            if over > 0:
                long, texts[index] = texts[index], shorter(index + 1, failures[index])
                over += size(texts[index]) - size(long)
    while over > 0 and texts:
        over -= size(texts.pop()) + 1
    return texts


def headline(number: int, failure: tuple[Counterexample, str]) -> str:
    """Which law broke, and how."""
    found, method = failure
    size_of_pool = f"{plural(found.total, 'block')} of {plural(found.block_size, 'slot')}"
    where = f", at {code(found.place)}" if found.place else ""
    return (
        f"### {number}. {code(found.title)}\n\n"
        f"breaks {code(found.law)}; found by {code(method)} on {code(found.target)}, "
        f"a pool of {size_of_pool}, in step {len(found.steps):,}{where}\n"
    )


def brief(number: int, failure: tuple[Counterexample, str]) -> str:
    """The headline, and the story's two ends."""
    told = fenced(story(failure[0], FEW_LINES))
    return f"{headline(number, failure)}\n{told}\n\nShortened here: {POINTER} the rest.\n"


def full(number: int, failure: tuple[Counterexample, str]) -> str:
    """The headline, the story, the first difference, and how to reproduce it."""
    found, _ = failure
    parts = [headline(number, failure), fenced(story(found)), *first_difference(found), ""]
    if command := replay_of(found):
        parts.append(f"{ONCE_MORE} {code(command, LONGEST_COMMAND)}\n")
    parts.append("<details><summary>the same as a test</summary>\n")
    test = pasteable(found)
    parts.append(fenced(test, "python") if test else f"It is long: {POINTER} it.")
    return "\n".join([*parts, "\n</details>\n"])


def first_difference(found: Counterexample) -> Iterator[str]:
    """Where the two states are no longer the same."""
    for number, step in enumerate(found.steps, 1):
        if words := difference(step, found):
            yield f"\n**First difference**, after step {number:,}: {code(words)}"
            return

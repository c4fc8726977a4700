"""The report as plain text: what came out, the counterexamples, the ledger, the methods' tables."""

from __future__ import annotations

import io
from collections.abc import Iterator

from rich.console import Console
from rich.text import Text

from poolproof_verification.ledger import show
from poolproof_verification.reports import ABOUT, INSTALL, TO_HAVE_IT
from poolproof_verification.reports.plain_words import obeyed_by_nobody, visible
from poolproof_verification.reports.report import Report
from poolproof_verification.words import plural

WIDTH = 120  # columns
MOST_HEADLINES = 5  # told at once


def render(report: Report, *, ascii_only: bool = False) -> str:
    """The text, without colours; `ascii_only` for a terminal that can show nothing else."""
    encoding = "ascii" if ascii_only else "utf-8"
    file = io.TextIOWrapper(io.BytesIO(), encoding)
    console = Console(
        file=file, width=WIDTH, color_system=None, force_terminal=False, highlight=False
    )
    with console.capture() as captured:
        console.print(Text("\n".join(heading(report))))
        show(report, console, exhibits=True)
    text = obeyed_by_nobody(captured.get())
    return text.encode(encoding, "backslashreplace").decode(encoding)


def heading(report: Report) -> Iterator[str]:
    """What came out, in few lines, and what this is."""
    failures = report.failures
    count = f", {plural(len(failures), 'distinct failure')}" if failures else ""
    yield f"poolproof: {report.ended}: {visible(report.target)}, seed {report.seed}{count}"
    for number, found in enumerate(failures[:MOST_HEADLINES], 1):
        yield f"  {number}. {visible(found.title)}"
    if (more := len(failures) - MOST_HEADLINES) > 0:
        yield f"  and {more:,} more"
    yield from (ABOUT, f"{TO_HAVE_IT} {INSTALL}", "")

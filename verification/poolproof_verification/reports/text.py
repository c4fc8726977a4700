"""The report as plain text: the counterexamples first, the trust ledger, the methods' tables."""

from __future__ import annotations

import io

from rich.console import Console

from poolproof_verification.ledger import show
from poolproof_verification.reports.report import Report

WIDTH = 120  # columns


def render(report: Report, *, ascii_only: bool = False) -> str:
    """The text, without colours; `ascii_only` for a terminal that can show nothing else."""
    encoding = "ascii" if ascii_only else "utf-8"
    file = io.TextIOWrapper(io.BytesIO(), encoding)
    console = Console(
        file=file, width=WIDTH, color_system=None, force_terminal=False, highlight=False
    )
    with console.capture() as captured:
        show(report, console, exhibits=True)
    return captured.get().encode(encoding, "backslashreplace").decode(encoding)

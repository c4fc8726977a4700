"""A workload's figures in words, a line each, every share with its denominator."""

from __future__ import annotations

from collections.abc import Iterator

from poolproof.usage import share
from poolproof_verification.words import plural
from poolproof_verification.workloads.figures import Figures


def lines(figures: Figures) -> Iterator[str]:
    """The figures for a terminal or a log."""
    yield from (f"{name:<20} {value}" for name, value in rows(figures).items())


def rows(figures: Figures) -> dict[str, str]:
    """Each figure's name and value."""
    pool = "never full" if figures.blocks is None else plural(figures.blocks, "block")
    found = {
        "pool": f"{pool}, {plural(figures.block_size, 'slot')} a block",
        "requests": f"{figures.requests:,}, {plural(figures.samples, 'sample')} each",
        "finished": plural(figures.finished, "sequence"),
        "refused at arrival": plural(figures.refused, "request"),
        "aborted at append": plural(figures.aborted, "sequence"),
        "peak": f"{plural(figures.peak_blocks, 'block')} with a reference",
        "taken": f"{plural(figures.taken_blocks, 'block')}, decode included",
        "slack at end of life": of(
            figures.end_slack_slots, figures.end_allocated_slots, "allocated slots of finished"
        ),
        "slack over time": of(
            figures.slack_slot_ms, figures.allocated_slot_ms, "allocated slot-milliseconds"
        ),
    }
    if figures.samples > 1:
        found["saved by sharing"] = of(
            figures.saved_blocks, figures.logical_blocks, "block table entries"
        )
        found["copies on write"] = plural(figures.copies, "block")
    return found


def of(part: int, whole: int, unit: str) -> str:
    """A part of a whole, and its share."""
    return f"{part:,} of {whole:,} {unit} ({share(part, whole):.2%})"

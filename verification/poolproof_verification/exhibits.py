"""What a report shows beside its verdicts: tables to look things up in, charts to look at.

Plain data; how they are drawn is the formats' affair.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Grid:
    """A table: each row as many cells as there are columns, the first of which names the row."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


@dataclass(frozen=True)
class Curve:
    """One curve of a chart, its points from left to right."""

    name: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Chart:
    """Curves over one axis."""

    title: str
    across: str  # what is measured from left to right, with its unit
    upward: str  # what is measured from bottom to top, with its unit
    curves: tuple[Curve, ...]
    note: str = ""

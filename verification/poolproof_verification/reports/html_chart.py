"""A chart as lines in an SVG: where each curve runs, and the figures along its axes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from poolproof_verification.exhibits import Chart

WIDTH, HEIGHT = 640, 260
LEFT, RIGHT, TOP, BOTTOM = 64, 12, 12, 40
MOST_POINTS = 600
MOST_CURVES = 12
TICKS = 4
LARGEST = 1e100  # of the figures that are drawn
SMALLEST = 1e-100  # of the lengths of an axis
FINEST = 1e-12  # of an axis beside its figures; what is shorter cannot be divided
Points = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Tick:
    """A figure beside an axis."""

    at: float
    words: str


@dataclass(frozen=True)
class Line:
    """A curve: its name, its points in the drawing, what it says in words."""

    name: str
    points: str
    words: str


@dataclass(frozen=True)
class Drawing:
    """A chart, ready for the page."""

    chart: Chart
    lines: tuple[Line, ...]
    across: tuple[Tick, ...]
    upward: tuple[Tick, ...]
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    bottom: int = HEIGHT - BOTTOM
    width: int = WIDTH
    height: int = HEIGHT


@dataclass(frozen=True)
class Axis:
    """From figures to places in the drawing."""

    least: float
    most: float
    start: float
    end: float

    def place(self, figure: float) -> float:
        """Where the figure is."""
        share = (figure - self.least) / (self.most - self.least)
        return round(self.start + share * (self.end - self.start), 1)

    def ticks(self) -> Iterator[Tick]:
        """Round figures between the ends."""
        step = round_step((self.most - self.least) / TICKS)
        first = math.ceil(self.least / step)
        for figure in (each * step for each in range(first, first + TICKS + 1)):
            if figure <= self.most:
                yield Tick(self.place(figure), f"{figure:,.10g}")


def drawing(chart: Chart) -> Drawing:
    """The chart's lines and figures; what is no number, or too large, is left out."""
    curves = [(curve.name, finite(curve.points)) for curve in chart.curves[:MOST_CURVES]]
    every = [point for _, points in curves for point in points] or [(0.0, 0.0)]
    across = axis([x for x, _ in every], LEFT, WIDTH - RIGHT)
    upward = axis([0.0, *(y for _, y in every)], HEIGHT - BOTTOM, TOP)
    lines = tuple(line_of(name, points, across, upward) for name, points in curves)
    return Drawing(chart, lines, tuple(across.ticks()), tuple(upward.ticks()))


def axis(figures: list[float], start: float, end: float) -> Axis:
    """An axis that has all the figures, and is long enough to tell its ends apart."""
    least, most = min(figures), max(figures)
    finest = max(FINEST * max(abs(least), abs(most)), SMALLEST)
    return Axis(least, most if most - least >= finest else least + max(1, finest), start, end)


def round_step(step: float) -> float:
    """The next 1, 2 or 5 with zeros."""
    ten = 10.0 ** math.floor(math.log10(step))
    return next(ten * each for each in (1, 2, 5, 10) if ten * each >= step)


def finite(points: Points) -> Points:
    """The points that can be drawn."""
    return tuple(point for point in points if all(abs(each) <= LARGEST for each in point))


def thinned(points: Points) -> Points:
    """At most so many points, with the least and the greatest of each stretch."""
    if len(points) <= MOST_POINTS:
        return points
    stretch = math.ceil(len(points) * 2 / MOST_POINTS)
    parts = (points[at : at + stretch] for at in range(0, len(points), stretch))
    extremes = ({min(part, key=height), max(part, key=height)} for part in parts)
    return tuple(point for each in extremes for point in sorted(each))


def height(point: tuple[float, float]) -> float:
    """How far up a point is."""
    return point[1]


def line_of(name: str, points: Points, across: Axis, upward: Axis) -> Line:
    """One curve."""
    told = " ".join(f"{across.place(x)},{upward.place(y)}" for x, y in thinned(points))
    if not points:
        return Line(name, told, "no figures")
    heights = [y for _, y in points]
    ends = f"from {heights[0]:,.6g} to {heights[-1]:,.6g}"
    return Line(name, told, f"{ends}, at least {min(heights):,.6g}, at most {max(heights):,.6g}")

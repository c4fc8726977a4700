"""A chart's lines run where its figures are."""

from __future__ import annotations

import math

import pytest

from poolproof_verification.exhibits import Chart, Curve
from poolproof_verification.reports.html_chart import (
    MOST_CURVES,
    MOST_POINTS,
    Drawing,
    Points,
    drawing,
    thinned,
)


def drawn(*curves: Points) -> Drawing:
    named = tuple(Curve(f"curve {at}", points) for at, points in enumerate(curves))
    return drawing(Chart("title", "across", "upward", named))


def test_the_ends_of_a_curve_are_at_the_ends_of_the_axes() -> None:
    made = drawn(((0, 0), (10, 50)))
    assert made.lines[0].points == f"{made.left}.0,{made.bottom}.0 {made.right}.0,{made.top}.0"
    assert [tick.words for tick in made.across] == ["0", "5", "10"]
    assert [tick.words for tick in made.upward] == ["0", "20", "40"]


@pytest.mark.parametrize(
    "points",
    [
        (),
        ((0, 0),),
        ((1e17, 1), (1e17 + 64, 2)),
        ((math.nan, 1), (1, math.inf)),
        ((-5, -3), (0, 0)),
        ((1e17, 1e17),),
        ((-1e308, -1e308), (1e308, 1e308)),
        ((0, 0), (5e-324, 5e-324)),
        ((10**400, 1),),
        ((-1e100, 1e100), (1e100, -1e100)),
    ],
)
def test_any_figures_can_be_drawn(points: Points) -> None:
    made = drawn(points)
    assert "nan" not in made.lines[0].points
    assert len(made.across) <= 6


def test_of_many_points_the_extremes_are_kept() -> None:
    points = tuple((at, 1000 if at == 777 else at % 7) for at in range(100_000))
    kept = thinned(points)
    assert len(kept) <= MOST_POINTS
    assert (777, 1000) in kept
    assert list(kept) == sorted(kept)


def test_no_chart_has_more_curves_than_can_be_told_apart() -> None:
    assert len(drawn(*[((0, 1),)] * 50).lines) == MOST_CURVES

"""The two sides take turns and must agree; what measured nothing is no row."""

from __future__ import annotations

import gc
from dataclasses import replace

import pytest

from poolproof import BlockManager
from poolproof_verification import benchmark
from poolproof_verification.benchmark import Row, measure, run, sides
from poolproof_verification.benchmark_workloads import Manager, Sample, Workload, replacing, watched
from poolproof_verification.textbook import Textbook
from poolproof_verification.verdict import CouldNotRun
from poolproof_verification.watching import Watched

TINY = (
    replacing(40, 2, 5, bar=0),
    replace(replacing(80, 2, 5, bar=0), small=40),
    watched(replacing(80, 2, 5, bar=0), bar=0),
)


@pytest.mark.parametrize("workload", TINY, ids=[workload.name for workload in TINY])
def test_a_row_has_both_sides_costs(workload: Workload) -> None:
    row = measure(workload, repeats=2)
    assert (row.name, row.unit) == (workload.name, workload.unit)
    assert row.manager > 0 and row.baseline > 0
    assert row.ratio == row.baseline / row.manager


def test_a_workload_that_does_nothing_is_an_error() -> None:
    idle = replace(TINY[0], sample=lambda manager: Sample(1, 0))
    with pytest.raises(CouldNotRun, match="measure nothing"):
        measure(idle, repeats=1)


def test_a_watched_manager_is_measured_beside_the_manager_alone() -> None:
    manager, baseline = sides(TINY[-1])
    assert isinstance(manager, Watched) and isinstance(baseline, BlockManager)
    assert measure(TINY[-1], repeats=2).name == f"watched: {TINY[0].name.replace('40', '80')}"


def test_sides_that_did_not_do_the_same_are_an_error() -> None:
    def partial_to_the_manager(manager: Manager) -> Sample:
        if isinstance(manager, Textbook):
            manager.allocate("more", 1)
        return Sample(1, 1)

    with pytest.raises(CouldNotRun, match="did not do the same"):
        measure(replace(TINY[0], sample=partial_to_the_manager), repeats=1)


def test_a_side_left_broken_is_an_error() -> None:
    def breaks(manager: Manager) -> Sample:
        if isinstance(manager, Textbook):
            manager.free.pop()
        return Sample(1, 1)

    with pytest.raises(CouldNotRun, match="did not do the same"):
        measure(replace(TINY[0], sample=breaks), repeats=1)


def test_a_row_passes_from_its_bar_on() -> None:
    assert Row("name", "block", manager=10, baseline=35, bar=3.5).passed
    assert not Row("name", "block", manager=10, baseline=34.9, bar=3.5).passed


def test_the_figures_are_medians() -> None:
    costs = iter([10, 1, 20, 2, 900, 3])
    workload = replace(TINY[0], sample=lambda manager: Sample(next(costs), 1))
    row = measure(workload, repeats=3)
    assert (row.manager, row.baseline) == (20, 2)


def test_the_collector_is_off_while_measuring_and_on_again_afterwards() -> None:
    seen = []

    def watch(manager: Manager) -> Sample:
        seen.append(gc.isenabled())
        return Sample(1, 1)

    assert gc.isenabled()
    measure(replace(TINY[0], sample=watch), repeats=2)
    assert seen == [False] * 4 and gc.isenabled()


def test_run_measures_every_workload_and_tells_of_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benchmark, "workloads", lambda: TINY)
    told: list[str] = []
    rows = run(repeats=1, progress=told.append)
    assert told == [row.name for row in rows] == [workload.name for workload in TINY]


def test_run_refuses_to_repeat_nothing() -> None:
    with pytest.raises(CouldNotRun, match="repeats must be at least 1, not 0"):
        run(repeats=0)

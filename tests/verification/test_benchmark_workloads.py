"""Each workload does on both sides what it says, on tiny pools."""

from __future__ import annotations

from copy import deepcopy
from functools import partial

import pytest

from poolproof import BlockManager
from poolproof_verification import benchmark_workloads
from poolproof_verification.benchmark_workloads import Sample, Workload
from poolproof_verification.textbook import Textbook
from poolproof_verification.verdict import CouldNotRun

SIDES = [BlockManager, Textbook]

TINY = (
    benchmark_workloads.replacing(40, 2, 5, bar=0),
    benchmark_workloads.fragmented(40, 2, 5, bar=0),
    Workload(
        name="decode",
        unit="token",
        total=40,
        bar=0,
        prepare=benchmark_workloads.fill_nothing,
        sample=partial(benchmark_workloads.decode, sequences=3, tokens=20),
    ),
    Workload(
        name="fork",
        unit="block",
        total=40,
        bar=0,
        prepare=partial(benchmark_workloads.fill_parents, parents=2, blocks=3),
        sample=partial(benchmark_workloads.beams, parents=2, blocks=3, children=4),
    ),
    Workload(
        name="churn",
        unit="block",
        total=400,
        bar=0,
        prepare=benchmark_workloads.fill_nothing,
        sample=partial(benchmark_workloads.churn, script=benchmark_workloads.churn_script(400, 20)),
    ),
)
UNITS = {"decode": 60, "fork": 24}


@pytest.mark.parametrize("make", SIDES)
@pytest.mark.parametrize("workload", TINY, ids=[workload.name for workload in TINY])
def test_a_sample_counts_its_units_and_leaves_what_it_found(
    workload: Workload, make: type[BlockManager] | type[Textbook]
) -> None:
    manager = make(workload.total, 16)
    workload.prepare(manager)
    before = deepcopy(manager.seqs)
    sample = workload.sample(manager)
    assert manager.seqs == before
    assert sample.units == UNITS.get(workload.name, sample.units) > 0
    assert manager.check_invariants()


def test_half_of_the_pool_is_in_use_and_in_one_piece() -> None:
    manager = BlockManager(1_000, 16)
    benchmark_workloads.fill_half(manager, 10)
    assert manager.free == list(range(500, 1_000))
    assert len(manager.seqs) == 1 + 25


def test_in_a_fragmented_pool_no_two_free_blocks_are_neighbours() -> None:
    manager = BlockManager(1_000, 16)
    benchmark_workloads.fill_holes(manager, 10)
    assert len(manager.free) == 250
    assert all(
        later - block > 1 for block, later in zip(manager.free, manager.free[1:], strict=False)
    )


def test_churn_keeps_a_quarter_of_the_pool_free_and_ends_empty() -> None:
    script, used = benchmark_workloads.churn_script(400, 50), {}
    for name, blocks in script:
        if blocks:
            used[name] = blocks
        else:
            del used[name]
        assert sum(used.values()) <= 300
    assert not used and len(script) == 100


def test_the_working_set_is_a_serving_batch_at_most() -> None:
    assert len(benchmark_workloads.working_set(100_000, 1)) == benchmark_workloads.WORKING_SET
    assert benchmark_workloads.working_set(40, 5) == ["sequence 0", "sequence 1"]


@pytest.mark.parametrize(("nanoseconds", "units"), [(0, 5), (5, 0), (-1, 5)])
def test_a_sample_that_measured_nothing_is_an_error(nanoseconds: int, units: int) -> None:
    with pytest.raises(CouldNotRun, match="measure nothing"):
        Sample(nanoseconds, units).cost()


def test_every_row_has_a_name_of_its_own_and_a_bar() -> None:
    rows = benchmark_workloads.workloads()
    assert len({row.name for row in rows}) == len(rows) == 17
    assert all(row.bar > 0 for row in rows)
    assert [row.small for row in rows if row.small] == [1_000]
    assert [row.name[:15] for row in rows if row.watched] == ["watched: decode", "watched: releas"]

"""What the manager costs a block and a token, beside the lesson's version in the same process.

Both sides do the same operations, a sample of one beside a sample of the other, and must end with
the same block tables. Figures are medians of this thread's CPU time. The garbage collector runs
before each workload and is off during it, for both sides alike, as in `timeit`.

Does not cover: garbage collection, memory, several threads, block sizes other than 16. Times are
this machine's; only their ratios are held to a bar.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median

from poolproof import BlockManager
from poolproof_verification.benchmark_workloads import BLOCK_SIZE, Manager, Workload, workloads
from poolproof_verification.textbook import Textbook
from poolproof_verification.verdict import CouldNotRun
from poolproof_verification.watching import stop, watch

REPEATS = 9


@dataclass(frozen=True)
class Row:
    """What a workload costs, in nanoseconds a unit."""

    name: str
    unit: str
    manager: float
    baseline: float  # the textbook's cost, or the manager's own where the name says so: on a small
    # pool, or unwatched
    bar: float

    @property
    def ratio(self) -> float:
        """How many times the manager's cost the baseline costs."""
        return self.baseline / self.manager

    @property
    def passed(self) -> bool:
        """The ratio reaches its bar."""
        return self.ratio >= self.bar


@contextmanager
def collector_off() -> Iterator[None]:
    """Garbage is collected now, and then no more."""
    was_on = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def sides(workload: Workload) -> tuple[Manager, Manager]:
    """A manager, and what it is measured beside; a watched one that is wrong raises."""
    manager = BlockManager(workload.total, BLOCK_SIZE)
    if workload.watched:
        return watch(manager, on_fault=stop), BlockManager(workload.total, BLOCK_SIZE)
    if workload.small is not None:
        return manager, BlockManager(workload.small, BLOCK_SIZE)
    return manager, Textbook(workload.total, BLOCK_SIZE)


def measure(workload: Workload, repeats: int) -> Row:
    """One row: the two sides in turn. CouldNotRun where the sides did not do the same."""
    manager, baseline = sides(workload)
    costs: list[float] = []
    others: list[float] = []
    with collector_off():
        workload.prepare(manager)
        workload.prepare(baseline)
        for _ in range(repeats):
            costs.append(workload.sample(manager).cost())
            others.append(workload.sample(baseline).cost())
    agree = workload.small is not None or manager.seqs == baseline.seqs
    if not (agree and manager.check_invariants() and baseline.check_invariants()):
        raise CouldNotRun(f"bench: {workload.name}: the two sides did not do the same")
    return Row(workload.name, workload.unit, median(costs), median(others), workload.bar)


def run(repeats: int = REPEATS, progress: Callable[[str], None] | None = None) -> tuple[Row, ...]:
    """All rows; `progress` hears the name of each before it is measured."""
    if repeats < 1:
        raise CouldNotRun(f"bench: repeats must be at least 1, not {repeats}")
    rows = []
    for workload in workloads():
        if progress:
            progress(workload.name)
        rows.append(settled(workload, repeats))
    return tuple(rows)


def settled(workload: Workload, repeats: int) -> Row:
    """The row; where it misses its bar, the median one of three: a machine has other work, too."""
    row = measure(workload, repeats)
    if row.passed:
        return row
    rows = [row, measure(workload, repeats), measure(workload, repeats)]
    return sorted(rows, key=lambda each: each.ratio)[1]

"""What the benchmark does to a manager: each workload the same calls on either side.

Only the calls themselves are timed. Does not cover: block sizes other than 16; more than 256
sequences that come and go; a watcher that writes a log.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from time import thread_time_ns

from poolproof import BlockManager
from poolproof_verification.textbook import Textbook
from poolproof_verification.verdict import CouldNotRun
from poolproof_verification.watching import Watched

Manager = BlockManager | Textbook | Watched
Call = tuple[str, int]  # a name, and how many blocks it allocates: 0 where it is released

BLOCK_SIZE = 16
WORKING_SET = 256  # at most so many sequences come and go, a serving engine's batch
SEED = 1


@dataclass(frozen=True)
class Sample:
    """One timed run of a workload, in CPU time of this thread."""

    nanoseconds: int
    units: int  # blocks or tokens

    def cost(self) -> float:
        """Nanoseconds a unit. CouldNotRun where nothing was measured."""
        if self.nanoseconds <= 0 or self.units <= 0:
            raise CouldNotRun(f"bench: {self.units} units in {self.nanoseconds} ns measure nothing")
        return self.nanoseconds / self.units


@dataclass(frozen=True)
class Workload:
    """What one row measures: `sample`, time and again, on a manager that `prepare` filled."""

    name: str
    unit: str
    total: int  # blocks in the pool
    bar: float  # the least ratio
    prepare: Callable[[Manager], None]
    sample: Callable[[Manager], Sample]
    small: int | None = None  # the baseline is the manager itself, on a pool of so many blocks
    watched: bool = False  # the manager is watched, and the baseline is the same unwatched


# --- release and allocate: sequences of equal size replace one another ----------------------------


def fill_half(manager: Manager, batch: int) -> None:
    """Half of the pool is in use: by sequences of `batch` blocks, and by one that stays."""
    names = working_set(manager.total, batch)
    manager.allocate("stays", (manager.total // 2 - len(names) * batch) * BLOCK_SIZE)
    for name in names:
        manager.allocate(name, batch * BLOCK_SIZE)


def fill_holes(manager: Manager, batch: int) -> None:
    """Every second block is in use; sequences of `batch` blocks lie in up to half of the holes."""
    singles = [f"single {i}" for i in range(manager.total)]
    for name in singles:
        manager.allocate(name, BLOCK_SIZE)
    for name in singles[1::2]:
        manager.release(name)
    for name in working_set(manager.total, batch):
        manager.allocate(name, batch * BLOCK_SIZE)


def working_set(total: int, batch: int) -> list[str]:
    """Names for sequences of `batch` blocks that fit in a quarter of the pool."""
    return [f"sequence {i}" for i in range(min(WORKING_SET, total // 4 // batch))]


def replace_some(manager: Manager, batch: int, times: int) -> Sample:
    """Again and again, a random sequence of the working set is released and its like allocated."""
    names = random.Random(SEED).choices(working_set(manager.total, batch), k=times)
    release, allocate, tokens = manager.release, manager.allocate, batch * BLOCK_SIZE
    start = thread_time_ns()
    for name in names:
        release(name)
        allocate(name, tokens)
    return Sample(thread_time_ns() - start, times * batch)


# --- decode, fork, churn --------------------------------------------------------------------------


def fill_nothing(manager: Manager) -> None:
    """The pool stays empty."""


def decode(manager: Manager, sequences: int, tokens: int) -> Sample:
    """Each sequence in turn gains a token by a call of its own; start and end are not timed."""
    names = [f"sequence {i}" for i in range(sequences)]
    for name in names:
        manager.allocate(name, 0)
    append = manager.append
    start = thread_time_ns()
    for _ in range(tokens):
        for name in names:
            append(name)
    elapsed = thread_time_ns() - start
    manager.release_all()
    return Sample(elapsed, sequences * tokens)


def fill_parents(manager: Manager, parents: int, blocks: int) -> None:
    """Sequences of so many blocks; the last block has one slot left."""
    for parent in range(parents):
        manager.allocate(f"parent {parent}", blocks * BLOCK_SIZE - 1)


def beams(manager: Manager, parents: int, blocks: int, children: int) -> Sample:
    """Each parent has children, each child writes one token of its own, and all children end."""
    fork, append, release = manager.fork, manager.append, manager.release
    names = [f"child {i}" for i in range(children)]
    start = thread_time_ns()
    for parent in range(parents):
        for name in names:
            fork(f"parent {parent}", name)
            append(name)
        for name in names:
            release(name)
    return Sample(thread_time_ns() - start, parents * children * blocks)


def churn_script(total: int, sequences: int) -> list[Call]:
    """Sequences of 1 to 100 blocks come, and random ones go to keep a quarter of the pool free."""
    chance = random.Random(SEED)
    live: list[Call] = []
    script: list[Call] = []
    used = 0
    for i in range(sequences):
        blocks = chance.randint(1, 100)
        used += blocks
        while used > total * 3 // 4:
            name, fewer = live.pop(chance.randrange(len(live)))
            used -= fewer
            script.append((name, 0))
        live.append((f"sequence {i}", blocks))
        script.append(live[-1])
    return script + [(name, 0) for name, _ in live]


def churn(manager: Manager, script: list[Call]) -> Sample:
    """The script, from an empty pool to an empty pool."""
    allocate, release = manager.allocate, manager.release
    start = thread_time_ns()
    for name, blocks in script:
        if blocks:
            allocate(name, blocks * BLOCK_SIZE)
        else:
            release(name)
    return Sample(thread_time_ns() - start, sum(blocks for _, blocks in script))


# --- the rows -------------------------------------------------------------------------------------


def replacing(total: int, batch: int, times: int, bar: float) -> Workload:
    """Release and allocate in a pool whose free blocks are one run, but for the hole."""
    name = f"release, allocate {batch:,} of {total:,} blocks"
    sample = partial(replace_some, batch=batch, times=times)
    return Workload(name, "block", total, bar, partial(fill_half, batch=batch), sample)


def fragmented(total: int, batch: int, times: int, bar: float) -> Workload:
    """Release and allocate in a pool whose free blocks have no neighbours."""
    name = f"fragmented: {batch:,} of {total:,} blocks"
    sample = partial(replace_some, batch=batch, times=times)
    return Workload(name, "block", total, bar, partial(fill_holes, batch=batch), sample)


def decoding(total: int, tokens: int, bar: float) -> Workload:
    """A serving batch of sequences that start empty."""
    name = f"decode: {WORKING_SET} sequences, {tokens:,} tokens each, {total:,} blocks"
    sample = partial(decode, sequences=WORKING_SET, tokens=tokens)
    return Workload(name, "token", total, bar, fill_nothing, sample)


def growth(small: int, large: int, bar: float) -> Workload:
    """Release and allocate 100 blocks in a large pool, beside the same in a small one."""
    name = f"release, allocate 100 of {large:,} blocks beside {small:,}"
    sample = partial(replace_some, batch=100, times=1_000)
    return Workload(name, "block", large, bar, partial(fill_half, batch=100), sample, small)


def watched(workload: Workload, bar: float) -> Workload:
    """The same on a watched manager, beside the manager alone."""
    return replace(workload, name=f"watched: {workload.name}", bar=bar, watched=True)


def workloads() -> tuple[Workload, ...]:
    """All rows to measure, each with its bar."""
    return (
        replacing(10_000, 1, 2_000, bar=12),
        replacing(10_000, 10, 2_000, bar=6),
        replacing(10_000, 100, 500, bar=10),
        replacing(10_000, 1_000, 100, bar=20),
        replacing(100_000, 1, 400, bar=100),
        replacing(100_000, 10, 400, bar=80),
        replacing(100_000, 100, 100, bar=80),
        replacing(100_000, 1_000, 20, bar=100),
        fragmented(10_000, 1, 2_000, bar=6),
        fragmented(10_000, 100, 500, bar=3.5),
        fragmented(10_000, 1_000, 100, bar=4),
        decoding(30_000, 1_000, bar=2),
        Workload(
            name="fork 100 blocks to 8 children, append, release, 10,000 blocks",
            unit="block",
            total=10_000,
            bar=3.5,
            prepare=partial(fill_parents, parents=10, blocks=100),
            sample=partial(beams, parents=10, blocks=100, children=8),
        ),
        Workload(
            name="churn: 1,000 sequences of 1 to 100 blocks, 10,000 blocks",
            unit="block",
            total=10_000,
            bar=3.5,
            prepare=fill_nothing,
            sample=partial(churn, script=churn_script(10_000, 1_000)),
        ),
        growth(1_000, 1_000_000, bar=0.5),
        watched(decoding(10_000, 200, bar=0), bar=0.03),
        watched(replacing(10_000, 10, 2_000, bar=0), bar=0.03),
    )

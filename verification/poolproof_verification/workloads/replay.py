"""A trace file in, its figures out; without a number of blocks the pool is as large as it takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path

from poolproof import BlockManager, OutOfBlocks
from poolproof_verification.verdict import CouldNotRun
from poolproof_verification.workloads.figures import Figures
from poolproof_verification.workloads.formats import Request, read_requests
from poolproof_verification.workloads.lines import FilePath, shown
from poolproof_verification.workloads.meter import Manager
from poolproof_verification.workloads.recorder import Recorder
from poolproof_verification.workloads.simulation import Progress, simulate

MakeManager = Callable[[int, int], Manager]

FIRST_POOL = 1 << 20  # blocks; 9 MB
MOST_BLOCKS = 100_000_000  # 900 MB
MOST_SAMPLES = 10_000


def run(
    path: FilePath,
    format: str | None = None,
    block_size: int = 16,
    blocks: int | None = None,
    samples: int = 1,
    limit: int | None = None,
    make_manager: MakeManager = BlockManager,
    progress: Progress | None = None,
    recorder: Recorder | None = None,
) -> Figures:
    """The figures of the first `limit` requests of the file, or of all.

    `make_manager(blocks, block_size)` makes the manager that serves them. Without `blocks` a
    manager other than ours gets exactly the peak of a first run on ours. `recorder`: keeps what
    charts are made of. CouldNotRun: bad input.
    """
    check_options(block_size, blocks, samples, limit)

    def served(manager: Manager, never_full: bool = False) -> Figures:
        with opened(path, format, limit) as requests:
            return simulate(requests, manager, samples, blocks, never_full, progress, recorder)

    if blocks is not None:
        return served(made(make_manager, blocks, block_size))
    figures = served_without_bound(path, block_size, served)
    if make_manager is BlockManager:
        return figures
    check_twice_readable(path)
    return served(made(make_manager, max(1, figures.peak_blocks), block_size))


def check_options(block_size: int, blocks: int | None, samples: int, limit: int | None) -> None:
    """CouldNotRun names the option that is out of range."""
    for option, value, most in (
        ("--block-size", block_size, None),
        ("--blocks", blocks, MOST_BLOCKS),
        ("--samples", samples, MOST_SAMPLES),
        ("--limit", limit, None),
    ):
        if value is not None and value < 1:
            raise CouldNotRun(f"{option} must be at least 1, not {value}")
        if value is not None and most is not None and value > most:
            raise CouldNotRun(f"{option} must be at most {most:,}, not {value:,}")


@contextmanager
def opened(path: FilePath, format: str | None, limit: int | None) -> Iterator[Iterator[Request]]:
    """The file's first requests, read as they are asked for."""
    with closing(read_requests(path, format)) as requests:
        yield islice(requests, limit)


def served_without_bound(
    path: FilePath, block_size: int, served: Callable[[Manager, bool], Figures]
) -> Figures:
    """The figures with a pool that is never full: it is made larger until nothing is refused."""
    total = FIRST_POOL
    while True:
        try:
            return served(made(BlockManager, total, block_size), True)
        except OutOfBlocks as full:
            needed = total - full.free + full.asked
        if needed > MOST_BLOCKS:
            raise CouldNotRun(
                f"{shown(path)}: more than {MOST_BLOCKS:,} blocks would be in use at a time;"
                " give the pool a size with --blocks, or choose a larger --block-size"
            )
        check_twice_readable(path)
        total = min(MOST_BLOCKS, max(2 * total, needed))


def made(make_manager: MakeManager, blocks: int, block_size: int) -> Manager:
    """A manager of so many blocks; CouldNotRun where they do not fit into memory."""
    try:
        return make_manager(blocks, block_size)
    except MemoryError:
        raise CouldNotRun(f"no memory for a pool of {blocks:,} blocks; see --blocks") from None


def check_twice_readable(path: FilePath) -> None:
    """CouldNotRun for a pipe, whose rows are gone once they are read."""
    if not Path(path).is_file():
        raise CouldNotRun(
            f"{shown(path)}: not a regular file, and would have to be read twice; give --blocks"
        )

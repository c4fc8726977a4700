"""What a random search has seen so far, accepted and refused counted apart."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from poolproof_verification.coverage import Reached
from poolproof_verification.findings import Faults
from poolproof_verification.targets import KnownTarget
from poolproof_verification.words import plural

ENOUGH_FAULTS = 12


class Record:
    """What a campaign has seen so far."""

    def __init__(self, target: KnownTarget, enough: int = ENOUGH_FAULTS) -> None:
        """`target`: what is judged; `enough`: distinct faults, after which a search ends."""
        self.target, self.enough = target, enough
        self.seed: int | None = None  # what the search drew from
        self.faults = Faults()
        self.accepted: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.reached: Counter[Reached] = Counter()  # goals, as operations reach them together
        self.block_sizes: set[int] = set()  # of the pools that were made
        self.untold = 0  # accepted operations whose result the manager does not tell
        self.timings: list[str] = []  # how fast each searcher was
        self.runs = 0  # on a pool that was made
        self.slow = 0  # of these cut short, as they took too long altogether
        self.unmade: set[tuple[int, int]] = set()  # blocks and slots of pools that are not made
        self.questions = 0

    @contextmanager
    def timed(self, searcher: str) -> Iterator[None]:
        """Within, operations are the searcher's; keeps how many it does a CPU second."""
        started, before = time.process_time(), self.total()
        yield
        seconds, done = time.process_time() - started, self.total() - before
        rate = f"{done / max(seconds, 1e-9):,.0f} operations a CPU second in lockstep"
        self.timings.append(f"{searcher}: {done:,} operations in {seconds:.1f} CPU s, {rate}")

    def told(self) -> str:
        """How far the search has come."""
        return f"{self.total():,} operations, {plural(len(self.faults), 'fault')}"

    def total(self) -> int:
        """Operations carried out so far."""
        return sum(self.accepted.values()) + sum(self.refused.values())

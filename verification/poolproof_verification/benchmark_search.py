"""How many operations a CPU second the two random searchers judge, in lockstep with the model.

The driver is sampled in pools of the standard shape, up to a sample that reaches its bar: in the
first ones it knows few of the model's states, and a busy machine makes any of them slow. Its best
sample counts. Hypothesis' machine, which stands beside it, has no bar.

Does not cover: other pools and other managers; times are this machine's.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from poolproof_verification.draws import STANDARD
from poolproof_verification.driver import Driver
from poolproof_verification.machine import campaign
from poolproof_verification.record import Record
from poolproof_verification.targets import SHIPPED, find_target
from poolproof_verification.verdict import CouldNotRun

BAR = 15_000  # operations a CPU second
SAMPLES = 20  # at most
SAMPLE_SECONDS = 0.4  # CPU
MACHINE_RUNS = 60


@dataclass(frozen=True)
class Rate:
    """How fast a searcher is."""

    searcher: str
    accepted: int  # operations, in all samples
    refused: int
    per_second: float  # CPU, of the best sample
    bar: float = 0.0

    @property
    def passed(self) -> bool:
        """The rate reaches its bar."""
        return self.per_second >= self.bar


def rates(progress: Callable[[str], None] = lambda line: None) -> tuple[Rate, ...]:
    """Both searchers; `progress` hears which comes next."""
    progress(f"random driver, {STANDARD}")
    driver = driver_rate()
    progress("Hypothesis machine")
    return driver, machine_rate()


def driver_rate(
    bar: float = BAR, samples: int = SAMPLES, seconds: float = SAMPLE_SECONDS, seed: int = 0
) -> Rate:
    """The driver's best sample, or the first that reaches the bar."""
    driver = Driver(Record(find_target(SHIPPED)), seed, STANDARD)

    def sample() -> None:
        started = time.process_time()
        while time.process_time() - started < seconds:
            driver.run()

    best = 0.0
    for _ in range(samples):
        best = max(best, per_second(driver.record, sample))
        if best >= bar:
            break
    return rate_of(f"random driver, {STANDARD}", driver.record, best, bar)


def machine_rate(runs: int = MACHINE_RUNS, seed: int = 0) -> Rate:
    """So many runs of Hypothesis' machine."""
    record = Record(find_target(SHIPPED))
    rate = per_second(record, lambda: campaign(record, seed, runs))
    return rate_of("Hypothesis machine, pools of up to 8 blocks", record, rate)


def per_second(record: Record, search: Callable[[], None]) -> float:
    """How many operations a CPU second the search makes; the record counts them."""
    started, before = time.process_time(), record.total()
    search()
    return (record.total() - before) / max(time.process_time() - started, 1e-9)


def rate_of(searcher: str, record: Record, rate: float, bar: float = 0.0) -> Rate:
    """The rate with what was done; CouldNotRun where a fault cut runs short."""
    for trace in record.faults.traces():
        raise CouldNotRun(f"bench: {searcher}: the manager is wrong: {trace.finding.worst.words}")
    return Rate(searcher, record.accepted.total(), record.refused.total(), rate, bar)

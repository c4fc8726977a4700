"""Three searchers, one after the other: small pools explored whole, many random runs, Hypothesis.

Whatever any of them finds is minimised, and told once.

Does not cover: pools of more than a few hundred blocks, concurrency; a search proves nothing.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

from poolproof_verification.counterexample import Counterexample
from poolproof_verification.driver import Driver
from poolproof_verification.explore import Exploration, explore_scope
from poolproof_verification.findings import Trace
from poolproof_verification.judging import PATIENCE, judge, unfinished, untried
from poolproof_verification.limits import NOT_ENDED, patient_once
from poolproof_verification.machine import campaign
from poolproof_verification.minimize import minimize, smallest
from poolproof_verification.progress import at
from poolproof_verification.reached import verdict
from poolproof_verification.record import ENOUGH_FAULTS, Record
from poolproof_verification.scopes import SMALL_SCOPES
from poolproof_verification.search_notes import DRIVEN, STANDARD, counted, is_full, notes
from poolproof_verification.story import tell
from poolproof_verification.targets import KnownTarget
from poolproof_verification.verdict import CouldNotRun, Evidence, Judgement

ROUND = 100  # runs that are drawn from one seed
DRAWN_AGAIN = 8  # times, where no pool of the size is made
PROBES = 12  # runs that show whether the manager hangs, before anything else is tried
SCOPE = (
    "every state of five pools of up to 6 blocks; random runs of up to 200 operations on pools of "
    "up to 8 blocks of up to 4 slots, at times of up to 300 blocks, 16 slots and 25 sequences, and "
    "Hypothesis' of up to 60"
)
NOT_COVERED = "larger pools and blocks, and longer runs; a search proves nothing"
Progress = Callable[[str], None]


def silent(line: str) -> None:
    """No progress is told."""


def rounds(seed: int, examples: int | None, seconds: float | None) -> Iterator[tuple[int, int]]:
    """(seed, runs) of each round, until the examples or the CPU seconds are spent."""
    if examples is not None and seconds is not None:
        raise CouldNotRun("give --examples or --seconds, not both")
    if (examples is not None and examples < 1) or (
        seconds is not None and not 0 < seconds < math.inf
    ):
        raise CouldNotRun("--examples and --seconds must be positive, and have an end")
    started, number = time.process_time(), 0
    left = examples if examples is not None else STANDARD if seconds is None else None
    while left is None or left > 0:
        if seconds is not None and time.process_time() - started >= seconds:
            return
        runs = ROUND if left is None else min(left, ROUND)
        yield seed + number * 1_000_003, runs
        number += 1
        left = None if left is None else left - runs


@dataclass(frozen=True)
class Budget:
    """What a search may take, and when it began."""

    examples: int | None = None
    seconds: float | None = None  # CPU
    started: float = field(default_factory=time.process_time)

    def share(self, record: Record) -> float:
        """How much of it is used."""
        if self.seconds is not None:
            return (time.process_time() - self.started) / self.seconds
        return record.runs / ((self.examples or STANDARD) * (1 + DRIVEN))


def search(
    target: KnownTarget,
    seed: int,
    examples: int | None = None,
    seconds: float | None = None,
    enough: int = ENOUGH_FAULTS,
    record: Record | None = None,
) -> Record:
    """The two random searches, until the budget is spent or enough distinct faults are found.

    The driver has its part of the examples, or half of the seconds; the machine has the rest.
    `record`: where to note what is seen, a new one if not given.
    """
    record = record or Record(target, enough)
    record.seed = seed
    budget = Budget(examples, seconds)
    half = None if seconds is None else seconds / 2
    with record.timed("random driver"):
        drive(Driver(record, seed), rounds(seed, examples, half), budget)
    if is_enough(record):
        return record
    left = None if seconds is None else seconds - (time.process_time() - budget.started)
    if left is None or left > 0:
        with record.timed("Hypothesis machine"):
            go_on(record, rounds(seed, examples, left), budget)
    return record


def go_on(record: Record, planned: Iterator[tuple[int, int]], budget: Budget) -> None:
    """So many rounds of the Hypothesis machine, unless enough is found before."""
    for round_seed, runs in planned:
        at(f"Hypothesis machine: {record.told()}", budget.share(record))
        campaign(record, round_seed, runs)
        if is_enough(record):
            break


def drive(driver: Driver, planned: Iterator[tuple[int, int]], budget: Budget) -> None:
    """So many rounds of the random driver, unless enough is found before."""
    record = driver.record
    for _, runs in planned:
        for _ in range(runs * DRIVEN):
            any(driver.run() for _ in range(DRAWN_AGAIN))
            at(f"random driver: {record.told()}", budget.share(record))
            if is_enough(record):
                return


def is_enough(record: Record) -> bool:
    """So many faults are known that more would not help, or one that makes each run take long."""
    return len(record.faults) >= record.enough or hangs(record)


def hangs(record: Record) -> bool:
    """An operation was found that does not end."""
    return any(never_ends(trace) for trace in record.faults.traces())


def never_ends(trace: Trace) -> bool:
    """The fault is that a call does not end."""
    return any(NOT_ENDED in breach.words for breach in trace.finding.breaches)


def explored(
    target: KnownTarget,
    seconds: float | None = None,
    progress: Progress = silent,
    found: list[Exploration] | None = None,
) -> list[Exploration]:
    """The small scopes, up to one with faults, and as long as a quarter of the seconds lasts.

    `found`: to which each is added as it begins.
    """
    started = time.process_time()
    found = [] if found is None else found
    for scope in SMALL_SCOPES:
        spent = seconds is not None and time.process_time() - started > seconds / 4
        if spent or (found and len(found[-1].faults)):
            break
        found.append(Exploration(scope))
        try:
            explore_scope(target, scope, found[-1])
        except CouldNotRun as error:
            found.pop()
            progress(f"{scope}: left out: {error}")
        else:
            progress(str(found[-1]))
    return found


def counterexamples(record: Record, patience: float = math.inf) -> list[Counterexample]:
    """Each distinct fault, the most harmful first; none is shortened after so many seconds."""
    target, found = record.target, list[Counterexample]()
    traces = record.faults.traces()[: record.enough]
    for trace in smallest(traces, partial(minimize, target), patience):
        at(f"making short what was found: {len(found)} of {len(traces)}")
        found.append(tell(target, trace, "fuzz", record.seed))
    return found


@patient_once()
def fuzz(
    target: KnownTarget,
    seed: int,
    examples: int | None = None,
    seconds: float | None = None,
    progress: Progress = silent,
    enough: int = ENOUGH_FAULTS,
) -> Judgement:
    """Explore, then search, and say what was found law by law; after Ctrl-C what was until then.

    `enough`: distinct faults, after which the search ends and beyond which none is told.
    """
    started = time.process_time()
    next(rounds(seed, examples, seconds))  # tells misuse before anything runs
    record, explorations = Record(target, enough), list[Exploration]()
    record.seed, patience = seed, math.inf
    try:
        if not hangs_at_once(target, seed):
            explored(target, seconds, progress, explorations)
        left = None if seconds is None else max(0.1, seconds - (time.process_time() - started))
        search(target, seed, examples, left, enough, record)
    except KeyboardInterrupt:
        patience = PATIENCE
    for exploration in explorations:
        for trace in exploration.faults.traces():
            record.faults.add(trace)
    found = counterexamples(record, patience)
    judged = judgement(record, explorations, found, started)
    return judged if patience == math.inf else unfinished(judged)


def judgement(
    record: Record, explorations: list[Exploration], found: list[Counterexample], started: float
) -> Judgement:
    """What the searches amount to. `started`: in CPU seconds."""
    verdicts = judge(
        "fuzz", Evidence.CASES, SCOPE, "operations", counted(record, explorations), found
    )
    judged = Judgement(
        method="fuzz",
        verdicts=(*verdicts, verdict(record, "fuzz", SCOPE)) if is_full(record) else verdicts,
        seconds=time.process_time() - started,
        not_covered=NOT_COVERED,
        notes=tuple(notes(record, explorations)),
        counterexamples=tuple(found),
        timings=tuple(record.timings),
    )
    tried = record.accepted["allocate"] or any(map(Exploration.has_tried, explorations))
    return judged if tried else untried(judged)


def hangs_at_once(target: KnownTarget, seed: int) -> bool:
    """A few runs come upon a call that does not end; then exploring would take too long."""
    probe = Driver(Record(target), seed)
    for _ in range(PROBES):
        probe.run()
    return hangs(probe.record)

"""Random operations in lockstep with the model, minimised where a law breaks.

Does not cover: large pools, long runs without a release, concurrency; a search proves nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from poolproof_verification.counterexample import Counterexample
from poolproof_verification.judging import asked, judge
from poolproof_verification.laws import OF_CODE
from poolproof_verification.machine import Record, campaign
from poolproof_verification.minimize import minimize
from poolproof_verification.operations import OPERATIONS
from poolproof_verification.story import tell
from poolproof_verification.targets import ClassTarget
from poolproof_verification.verdict import CouldNotRun, Evidence, Judgement
from poolproof_verification.words import plural

ROUND = 100  # runs that are drawn from one seed
ENOUGH_FAULTS = 12  # distinct ones, after which a search ends
SCOPE = "pools of up to 8 blocks of 1 to 4, up to 6 sequences, runs of up to 60 operations"
NOT_COVERED = "larger pools and longer runs; a search proves nothing"


def rounds(seed: int, examples: int | None, seconds: float | None) -> Iterator[tuple[int, int]]:
    """(seed, runs) of each round, until the examples or the CPU seconds are spent."""
    if examples is not None and seconds is not None:
        raise CouldNotRun("give --examples or --seconds, not both")
    if (examples is not None and examples < 1) or (seconds is not None and not seconds > 0):
        raise CouldNotRun("--examples and --seconds must be positive")
    started, number = time.process_time(), 0
    left = examples if examples is not None else 500 if seconds is None else None
    while left is None or left > 0:
        if seconds is not None and time.process_time() - started >= seconds:
            return
        runs = ROUND if left is None else min(left, ROUND)
        yield seed + number * 1_000_003, runs
        number += 1
        left = None if left is None else left - runs


def search(
    target: ClassTarget,
    seed: int,
    examples: int | None = None,
    seconds: float | None = None,
    progress: Callable[[str], None] = lambda line: None,
) -> Record:
    """Run until the examples or seconds are spent, or enough distinct faults are found."""
    record = Record(target)
    for round_seed, runs in rounds(seed, examples, seconds):
        campaign(record, round_seed, runs)
        progress(f"{record.total():,} operations, {plural(len(record.faults), 'fault')}")
        if len(record.faults) >= ENOUGH_FAULTS:
            break
    return record


def counterexamples(record: Record) -> list[Counterexample]:
    """Each distinct fault, minimised, the most harmful first."""
    target = record.target
    return [
        tell(target, minimize(target, trace), found_by="fuzz") for trace in record.faults.traces()
    ]


def fuzz(
    target: ClassTarget,
    seed: int,
    examples: int | None = None,
    seconds: float | None = None,
    progress: Callable[[str], None] = lambda line: None,
) -> Judgement:
    """Search, and say what was found law by law."""
    started = time.process_time()
    record = search(target, seed, examples, seconds, progress)
    searched = time.process_time() - started
    accepted, refused = sum(record.accepted.values()), sum(record.refused.values())
    counts = dict.fromkeys(OF_CODE, accepted + refused)
    counts |= {"contents": accepted, "results": accepted, "choices": accepted, "refusals": refused}
    counts |= {"release": record.accepted["release"] + record.accepted["release_all"]}
    counts |= asked(target.interface.questions, record.questions)
    never = [name for name in OPERATIONS if not record.accepted[name]]
    rate = (accepted + refused) / max(searched, 1e-9)
    timings = (f"{rate:,.0f} operations a CPU second in lockstep",)
    notes = (
        f"seed {seed}: {plural(record.runs, 'run')}, {accepted:,} operations accepted, "
        f"{refused:,} refused",
        "never accepted: " + ", ".join(never) if never else "every operation was accepted at times",
    )
    found = counterexamples(record)
    verdicts = judge("fuzz", Evidence.CASES, SCOPE, "operations", counts, found)
    elapsed = time.process_time() - started
    return Judgement("fuzz", verdicts, elapsed, NOT_COVERED, notes, tuple(found), timings)

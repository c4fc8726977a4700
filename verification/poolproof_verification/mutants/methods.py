"""The methods that hunt a seeded bug, each to its first counterexample.

Does not cover: what each method leaves out, as its own module says.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import islice

from poolproof import BlockManager
from poolproof_verification import asking
from poolproof_verification.contracts.cases import Arguments
from poolproof_verification.contracts.catalogue import CONTRACTS, Contract
from poolproof_verification.contracts.judge import replayed, searched
from poolproof_verification.contracts.replay import replay
from poolproof_verification.contracts.sweep import SAMPLE
from poolproof_verification.driver import Driver
from poolproof_verification.explore import explore_scopes
from poolproof_verification.findings import Trace
from poolproof_verification.limits import patient_once
from poolproof_verification.machine import campaign
from poolproof_verification.minimize import minimize
from poolproof_verification.mutants.changed import reaching
from poolproof_verification.mutants.endless import Endless, within
from poolproof_verification.record import Record
from poolproof_verification.scopes import SMALL_SCOPES, Scope
from poolproof_verification.targets import ClassTarget, KnownTarget

CONTRACT_SECONDS = 3.0  # CPU, for one contract; where one refutes a bug it takes less than one
CASE_SECONDS = 2.0  # CPU, for one small case, which takes less than a millisecond
ENDLESS = "does not end"


@dataclass(frozen=True)
class Found:
    """A counterexample, and what it took to find one."""

    seconds: float  # CPU
    length: int  # operations, after minimising; one for a state that no operation need lead to
    words: str


Hunt = Callable[[type[BlockManager], int, float, bool], Found | None]


def hunt(
    method: str, manager: type[BlockManager], seed: int, seconds: float, shorten: bool = True
) -> Found | None:
    """The method's first counterexample of the class, searched for so many CPU seconds or less.

    `shorten`: minimise it, which is no part of the search's time.
    """
    with patient_once():
        return METHODS[method](manager, seed, seconds, shorten)


def told(target: KnownTarget, trace: Trace, seconds: float, shorten: bool) -> Found:
    """The trace, minimised if wanted."""
    smallest = minimize(target, trace) if shorten and len(trace.operations) > 1 else trace
    calls = "; ".join(map(str, smallest.operations)) or "a fresh manager"
    return Found(seconds, len(smallest.operations), f"{smallest.finding.worst.words} ({calls})")


def explored(
    manager: type[BlockManager], scopes: tuple[Scope, ...] = SMALL_SCOPES, shorten: bool = True
) -> Found | None:
    """Small pools explored whole, up to the first in which anything is wrong."""
    target, start = ClassTarget("mutant", manager), time.process_time()
    traces = explore_scopes(target, scopes)[-1].faults.traces()
    spent = time.process_time() - start
    shortest = min(traces, key=lambda trace: len(trace.operations), default=None)
    return told(target, shortest, spent, shorten) if shortest else None


def driven(
    manager: type[BlockManager], seed: int, seconds: float, shorten: bool = True
) -> Found | None:
    """Runs of the fast random driver."""
    target, start = ClassTarget("mutant", manager), time.process_time()
    driver = Driver(Record(target), seed)
    while not driver.record.faults and time.process_time() - start < seconds:
        driver.run()
    return first(driver.record, time.process_time() - start, shorten)


def machined(
    manager: type[BlockManager], seed: int, seconds: float, shorten: bool = True
) -> Found | None:
    """Runs of the Hypothesis machine, in rounds of a few."""
    target, start, runs = ClassTarget("mutant", manager), time.process_time(), 4
    record = Record(target)
    while not record.faults and time.process_time() - start < seconds:
        campaign(record, seed * 1_000_003 + record.runs, runs)
        runs = min(2 * runs, 32)
    return first(record, time.process_time() - start, shorten)


def first(record: Record, seconds: float, shorten: bool) -> Found | None:
    """The most harmful of what a random search found."""
    traces = record.faults.traces()
    return told(record.target, traces[0], seconds, shorten) if traces else None


def contracted(manager: type[BlockManager], seconds: float) -> Found | None:
    """The contracts: small cases in plain Python, then the symbolic search of each."""
    start = time.process_time()
    for contract in CONTRACTS:
        if words := swept(contract, manager):
            return Found(time.process_time() - start, 1, words)
    for contract in reaching(manager, sample):
        left = seconds - (time.process_time() - start)
        found = searched(contract, manager, min(left, CONTRACT_SECONDS)) if left > 0 else None
        broken = replayed(contract, manager, found) if found else None
        if broken:
            return Found(time.process_time() - start, 1, broken.words)
    return None


def swept(contract: Contract, manager: type[BlockManager]) -> str:
    """The first small case in which the contract is broken, in words."""
    for arguments in sample(contract):
        try:
            _, broken = within(CASE_SECONDS, replay, contract.function, manager, arguments)
        except Endless:
            return f"{contract.name}({arguments}) {ENDLESS}"
        if broken:
            return str(broken.words)
    return ""


@cache
def sample(contract: Contract) -> tuple[Arguments, ...]:
    """Small cases of the contract, always the same ones."""
    return tuple(islice(contract.cases(contract.function, random.Random(0)), SAMPLE))


def asked(manager: type[BlockManager]) -> Found | None:
    """What the manager says of small states beside its operations."""
    start = time.process_time()
    words = asking.disagreements(manager)
    return next((Found(time.process_time() - start, 1, each) for each in words), None)


METHODS: dict[str, Hunt] = {
    "explore": lambda manager, seed, seconds, shorten: explored(manager, shorten=shorten),
    "random": driven,
    "machine": machined,
    "contracts": lambda manager, seed, seconds, shorten: contracted(manager, seconds),
    "asking": lambda manager, seed, seconds, shorten: asked(manager),
}
DRAWING = ("random", "machine")  # these depend on the seed

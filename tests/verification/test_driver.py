"""The random driver is fast because it remembers; it finds the seeded bugs, and repeats itself."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Hashable
from typing import Any, ClassVar

import pytest
from tests.verification.faulty_managers import LeaksOnRefusal, Strict

from poolproof import BlockManager
from poolproof_verification import driver as driver_module
from poolproof_verification.canaries import target_of
from poolproof_verification.draws import LARGE_ONE_IN, STANDARD
from poolproof_verification.driver import ENOUGH_SIGNS, NOT_AGAIN, Driver
from poolproof_verification.limits import limited_to
from poolproof_verification.minimize import replay
from poolproof_verification.mutants.catalogue import MUTANTS
from poolproof_verification.mutants.patches import Mutant
from poolproof_verification.operations import OPERATIONS
from poolproof_verification.record import Record
from poolproof_verification.targets import ClassTarget
from poolproof_verification.textbook import Textbook

POOLPROOF, TEXTBOOK = ClassTarget("poolproof", BlockManager), ClassTarget("textbook", Textbook)


def record_of(target: ClassTarget, seed: int = 0, runs: int = 40, **shape: Any) -> Record:
    driver = Driver(Record(target), seed, **shape)
    for _ in range(runs):
        driver.run()
    return driver.record


class Logging:
    """The shipped manager, which writes down what is asked of it."""

    log: ClassVar[list[tuple[Any, ...]]] = []

    def __init__(self, num_blocks: int, block_size: int) -> None:
        self.inner = BlockManager(num_blocks, block_size)
        self.log.append(("new", num_blocks, block_size))

    def __getattr__(self, name: str) -> Any:
        value = getattr(self.inner, name)
        if name not in OPERATIONS:
            return value

        def logged(*arguments: Any) -> Any:
            self.log.append((name, *arguments))
            return value(*arguments)

        return logged


def logged(seed: int) -> bytes:
    Logging.log.clear()
    record_of(ClassTarget("logging", Logging), seed, runs=LARGE_ONE_IN + 2)
    return repr(Logging.log).encode()


def test_the_same_seed_does_the_same_byte_for_byte_and_another_seed_something_else() -> None:
    first, again, other = logged(3), logged(3), logged(4)
    assert first == again
    assert first != other
    assert len(first) > 10_000


def test_a_run_does_not_depend_on_those_before_it() -> None:
    late = Driver(Record(ClassTarget("logging", Logging)), 3)
    late.run()
    Logging.log.clear()
    late.run()
    second = list(Logging.log)
    fresh = Driver(Record(ClassTarget("logging", Logging)), 3)
    fresh.number = 1
    Logging.log.clear()
    fresh.run()
    assert second == list(Logging.log)


def test_a_right_manager_has_no_fault_and_every_operation_is_accepted_and_refused() -> None:
    record = record_of(POOLPROOF, runs=120)
    assert len(record.faults) == 0
    assert set(record.accepted) == set(OPERATIONS)
    assert set(record.refused) == {*OPERATIONS} - {"release_all"}
    assert record.runs == 120
    assert record.questions > 0


def test_of_the_standard_shape_most_states_are_met_again() -> None:
    driver = Driver(Record(POOLPROOF), 0, STANDARD)
    for _ in range(60):
        driver.run()
    (automaton,) = driver.automata.values()
    assert len(automaton.states) * 3 < driver.record.total()
    assert set(driver.automata) == {(6, 2)}


# Those that every method can find, and those that show in large pools only.
SEEDED = [each for each in MUTANTS if each.canary or each.name.startswith("window_")]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("mutant", SEEDED, ids=lambda mutant: mutant.name)
def test_every_seeded_bug_is_found(mutant: Mutant, seed: int) -> None:
    driver, started = Driver(Record(target_of(mutant)), seed), time.process_time()
    while not len(driver.record.faults) and time.process_time() - started < 10:
        driver.run()
    (trace, *_) = driver.record.faults.traces()
    assert NOT_AGAIN not in trace.finding.worst.words
    again = replay(driver.record.target, trace)
    assert again is not None
    assert again.operations == trace.operations
    assert len(trace.operations) < 30


def test_a_pool_that_is_not_made_is_left_out() -> None:
    class Picky(Strict):
        def __init__(self, num_blocks: int, block_size: int) -> None:
            if num_blocks != 6:
                raise ValueError("not of this size")
            super().__init__(num_blocks, block_size)

    target = ClassTarget("picky", Picky)
    target.__dict__["interface"] = TEXTBOOK.interface
    record = record_of(target)
    assert len(record.faults) == 0
    assert record.total() > 0


def test_a_call_that_does_not_end_is_named() -> None:
    class Hangs(Strict):
        def release(self, name: Hashable) -> list[int]:
            while True:
                time.sleep(0.001)

    with limited_to(0.1, clock=0.1):
        record = record_of(ClassTarget("hangs", Hangs), runs=3)
    trace = record.faults.best["release", "refusals"]
    assert "must be accepted, yet it failed: not ended after" in trace.finding.worst.words


def test_what_is_seen_once_only_is_told_as_such() -> None:
    class Flaky(Strict):
        calls: ClassVar[list[int]] = []

        def append(self, name: Hashable) -> bool:
            self.calls.append(1)
            if len(self.calls) == 5:
                raise RuntimeError("once only")
            return super().append(name)

    (trace,) = record_of(ClassTarget("flaky", Flaky), runs=30).faults.traces()
    assert trace.finding.worst.words.endswith(NOT_AGAIN)
    assert trace.finding.operation.name == "append"


def test_a_well_known_fault_is_not_named_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    named = []
    name = Driver.name

    def counting(self: Driver, *arguments: Any) -> None:
        named.append(arguments)
        name(self, *arguments)

    monkeypatch.setattr(Driver, "name", counting)
    record = record_of(ClassTarget("leaks", LeaksOnRefusal), runs=150)
    assert 0 < len(named) <= ENOUGH_SIGNS * 3
    assert {trace.fault for trace in record.faults.traces()} >= {("allocate", "OUT_OF_BLOCKS")}


def test_states_are_forgotten_where_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver_module, "MANY_STATES", 20)
    driver = Driver(Record(POOLPROOF), 0)
    known = []
    for _ in range(30):
        driver.run()
        known.append(len(driver.automata))
    assert len(driver.record.faults) == 0
    assert max(known) < 8


class LiesInLargePools(BlockManager):  # type: ignore[misc]  # it is final
    def can_append(self, name: Hashable) -> bool:
        return super().can_append(name) != (self.num_free > 8)


class LeaksLargeBlocks(Strict):
    def release(self, name: Hashable) -> list[int]:
        freed = super().release(name)
        if self.block_size > 4 and freed:
            self.free.remove(freed[0])
        return freed


class CountsUpToTwelve(Strict):
    def fork(self, parent: Hashable, child: Hashable) -> list[int]:
        table = super().fork(parent, child)
        self.ref.update({block: min(self.ref[block], 12) for block in table})
        return table


class ShuffledByLongGrowth(BlockManager):  # type: ignore[misc]
    def grow(self, name: Hashable, n_tokens: Any) -> Any:
        if type(n_tokens) is int and 30 < n_tokens < 1000 and self.can_grow(name, n_tokens):
            self.grow(name, 1)
            return super().grow(name, n_tokens - 1)
        return super().grow(name, n_tokens)


@pytest.mark.parametrize(
    "manager", [LiesInLargePools, LeaksLargeBlocks, CountsUpToTwelve, ShuffledByLongGrowth]
)
def test_what_is_wrong_in_large_pools_only_is_found(manager: type) -> None:
    driver = Driver(Record(ClassTarget("large", manager)), 0)
    while not driver.record.faults and driver.number < 80 * LARGE_ONE_IN:
        driver.run()
    assert len(driver.record.faults) >= 1


def raising(error: BaseException) -> Callable[..., Any]:
    def method(self: Strict, *arguments: Any) -> Any:
        raise error

    return method


@pytest.mark.parametrize(
    "error", [RuntimeError("no"), SystemExit(0), GeneratorExit(), RecursionError("deep")], ids=repr
)
@pytest.mark.parametrize("method", ["append", "release", "violations", "can_append"])
def test_whatever_a_manager_raises_is_a_finding(method: str, error: BaseException) -> None:
    raises = type("Raises", (Strict,), {method: raising(error)})
    target = ClassTarget("raises", raises)
    target.__dict__["interface"] = ClassTarget("strict", Strict).interface
    assert len(record_of(target, runs=20).faults) > 0


HASH_SEED_RUN = """
from poolproof_verification.driver import Driver
from poolproof_verification.record import Record
from poolproof_verification.targets import find_target
driver = Driver(Record(find_target("textbook")), 5)
for _ in range(15):
    driver.run()
record = driver.record
print(record.accepted, record.refused, [trace.operations for trace in record.faults.traces()])
"""


def test_the_order_of_hashes_changes_nothing() -> None:
    outputs = {
        subprocess.run(
            [sys.executable, "-c", HASH_SEED_RUN],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
    assert "allocate" in outputs.pop()

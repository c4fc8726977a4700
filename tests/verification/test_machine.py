"""The state machine draws what the target offers, records what breaks, and repeats itself."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Hashable
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis.configuration import storage_directory

from poolproof import BlockManager
from poolproof_verification import machine
from poolproof_verification.machine import NAMES, Record, campaign
from poolproof_verification.minimize import replay
from poolproof_verification.operations import OPERATIONS
from poolproof_verification.targets import ClassTarget
from poolproof_verification.textbook import Textbook

POOLPROOF, TEXTBOOK = ClassTarget("poolproof", BlockManager), ClassTarget("textbook", Textbook)


def record_of(target: ClassTarget, seed: int = 0, examples: int = 20) -> Record:
    record = Record(target)
    campaign(record, seed, examples)
    return record


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


def logged(seed: int) -> list[tuple[Any, ...]]:
    Logging.log.clear()
    record_of(ClassTarget("logging", Logging), seed, examples=10)
    return list(Logging.log)


def test_the_same_seed_asks_the_same_and_another_seed_something_else() -> None:
    first, again, other = logged(3), logged(3), logged(4)
    assert first == again
    assert first != other
    assert len(first) > 100


def test_a_right_manager_has_no_fault_and_every_operation_is_tried() -> None:
    record = record_of(POOLPROOF, examples=30)
    assert len(record.faults) == 0
    assert set(record.accepted) == set(OPERATIONS)
    assert set(record.refused) == {*OPERATIONS} - {"release_all"}
    assert record.total() == sum(record.accepted.values()) + sum(record.refused.values())
    assert record.runs >= 30
    assert record.questions > 0


def test_each_fault_is_recorded_with_operations_that_show_it() -> None:
    traces = record_of(TEXTBOOK).faults.traces()
    assert {trace.fault for trace in traces} >= {("allocate", "EXISTS"), ("allocate", "NEGATIVE")}
    for trace in traces:
        again = replay(TEXTBOOK, trace)
        assert again is not None
        assert again.fault == trace.fault
        assert again.operations == trace.operations


def test_a_run_ends_with_its_first_finding() -> None:
    class Broken(Textbook):
        calls: ClassVar[list[str]] = []

        def __init__(self, num_blocks: int, block_size: int) -> None:
            super().__init__(num_blocks, block_size)
            self.calls.clear()

        def allocate(self, name: Hashable, n_tokens: int) -> list[int]:
            self.calls.append("allocate")
            assert len(self.calls) == 1, "the run went on"
            raise RuntimeError("broken")

        def append(self, name: Hashable) -> bool:
            assert not self.calls, "the run went on"
            return super().append(name)

    record = record_of(ClassTarget("broken", Broken))
    assert all("went on" not in str(trace) for trace in record.faults.traces())
    assert record.total() <= record.runs


def test_what_the_target_does_not_promise_or_have_is_not_asked() -> None:
    class Guarded(Textbook):
        def allocate(self, name: Hashable, n_tokens: int) -> list[int]:
            assert type(n_tokens) is int
            return super().allocate(name, n_tokens)

    record = record_of(ClassTarget("guarded", Guarded))
    assert record.accepted["grow"] == record.refused["grow"] == 0
    assert ("allocate", "WRONG_TYPE") not in record.faults.best


def test_a_manager_that_is_wrong_from_the_start_is_found_before_any_operation() -> None:
    class Short(Textbook):
        def __init__(self, num_blocks: int, block_size: int) -> None:
            super().__init__(num_blocks, block_size)
            self.free = self.free[:-1]

    record = record_of(ClassTarget("short", Short))
    trace = record.faults.best["__init__", "partition"]
    assert trace.operations == ()
    assert "is lost: not free, no table holds it, not counted" in trace.finding.worst.words


def test_pools_that_the_target_does_not_make_are_no_findings() -> None:
    class Picky(BlockManager):  # type: ignore[misc]  # final for users, not for this test
        def __init__(self, num_blocks: int, block_size: int) -> None:
            if num_blocks < 2:
                raise ValueError("not of this size")
            super().__init__(num_blocks, block_size)

    record = record_of(ClassTarget("picky", Picky))
    assert len(record.faults) == 0
    assert record.total() > 0


HASH_SEED_RUN = """
from poolproof_verification.machine import Record, campaign
from poolproof_verification.targets import find_target
record = Record(find_target("textbook"))
campaign(record, 5, 8)
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


def test_names_are_few_so_that_they_meet() -> None:
    assert len(NAMES) == len(set(NAMES)) == 6


CONSTANTS_RUN = """
import importlib, sys
sys.path.insert(0, sys.argv[1])
for name in sys.argv[2:]:
    importlib.import_module(name)
from poolproof_verification.machine import Record, campaign
from poolproof_verification.targets import find_target
record = Record(find_target("poolproof"))
campaign(record, 5, 12)
print(record.accepted, record.refused, list(record.reached.items()))
"""


def test_neither_ci_nor_modules_that_happen_to_be_loaded_change_what_is_drawn(
    tmp_path: Path,
) -> None:
    (tmp_path / "numbers_of_theirs.py").write_text(f"NUMBERS = {list(range(11, 200))}")

    def output(*modules: str, **variables: str) -> str:
        ran = subprocess.run(
            [sys.executable, "-c", CONSTANTS_RUN, str(tmp_path), *modules],
            env={**os.environ, **variables},
            capture_output=True,
            check=True,
            text=True,
        )
        return ran.stdout

    assert output(CI="true") == output("numbers_of_theirs") != ""


def test_hypothesis_keeps_its_notes_where_it_did_before() -> None:
    before = storage_directory(intent_to_write=False).path
    record_of(POOLPROOF, examples=1)
    assert storage_directory(intent_to_write=False).path == before


def test_an_interrupt_that_hypothesis_turns_into_an_error_is_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its clean-up asserts what is not so yet when a run has hardly begun."""

    def begins(*arguments: Any, **options: Any) -> None:
        try:
            raise KeyboardInterrupt
        finally:
            raise AssertionError

    monkeypatch.setattr(machine, "run_state_machine_as_test", begins)
    with pytest.raises(KeyboardInterrupt):
        campaign(Record(ClassTarget("poolproof", BlockManager)), 0, 1)

"""The log has every operation, is bounded, and is what `replay` takes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.verification.watching.driven import calls, drive

from poolproof import BlockManager
from poolproof_verification.adapters.example import Example
from poolproof_verification.operations import Operation
from poolproof_verification.replay import replay
from poolproof_verification.textbook import Textbook
from poolproof_verification.verdict import CouldNotRun, Outcome
from poolproof_verification.watching import Fault, PoolWarning, watch, watch_adapter


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def quiet(fault: Fault) -> None:
    """It is in the log."""


def test_each_line_is_there_as_soon_as_the_operation_is_over(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    manager = watch(BlockManager(4, 2), log=path)
    assert lines(path)[0]["target"] == "poolproof"
    manager.allocate("A", 3)
    manager.append("A")
    with pytest.raises(MemoryError):
        manager.allocate("B", 99)
    first, second, third = lines(path)[1:]
    assert first == {"call": {"name": "allocate", "arguments": ["A", 3]}, "observed": "[0, 1]"}
    assert second["observed"] == "False"
    assert third["observed"].startswith("refused: too few free blocks: OutOfBlocks: ")
    manager.watcher.close()
    assert lines(path)[-1] == {"end": "the watching ended"}


@pytest.mark.parametrize("seed", range(3))
def test_a_log_is_replayed_as_it_was(seed: int, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    manager = watch(BlockManager(6, 2), log=path)
    drive(manager, calls(seed, 200, absurd=True))
    manager.watcher.close()
    found = replay(path)
    assert (found.outcome, found.operations) == (Outcome.HELD, 200)
    assert found.words.endswith("; the watching ended")


def test_a_fault_in_the_log_is_found_again(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    manager = watch(Textbook(2, 1), on_fault=quiet, log=path)
    manager.allocate(("A", 1), 1)
    manager.allocate(("A", 1), 0)
    manager.allocate("B", 1)
    manager.watcher.close()
    found = replay(path)
    assert (found.outcome, found.target, found.operations) == (Outcome.REFUTED, "textbook", 2)
    assert found.words.endswith("as the watcher found")
    assert replay(path, "poolproof").outcome is Outcome.HELD


class Request:
    """A name that is no plain data."""

    def __repr__(self) -> str:
        return "<Request>"


def test_names_that_are_no_data_have_numbers_while_they_live(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    manager = watch(BlockManager(4, 1), log=path)
    first, second = Request(), Request()
    manager.allocate(first, 1)
    manager.fork(first, second)
    manager.append(second)
    manager.release(first)
    for _ in range(50):
        with pytest.raises(KeyError):
            manager.append(Request())
    manager.allocate(("pair", Request()), 1)
    names = [each["call"]["arguments"] for each in lines(path)[1:]]
    assert names[1] == [
        {"stand_in": 1, "text": "<Request>"},
        {"stand_in": 2, "text": "<Request>"},
    ]
    assert names[0][0] == names[3][0] != names[2][0]
    log = manager.watcher.log
    assert log is not None
    assert len(log.numbers) <= 3
    manager.watcher.close()
    assert replay(path).outcome is Outcome.HELD


def test_a_log_that_is_full_says_so_and_grows_no_more(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    manager = watch(BlockManager(40, 1), log=path, most_bytes=1000)
    for number in range(40):
        manager.allocate(number, 1)
    assert path.stat().st_size < 1100
    assert lines(path)[-1] == {"end": "the log was full"}
    found = replay(path)
    assert found.outcome is Outcome.HELD
    assert found.words.endswith("; the log was full")
    assert manager.watcher.operations == 40
    manager.watcher.close()


def test_where_the_pool_is_empty_the_log_begins_anew_and_keeps_one_before(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    manager = watch(BlockManager(4, 1), log=path, most_bytes=1000)
    for number in range(200):
        manager.allocate(number, 1)
        manager.release(number)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["log.jsonl", "log.jsonl.before"]
    assert all(each.stat().st_size < 1100 for each in tmp_path.iterdir())
    last = lines(path)[-1]["call"]
    assert last == {"name": "release", "arguments": [199]}
    manager.watcher.close()
    assert replay(path).outcome is Outcome.HELD
    assert replay(tmp_path / "log.jsonl.before").outcome is Outcome.HELD


def test_after_a_fault_the_log_is_kept_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    manager = watch(Textbook(4, 1), on_fault=quiet, log=path, most_bytes=1500)
    manager.allocate("A", 1)
    manager.allocate("A", 0)
    manager.release("A")
    for number in range(40):
        manager.allocate(number, 1)
        manager.release(number)
    assert [each.name for each in tmp_path.iterdir()] == ["log.jsonl"]
    assert replay(path).outcome is Outcome.REFUTED
    manager.watcher.close()


def test_a_log_that_begins_in_the_middle_cannot_be_replayed(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    manager = BlockManager(4, 1)
    manager.allocate("A", 1)
    again = watch(manager, log=path)
    again.append("A")
    again.watcher.close()
    with pytest.raises(CouldNotRun, match="begins with a manager in use"):
        replay(path)


def test_an_adapters_log_names_no_shipped_target(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    adapter = watch_adapter(Example().make(4, 2), 4, 2, log=path)
    adapter.call(Operation("allocate", ("A", 3)))
    adapter.call(Operation("release", ("A",)))
    adapter.watcher.close()
    with pytest.raises(CouldNotRun, match="give --target"):
        replay(path)
    target = "poolproof_verification.adapters.example:Example"
    assert replay(path, target).outcome is Outcome.HELD


def test_a_log_that_cannot_be_written_could_not_run(tmp_path: Path) -> None:
    with pytest.raises(CouldNotRun, match="cannot write"):
        watch(BlockManager(1, 1), log=tmp_path / "missing" / "log.jsonl")


def test_a_disk_that_fills_up_ends_the_log_and_not_the_server(tmp_path: Path) -> None:
    manager = watch(BlockManager(4, 1), log=tmp_path / "log.jsonl")
    log = manager.watcher.log
    assert log is not None
    log.file.close()
    with pytest.warns(PoolWarning, match="ends here"):
        assert manager.allocate("A", 1) == [0]
    assert manager.append("A") is False
    assert len(manager.watcher.faults) == 0


def test_names_that_are_not_equal_to_themselves_are_told_apart(tmp_path: Path) -> None:
    first, second = float("nan"), ("A", float("nan"))
    path = tmp_path / "log.jsonl"
    manager = watch(BlockManager(4, 2), log=path)
    manager.allocate(first, 1)
    manager.allocate(second, 3)
    manager.append(first)
    manager.release(second)
    manager.watcher.close()
    assert not manager.watcher.faults
    found = replay(path)
    assert (found.outcome, found.operations) == (Outcome.HELD, 4)


def test_an_interrupt_ends_the_log(tmp_path: Path) -> None:
    class Interrupted(Textbook):
        def release_all(self) -> list[int]:
            raise KeyboardInterrupt

    path = tmp_path / "log.jsonl"
    manager = watch(Interrupted(4, 1), log=path)
    manager.allocate("A", 1)
    with pytest.raises(KeyboardInterrupt):
        manager.release_all()
    manager.release("A")
    manager.watcher.close()
    assert lines(path)[-1] == {"end": "an operation was interrupted"}


def test_a_server_that_starts_again_keeps_the_log_of_its_last_run(tmp_path: Path) -> None:
    path, before = tmp_path / "log.jsonl", tmp_path / "log.jsonl.before"
    for tokens in (1, 2, 3):
        manager = watch(BlockManager(4, 2), log=path)
        manager.allocate("A", tokens)
        manager.watcher.close()
    assert [lines(each)[1]["call"]["arguments"] for each in (path, before)] == [["A", 3], ["A", 2]]
    assert replay(before).outcome is Outcome.HELD


def test_a_log_that_finds_no_room_ends_with_one_warning_and_the_server_goes_on() -> None:
    with pytest.warns(PoolWarning, match="the log /dev/full ends here: No space left") as told:
        manager = watch(BlockManager(4, 2), log=Path("/dev/full"), most_bytes=100)
        for _ in range(5):
            manager.allocate("A", 1)
            manager.release("A")
        manager.watcher.close()
    assert len(told) == 1
    assert Path("/dev/full").exists()

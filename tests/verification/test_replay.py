"""A recorded failure still fails, is fixed, or is stale; nothing is imported unless it is named."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Hashable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.verification.conftest import Run
from tests.verification.test_counterexample import EXAMPLE

from poolproof_verification.counterexample import Counterexample
from poolproof_verification.counterexample_file import name_of, write
from poolproof_verification.findings import Trace
from poolproof_verification.lockstep import FRESH, Lockstep
from poolproof_verification.operations import Operation
from poolproof_verification.replay import replay
from poolproof_verification.reports.plain_records import replay_of
from poolproof_verification.scopes import UNKNOWN_NAME
from poolproof_verification.story import tell
from poolproof_verification.targets import find_target
from poolproof_verification.textbook import Textbook
from poolproof_verification.verdict import CouldNotRun, Outcome

A1, A0 = Operation("allocate", ("A", 1)), Operation("allocate", ("A", 0))
HOUSE = "tests.verification.test_replay:House"


class House(Textbook):
    """The textbook's manager under a name that is not shipped."""


class NoFork(Textbook):
    """It has no fork, and so none of the lesson's interface."""

    fork = None  # type: ignore[assignment]  # that is the point


class Small(Textbook):
    """It makes pools of two blocks and more."""

    def __init__(self, num_blocks: int, block_size: int) -> None:
        if num_blocks < 2:
            raise ValueError("too small")
        super().__init__(num_blocks, block_size)


class Short(Textbook):
    """It loses a block when it is made."""

    def __init__(self, num_blocks: int, block_size: int) -> None:
        super().__init__(num_blocks, block_size)
        self.free = self.free[1:]


class Miscounts(Textbook):
    """Another fault than the textbook's: an allocation takes one block too many."""

    def allocate(self, name: Hashable, n_tokens: int) -> list[int]:
        return super().allocate(name, n_tokens + self.block_size)


def recorded(target: str, *operations: Operation, total: int = 1) -> Counterexample:
    known = find_target(target)
    lockstep = Lockstep(known, total, 1)
    finding = lockstep.ask((UNKNOWN_NAME,), FRESH).finding
    for operation in operations:
        finding = lockstep.do(operation).finding
    assert finding is not None
    return tell(known, Trace(total, 1, operations, finding), found_by="hand", seed=5)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write(recorded("textbook", A1, A0), tmp_path / "a.json")


def test_the_command_of_a_report_carries_it_out_on_a_manager_of_ones_own(
    run: Run, import_path: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = recorded(HOUSE, A1, A0)
    write(found, tmp_path / "counterexamples" / name_of(found))
    monkeypatch.chdir(tmp_path)
    ended = run(*shlex.split(replay_of(found))[1:])
    assert (ended.code, ended.errors) == (1, "")
    assert f"still fails on {HOUSE}" in ended.output


def test_on_the_manager_that_failed_it_still_fails_in_the_same_step(path: Path) -> None:
    found = replay(path)
    assert (found.outcome, found.target, found.law) == (Outcome.REFUTED, "textbook", "partition")
    assert found.line() == (
        "a.json: still fails on textbook: partition: block 0 is lost: not free, no table holds it, "
        "counted once, in step 2, allocate('A', 0), as recorded"
    )
    assert found.breaches[1].startswith("refusals: ")


def test_on_a_right_manager_it_is_fixed(path: Path) -> None:
    found = replay(path, "poolproof")
    assert found.outcome is Outcome.HELD
    assert found.line() == "a.json: fixed on poolproof: no law is broken in 2 steps"


def test_another_fault_than_the_recorded_one_is_told_apart(path: Path) -> None:
    found = replay(path, "tests.verification.test_replay:Miscounts")
    assert found.outcome is Outcome.REFUTED
    assert "in step 1, allocate('A', 1); recorded was partition in step 2" in found.words


def test_what_the_model_expects_otherwise_today_is_stale(tmp_path: Path) -> None:
    then = recorded("textbook", A1, A0)
    for number, expected in ((0, "[7]"), (0, "refused: no such sequence"), (1, "[]")):
        steps = list(then.steps)
        steps[number] = replace(steps[number], expected=expected)
        path = write(replace(then, steps=tuple(steps)), tmp_path / "a.json")
        found = replay(path)
        assert found.outcome is Outcome.UNKNOWN
        assert f"step {number + 1}, allocate('A'" in found.words
        assert f"{expected} was to be expected, now " in found.words
    assert found.words.endswith("refused: the name is in use; partition is broken there, too")


def test_a_manager_that_takes_any_block_has_results_of_its_own(tmp_path: Path) -> None:
    then = replace(recorded("textbook", A1, A0), any_free_block=True)
    steps = (replace(then.steps[0], expected="[7]"), then.steps[1])
    found = replay(write(replace(then, steps=steps), tmp_path / "a.json"))
    assert (found.outcome, "as recorded" in found.words) == (Outcome.REFUTED, True)


def test_a_refusal_is_expected_in_whatever_words(tmp_path: Path) -> None:
    unknown = Operation("append", ("Z",))
    then = recorded("textbook", unknown, A1, A0)
    assert then.steps[0].expected == "refused: no such sequence: KeyError: 'Z'"
    assert replay(write(then, tmp_path / "a.json"), "poolproof").outcome is Outcome.HELD


def test_a_target_without_the_operation_or_the_pool_makes_it_stale(tmp_path: Path) -> None:
    grown = Operation("grow", ("A", 1))
    then = recorded("textbook", A1, A0)
    steps = (replace(then.steps[0], call=grown, operation=str(grown)), then.steps[1])
    path = write(replace(then, steps=steps), tmp_path / "a.json")
    assert replay(path).line() == "a.json: stale on textbook: the target has no grow"
    small = "tests.verification.test_replay:Small"
    found = replay(write(then, tmp_path / "b.json"), small)
    assert found.outcome is Outcome.UNKNOWN
    assert "no such pool is made" in found.words


def test_what_the_target_leaves_undefined_makes_it_stale(tmp_path: Path) -> None:
    then = recorded("textbook", A1, A0)
    strange = Operation("allocate", ("B", "x"))
    steps = (replace(then.steps[0], call=strange), then.steps[1])
    found = replay(write(replace(then, steps=steps), tmp_path / "a.json"))
    assert found.outcome is Outcome.UNKNOWN
    assert "leaves undefined what allocate('B', 'x') does" in found.words


def test_a_manager_wrong_from_the_start_still_is(tmp_path: Path) -> None:
    target = "tests.verification.test_replay:Short"
    path = write(recorded(target, total=2), tmp_path / "a.json")
    found = replay(path, target)
    assert found.outcome is Outcome.REFUTED
    assert found.words.endswith("in a fresh manager, as recorded")
    assert replay(path, "poolproof").outcome is Outcome.HELD


def test_nothing_that_a_file_names_is_imported_unless_the_caller_names_it(tmp_path: Path) -> None:
    then = replace(recorded(HOUSE, A1, A0), target="antigravity:Manager")
    path = write(then, tmp_path / "a.json")
    with pytest.raises(CouldNotRun, match=r"recorded on 'antigravity:Manager', .* give --target"):
        replay(path)
    assert "antigravity" not in sys.modules
    assert replay(path, HOUSE).outcome is Outcome.REFUTED


def test_a_target_that_there_is_not_could_not_run(path: Path) -> None:
    with pytest.raises(CouldNotRun, match="unknown target 'nobody'"):
        replay(path, "nobody")


def test_a_counterexample_of_the_models_cannot_be_replayed(tmp_path: Path) -> None:
    path = write(EXAMPLE, tmp_path / "a.json")
    with pytest.raises(CouldNotRun, match=r"a counterexample of the model's \(explore\)"):
        replay(path, "poolproof")


# --- logs -----------------------------------------------------------------------------------------

HEADER = {
    "log": 1, "version": "0", "target": "textbook", "total": 2, "block_size": 1, "fresh": True,
}  # fmt: skip


def line(name: str, *arguments: Any) -> dict[str, Any]:
    return {"call": {"name": name, "arguments": list(arguments)}, "observed": "[]"}


def log(folder: Path, *lines: dict[str, Any], **header: Any) -> Path:
    text = "".join(f"{json.dumps(each)}\n" for each in (HEADER | header, *lines))
    (folder / "log.jsonl").write_text(text)
    return folder / "log.jsonl"


FAULT = {"fault": {"law": "partition", "kind": "leak", "words": "block 0 is lost"}}


def test_a_log_is_judged_operation_by_operation(tmp_path: Path) -> None:
    path = log(tmp_path, line("allocate", 7, 1), line("allocate", 7, 0), FAULT, line("append", 7))
    found = replay(path)
    assert (found.outcome, found.law, found.operations) == (Outcome.REFUTED, "partition", 2)
    assert found.words.endswith("in operation 2, allocate(7, 0), as the watcher found")
    fixed = replay(path, "poolproof")
    assert (fixed.outcome, fixed.law, fixed.operations) == (Outcome.HELD, "partition", 3)


def test_a_fault_that_the_watcher_missed_is_found_all_the_same(tmp_path: Path) -> None:
    found = replay(log(tmp_path, line("allocate", "A", 1), line("allocate", "A", 0)))
    assert (found.outcome, "watcher" in found.words) == (Outcome.REFUTED, False)


def test_how_a_log_ends_is_told(tmp_path: Path) -> None:
    path = log(tmp_path, line("allocate", "A", 1), {"end": "the log was full"})
    assert replay(path).words == "no law is broken in 1 operation; the log was full"


def test_a_torn_last_line_is_left_out(tmp_path: Path) -> None:
    path = log(tmp_path, line("allocate", "A", 1), line("release", "A"))
    path.write_text(path.read_text()[:-9])
    assert replay(path).words == "no law is broken in 1 operation; its last line is torn"


def test_a_log_of_a_manager_without_the_operation_is_stale(tmp_path: Path) -> None:
    found = replay(log(tmp_path, line("grow", "A", 1)))
    assert (found.outcome, found.words) == (Outcome.UNKNOWN, "the target has no grow")


@pytest.mark.parametrize(
    ("lines", "header", "words"),
    [
        ([], {"log": 2}, "log 2 is unknown; this version reads 1"),
        ([], {"fresh": False}, "it begins with a manager in use"),
        ([], {"total": 10**9}, "at ['total']"),
        ([], {}, "no operation is in it"),
        ([{"call": {"name": "exit", "arguments": []}, "observed": ""}], {}, "line 2: "),
        ([{"eval": "1"}, line("release", "A")], {}, "line 2: "),
        ([{"fault": {"law": "gravity", "words": ""}}], {}, "line 2: law 'gravity' is unknown"),
        ([line("append", {"dict": [[[], 1]]})], {}, "line 2: append: an argument is no value"),
    ],
    ids=str,
)
def test_a_log_that_is_not_as_it_should_be_is_told_in_one_line(
    lines: list[dict[str, Any]], header: dict[str, Any], words: str, tmp_path: Path
) -> None:
    path = log(tmp_path, *lines, **header)
    with pytest.raises(CouldNotRun) as caught:
        replay(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert words in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_a_log_of_another_manager_is_replayed_on_the_one_that_is_named(tmp_path: Path) -> None:
    path = log(tmp_path, line("allocate", "A", 1), target="antigravity:Manager")
    with pytest.raises(CouldNotRun, match="give --target"):
        replay(path)
    assert replay(path, "poolproof").outcome is Outcome.HELD


def test_the_name_of_the_file_does_not_matter(tmp_path: Path) -> None:
    then = recorded("textbook", A1, A0)
    assert name_of(then).endswith(".json")
    assert replay(write(then, tmp_path / "x")).outcome is Outcome.REFUTED

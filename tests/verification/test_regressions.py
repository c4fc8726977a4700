"""A folder of counterexamples is judged as a whole: one that still fails makes it refuted."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.verification.test_replay import A0, A1, HEADER, line, log, recorded

from poolproof_verification import regressions
from poolproof_verification.counterexample_file import name_of, write
from poolproof_verification.explore import explore
from poolproof_verification.regressions import files_in, is_new, judge_regressions
from poolproof_verification.replay import Replay, replay
from poolproof_verification.scopes import Scope
from poolproof_verification.targets import find_target
from poolproof_verification.verdict import CouldNotRun, Evidence, Outcome, overall


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The counterexamples of a search of the textbook's manager."""
    folder = tmp_path_factory.mktemp("regressions") / "kept"
    found = explore(find_target("textbook"), (Scope(2, 2, 1, 2),)).counterexamples
    paths = [write(each, folder / name_of(each)) for each in found]
    assert len(paths) == len(found) == len(set(paths)) >= 3
    (folder / "README.md").write_text("what these are")
    return folder


def test_all_of_them_still_fail_where_they_were_found(folder: Path) -> None:
    told: list[str] = []
    judgement = judge_regressions(folder, progress=told.append)
    assert overall(judgement.verdicts) is Outcome.REFUTED
    names = sorted(path.name for path in folder.glob("*.json"))
    assert [verdict.scope for verdict in judgement.verdicts] == names
    assert [line.partition(":")[0] for line in told] == names
    assert {verdict.evidence for verdict in judgement.verdicts} == {Evidence.CASES}
    count = len(names)
    assert judgement.notes == (f"{count} counterexamples: still fails {count}, fixed 0, stale 0",)


def test_all_of_them_are_fixed_in_a_right_manager(folder: Path) -> None:
    judgement = judge_regressions(folder, "poolproof")
    assert overall(judgement.verdicts) is Outcome.HELD


def test_one_that_is_stale_makes_it_unknown_and_one_that_fails_refuted(tmp_path: Path) -> None:
    then = recorded("textbook", A1, A0)
    stale = replace(then, steps=(replace(then.steps[0], expected="[7]"), then.steps[1]))
    write(stale, tmp_path / "b.json")
    assert overall(judge_regressions(tmp_path).verdicts) is Outcome.UNKNOWN
    write(then, tmp_path / "a.json")
    judgement = judge_regressions(tmp_path)
    assert overall(judgement.verdicts) is Outcome.REFUTED
    assert [each.outcome for each in judgement.verdicts] == [Outcome.REFUTED, Outcome.UNKNOWN]


def test_a_name_says_law_and_operation(folder: Path) -> None:
    laws = {path.name.split("-")[0] for path in folder.glob("*.json")}
    operations = {path.name.split("-")[1] for path in folder.glob("*.json")}
    assert laws == {"partition"}
    assert operations == {"allocate", "fork"}


def test_an_empty_or_missing_folder_could_not_run(tmp_path: Path) -> None:
    with pytest.raises(CouldNotRun, match="no counterexample in it"):
        judge_regressions(tmp_path)
    with pytest.raises(CouldNotRun, match="No such file or directory"):
        judge_regressions(tmp_path / "missing")


def test_a_file_that_is_none_of_ours_is_named(tmp_path: Path) -> None:
    write(recorded("textbook", A1, A0), tmp_path / "a.json")
    (tmp_path / "b.json").write_text("{}")
    with pytest.raises(CouldNotRun, match=r"b\.json: no counterexample"):
        judge_regressions(tmp_path)


def test_a_log_counts_if_something_is_broken_in_it(tmp_path: Path) -> None:
    path = log(tmp_path, line("allocate", "A", 1))
    path.rename(tmp_path / "a.json")
    with pytest.raises(CouldNotRun, match="a log in which nothing is broken"):
        judge_regressions(tmp_path)
    broken = (HEADER, line("allocate", "A", 1), line("allocate", "A", 0))
    (tmp_path / "a.json").write_text("".join(f"{json.dumps(each)}\n" for each in broken))
    assert overall(judge_regressions(tmp_path).verdicts) is Outcome.REFUTED


def test_what_a_run_has_written_is_read_but_for_its_renderings(
    folder: Path, tmp_path: Path
) -> None:
    kept = sorted(path.name for path in folder.glob("*.json"))
    inner = tmp_path / "counterexamples"
    shutil.copytree(folder, inner)
    for name in ("report.json", "trace.itf.json", "report.txt"):
        (tmp_path / name).write_text("{}")
    write(recorded("textbook", A1, A0), tmp_path / "a.json")
    assert [path.name for path in files_in(tmp_path)] == sorted([*kept, "a.json"])
    assert len(judge_regressions(tmp_path).verdicts) == len(kept) + 1


def test_ctrl_c_tells_of_those_before(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    answers = iter([replay(files_in(folder)[0])])
    monkeypatch.setattr(regressions, "replay", lambda path, target: next_or_interrupt(answers))
    judgement = judge_regressions(folder, progress=told.append)
    assert len(judgement.verdicts) == 1
    assert told[-1].startswith("interrupted: ")


def next_or_interrupt(answers: Iterator[Replay]) -> Replay:
    for answer in answers:
        return answer
    raise KeyboardInterrupt


def test_a_folder_that_a_run_has_not_filled_yet_is_new(tmp_path: Path) -> None:
    assert is_new(tmp_path)
    assert is_new(tmp_path / "not there")
    (tmp_path / "notes.txt").write_text("mine")
    assert not is_new(tmp_path)
    assert not is_new(tmp_path / "notes.txt")

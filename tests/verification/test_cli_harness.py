"""What a search finds is kept in a folder, repeated from there, and goes once it is fixed."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import Any

import pytest
from tests.verification.conftest import Run

from poolproof_verification import explore as explore_module
from poolproof_verification import fuzz as fuzz_module
from poolproof_verification.driver import Driver
from poolproof_verification.explore import explore
from poolproof_verification.fuzz import fuzz
from poolproof_verification.minimize import minimize, smallest
from poolproof_verification.reports import FORMATS
from poolproof_verification.reports.report_file import read
from poolproof_verification.scopes import Scope
from poolproof_verification.targets import ClassTarget, find_target
from poolproof_verification.textbook import Textbook
from poolproof_verification.verdict import INTERRUPTED, Evidence, Outcome, overall

TEXTBOOK = ClassTarget("textbook", Textbook)
FEW = ("--examples", "3")


def kept(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "counterexamples").glob("*.json"))


def test_what_fuzz_finds_is_kept_and_repeated_from_its_folder(run: Run, tmp_path: Path) -> None:
    out = str(tmp_path)
    ended = run("fuzz", "--target", "textbook", *FEW, "--seed", "4", "--out", out)
    assert ended.code == 1
    report = read(tmp_path / "report.json")
    assert report.command == (
        "poolproof fuzz --target textbook --examples 3 --seed 4 --max-failures 12"
    )
    assert len(kept(tmp_path)) == len(report.failures) >= 3
    assert all((tmp_path / name).is_file() for name in FORMATS.values())
    again = run("fuzz", "--target", "textbook", *FEW, "--regressions", out)
    assert again.code == 1
    assert f"still fails {len(kept(tmp_path))}, fixed 0, stale 0" in again.output


def pasted(output: str, words: str) -> list[list[str]]:
    """The commands that stand in lines behind these words, without the program's name."""
    lines = (line.strip() for line in output.splitlines())
    typed = [shlex.split(line.removeprefix(words)) for line in lines if line.startswith(words)]
    assert all(words[0] == "poolproof" for words in typed)
    return [words[1:] for words in typed]


def test_what_finds_and_replays_a_failure_can_be_pasted(run: Run, tmp_path: Path) -> None:
    out = tmp_path / f"my {'long' * 20} out"
    ended = run("fuzz", "--target", "textbook", *FEW, "--seed", "4", "--out", str(out))
    replays = pasted(ended.output, "replayed by: ")
    assert len(replays) == len(kept(out)) >= 3
    assert run(*replays[0]).code == 1
    assert all(Path(path).is_file() for _, path in replays)
    searches = pasted(ended.output, "found again by: ")
    assert len(searches) == len(replays)
    assert run(*searches[0]).code == 1


def test_without_a_folder_the_seed_is_told_and_how_to_keep_it(run: Run) -> None:
    ended = run("fuzz", "--target", "textbook", *FEW, "--seed", "4")
    assert "--seed 4 " in ended.output
    assert "kept, to be replayed, with: --out FOLDER" in ended.output
    assert pasted(ended.output, "replayed") == []


def test_what_is_fixed_stays_where_it_is_repeated_from_and_goes_elsewhere(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    out = str(tmp_path)
    monkeypatch.chdir(tmp_path)
    run("fuzz", "--target", "textbook", *FEW, "--out", out)
    before = kept(tmp_path)
    ended = run("fuzz", "--target", "poolproof", *FEW, "--regressions", ".", "--out", out)
    assert ended.code == 0
    assert f"fixed {len(before)}" in ended.output
    assert kept(tmp_path) == before
    methods = [each.method for each in read(tmp_path / "report.json").judgements]
    assert methods == ["regressions", "fuzz"]
    run("fuzz", "--target", "textbook", *FEW, "--out", out)
    assert run("fuzz", *FEW, "--out", out).code == 0
    assert kept(tmp_path) == []


def test_a_command_names_no_place_on_this_machine(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "my kept ones"
    run("fuzz", "--target", "textbook", *FEW, "--out", str(folder))
    run("fuzz", *FEW, "--regressions", str(folder), "--out", str(tmp_path / "out"))
    assert read(tmp_path / "out" / "report.json").command.endswith("--regressions 'my kept ones'")


def test_a_foreign_file_in_the_way_is_told_before_anything_runs(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "report.txt").write_text("mine")
    monkeypatch.setattr("poolproof_verification.fuzz.fuzz", None)
    monkeypatch.setattr("poolproof_verification.explore.explore", None)
    for command in ("fuzz", "explore", "verify"):
        ended = run(command, "--target", "textbook", "--out", str(tmp_path))
        assert (ended.code, ended.output) == (2, "")
        (line,) = ended.errors.splitlines()
        assert "report.txt: is of no earlier run" in line


# --- interrupted ----------------------------------------------------------------------------------


def after(calls: int, function: Any) -> Any:
    """The same, interrupted at the call after so many."""
    left = calls

    def interrupted(*arguments: Any, **named: Any) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise KeyboardInterrupt
        return function(*arguments, **named)

    return interrupted


def test_an_interrupted_exploration_keeps_its_faults_and_claims_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(explore_module, "visit", after(4, explore_module.visit))
    judgement = explore(TEXTBOOK, (Scope(2, 2, 1, 2),))
    assert judgement.counterexamples
    assert judgement.notes[0] == INTERRUPTED
    assert judgement.notes[1].endswith("; not all of it")
    for verdict in judgement.verdicts:
        refuted = verdict.outcome is Outcome.REFUTED
        assert verdict.evidence is (Evidence.SCOPE if refuted else Evidence.NONE)
        assert refuted or verdict.detail.startswith("interrupted; not broken in the ")


def test_an_interrupted_search_of_a_right_manager_is_unknown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Driver, "run", after(20, Driver.run))
    judgement = fuzz(find_target("poolproof"), 0, examples=50)
    assert overall(judgement.verdicts) is Outcome.UNKNOWN
    assert any("2 blocks of 1" in note and "not all" not in note for note in judgement.notes)
    assert any("seed 0: 8 runs" in note for note in judgement.notes)


def test_a_search_that_is_interrupted_at_once_says_nothing_of_any_law(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fuzz_module, "hangs_at_once", after(0, None))
    judgement = fuzz(TEXTBOOK, 0)
    assert judgement.verdicts == ()
    assert INTERRUPTED in judgement.notes


def test_an_interrupt_while_counterexamples_are_shortened_leaves_the_rest_as_it_is() -> None:
    explored = explore_module.explore_scope(TEXTBOOK, Scope(2, 2, 1, 2))
    traces = explored.faults.traces()
    assert len(traces) >= 3
    shorten = after(1, lambda trace: minimize(TEXTBOOK, trace))
    assert list(smallest(traces, shorten)) == [minimize(TEXTBOOK, traces[0]), *traces[1:]]
    assert list(smallest(traces, shorten, patience=0.0)) == traces


# --- what an earlier run left ---------------------------------------------------------------------


def aged(out: Path) -> None:
    """The files in the folder are of a run before this process."""
    for path in out.rglob("*"):
        os.utime(path, (1, 1))


def test_what_could_not_run_leaves_no_earlier_verdict_in_place(run: Run, tmp_path: Path) -> None:
    assert run("fuzz", *FEW, "--out", str(tmp_path)).code == 0
    aged(tmp_path)
    ended = run("fuzz", "--target", "nobody", "--out", str(tmp_path))
    assert ended.code == 2
    told, moved = ended.errors.splitlines()
    assert told.startswith("poolproof: unknown target 'nobody'")
    assert moved == f"what an earlier run left in {tmp_path} is in {tmp_path / 'earlier'} now"
    assert run("report", str(tmp_path / "report.json"), "--exit-code").code == 2
    assert run("report", str(tmp_path / "earlier" / "report.json"), "--exit-code").code == 0


def test_what_is_repeated_stays_where_it_is(run: Run, tmp_path: Path) -> None:
    out = str(tmp_path)
    run("fuzz", "--target", "textbook", *FEW, "--out", out)
    before = kept(tmp_path)
    aged(tmp_path)
    assert run("fuzz", "--target", "nobody", "--out", out, "--regressions", out).code == 2
    assert not (tmp_path / "report.json").exists()
    assert kept(tmp_path) == before != []


def test_a_folder_to_repeat_that_leads_nowhere_is_told_in_a_line(run: Run, tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    ended = run("fuzz", "--out", str(tmp_path / "out"), "--regressions", str(loop))
    (line,) = ended.errors.splitlines()
    assert ended.code == 2
    assert line.startswith(f"poolproof: {loop}: cannot be read: ")


def test_a_name_of_a_file_is_no_command_to_a_ci(run: Run, tmp_path: Path) -> None:
    run("fuzz", "--target", "textbook", *FEW, "--out", str(tmp_path / "out"))
    folder = tmp_path / "suite"
    folder.mkdir()
    file = folder / "::error::x.json"
    (tmp_path / "out" / "counterexamples" / kept(tmp_path / "out")[0]).rename(file)
    replayed = run("replay", str(file))
    assert replayed.code == 1
    assert replayed.output.startswith("\\x3a:error::x.json: still fails")
    repeated = run("fuzz", *FEW, "--target", "textbook", "--regressions", str(folder))
    assert "\\x3a:error::x.json: still fails" in repeated.errors
    assert not any(
        line.startswith("::") for line in (repeated.output + repeated.errors).split("\n")
    )


ENDS = """
class Own(BaseException):
    pass


def __getattr__(name):
    raise Own("of its own")
"""
GOES = """
import os
from poolproof import BlockManager

os.chdir("/")

class Pool(BlockManager):
    def __init__(self, *sizes):
        os.chdir("/")
        super().__init__(*sizes)
"""


@pytest.mark.usefixtures("import_path")
def test_a_target_that_ends_the_run_gives_no_verdict(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ending.py").write_text(ENDS)
    monkeypatch.chdir(tmp_path)
    ended = run("fuzz", *FEW, "--target", "ending:Pool")
    told = "poolproof: Own: of its own ended the run; nothing is known\n"
    assert (ended.code, ended.output, ended.errors) == (2, "", told)


@pytest.mark.usefixtures("import_path")
def test_a_target_that_goes_elsewhere_does_not_take_the_folder_along(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "going.py").write_text(GOES)
    monkeypatch.chdir(tmp_path)
    assert run("fuzz", *FEW, "--target", "going:Pool", "--out", "found").code == 0
    assert (tmp_path / "found" / "report.json").is_file()


def test_an_earlier_verdict_that_cannot_be_moved_is_told(run: Run, tmp_path: Path) -> None:
    run("fuzz", *FEW, "--out", str(tmp_path))
    (tmp_path / "earlier").write_text("in the way")
    aged(tmp_path)
    ended = run("fuzz", "--target", "nobody", "--out", str(tmp_path))
    assert ended.code == 2
    assert "of an earlier run, which cannot be moved: " in ended.errors

"""`poolproof mutants` hunts what is asked for, and is red if anything survives."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from tests.verification.conftest import Run

from poolproof_verification import mutants_command
from poolproof_verification.mutants import mutant_named
from poolproof_verification.mutants.equivalent import EQUIVALENT
from poolproof_verification.mutants.matrix import Cell, Matrix, Row
from poolproof_verification.mutants.mechanical_judge import (
    REFUTED,
    SURVIVES,
    Fate,
    MechanicalReport,
)
from poolproof_verification.mutants_command import judge, outcome_of, report_of, text_of
from poolproof_verification.reports import FORMATS
from poolproof_verification.reports.report_file import read, write
from poolproof_verification.verdict import CouldNotRun, Outcome


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, object]]:
    """What would be hunted: how many, and whether the shipped manager too."""
    seen: list[tuple[int, object]] = []

    def matrix(chosen: list[object], progress: object, control: bool) -> Matrix:
        seen.append((len(chosen), control))
        return Matrix((), (), None)

    def mechanical(made: list[object], progress: object) -> MechanicalReport:
        seen.append((len(made), None))
        return MechanicalReport(())

    monkeypatch.setattr(mutants_command, "matrix", matrix)
    monkeypatch.setattr(mutants_command, "mechanical", mechanical)
    return seen


def test_all_or_those_with_the_words_in_their_names(asked: list[tuple[int, object]]) -> None:
    judge()
    judge("fork_shares")
    judge(by_machine=True)
    judge("BlockPool.let_go", by_machine=True)
    (everything, control), some, machine, few = asked
    assert everything >= 40 and control is True
    assert some == (1, False)
    assert machine[0] > 800
    assert 0 < few[0] < 20


@pytest.mark.parametrize("by_machine", [False, True])
def test_a_name_that_none_has_is_told(by_machine: bool) -> None:
    with pytest.raises(CouldNotRun, match="--only nonsense: no mutant has that in its name"):
        judge("nonsense", by_machine)


def test_a_survivor_is_a_red_run_that_says_which() -> None:
    found = MechanicalReport((Fate("f:g:1:delete", "f:g:1:delete: x became pass", SURVIVES),))
    assert outcome_of(found) is Outcome.REFUTED
    assert text_of(found)[-2:] == ["f:g:1:delete: x became pass: escapes", "mutants: refuted"]
    assert json.dumps(found.as_json())


def test_the_text_tells_of_released_engines_and_of_what_is_not_expressed() -> None:
    bug = mutant_named("empty_release_fails")
    cells = (Cell("explore", 1, 1, 0.1, 2, "words"),)
    row = Row(bug.name, bug.law, bug.wrong, bug.unbounded, bug.seen, cells)
    some = Matrix(("explore",), (row,), None)
    text = "\n".join(text_of(some))
    assert outcome_of(some) is Outcome.HELD
    assert "never got a block raises (vLLM 18485" in text
    assert "not expressed" not in text
    assert text.endswith("mutants: held")
    everything = Matrix(("explore",), (row,), replace(row, cells=(Cell("explore", 1, 0),)))
    assert "not expressed: vLLM 55092" in "\n".join(text_of(everything))


def test_a_report_has_the_matrix_without_the_seconds(tmp_path: Path) -> None:
    bug = mutant_named("empty_release_fails")
    cells = (Cell("explore", 1, 1, 0.1, 2, "words"), Cell("random", 3, 0), Cell("asking", 3, 2))
    row = Row(bug.name, bug.law, bug.wrong, bug.unbounded, bug.seen, cells)
    found = Matrix(("explore", "random", "asking"), (row,), None)
    report = report_of(found, only="empty")
    assert report.outcome is Outcome.HELD
    assert report.command == "poolproof mutants --only empty"
    (grid,) = report.judgements[0].grids
    assert grid.columns == ("bug", "law", "what is wrong", "explore", "random", "asking")
    assert grid.rows[0] == (bug.name, bug.law, bug.wrong, "2 operations", "-", "2 of 3 seeds")
    assert grid.rows[1][3:] == ("1 of 1", "0 of 1", "0 of 1")
    again = read(write(report, tmp_path))
    assert again.judgements[0].grids == (grid,)
    escaped = replace(found, rows=(replace(row, cells=cells[1:]),))
    assert report_of(escaped).outcome is Outcome.REFUTED
    assert "escapes" in report_of(escaped).verdicts[0].detail


def test_the_processes_that_hunt_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    used = os.times_result((1.0, 0.5, 20.0, 8.0, 99.0))
    monkeypatch.setattr(os, "times", lambda: used)
    report = report_of(Matrix((), (), None))
    assert report.judgements[0].seconds == 29.5


def test_a_report_of_those_made_by_machine_explains_each_survivor() -> None:
    survivor, *_ = EQUIVALENT
    fates = (Fate("a.py:f:1:delete", "wrong", REFUTED, "random"), Fate(survivor, "same", SURVIVES))
    (grid,) = report_of(MechanicalReport(fates), by_machine=True).judgements[0].grids
    assert grid.rows[0] == ("a.py", "1", "0", "0", "")
    assert grid.rows[-1] == ("same", "", "", "1", EQUIVALENT[survivor])


def test_the_command_writes_its_report(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(mutants_command, "judge", lambda only, by_machine: Matrix((), (), None))
    ended = run("mutants", "--out", str(tmp_path))
    assert ended.code == 0
    assert (
        ended.errors
        == f"wrote {tmp_path / 'report.json'}, its renderings and the counterexamples\n"
    )
    written = read(tmp_path / "report.json")
    assert written.command == "poolproof mutants"
    assert written.seconds > 0
    assert all((tmp_path / name).is_file() for name in FORMATS.values())


def test_the_command_spares_what_is_foreign_and_leaves_a_report_where_it_is_interrupted(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def interrupted(only: str | None, by_machine: bool) -> Matrix:
        raise KeyboardInterrupt

    monkeypatch.setattr(mutants_command, "judge", interrupted)
    (tmp_path / "report.json").write_text("mine")
    assert run("mutants", "--out", str(tmp_path)).code == 2
    assert (tmp_path / "report.json").read_text() == "mine"
    ended = run("mutants", "--out", str(tmp_path / "out"))
    assert ended.code == 3
    assert ended.errors.endswith("interrupted: this is what was found by then\n")
    report = read(tmp_path / "out" / "report.json")
    assert (report.interrupted, report.command) == (True, "poolproof mutants")
    assert run("mutants").errors == "poolproof: interrupted; nothing is known\n"

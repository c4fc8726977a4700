"""A run without a report says why, in words that steer nothing, and shows no earlier run's."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.verification.reports.test_report_file import run

from poolproof_verification.reports import FORMATS, folder
from poolproof_verification.reports.unreported import left_there, main, summary, why

HOSTILE = "poolproof: no 100% `@all`\x1b[1m ::error::x\n"


@pytest.mark.parametrize("status", [0, 1, 3])
def test_a_verdict_that_no_report_tells_is_none(status: int) -> None:
    assert why(status, [HOSTILE]) == f"it ended with {status}, and no report of this run says so"


def test_the_reason_is_the_last_that_poolproof_said() -> None:
    assert why(2, ["poolproof: first\n", "poolproof: last\n", "other\n"]).endswith(": last")
    assert why(2, [" poolproof: indented\n"]).endswith("the target ended the process with 2")
    assert why(137, [HOSTILE]).endswith("ended the process with 137, SIGKILL")
    assert len(why(2, [f"poolproof: {'x' * 10_000}\n"])) < 500


def test_what_the_log_says_is_text_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    log, told = tmp_path / "log", tmp_path / "told"
    log.write_bytes(b"\xff\n" + HOSTILE.encode())
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(told))
    main(["2", str(log), str(tmp_path / "out"), str(log)])
    (line,) = capsys.readouterr().out.splitlines()
    words = "it could not run: no 100%25 `@all`\\x1b[1m ::error::x"
    assert line == f"::error title=poolproof::{words}"
    assert "``it could not run: no 100% `@all`\\x1b[1m ::error::x``\n" in told.read_text()
    assert folder.EARLIER not in told.read_text()


def test_what_an_earlier_run_left_is_set_aside_and_told(tmp_path: Path) -> None:
    folder.write(run(), tmp_path)
    (tmp_path / "mine").write_text("mine")
    (tmp_path / "counterexamples" / "mine.json").write_text("mine")
    since = os.stat(tmp_path / "report.json").st_mtime_ns
    before = {path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()}
    for path in before:
        os.utime(tmp_path / path, ns=(since, since))
    moved = folder.set_aside(tmp_path, since)
    there = {path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()}
    assert {path for path in there if path.parts[0] != folder.EARLIER} == {
        Path("mine"), Path("counterexamples/mine.json"),
    }  # fmt: skip
    assert {*moved} == {Path(*path.parts[1:]) for path in there if path.parts[0] == folder.EARLIER}
    assert {*map(Path, FORMATS.values())} < {*moved}
    assert any(path.parts[0] == folder.COUNTEREXAMPLES for path in moved)
    assert f"`{folder.EARLIER}/`" in summary("why", left_there(tmp_path, since))


def test_what_cannot_be_set_aside_is_told_and_stays(tmp_path: Path) -> None:
    folder.write(run(), tmp_path)
    (tmp_path / folder.EARLIER).write_text("a file is in the way")
    left = left_there(tmp_path, os.stat(tmp_path / "report.json").st_mtime_ns)
    assert "is of an earlier run, and cannot be moved: `" in left
    assert str(tmp_path) not in left
    assert (tmp_path / "report.json").exists()


def test_what_is_of_this_run_or_of_nobody_stays(tmp_path: Path) -> None:
    (tmp_path / "report.txt").write_text("mine")
    now = os.stat(tmp_path / "report.txt").st_mtime_ns
    assert folder.set_aside(tmp_path, now) == []
    (tmp_path / "report.txt").unlink()
    folder.write(run(), tmp_path)
    assert folder.set_aside(tmp_path, now - 1) == []
    assert (tmp_path / "report.json").exists()

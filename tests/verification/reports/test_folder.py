"""A run's folder has everything, twice the same, and a later run takes away what was ours alone."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import itf_py
import pytest
from tests.verification.reports.test_report_file import release_does_nothing, run

from poolproof_verification import counterexample_file
from poolproof_verification.counterexample_file import name_of
from poolproof_verification.regressions import files_in, judge_regressions
from poolproof_verification.reports import FORMATS, folder, report_file
from poolproof_verification.reports.itf import trace
from poolproof_verification.reports.report import Report
from poolproof_verification.signals import raised
from poolproof_verification.verdict import CouldNotRun, Outcome, overall


@pytest.fixture(scope="module")
def found() -> Report:
    return run()


def texts(place: Path) -> dict[str, bytes]:
    """Every file by its name from the folder."""
    files = (path for path in sorted(place.rglob("*")) if path.is_file())
    return {path.relative_to(place).as_posix(): path.read_bytes() for path in files}


def test_every_format_and_every_counterexample_is_there_and_twice_the_same(
    found: Report, tmp_path: Path
) -> None:
    folder.prepare(tmp_path)
    folder.write(found, tmp_path)
    once = texts(tmp_path)
    assert {"report.json", *FORMATS.values()} <= set(once)
    assert sum(name.startswith("counterexamples/") for name in once) == 2 * len(found.failures)
    folder.prepare(tmp_path)
    folder.write(found, tmp_path)
    assert texts(tmp_path) == once
    here = str(Path(__file__).parents[3]).encode()
    assert [name for name, text in once.items() if here in text or b"/tmp" in text] == []


def test_every_counterexample_has_a_trace_of_its_own(found: Report, tmp_path: Path) -> None:
    folder.write(found, tmp_path)
    assert len(found.failures) > 1
    traces = {path.name: path.read_text() for path in (tmp_path / "traces").iterdir()}
    assert traces == {
        name_of(each).replace(".json", ".itf.json"): trace(each) for each in found.failures
    }
    assert traces[min(traces)] != traces[max(traces)]
    for text in traces.values():
        assert itf_py.trace_from_json(json.loads(text)).states


def test_a_counterexample_is_read_back_and_replayed(found: Report, tmp_path: Path) -> None:
    folder.write(found, tmp_path)
    read = [counterexample_file.read(path) for path in files_in(tmp_path)]
    assert sorted(each.identity() for each in read) == sorted(
        each.identity() for each in found.failures
    )
    assert overall(judge_regressions(tmp_path).verdicts) is Outcome.REFUTED
    assert overall(judge_regressions(tmp_path, "poolproof").verdicts) is Outcome.HELD


def test_a_counterexample_is_a_test_that_fails_on_the_target(found: Report, tmp_path: Path) -> None:
    folder.write(found, tmp_path)
    tests = sorted((tmp_path / "counterexamples").glob("test_*.py"))
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *map(str, tests)],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={"PYTHONPATH": ":".join(filter(None, sys.path))},
    )
    assert ended.returncode == 1, ended.stdout
    assert f"{len(tests)} failed" in ended.stdout


def test_what_only_the_earlier_run_found_goes_and_what_is_foreign_stays(
    found: Report, tmp_path: Path
) -> None:
    folder.write(found, tmp_path)
    foreign = ("counterexamples/mine.json", "counterexamples/test_mine.py", "notes.txt")
    for name in foreign:
        (tmp_path / name).write_text("mine")
    clean = replace(found, judgements=tuple(map(without_faults, found.judgements)))
    folder.write(clean, tmp_path)
    assert set(texts(tmp_path)) == {"report.json", *FORMATS.values(), *foreign}
    assert report_file.read(tmp_path / "report.json").failures == ()


def without_faults(judgement):  # type: ignore[no-untyped-def]
    """The same with every verdict unknown."""
    verdicts = tuple(
        replace(each, outcome=Outcome.UNKNOWN, counterexample=None) for each in judgement.verdicts
    )
    return replace(judgement, verdicts=verdicts, counterexamples=())


def test_what_is_still_repeated_stays(found: Report, tmp_path: Path) -> None:
    folder.write(found, tmp_path)
    kept, *others = files_in(tmp_path)
    assert others
    clean = replace(found, judgements=tuple(map(without_faults, found.judgements)))
    folder.write(clean, tmp_path, kept=[kept])
    assert files_in(tmp_path) == [kept]
    assert folder.beside(kept).is_file()
    assert [path.name for path in (tmp_path / "traces").iterdir()] == [
        kept.name.replace(".json", ".itf.json")
    ]


def test_a_counterexample_of_the_model_is_kept_apart(tmp_path: Path) -> None:
    refuted = Report("poolproof", 0, (release_does_nothing(),))
    folder.write(refuted, tmp_path)
    assert len(list((tmp_path / "model").glob("*.json"))) == 1
    with pytest.raises(CouldNotRun, match="no counterexample in it"):
        files_in(tmp_path)


@pytest.mark.parametrize(
    ("name", "text"),
    [("report.json", "{}"), ("report.json", "foreign"), ("summary.md", "mine")],
)
def test_a_foreign_file_in_the_way_is_told_before_anything_runs(
    tmp_path: Path, name: str, text: str
) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(CouldNotRun, match="give --out another folder") as raised:
        folder.prepare(tmp_path)
    assert "\n" not in str(raised.value)
    assert (tmp_path / name).read_text() == text


def test_the_report_of_another_version_is_replaced(found: Report, tmp_path: Path) -> None:
    (tmp_path / "report.json").write_text('{"report": 1}')
    (tmp_path / "summary.md").write_text("of that version")
    folder.prepare(tmp_path)
    folder.write(found, tmp_path)
    assert report_file.read(tmp_path / "report.json").failures


def test_a_foreign_report_that_came_meanwhile_takes_nothing_away(
    found: Report, tmp_path: Path
) -> None:
    (tmp_path / "report.json").write_text("foreign")
    folder.write(found, tmp_path)
    assert report_file.read(tmp_path / "report.json").failures


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_while_it_is_written_leaves_all_of_it(
    found: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    write_report = report_file.write

    def interrupted(report: Report, place: Path) -> Path:
        written = write_report(report, place)
        os.kill(os.getpid(), number)
        return written

    monkeypatch.setattr(report_file, "write", interrupted)
    try:
        with raised():
            folder.write(found, tmp_path)
    except KeyboardInterrupt:
        pytest.fail("the interrupt ended the writing")
    assert {"report.json", *FORMATS.values()} <= set(texts(tmp_path))


def test_a_file_that_cannot_be_taken_away_is_told_and_the_rest_is_written(
    found: Report, tmp_path: Path
) -> None:
    folder.write(found, tmp_path)
    before, *_ = files_in(tmp_path)
    before.unlink()
    before.mkdir()
    clean = replace(found, judgements=tuple(map(without_faults, found.judgements)))
    (warning,) = folder.write(clean, tmp_path)
    assert f"{before.name}, of an earlier run, cannot be removed: " in warning
    assert report_file.read(tmp_path / "report.json").failures == ()
    assert not folder.beside(before).exists()

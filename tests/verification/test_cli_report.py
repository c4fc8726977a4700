"""`report` renders what a run has written, in every format, and judges only if it is asked to."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
from tests.verification.conftest import Run
from tests.verification.reports.test_report_file import run as searched
from tests.verification.test_suite import HELD, judgement

from poolproof_verification import reports
from poolproof_verification.cli_base import console
from poolproof_verification.exhibits import Grid
from poolproof_verification.reports.report import Report
from poolproof_verification.reports.report_file import write
from poolproof_verification.reports.text import render


@pytest.fixture(scope="module")
def found() -> Report:
    return searched()


@pytest.fixture
def file(found: Report, tmp_path: Path) -> str:
    return str(write(found, tmp_path))


@pytest.fixture
def loud(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A format of its own."""
    module = ModuleType("loud")
    vars(module)["render"] = lambda report: f"{report.target.upper()}!"
    monkeypatch.setitem(sys.modules, "poolproof_verification.reports.loud", module)
    monkeypatch.setitem(reports.FORMATS, "loud", "report.loud")
    yield "loud"


def test_the_text_is_the_default_and_rendering_alone_is_no_verdict(
    run: Run, file: str, found: Report
) -> None:
    ended = run("report", file)
    assert (ended.code, ended.errors) == (0, "")
    assert ended.output == render(found)


def test_it_ends_as_the_run_did_if_asked_to(run: Run, found: Report, tmp_path: Path) -> None:
    assert run("report", str(write(found, tmp_path)), "--exit-code").code == 1
    held = Report("poolproof", 0, (judgement("fuzz", HELD),))
    assert run("report", str(write(held, tmp_path)), "--exit-code").code == 0
    for each in (held, found):
        interrupted = replace(each, interrupted=True)
        assert run("report", str(write(interrupted, tmp_path)), "--exit-code").code == 3


def test_any_format_is_written_whole_into_a_file(
    run: Run, file: str, loud: str, tmp_path: Path
) -> None:
    output = tmp_path / "deep" / "report.loud"
    ended = run("report", file, "--format", loud, "--output", str(output))
    assert (ended.code, ended.output) == (0, "")
    assert ended.errors == f"wrote {output}\n"
    assert output.read_text() == "TEXTBOOK!"
    assert run("report", file, "--format", loud).output == "TEXTBOOK!\n"


@pytest.mark.parametrize("name", list(reports.FORMATS))
def test_every_format_renders_a_real_report(run: Run, file: str, name: str) -> None:
    ended = run("report", file, "--format", name)
    assert (ended.code, ended.errors) == (0, "")
    assert "partition" in ended.output


@pytest.mark.parametrize("name", list(reports.FORMATS))
def test_every_format_renders_an_interrupted_run_in_which_a_method_says_nothing(
    run: Run, found: Report, tmp_path: Path, name: str
) -> None:
    judgements = (*found.judgements, replace(judgement("prove"), notes=("interrupted",)))
    path = write(replace(found, judgements=judgements, interrupted=True), tmp_path)
    ended = run("report", str(path), "--format", name)
    assert (ended.code, ended.errors) == (0, "")
    assert ended.output


def test_further_reports_of_the_same_target_are_shown_behind_the_first(
    run: Run, file: str, tmp_path: Path
) -> None:
    grid = Grid("seeded bugs", ("bug", "explore"), (("lost", "1 operation"),))
    other = Report("poolproof", 0, (replace(judgement("mutants", HELD), grids=(grid,)),))
    behind = str(write(other, tmp_path / "other"))
    ended = run("report", file, behind)
    assert (ended.code, ended.output) == (2, "")
    (line,) = ended.errors.splitlines()
    assert "one report is of textbook, another of poolproof" in line
    write(replace(other, target="textbook"), tmp_path / "other")
    ended = run("report", file, behind)
    assert ended.code == 0
    assert "trust ledger: textbook" in ended.output
    assert ended.output.index("explore: refuted") < ended.output.index("mutants: held")


def test_the_same_report_twice_is_no_second_finding(run: Run, file: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy.json"
    data = json.loads(Path(file).read_text("utf-8"))
    data["timings"]["seconds"] += 1  # run once more
    copy.write_text(json.dumps(data), "utf-8")
    for again in (file, str(copy)):
        ended = run("report", file, again)
        assert (ended.code, ended.output) == (2, "")
        words = "two of the reports are the same: it would be counted twice"
        assert ended.errors == f"poolproof: {words}\n"


def test_one_report_behind_another_keeps_what_is_worst(found: Report) -> None:
    held = Report(found.target, 0, (judgement("fuzz", HELD),), seconds=2.0)
    both = held.followed_by(found)
    assert (both.target, both.outcome) == (found.target, found.outcome)
    assert both.seconds == 2.0 + found.seconds
    assert both.judgements == (*held.judgements, *found.judgements)
    assert held.followed_by(replace(held, interrupted=True)).outcome.value == "unknown"
    assert held.followed_by() == held


def test_what_cannot_be_rendered_is_one_line(run: Run, file: str, tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text("{}")
    for arguments, words in {
        (file, "--format", "xml"): "--format 'xml' is unknown; there are text, html",
        (str(tmp_path / "missing.json"),): "cannot be read: No such file",
        (str(tmp_path),): "a folder",
        (str(tmp_path / "other.json"),): "no report",
        (file, "--output", f"{file}/deeper"): "cannot write",
        (file, "--output", str(tmp_path)): f"cannot write {tmp_path}: a folder",
        (file, "--output", ""): "an empty name is no file",
        (): "Missing argument",
    }.items():
        ended = run("report", *arguments)
        assert (ended.code, ended.output) == (2, ""), arguments
        (line,) = ended.errors.splitlines()
        assert words in line


def test_what_it_is_made_of_is_not_written_over_by_any_name(
    run: Run, file: str, tmp_path: Path
) -> None:
    before = Path(file).read_text()
    hard, soft = tmp_path / "hard", tmp_path / "soft"
    hard.hardlink_to(file)
    soft.symlink_to(file)
    for output in (file, str(hard), str(soft), f"{tmp_path}/../{tmp_path.name}/report.json"):
        ended = run("report", file, "--output", output)
        assert (ended.code, ended.output) == (2, "")
        assert ended.errors == f"poolproof: --output {output} is {file}, which it is made of\n"
    assert Path(file).read_text() == before


@pytest.mark.parametrize("format", sorted(reports.FORMATS))
def test_every_format_is_put_out_whatever_the_terminal_can_show(
    format: str, found: Report, tmp_path: Path
) -> None:
    file = write(replace(found, command="caf\u00e9"), tmp_path)
    command = [
        sys.executable,
        "-m",
        "poolproof_verification",
        "report",
        str(file),
        "--format",
        format,
    ]
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    ended = subprocess.run(command, env=environment, capture_output=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert ended.stdout.decode("ascii" if format == "text" else "utf-8")


def test_no_command_colours_its_output_if_told_not_to(
    run: Run, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "")  # as if it were not set; and set back afterwards
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert not console().no_color
    assert run("--no-color", "report", file).code == 0
    assert console().no_color

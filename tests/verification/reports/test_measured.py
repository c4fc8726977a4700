"""A measurement claims no verdict in any format, and lacks none."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.verification.reports import made

from poolproof_verification.reports import FORMATS, renderer
from poolproof_verification.reports.report import Report
from poolproof_verification.reports.report_file import NAME, read, write
from poolproof_verification.verdict import Outcome


@pytest.mark.parametrize("name", sorted({*FORMATS} - {"html", "github"}))
def test_no_format_gives_a_measurement_an_outcome(name: str) -> None:
    text = renderer(name)(made.measured())
    assert "measured" in text
    for outcome in (Outcome.REFUTED, Outcome.UNKNOWN):
        assert f"{outcome.value}:" not in text
        assert f": {outcome.value}" not in text


def test_the_page_calls_it_measured_and_leads_to_its_tables() -> None:
    text = renderer("html")(made.measured())
    assert '<span class="badge measured">measured</span>' in text
    assert '<span class="badge unknown">' not in text
    assert "A measurement: no law was judged." in text
    assert '<details class="grid" open>' in text


@pytest.mark.parametrize("name", ["text", "markdown"])
def test_its_figures_are_shown_and_no_row_of_laws(name: str) -> None:
    text = renderer(name)(made.measured())
    assert "requests" in text
    assert "24" in text
    assert "partition" not in text
    assert "partition" in renderer(name)(made.held())


def test_nobody_is_alarmed_by_it() -> None:
    assert renderer("github")(made.measured()) == ""
    junit = renderer("junit")(made.measured())
    assert "<skipped" in junit
    assert not {each for each in ("<error", "<failure") if each in junit}
    (run,) = json.loads(renderer("sarif")(made.measured()))["runs"]
    (invocation,) = run["invocations"]
    assert invocation["exitCode"] == 0
    levels = [each["level"] for each in invocation["toolExecutionNotifications"]]
    assert levels == ["note"]


def test_it_is_read_back_as_what_it_is(tmp_path: Path) -> None:
    path = write(made.measured(), tmp_path)
    assert json.loads(path.read_text())["outcome"] == "measured"
    assert read(tmp_path / NAME).measured


def silent() -> dict[str, Report]:
    """What judged nothing, and was there to judge."""
    measured = made.measured()
    return {
        "nothing at all": replace(measured, judgements=()),
        "no figures": made.report(made.judgement()),
        "figures alone": replace(
            measured, judgements=(replace(measured.judgements[0], measures=False),)
        ),
        "interrupted": replace(measured, interrupted=True),
        "beside what judged nothing": measured.followed_by(
            replace(made.report(made.judgement()), target=measured.target)
        ),
        "with a seeded bug": replace(measured, canaries=made.held().canaries),
    }


@pytest.mark.parametrize("why", silent())
def test_what_should_have_judged_and_did_not_is_unknown(why: str) -> None:
    report = silent()[why]
    assert not report.measured
    assert (report.result, report.exit_code) == ("unknown", 3)


def test_behind_what_held_it_changes_no_verdict() -> None:
    measured = made.measured()
    both = replace(made.held(), target=measured.target).followed_by(measured)
    assert both.outcome is Outcome.HELD
    text = renderer("text")(both)
    assert "workload: measured" in text
    assert "┃ fuzz" in text
    assert "┃ workload" not in text
    assert "by 1 method: 2 held" in renderer("html")(both)

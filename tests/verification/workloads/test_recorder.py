"""A chart of a workload has few points, its peaks, and the figures' own slack."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from poolproof.usage import share
from poolproof_verification.reports.report_file import read, write
from poolproof_verification.verdict import Outcome
from poolproof_verification.workloads import Figures, run
from poolproof_verification.workloads.recorder import MOST, Recorder, charts, grid, slack_share
from poolproof_verification.workloads.report import report_of
from poolproof_verification.workloads.table import rows

DATA = Path(__file__).parent / "data"


def recorded(block_size: int = 4, samples: int = 1) -> tuple[Recorder, Figures]:
    recorder = Recorder()
    file = DATA / "small.csv"
    figures = run(file, block_size=block_size, samples=samples, recorder=recorder)
    return recorder, figures


def test_the_peak_and_what_is_slack_then_are_kept() -> None:
    recorder, figures = recorded()
    use, _ = charts(recorder, figures)
    used, slack = use.curves
    assert 2 < len(used.points) == len(slack.points) <= MOST
    assert max(blocks for _, blocks in used.points) == figures.peak_blocks
    assert all(s <= u for (_, u), (_, s) in zip(used.points, slack.points, strict=True))
    assert list(used.points) == sorted(used.points)


def test_however_long_a_workload_is_its_fullest_moments_stay() -> None:
    recorder = Recorder()
    for time in range(100_000):
        recorder.stays(time, time + 1, 7 if time == 77_777 else time % 5, 1)
    moments = sorted(recorder.fullest.values())
    assert MOST / 2 < len(moments) <= MOST
    assert max(moments, key=lambda moment: moment[1]) == (77_777, 7, 1)
    assert all(used >= 4 for _, used, _ in moments)


def test_what_stays_for_long_has_a_beginning_and_an_end() -> None:
    recorder = Recorder()
    recorder.stays(0, 1000, 3, 0)
    recorder.stays(1000, 1001, 9, 0)
    assert sorted(recorder.fullest.values()) == [(0, 3, 0), (999, 3, 0), (1000, 9, 0)]


@pytest.mark.parametrize("block_size", [1, 4, 16, 128])
def test_slack_computed_for_a_size_is_what_a_run_of_that_size_comes_to(block_size: int) -> None:
    recorder, _ = recorded(block_size=16, samples=2)
    _, figures = recorded(block_size=block_size, samples=2)
    expected = share(figures.end_slack_slots, figures.end_allocated_slots)
    assert slack_share(recorder.lengths, block_size) == expected
    assert (expected > 0) == (block_size > 1)


def test_an_empty_sequence_and_none_at_all_have_no_slack() -> None:
    assert slack_share(Counter(), 16) == 0.0
    assert slack_share(Counter({0: 3}), 16) == 0.0


def test_a_run_that_begins_anew_keeps_nothing_of_the_former() -> None:
    recorder, figures = recorded()
    once = charts(recorder, figures)
    run(DATA / "small.csv", block_size=4, recorder=recorder)
    assert charts(recorder, figures) == once


def test_a_report_has_the_figures_and_holds_only_what_the_model_judged(tmp_path: Path) -> None:
    recorder, figures = recorded(block_size=5)
    report = report_of(figures, recorder, "poolproof workload small.csv")
    assert (report.outcome, report.verdicts) == (Outcome.UNKNOWN, ())
    (judgement,) = report.judgements
    assert judgement.grids == (grid(figures),)
    assert judgement.grids[0].rows == tuple(rows(figures).items())
    assert [size for size, _ in judgement.charts[1].curves[0].points][:4] == [1, 2, 4, 5]
    assert read(write(report, tmp_path)) == report
    beside = report_of(figures, recorder, "", operations=9).verdicts
    assert {verdict.count for verdict in beside if verdict.unit == "operations"} == {9}

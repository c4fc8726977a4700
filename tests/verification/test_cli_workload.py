"""The command `workload` tells what a trace comes to, and whether the model agreed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.verification.conftest import Run

from poolproof import BlockManager
from poolproof_verification import targets, workloads
from poolproof_verification.reports import FORMATS
from poolproof_verification.reports.report_file import read
from poolproof_verification.targets import ClassTarget
from poolproof_verification.textbook import Textbook
from poolproof_verification.verdict import Outcome
from poolproof_verification.workloads.report import BESIDE_THE_MODEL

DATA = Path(__file__).parent / "workloads" / "data"


@pytest.mark.parametrize("file", ["small.csv", "small.jsonl"])
def test_a_workload_is_told_line_by_line(run: Run, file: str) -> None:
    ended = run("workload", str(DATA / file), "--block-size", "4", "--samples", "2")
    assert ended.code == 0
    assert ended.errors == ""
    lines = dict(line.split(None, 1) for line in ended.output.splitlines())
    assert lines["requests"] == "12, 2 samples each"
    assert lines["finished"] == "24 sequences"
    assert lines["pool"] == "never full, 4 slots a block"


def test_a_workload_in_json_has_the_same_figures_with_and_without_the_model(run: Run) -> None:
    options = ("workload", str(DATA / "small.csv"), "--blocks", "60", "--samples", "3", "--json")
    alone, beside = run(*options), run(*options, "--lockstep")
    assert alone.code == beside.code == 0
    assert json.loads(alone.output) == json.loads(beside.output)
    assert json.loads(alone.output)["requests"] == 12


def test_the_model_beside_a_workload_says_that_it_judged(run: Run) -> None:
    ended = run("workload", str(DATA / "small.csv"), "--lockstep", "--limit", "9")
    assert ended.code == 0
    assert ended.output.endswith("the model judged every operation: held\n")
    assert "judged" not in run("workload", str(DATA / "small.csv")).output


class LosesLast(Textbook):
    """The last block of a released sequence never returns to the pool."""

    def release(self, name: Any) -> list[int]:
        freed = super().release(name)
        self.free = [block for block in self.free if block not in freed[-1:]]
        return freed


class Measured:
    """The faulty manager, with the figures that a workload reads off the right one."""

    def __init__(self, num_blocks: int, block_size: int) -> None:
        self.faulty, self.right = (
            LosesLast(num_blocks, block_size),
            BlockManager(num_blocks, block_size),
        )

    def __getattr__(self, name: str) -> Any:
        if name in ("free", "ref", "seqs"):
            return getattr(self.faulty, name)
        found = getattr(self.right, name)
        if name not in ("allocate", "fork", "append", "release"):
            return found

        def both(*arguments: Any) -> Any:
            getattr(self.right, name)(*arguments)
            return getattr(self.faulty, name)(*arguments)

        return both


def test_a_faulty_manager_is_refuted_by_a_workload(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file, out = str(DATA / "small.csv"), ("--out", str(tmp_path))
    assert run("workload", file, "--lockstep", *out).code == 0
    monkeypatch.setattr(targets, "find_target", lambda name: ClassTarget("poolproof", Measured))
    ended = run("workload", file, "--lockstep", "--blocks", "60", *out)
    assert ended.code == 1
    report = read(tmp_path / "report.json")
    assert report.outcome is Outcome.REFUTED
    assert report.verdicts[0].law == "partition"
    assert "is lost: not free" in report.verdicts[0].detail
    assert "is lost: not free" in (tmp_path / "report.txt").read_text()
    first, *rest = ended.output.splitlines()
    assert first.startswith("the manager and the model disagree at operation ")
    assert "release(" in first
    assert any("is lost: not free, no table holds it" in line for line in rest)
    assert any(line.startswith("before free ") for line in rest)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", ""),
        ("what is this\n", ""),
        ("TIMESTAMP,ContextTokens,GeneratedTokens\n2030-01-01 09:00:00,ten,3\n", "ten"),
    ],
)
def test_a_malformed_workload_could_not_run_and_says_where(
    run: Run, tmp_path: Path, content: str, words: str
) -> None:
    file = tmp_path / "trace.csv"
    file.write_text(content)
    ended = run("workload", str(file))
    assert (ended.code, ended.output) == (2, "")
    (line,) = ended.errors.splitlines()
    assert "trace.csv" in line
    assert words in line


def test_a_workload_leaves_a_report_with_charts(run: Run, tmp_path: Path) -> None:
    file = str(DATA / "small.csv")
    options = ("--lockstep", "--blocks", "60", "--limit", "9", "--out", str(tmp_path))
    ended = run("workload", file, *options)
    assert ended.code == 0
    assert (
        ended.errors
        == f"wrote {tmp_path / 'report.json'}, its renderings and the counterexamples\n"
    )
    report = read(tmp_path / "report.json")
    assert report.command == (
        "poolproof workload --block-size 16 --blocks 60 --samples 1 --limit 9 --lockstep small.csv"
    )
    assert len(report.judgements[0].charts) == 2
    assert {verdict.law for verdict in report.verdicts} == set(BESIDE_THE_MODEL)
    assert all((tmp_path / name).is_file() for name in FORMATS.values())
    first = (tmp_path / "report.json").read_text().partition('"timings"')[0]
    run("workload", file, *options)
    assert (tmp_path / "report.json").read_text().partition('"timings"')[0] == first


def test_a_workload_spares_what_is_foreign_and_leaves_a_report_where_it_is_interrupted(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = str(DATA / "small.csv")
    (tmp_path / "report.json").write_text("mine")
    assert run("workload", file, "--out", str(tmp_path)).code == 2
    assert (tmp_path / "report.json").read_text() == "mine"

    def interrupted(*arguments: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(workloads, "run", interrupted)
    ended = run("workload", file, "--out", str(tmp_path / "out"))
    assert (ended.code, ended.output) == (3, "")
    assert read(tmp_path / "out" / "report.json").interrupted


def test_a_workload_that_the_model_did_not_judge_holds_no_law(run: Run, tmp_path: Path) -> None:
    assert run("workload", str(DATA / "small.csv"), "--out", str(tmp_path)).code == 0
    report = read(tmp_path / "report.json")
    assert (report.verdicts, report.result) == ((), "measured")
    assert run("report", str(tmp_path / "report.json"), "--exit-code").code == 0
    for name in ("text", "markdown"):
        text = (tmp_path / FORMATS[name]).read_text()
        assert "--lockstep has it judge" in text
        assert "finished" in text
        assert not {each for each in Outcome if each.value in text}

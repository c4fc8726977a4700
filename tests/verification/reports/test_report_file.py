"""`report.json` is plain data, whole or not there, and the same in two runs but for its timings."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from poolproof_verification.canaries import release
from poolproof_verification.counterexample import Counterexample
from poolproof_verification.exhibits import Chart, Curve, Grid
from poolproof_verification.explore import explore
from poolproof_verification.fuzz import fuzz
from poolproof_verification.laws import LAWS
from poolproof_verification.proofs.model_mutants import mutant_named
from poolproof_verification.proofs.model_mutants_judge import judge
from poolproof_verification.reports import FORMATS, renderer
from poolproof_verification.reports.report import Report
from poolproof_verification.reports.report_file import as_json, read, write
from poolproof_verification.scopes import Scope
from poolproof_verification.targets import find_target
from poolproof_verification.verdict import (
    Canary,
    CouldNotRun,
    Evidence,
    Judgement,
    Outcome,
    Verdict,
)

TINY = Scope(total=2, sequences=2, block_size=1, tokens=2)


def run(seconds: float = 1.0) -> Report:
    """A report of real searches of the textbook's manager."""
    target = find_target("textbook")
    judgements = (explore(target, (TINY,)), fuzz(target, 0, examples=5))
    return Report("textbook", 0, judgements, (Canary("fuzz", "bug", True, "how"),), seconds)


@pytest.fixture(scope="module")
def found() -> Report:
    return run()


def test_it_is_valid_json_of_plain_data(found: Report, tmp_path: Path) -> None:
    path = write(found, tmp_path)
    assert path == tmp_path / "report.json"
    data = json.loads(path.read_text("utf-8"))
    assert data == json.loads(json.dumps(as_json(found)))
    assert list(data) == [
        "report", "version", "target", "seed", "command", "outcome", "interrupted", "laws",
        "methods", "canaries", "timings",
    ]  # fmt: skip
    assert (data["target"], data["outcome"], data["laws"]) == ("textbook", "refuted", LAWS)


def test_every_verdict_has_outcome_evidence_count_and_scope(found: Report) -> None:
    methods = {each["method"]: each for each in as_json(found)["methods"]}
    assert list(methods) == ["explore", "fuzz"]
    by_law = {each["law"]: each for each in methods["explore"]["verdicts"]}
    assert by_law["partition"]["outcome"] == "refuted"
    assert by_law["partition"]["detail"].startswith("block 0 is lost")
    assert by_law["questions"]["unit"] == "states"
    assert "contents" not in by_law
    (first, *_) = methods["explore"]["counterexamples"]
    assert first["steps"][-1]["operation"] == "allocate('A', 0)"
    assert first["test"].startswith("import pytest\n")


def test_two_runs_differ_in_their_timings_alone(found: Report) -> None:
    first, again = as_json(found), as_json(run(seconds=2.0))
    assert first.pop("timings") != again.pop("timings")
    assert json.dumps(first) == json.dumps(again)


def test_timings_have_what_varies(found: Report) -> None:
    timings = as_json(found)["timings"]
    assert timings["seconds"] == 1.0
    assert len(timings["methods"]) == 2
    assert any("a CPU second" in line for line in timings["methods"][1]["notes"])


def test_a_canary_is_told_with_how_it_fell(found: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("poolproof_verification.canaries.FUZZ_EXAMPLES", 30)
    canary = release("fuzz", 1)
    (told,) = as_json(replace(found, canaries=(canary,)))["canaries"]
    assert told == {"method": "fuzz", "bug": canary.bug, "refuted": True, "how": canary.how}


def test_the_folder_is_made_and_nothing_else_is_left_in_it(found: Report, tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "out"
    write(found, folder)
    write(found, folder)
    assert [path.name for path in folder.iterdir()] == ["report.json"]
    assert (folder / "report.json").stat().st_mode & 0o777 == 0o644


def test_a_file_in_the_place_of_the_folder_could_not_run(found: Report, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("in the way")
    for folder in (tmp_path / "out", tmp_path / "out" / "deeper"):
        with pytest.raises(CouldNotRun) as caught:
            write(found, folder)
        assert str(caught.value).startswith(f"cannot write {folder / 'report.json'}: ")
        assert len(str(caught.value).splitlines()) == 1
    assert (tmp_path / "out").read_text() == "in the way"


def test_a_folder_in_the_place_of_the_report_leaves_no_temporary_file(
    found: Report, tmp_path: Path
) -> None:
    (tmp_path / "report.json").mkdir()
    with pytest.raises(CouldNotRun, match="cannot write"):
        write(found, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["report.json"]


def test_a_disk_that_fills_up_leaves_the_former_report_whole(
    found: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = write(found, tmp_path).read_text()

    def full(*arguments: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(CouldNotRun, match="No space left on device"):
        write(replace(found, seed=9), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["report.json"]
    assert (tmp_path / "report.json").read_text() == before


def test_what_cannot_be_written_as_json_leaves_nothing_behind(
    found: Report, tmp_path: Path
) -> None:
    strange = replace(found, seed=object())  # type: ignore[arg-type]  # that is the point
    with pytest.raises(TypeError):
        write(strange, tmp_path)
    assert list(tmp_path.iterdir()) == []


def with_exhibits(report: Report) -> Report:
    """The same with everything that a report may have, and times that are written exactly."""
    grid = Grid("bugs", ("bug", "explore"), (("lost", "-"), ("twice", "0.1 s")), "a note")
    chart = Chart("use", "seconds", "blocks", (Curve("all", ((0, 1), (1.5, 2))),))
    first, *others = (replace(each, seconds=1.25) for each in report.judgements)
    judgements = (replace(first, grids=(grid,), charts=(chart,)), *others)
    return replace(report, judgements=judgements, command="poolproof", interrupted=True)


def test_what_is_read_back_is_what_was_written(found: Report, tmp_path: Path) -> None:
    whole = with_exhibits(found)
    assert read(write(whole, tmp_path)) == whole
    assert read(tmp_path / "report.json").verdicts[0].counterexample is not None


def test_a_run_of_the_proofs_comes_back_too(tmp_path: Path) -> None:
    refuted = Report("poolproof", 0, (release_does_nothing(),))
    assert refuted.judgements[0].counterexamples
    assert as_json(read(write(refuted, tmp_path))) == as_json(refuted)


def release_does_nothing() -> Judgement:
    """What the proofs say of a model whose release does nothing."""
    operations = run_of_mutant("release does nothing")
    verdict = Verdict(
        "prove", "partition", Outcome.REFUTED, Evidence.PROVED, 1, "obligations", "any size"
    )
    verdict = replace(verdict, counterexample=operations)
    return Judgement("prove", (verdict,), 0.0, "nothing", counterexamples=(operations,))


def run_of_mutant(wrong: str) -> Counterexample:
    """The operations that show what is wrong with the model."""
    found = judge(mutant_named(wrong)).refutation.operations
    assert found is not None
    return found


def chart_to(figure: float) -> dict[str, Any]:
    """A chart's data, with a point up to there."""
    curves = [{"name": "c", "points": [[0, figure]]}]
    return {"title": "t", "across": "x", "upward": "y", "curves": curves, "note": ""}


def all_held(data: Any) -> None:
    """As a search and replace of the outcomes leaves it."""
    data["outcome"] = "held"
    for method in data["methods"]:
        for verdict in method["verdicts"]:
            verdict["outcome"] = "held"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda data: data.update(report=4), "report 4 is unknown; this version reads 3"),
        (lambda data: data.pop("report"), "no report"),
        (lambda data: data.update(outcome="held"), "its outcome is 'refuted', not 'held'"),
        (lambda data: data.update(more=1), "Additional properties are not allowed"),
        (lambda data: data["timings"]["methods"].pop(), "the timings are not those"),
        (
            lambda data: data["methods"][0]["verdicts"][0].update(counterexample=99),
            "there is no counterexample 99",
        ),
        (
            lambda data: data["methods"][0]["counterexamples"][0].update(headline="x"),
            "the digest differs",
        ),
        (
            lambda data: data["methods"][0]["grids"].append(
                {"title": "t", "columns": ["a"], "rows": [["1", "2"]], "note": ""}
            ),
            "a row of 't' has not as many cells",
        ),
        (
            lambda data: data["methods"][0]["verdicts"][0].update(law="made up"),
            "law 'made up' is unknown",
        ),
        (lambda data: data["laws"].update(more="a law"), "law 'more' is unknown"),
        (all_held, "has counterexamples, and yet refutes no law"),
        (lambda data: data["methods"][0].update(measures=True), "measures, and yet has verdicts"),
        (lambda data: data["timings"].update(seconds=10**400), "is greater than the maximum of"),
        (
            lambda data: data["timings"]["methods"][0].update(cpu_seconds=-1),
            "less than the minimum of 0",
        ),
        (lambda data: data["methods"][0]["charts"].append(chart_to(1e101)), "than the maximum of"),
        (
            lambda data: data["methods"][0]["verdicts"][0].update(counterexample=0.0),
            "0.0 is not of type 'integer', 'null'",
        ),
    ],
)
def test_what_is_wrong_with_a_file_is_one_line(
    found: Report, tmp_path: Path, change: Any, words: str
) -> None:
    data = json.loads(json.dumps(as_json(found)))  # the laws in it are everybody's
    change(data)
    path = tmp_path / "report.json"
    path.write_text(json.dumps(data), "utf-8")
    with pytest.raises(CouldNotRun, match=re.escape(words)) as raised:
        read(path)
    assert "\n" not in str(raised.value)


def test_every_rendering_tells_the_seconds_that_the_file_has(found: Report, tmp_path: Path) -> None:
    judgements = tuple(replace(each, seconds=21.8462) for each in found.judgements)
    measured = replace(found, judgements=judgements, seconds=9.995001)
    again = read(write(measured, tmp_path))
    assert again == measured
    for name in FORMATS:
        assert renderer(name)(again) == renderer(name)(measured)


def test_every_part_of_the_form_that_a_reader_meets_is_described() -> None:
    form = json.loads(files("poolproof_verification").joinpath("schema.json").read_text("utf-8"))
    plain = {"integer", "integers", "strings", "tagged"}  # these say all with their names
    parts = {name: part for name, part in form["$defs"].items() if name not in plain}
    assert [name for name, part in parts.items() if not part.get("description")] == []
    assert "description" in parts["report"]["properties"]["timings"]


def test_a_law_in_other_words_is_the_same_law(found: Report, tmp_path: Path) -> None:
    path = write(found, tmp_path)
    data = json.loads(path.read_text("utf-8"))
    data["laws"]["counts"] = "as it was said before"
    path.write_text(json.dumps(data), "utf-8")
    assert read(path) == found

"""SARIF is valid by the official schema, and points at the target's own lines."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from sarif_kit.validate import validation_errors
from tests.verification.reports import made

from poolproof_verification.laws import LAWS
from poolproof_verification.places import Place
from poolproof_verification.reports import ONCE_MORE
from poolproof_verification.reports.plain_records import replay_of
from poolproof_verification.reports.report import Report
from poolproof_verification.reports.sarif import MOST_RESULTS, render
from poolproof_verification.verdict import Canary


def run_of(report: Report) -> dict[str, Any]:
    """The run of the log, which is valid."""
    log = json.loads(render(report))
    assert validation_errors(log) == []
    (run,) = log["runs"]
    return dict(run)


def notifications(report: Report) -> list[tuple[str, str]]:
    (invocation,) = run_of(report)["invocations"]
    told = invocation["toolExecutionNotifications"]
    return [(each["level"], each["message"]["text"]) for each in told]


def test_a_counterexample_is_a_result_at_its_last_operation() -> None:
    (result,) = run_of(made.refuted())["results"]
    assert (result["ruleId"], result["level"], result["kind"]) == ("partition", "error", "fail")
    replay = f"{ONCE_MORE} {replay_of(made.refuted().failures[0])}"
    told = f"block 0 is lost, after allocate('A', 1); allocate('A', 0). {replay}"
    assert result["message"]["text"] == told
    (location,) = result["locations"]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "engine/pool.py", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 12},
    }


def test_the_rules_are_the_laws() -> None:
    run = run_of(made.refuted())
    rules = run["tool"]["driver"]["rules"]
    assert {each["id"]: each["shortDescription"]["text"] for each in rules} == LAWS
    assert all(each["help"]["text"].startswith(LAWS[each["id"]]) for each in rules)
    (result,) = run["results"]
    assert rules[result["ruleIndex"]]["id"] == result["ruleId"]


def test_a_code_flow_has_a_location_a_step() -> None:
    (result,) = run_of(made.refuted())["results"]
    (flow,) = result["codeFlows"]
    first, last = flow["threadFlows"][0]["locations"]
    words = "1. allocate('A', 1): expected [0], as observed"
    assert first["location"]["message"]["text"] == words
    words = "2. allocate('A', 0): expected [0], observed []; differ: "
    assert last["location"]["message"]["text"].startswith(words)
    assert (first["importance"], last["importance"]) == ("important", "essential")
    assert [each["executionOrder"] for each in (first, last)] == [1, 2]
    assert last["state"]["manager"]["text"] == "free [1] | A [] 0 tokens | counts {0: 1}"


def test_a_fingerprint_is_of_the_operations_alone() -> None:
    def fingerprint(report: Report) -> Any:
        (result,) = run_of(report)["results"]
        return result["partialFingerprints"]

    def of(**changes: Any) -> Any:
        found = replace(made.counterexample(), **changes)
        return fingerprint(made.report(made.judgement(found=(found,))))

    assert of(found_by="explore", seed=3, headline="otherwise") == fingerprint(made.refuted())
    assert of(block_size=2) != fingerprint(made.refuted())
    assert len(set(fingerprint(made.refuted()).values())) == 1


def test_github_finds_the_fingerprint_where_it_looks_for_one() -> None:
    (result,) = run_of(made.refuted())["results"]
    assert result["partialFingerprints"]["primaryLocationLineHash"] == (
        made.counterexample().identity()
    )


def test_a_failure_without_a_place_is_a_notification_as_github_takes_no_result_without() -> None:
    placed = made.counterexample()
    steps = tuple(replace(each, place=None) for each in placed.steps)
    broken = "partition: block 2: held by no sequence, not free"
    found = replace(placed, headline="not inductive", steps=steps, breaches=(broken,))
    report = made.report(made.judgement(found=(found, placed)))
    (result,) = run_of(report)["results"]
    assert result["locations"]
    operations = "allocate('A', 1); allocate('A', 0)"
    told = f"refuted: partition: not inductive, after {operations}; {broken}"
    assert notifications(report) == [("error", f"{told}. {ONCE_MORE} {replay_of(found)}")]


def test_a_last_step_without_a_place_takes_that_of_the_step_before() -> None:
    found = made.counterexample()
    first, last = found.steps
    found = replace(found, steps=(first, replace(last, place=None)))
    (result,) = run_of(made.report(made.judgement(found=(found,))))["results"]
    assert result["locations"]


def test_a_strange_place_stays_a_relative_one() -> None:
    found = made.counterexample()
    strange = Place("//evil.example/a b?c#d:%41", 1)
    found = replace(found, steps=(replace(found.steps[0], place=strange),))
    (result,) = run_of(made.report(made.judgement(found=(found,))))["results"]
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == "evil.example/a%20b%3Fc%23d%3A%2541"


def test_what_has_no_line_is_a_notification() -> None:
    report = replace(
        made.refuted(), interrupted=True, canaries=(Canary("fuzz", "a bug", False, "unseen"),)
    )
    assert notifications(report) == [
        ("warning", "interrupted: what is told is what there was until then"),
        ("warning", "unknown: fuzz, release: out of time"),
        ("error", "refuted: fuzz, order: the answers differ"),
        ("warning", "the seeded bug of fuzz escaped: a bug: unseen"),
    ]
    assert notifications(made.held()) == []


def test_the_invocation_says_how_the_run_ended() -> None:
    def ending(report: Report) -> Any:
        (invocation,) = run_of(report)["invocations"]
        return invocation["exitCode"], invocation["executionSuccessful"]

    assert ending(made.held()) == (0, True)
    assert ending(made.refuted()) == (1, True)
    assert ending(replace(made.held(), interrupted=True)) == (3, False)
    assert ending(replace(made.refuted(), interrupted=True)) == (3, False)


def test_more_results_than_github_takes_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MOST_RESULTS == 5_000
    monkeypatch.setattr("poolproof_verification.reports.sarif.MOST_RESULTS", 20)
    run = run_of(made.report(made.judgement(found=made.many(23).failures)))
    assert len(run["results"]) == 20
    assert ("warning", "3 more counterexamples are in report.json") in [
        (each["level"], each["message"]["text"])
        for each in run["invocations"][0]["toolExecutionNotifications"]
    ]


@pytest.mark.parametrize("words", ["[click](1)", "see [it](https://evil.example)"])
def test_foreign_words_make_no_link(words: str) -> None:
    (result,) = run_of(made.nasty(words))["results"]
    assert "](" not in json.dumps(result)


def test_a_long_trace_keeps_its_ends() -> None:
    (result,) = run_of(made.report(made.judgement(found=(made.counterexample(steps=10_000),))))[
        "results"
    ]
    flow = result["codeFlows"][0]["threadFlows"][0]["locations"]
    assert len(flow) == 201
    assert any("9,800 steps are left out" in each["location"]["message"]["text"] for each in flow)
    assert flow[-1]["executionOrder"] == 10_000

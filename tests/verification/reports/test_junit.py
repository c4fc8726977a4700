"""JUnit XML is valid, and green exactly where the report is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from junitparser import JUnitXml
from lxml import etree
from tests.verification.reports import made

from poolproof_verification.counterexample_file import name_of
from poolproof_verification.reports.junit import render
from poolproof_verification.reports.report import Report
from poolproof_verification.verdict import Canary, Outcome

SCHEMA = Path(__file__).parent / "data" / "junit-10.xsd"  # of Jenkins' xUnit plugin


def parsed(report: Report) -> etree._Element:
    """The XML, which is valid."""
    root = etree.fromstring(render(report).encode("utf-8"))
    etree.XMLSchema(file=str(SCHEMA)).assertValid(root)
    return root


def results(report: Report) -> dict[tuple[str, str], str]:
    """What each case came to, by its suite's name and its own."""
    return {
        (suite.get("name", ""), case.get("name", "")): case[0].tag if len(case) else "passed"
        for suite in parsed(report)
        for case in suite
    }


def test_a_law_and_method_is_a_case() -> None:
    assert results(made.refuted()) == {
        ("fuzz", "partition"): "failure",
        ("fuzz", "counts"): "passed",
        ("fuzz", "release"): "error",
        ("fuzz", "order"): "failure",
        ("seeded bugs", "fuzz"): "passed",
        ("run", "reached its end"): "passed",
    }


def test_the_figures_are_those_of_the_cases() -> None:
    xml = JUnitXml.fromstring(render(made.refuted()).encode("utf-8"))
    assert (xml.tests, xml.failures, xml.errors) == (6, 2, 1)
    (suite, *_) = xml
    assert (suite.tests, suite.failures, suite.errors, suite.time) == (4, 2, 1, 1.5)


def test_a_failure_has_the_story_as_its_text_and_an_error_its_reason() -> None:
    failure = parsed(made.refuted()).find(".//failure")
    assert failure is not None
    assert failure.get("message") == "block 0 is lost, after allocate('A', 0)"
    assert "  2. allocate('A', 0)" in (failure.text or "")
    assert "  at engine/pool.py:12" in (failure.text or "")
    assert "judged: 7 operations; scope: pools of 2" in (failure.text or "")
    for words in reproductions():
        assert words in (failure.text or "")
    error = parsed(made.refuted()).find(".//error")
    assert error is not None
    assert error.get("message") == "out of time"


def test_a_law_that_is_broken_as_well_is_told_with_the_operation() -> None:
    refuted = replace(
        made.verdict("table", Outcome.REFUTED, "A has no table"),
        counterexample=made.counterexample(),
    )
    failure = parsed(made.report(made.judgement(refuted))).find(".//failure")
    assert failure is not None
    assert failure.get("message") == "A has no table, after allocate('A', 0)"


def test_a_fault_that_breaks_several_laws_is_told_once() -> None:
    found = made.counterexample()
    refuted = replace(
        made.verdict("table", Outcome.REFUTED, "A has no table"), counterexample=found
    )
    fuzz = made.judgement(refuted, found=(found,))
    explore = replace(fuzz, method="explore", verdicts=(replace(refuted, method="explore"),))
    failures = parsed(made.report(fuzz, explore)).findall(".//failure")
    first, *others = [failure.text or "" for failure in failures]
    assert "  2. allocate('A', 0)" in first
    assert len(others) == 2
    for text in others:
        assert text.startswith("the same fault as partition, judged by fuzz\njudged: 7 operations;")


def reproductions() -> list[str]:
    """The commands that find it again, and that replay it."""
    name = name_of(made.counterexample())
    replay = f"poolproof replay --target engine counterexamples/{name}"
    return ["poolproof fuzz --target engine", replay]


def test_a_law_judged_more_than_once_counts_as_its_worst() -> None:
    twice = made.judgement(
        made.verdict("counts", Outcome.HELD), made.verdict("counts", Outcome.UNKNOWN, "no time")
    )
    assert results(made.report(twice))["fuzz", "counts"] == "error"


def not_green() -> dict[str, Report]:
    """Reports that did not hold, by why."""
    good = made.held()
    nothing = made.verdict("counts", Outcome.HELD, count=0)
    return {
        "refuted": made.refuted(),
        "unknown": made.report(made.judgement(made.verdict("counts", Outcome.UNKNOWN))),
        "nothing was counted": made.report(made.judgement(nothing)),
        "no verdict": made.report(made.judgement()),
        "no method": made.report(),
        "a canary escaped": replace(good, canaries=(Canary("fuzz", "bug", False, "how"),)),
        "interrupted": replace(good, interrupted=True),
    }


@pytest.mark.parametrize("why", not_green())
def test_what_did_not_hold_is_never_green(why: str) -> None:
    report = not_green()[why]
    assert report.outcome is not Outcome.HELD
    assert {"failure", "error"} & set(results(report).values())


def test_what_held_is_green() -> None:
    assert made.held().outcome is Outcome.HELD
    assert set(results(made.held()).values()) == {"passed"}

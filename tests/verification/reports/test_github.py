"""Workflow commands are one line each, no more than GitHub shows, and come back as they were."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from tests.verification.reports import made

from poolproof_verification.reports import INSTALL, ONCE_MORE, TO_HAVE_IT
from poolproof_verification.reports.github import render
from poolproof_verification.reports.plain_records import replay_of
from poolproof_verification.reports.report import Report
from poolproof_verification.verdict import Canary

COMMAND = re.compile(r"::(error|warning) ([^:]*)::(.*)")
ESCAPES = {"%0A": "\n", "%0D": "\r", "%3A": ":", "%2C": ",", "%25": "%"}


def unescaped(text: str) -> str:
    """As the runner reads it."""
    return re.sub("%(0A|0D|3A|2C|25)", lambda found: ESCAPES[found[0]], text)


def commands(report: Report) -> list[tuple[str, dict[str, str], str]]:
    """Each command's kind, properties and message, as the runner reads them."""
    found = []
    for line in render(report).splitlines():
        matched = COMMAND.fullmatch(line)
        assert matched, line
        properties = (each.split("=", 1) for each in matched[2].split(","))
        told = {name: unescaped(value) for name, value in properties}
        found.append((matched[1], told, unescaped(matched[3])))
    return found


def test_a_failure_is_an_error_at_its_operation() -> None:
    first, *_ = commands(made.refuted())
    kind, properties, message = first
    assert kind == "error"
    assert properties == {
        "file": "engine/pool.py",
        "line": "12",
        "title": "partition: block 0 is lost, after allocate('A', 0)",
    }
    lines = message.splitlines()
    assert lines[:2] == [
        "block 0 is lost, after allocate('A', 0)",
        "engine, a pool of 2 blocks of 1 slot",
    ]
    assert lines[2] == "1. allocate('A', 1): expected [0], as observed"
    assert lines[3].startswith("2. allocate('A', 0): expected [0], observed []; differ: ")
    assert lines[4].endswith("summary.md, report.html")
    replay = replay_of(made.refuted().failures[0])
    assert lines[5:] == [f"{ONCE_MORE} {replay}", f"{TO_HAVE_IT} {INSTALL}"]


def test_what_is_broken_beside_the_headline_is_told_with_its_values() -> None:
    broken = "partition: block 2: held by no sequence, not free"
    found = replace(made.counterexample("not inductive"), breaches=(broken,))
    (_, _, message), *_ = commands(made.report(made.judgement(found=(found,))))
    assert f"broken: {broken}" in message.splitlines()


def test_what_is_refuted_without_a_counterexample_is_an_error_and_what_is_unknown_a_warning() -> (
    None
):
    report = replace(
        made.refuted(), interrupted=True, canaries=(Canary("fuzz", "a bug", False, "unseen"),)
    )
    assert [(kind, told["title"], words) for kind, told, words in commands(report)[1:]] == [
        ("error", "order: refuted by fuzz", "the answers differ"),
        ("warning", "interrupted", "what is told is what there was until then"),
        ("warning", "the seeded bug of fuzz escaped", "a bug: unseen"),
        ("warning", "release: unknown to fuzz", "out of time"),
    ]


def test_nothing_is_said_of_a_run_that_held() -> None:
    assert render(made.held()) == ""


@pytest.mark.parametrize("count", [10, 11, 50])
def test_there_are_at_most_ten_of_a_kind_and_the_last_counts_the_rest(count: int) -> None:
    found = commands(made.many(count))
    for kind in ("error", "warning"):
        titles = [told["title"] for each, told, _ in found if each == kind]
        assert len(titles) == 10
        assert (titles[-1] == f"{count - 9} more of these") == (count > 10)
    assert ("report.json" in found[9][2]) == (count > 10)


def test_marks_that_end_a_property_or_a_line_are_escaped() -> None:
    words = "50%, a:b\r\n::error::x %0A"
    _, properties, message = commands(made.nasty(words))[0]
    assert properties["file"] == r"50%, a:b\r\n::error::x %0A"
    assert properties["title"] == (
        "partition: {0}, after allocate('{0}', 1)".format(properties["file"])
    )
    assert message.startswith(properties["title"].removeprefix("partition: ") + "\n")


def test_a_method_that_judged_nothing_is_a_warning_with_its_reason() -> None:
    silent = replace(made.judgement(), verdicts=(), notes=("its process ended with 9",))
    (line,) = render(made.report(silent)).splitlines()
    assert line.startswith("::warning title=unknown%3A fuzz has judged nothing::")
    assert line.endswith("its process ended with 9")
    assert render(made.held()) == render(made.measured()) == ""

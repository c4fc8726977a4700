"""The report as SARIF 2.1.0: a result a counterexample, at the operation's line in the target.

A rule is a law, a code flow the steps. What is unknown, a canary that escaped, a law refuted
without a counterexample and a counterexample whose target has no Python source, as the model's,
have no line, so they are notifications of the run: GitHub takes no file with a result without one.

Does not cover: what is a notification is shown by no code scanning page.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from poolproof_verification.counterexample import Counterexample, Step
from poolproof_verification.laws import LAWS
from poolproof_verification.places import Place
from poolproof_verification.reports import ABOUT, INSTALL, ONCE_MORE, TO_HAVE_IT
from poolproof_verification.reports.plain_records import plain, replay_of, step_line
from poolproof_verification.reports.plain_words import ends, visible
from poolproof_verification.reports.report import Report
from poolproof_verification.verdict import Outcome

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
MOST_RESULTS = 5_000  # that GitHub takes
MOST_STEPS = 200  # of one counterexample
FEWEST_STEPS = 6
# GitHub reads the second; without it, two failures at one line are one to it.
FINGERPRINTS = ("poolproofCounterexample/v1", "primaryLocationLineHash")
MOST_BREACHES = 4  # beside the headline
MOST_NOTIFIED = 100  # counterexamples without a place
MOST_LOCATIONS = 20_000  # of all counterexamples
Data = dict[str, Any]


def render(report: Report) -> str:
    """The SARIF log, of one run."""
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run_of(report)]}
    return f"{json.dumps(log, indent=2)}\n"


def run_of(report: Report) -> Data:
    """The run: the tool with the laws, what it found, how it went."""
    found = [each for each in report.failures if each.place]
    told = found[:MOST_RESULTS]
    most = max(FEWEST_STEPS, min(MOST_STEPS, MOST_LOCATIONS // max(len(told), 1)))
    laws = list(dict.fromkeys([*LAWS, *(each.law for each in report.failures)]))
    return {
        "tool": {"driver": driver(report, laws)},
        "automationDetails": {"id": f"poolproof/{visible(report.target)}/"},
        "invocations": [invocation(report, len(found) - len(told))],
        "columnKind": "unicodeCodePoints",
        "results": [result(each, laws.index(each.law), most) for each in told],
    }


def driver(report: Report, laws: list[str]) -> Data:
    """The tool, and the laws as its rules."""
    rules = [
        {
            "id": visible(law),
            "shortDescription": text(LAWS.get(law, law)),
            "help": text(f"{LAWS.get(law, law)}. {ABOUT} {TO_HAVE_IT} {INSTALL}"),
            "defaultConfiguration": {"level": "error"},
        }
        for law in laws
    ]
    return {"name": "poolproof", "version": visible(report.version), "rules": rules}


# --- one counterexample ---------------------------------------------------------------------------


def result(found: Counterexample, rule: int, most_steps: int) -> Data:
    """One counterexample, the same fingerprint in every run that finds the same operations."""
    flow = {"locations": list(flow_locations(found, most_steps))}
    return {
        "ruleId": visible(found.law),
        "ruleIndex": rule,
        "level": "error",
        "kind": "fail",
        "message": text(message_of(found)),
        "locations": [physical(found.place)] if found.place else [],
        "codeFlows": [{"threadFlows": [flow]}] if flow["locations"] else [],
        "partialFingerprints": dict.fromkeys(FINGERPRINTS, found.identity()),
    }


def message_of(found: Counterexample) -> str:
    """What broke, after which operations, and what is broken with it."""
    words = f"{visible(found.headline)}, after {visible(found.operations())}"
    told = "; ".join([words, *map(visible, found.also[:MOST_BREACHES])])
    replay = replay_of(found)
    return f"{told}. {ONCE_MORE} {replay}" if replay else told


def flow_locations(found: Counterexample, most: int) -> Iterator[Data]:
    """A location a step; in the place of many middle ones, one that says how many they are."""
    ahead, left_out, behind = ends(found.steps, most)
    yield from (flow_location(number, step, found) for number, step in ahead)
    if left_out:
        words = f"{left_out:,} steps are left out here; report.json has them"
        yield {"location": {"message": text(words)}, "importance": "essential"}
    yield from (flow_location(number, step, found) for number, step in behind)


def flow_location(number: int, step: Step, found: Counterexample) -> Data:
    """One step: what was expected and observed, and both states."""
    shown, model = plain(step.shown), plain(step.model)
    where = physical(step.place) if step.place else {}
    return {
        "location": where | {"message": text(step_line(number, step, found))},
        "executionOrder": number,
        "importance": "important" if step.agrees else "essential",
        "state": {"manager": text(visible(shown)), "model": text(visible(model))},
    }


def physical(place: Place) -> Data:
    """A place in the target's code."""
    file = {"uri": quote(visible(place.file).lstrip("/")), "uriBaseId": "%SRCROOT%"}
    where = {"artifactLocation": file, "region": {"startLine": place.line}}
    return {"physicalLocation": where}


# --- how the run went -----------------------------------------------------------------------------


def invocation(report: Report, left_out: int) -> Data:
    """How the run ended, and what it leaves open."""
    made: Data = {
        "executionSuccessful": not report.interrupted,
        "exitCode": report.exit_code,
        "toolExecutionNotifications": [
            {"level": level, "message": text(words)} | rule
            for level, words, rule in notifications(report, left_out)
        ],
    }
    return made | ({"commandLine": visible(report.command)} if report.command else {})


def notifications(report: Report, left_out: int) -> Iterator[tuple[str, str, Data]]:
    """What has no place in the target's code: level, words, and the rule it is about."""
    if report.interrupted:
        yield "warning", "interrupted: what is told is what there was until then", {}
    if left_out:
        yield "warning", f"{left_out:,} more counterexamples are in report.json", {}
    placeless = [found for found in report.failures if not found.place]
    for found in placeless[:MOST_NOTIFIED]:
        words = f"refuted: {visible(found.law)}: {message_of(found)}"
        yield "error", words, {"associatedRule": {"id": visible(found.law)}}
    if (more := len(placeless) - MOST_NOTIFIED) > 0:
        yield "error", f"{more:,} more counterexamples without a line are in report.json", {}
    for verdict in report.verdicts:
        words = f"{verdict.method}, {verdict.law}: {verdict.detail or 'nothing was judged'}"
        about = {"associatedRule": {"id": visible(verdict.law)}}
        if verdict.outcome is Outcome.REFUTED and not verdict.counterexample:
            yield "error", f"refuted: {visible(words)}", about
        elif verdict.outcome is Outcome.UNKNOWN or not verdict.count:
            yield "warning", f"unknown: {visible(words)}", about
    for silent in (each for each in report.judgements if not each.verdicts):
        why = visible(f"{silent.method}: {'; '.join(silent.notes) or 'nothing was judged'}")
        told = ("note", "measured") if silent.measures else ("warning", "unknown")
        yield told[0], f"{told[1]}: {why}", {}
    for canary in map(plain, report.canaries):
        if not canary.refuted:
            words = f"the seeded bug of {canary.method} escaped: {canary.bug}: {canary.how}"
            yield "warning", words, {}


def text(words: str) -> Data:
    """A message; what would be a link in one is none any more."""
    return {"text": words.replace("](", "] (")}

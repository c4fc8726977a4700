"""The report as GitHub's workflow commands: a failure is an annotation at the operation's line.

Does not cover: more than ten errors and ten warnings, which GitHub does not show; the last one says
how many more there are, and where.
"""

from __future__ import annotations

from collections.abc import Iterator

from poolproof_verification.counterexample import Counterexample
from poolproof_verification.places import Place
from poolproof_verification.reports import FORMATS, INSTALL, ONCE_MORE, TO_HAVE_IT
from poolproof_verification.reports.plain_records import replay_of, step_line
from poolproof_verification.reports.plain_words import ends, visible
from poolproof_verification.reports.report import Report
from poolproof_verification.verdict import Outcome
from poolproof_verification.words import plural

MOST = 10  # of a kind that GitHub shows for a step
LONGEST_TITLE = 200  # characters
LONGEST_FILE = 300
MOST_STEPS = 12  # of a message
MOST_BREACHES = 4  # beside the headline
Annotation = tuple[str, str, Place | None]  # title, message, where


def render(report: Report) -> str:
    """The commands, each a line: the errors, then the warnings."""
    parts = ("error", list(errors(report))), ("warning", list(warnings(report)))
    lines = [line for kind, found in parts for line in commands(kind, found)]
    return "".join(f"{line}\n" for line in lines)


def errors(report: Report) -> Iterator[Annotation]:
    """Each counterexample, and each law refuted without one."""
    for found in report.failures:
        yield f"{found.law}: {found.title}", message_of(found), found.place
    for verdict in report.verdicts:
        if verdict.outcome is Outcome.REFUTED and not verdict.counterexample:
            yield f"{verdict.law}: refuted by {verdict.method}", visible(verdict.detail), None


def warnings(report: Report) -> Iterator[Annotation]:
    """What keeps the rest from being believed."""
    if report.interrupted:
        yield "interrupted", "what is told is what there was until then", None
    for canary in report.canaries:
        if not canary.refuted:
            words = visible(f"{canary.bug}: {canary.how}")
            yield f"the seeded bug of {canary.method} escaped", words, None
    for verdict in report.verdicts:
        if verdict.outcome is Outcome.UNKNOWN or not verdict.count:
            words = visible(verdict.detail or "nothing was judged")
            yield f"{verdict.law}: unknown to {verdict.method}", words, None
    for silent in report.judgements:
        if not (silent.verdicts or silent.measures):
            words = visible("; ".join(silent.notes) or "nothing was judged")
            yield f"unknown: {silent.method} has judged nothing", words, None


def message_of(found: Counterexample) -> str:
    """The story in lines that need no fixed width, and where the states are drawn."""
    size = f"{plural(found.total, 'block')} of {plural(found.block_size, 'slot')}"
    ahead, left_out, behind = ends(found.steps, MOST_STEPS)
    lines = [visible(found.title), f"{visible(found.target)}, a pool of {size}"]
    lines += [step_line(*numbered, found) for numbered in ahead]
    lines += [f"... {left_out:,} steps are left out here"] if left_out else []
    lines += [step_line(*numbered, found) for numbered in behind]
    lines += [f"broken: {visible(words)}" for words in found.also[:MOST_BREACHES]]
    lines.append(f"Drawn, and as a test: {FORMATS['markdown']}, {FORMATS['html']}")
    if replay := replay_of(found):
        lines += [f"{ONCE_MORE} {replay}", f"{TO_HAVE_IT} {INSTALL}"]
    return "\n".join(lines)


def commands(kind: str, found: list[Annotation]) -> Iterator[str]:
    """At most ten; if they are more, the tenth says where the others are."""
    told = found if len(found) <= MOST else found[: MOST - 1]
    yield from (command(kind, *each) for each in told)
    if more := len(found) - len(told):
        where = f"{FORMATS['markdown']}, {FORMATS['html']} and report.json tell all of them"
        yield command(kind, f"{more:,} more of these", where, None)


def command(kind: str, title: str, message: str, place: Place | None) -> str:
    """One workflow command; `message` may have several lines, all of them visible."""
    properties = {"title": visible(title, LONGEST_TITLE)}
    if place is not None:
        file = visible(place.file, LONGEST_FILE)
        properties = {"file": file, "line": str(place.line)} | properties
    told = ",".join(f"{name}={in_property(value)}" for name, value in properties.items())
    return f"::{kind} {told}::{in_message(message)}"


def in_message(words: str) -> str:
    """The words with what ends a command written as GitHub reads it back."""
    return words.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def in_property(words: str) -> str:
    """The same with what ends a property."""
    return in_message(words).replace(":", "%3A").replace(",", "%2C")

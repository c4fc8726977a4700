"""The report as JUnit XML: a suite a method, a case a law; what is unknown is an error.

A counterexample is a failure's text. The seeded bugs are cases of a suite of their own, and so is
the run, which is there to have been ended too early or to have judged nothing. What measured and
judged no law is skipped.

Does not cover: how long a case took; the methods' CPU seconds are the suites' times.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.dom.minidom import parseString

from junitparser import Error, Failure, JUnitXml, Skipped, TestCase, TestSuite

from poolproof_verification.ledger import verdict_on
from poolproof_verification.reports.plain_records import once_more, plain, story
from poolproof_verification.reports.plain_words import visible
from poolproof_verification.reports.report import MEASURED, Report
from poolproof_verification.verdict import Canary, Judgement, Outcome, Verdict

MOST_SECONDS = 999_999.0  # that the schema's form of a time is sure to hold
NOT_JUDGED = "nothing was judged"
First = dict[tuple[str, ...], Verdict]  # by the fault


def render(report: Report) -> str:
    """The XML: green exactly where everything held, every canary fell and the end was reached."""
    xml = JUnitXml(visible(f"poolproof: {report.target}"))
    first = told_at(report)
    suites = [suite_of(report, judgement, first) for judgement in report.judgements]
    suites += [suite("seeded bugs", list(map(canary_case, report.canaries)))] * bool(
        report.canaries
    )
    suites.append(suite("run", [run_case(report)]))
    for each in suites:
        xml.append(each)  # type: ignore[no-untyped-call]
    xml.tests, xml.failures, xml.errors = (
        sum(getattr(each, figure) for each in suites) for figure in ("tests", "failures", "errors")
    )
    flat = xml.tostring()  # type: ignore[no-untyped-call]
    pretty = parseString(flat).toprettyxml(indent="  ", encoding="utf-8")
    return str(pretty, "utf-8")


def told_at(report: Report) -> First:
    """For each fault the verdict whose case tells it; the others that rest on it refer to that."""
    first: First = {}
    for judgement in report.judgements:
        for verdict in worst(judgement):
            if verdict.outcome is Outcome.REFUTED and verdict.counterexample:
                first.setdefault(verdict.counterexample.fault, verdict)
    return first


def worst(judgement: Judgement) -> Iterator[Verdict]:
    """The verdict on each law, in the order in which the method judged them."""
    for law in dict.fromkeys(verdict.law for verdict in judgement.verdicts):
        if verdict := verdict_on(law, judgement):
            yield verdict


def suite_of(report: Report, judgement: Judgement, first: First) -> TestSuite:
    """One method's cases, in the order in which it judged the laws."""
    cases = [law_case(report, verdict, first) for verdict in worst(judgement)]
    if judgement.measures:
        cases = [skipped(case(judgement.method, MEASURED), visible("; ".join(judgement.notes)))]
    elif not cases:
        why = visible("; ".join(judgement.notes))
        cases = [with_error(case(judgement.method, "all laws"), NOT_JUDGED, why)]
    return suite(judgement.method, cases, judgement.seconds)


def suite(name: str, cases: list[TestCase], seconds: float = 0.0) -> TestSuite:
    """The cases under a name."""
    made = TestSuite(visible(name))
    made.add_testcases(cases)
    made.time = round(min(max(seconds, 0.0), MOST_SECONDS), 2)
    return made


def case(group: str, name: str) -> TestCase:
    """A case that passes, unless it is given a result."""
    return TestCase(visible(name), classname=visible(f"poolproof.{group}"))


def law_case(report: Report, verdict: Verdict, first: First) -> TestCase:
    """One law as judged by one method."""
    made = case(f"{report.target}.{verdict.method}", verdict.law)
    if verdict.outcome is Outcome.REFUTED:
        found = verdict.counterexample
        words = verdict.detail or (found.headline if found else "refuted")
        words = found.after(words) if found else words
        result = Failure(visible(words), "refuted")
        result.text = "\n".join(told(verdict, report.command, first))
        made.result = [result]
    elif verdict.outcome is Outcome.UNKNOWN or not verdict.count:
        with_error(made, verdict.detail or NOT_JUDGED, plain(verdict).scope)
    return made


def told(verdict: Verdict, command: str, first: First) -> Iterator[str]:
    """What a failure says: the counterexample, once, or where there is none what is broken."""
    found = verdict.counterexample
    before = first[found.fault] if found else verdict
    if before is not verdict:
        yield visible(f"the same fault as {before.law}, judged by {before.method}")
    elif found:
        yield story(found)
        yield from once_more(found, command)
    else:
        yield visible(verdict.detail or "refuted, without a counterexample")
    yield visible(f"judged: {verdict.count:,} {verdict.unit}; scope: {verdict.scope}")


def canary_case(canary: Canary) -> TestCase:
    """A seeded bug that the method must refute."""
    made = case("seeded bug", canary.method)
    if canary.refuted:
        return made
    return with_error(made, f"the seeded bug escaped: {canary.bug}", visible(canary.how))


def run_case(report: Report) -> TestCase:
    """The run reached its end, and judged something."""
    made = case("run", "reached its end")
    if report.interrupted:
        return with_error(made, "interrupted: what is told is what there was until then")
    return made if report.judgements else with_error(made, NOT_JUDGED)


def skipped(made: TestCase, why: str) -> TestCase:
    """The case, which neither passes nor fails."""
    made.result = [Skipped(why or NOT_JUDGED)]
    return made


def with_error(made: TestCase, words: str, text: str = "") -> TestCase:
    """The case, with what keeps it from passing."""
    result = Error(visible(words), "unknown")
    result.text = text
    made.result = [result]
    return made

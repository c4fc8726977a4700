"""The ledger says of every law what is known and how, and nothing beyond the run."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console
from tests.verification.reports import made

from poolproof_verification.counterexample import Counterexample, Step
from poolproof_verification.exhibits import Grid
from poolproof_verification.laws import LAWS
from poolproof_verification.ledger import (
    NOT_JUDGED,
    cell,
    footnotes,
    show,
    stories,
    unknowns,
    verdict_on,
)
from poolproof_verification.reports import FORMATS, renderer
from poolproof_verification.reports.report import Report
from poolproof_verification.verdict import Canary, Evidence, Judgement, Outcome, Verdict

HELD, REFUTED, UNKNOWN = Outcome.HELD, Outcome.REFUTED, Outcome.UNKNOWN
STEP = Step("allocate('A', 1)", "[0]", "[]", "free [0]", "free []", "assert False")
LOST = Counterexample(
    "poolproof", "from poolproof import BlockManager", "BlockManager", 1, 1,
    "partition", "block 0 is lost", ("partition: block 0 is lost",), (STEP,), "explore",
)  # fmt: skip


def verdict(
    method: str, law: str, outcome: Outcome, evidence: Evidence = Evidence.CASES, detail: str = ""
) -> Verdict:
    return Verdict(method, law, outcome, evidence, 1234, "cases", f"scope of {method}", detail)


PROVE = Judgement(
    "prove",
    (
        verdict("prove", "partition", HELD, Evidence.PROVED),
        verdict("prove", "counts", UNKNOWN, Evidence.PROVED, "the solver gave up"),
    ),
    1.25,
    "the code",
    ("2 obligations",),
)
FUZZ = Judgement(
    "fuzz",
    tuple(verdict("fuzz", law, HELD) for law in ("partition", "contents")),
    2.0,
    "what was not drawn",
    timings=("9 operations a second",),
)
CAUGHT, ESCAPED = Canary("prove", "a bug", True, "line"), Canary("fuzz", "other bug", False, "none")


def report(*judgements: Judgement, target: str = "poolproof") -> Report:
    return Report(target, 0, judgements, (CAUGHT, ESCAPED), 4.0)


def shown(found: Report, width: int = 120) -> str:
    out = io.StringIO()
    show(found, Console(file=out, width=width, highlight=False, color_system=None))
    return out.getvalue()


def rows(found: Report) -> dict[str, list[str]]:
    """The cells of each law, with broken lines joined."""
    cells: dict[str, list[str]] = {}
    law = ""
    for line in shown(found, width=200).splitlines():
        if line.startswith("│"):
            parts = [part.strip() for part in line.strip("│").split("│")]
            if ":" in parts[0] and parts[0].partition(":")[0] in LAWS:
                law = parts[0].partition(":")[0]
                cells[law] = [""] * (len(parts) - 1)
            cells[law] = [f"{a} {b}".strip() for a, b in zip(cells[law], parts[1:], strict=True)]
    return cells


def test_every_law_has_its_row() -> None:
    text = shown(report(PROVE, FUZZ), width=400)
    for law, sentence in LAWS.items():
        assert f"{law}: {sentence}" in text
    assert list(rows(report(PROVE, FUZZ))) == list(LAWS)


def test_a_cell_says_outcome_and_count_and_what_was_not_judged_is_a_dash() -> None:
    found = rows(report(PROVE, FUZZ))
    assert found["partition"] == ["held, 1,234 cases", "held, 1,234 cases"]
    assert found["counts"] == ["unknown, 1,234 cases", NOT_JUDGED]
    assert found["contents"] == [NOT_JUDGED, "held, 1,234 cases"]
    assert found["release"] == [NOT_JUDGED, NOT_JUDGED]
    assert NOT_JUDGED == "-"


@pytest.mark.parametrize("outcome", Outcome)
def test_no_outcome_is_shown_as_another(outcome: Outcome) -> None:
    words = cell(verdict("fuzz", "counts", outcome)).plain
    assert [each.value for each in Outcome if each.value in words] == [outcome.value]


def test_of_several_verdicts_on_a_law_the_worst_is_shown() -> None:
    several = tuple(verdict("prove", "counts", each) for each in (HELD, UNKNOWN, HELD))
    worst = verdict_on("counts", replace(PROVE, verdicts=several))
    assert worst is not None
    assert worst.outcome is UNKNOWN
    refuted = (*several, verdict("prove", "counts", REFUTED))
    worst = verdict_on("counts", replace(PROVE, verdicts=refuted))
    assert worst is not None
    assert worst.outcome is REFUTED


def test_proved_is_never_said_without_of_the_model() -> None:
    text = " ".join(shown(report(PROVE, FUZZ), width=400).split())
    assert "proved of the model" in text
    assert not re.search(r"proved(?! of the model)", text)
    assert "proved" not in shown(report(FUZZ), width=400)


def test_each_method_tells_scope_time_and_what_it_does_not_cover() -> None:
    lines = list(footnotes(report(PROVE, FUZZ)))
    assert lines[:8] == [
        "prove: unknown, 1.2 CPU s",
        "  scope: scope of prove",
        "  2 obligations",
        "  not covered: the code",
        "fuzz: held, 2.0 CPU s",
        "  scope: scope of fuzz",
        "  9 operations a second",
        "  not covered: what was not drawn",
    ]


def test_an_escaped_canary_is_told_with_what_follows() -> None:
    lines = list(footnotes(report(PROVE, FUZZ)))
    assert "prove: seeded bug found: a bug" in lines
    told = "fuzz: seeded bug ESCAPED, so these verdicts count for nothing: other bug: none"
    assert told in lines


@pytest.mark.parametrize("name", FORMATS)
def test_in_no_format_a_seeded_bug_that_was_found_reads_as_a_failure(name: str) -> None:
    caught = replace(CAUGHT, how="block 7 is lost")
    text = renderer(name)(replace(report(FUZZ), canaries=(caught,)))
    assert caught.how not in text
    assert "canary" not in text
    if name in ("text", "markdown"):
        assert "seeded bug found: a bug" in text


def test_a_foreign_target_is_told_what_proofs_and_contracts_do_not_say_of_it() -> None:
    words = "none of these says anything"
    assert any(words in line for line in footnotes(report(FUZZ, target="mine")))
    assert not any(words in line for line in footnotes(report(FUZZ)))


def test_why_something_is_unknown_is_told() -> None:
    assert list(unknowns(report(PROVE, FUZZ))) == ["unknown: prove, counts: the solver gave up"]


def refuted_by(method: str, *examples: Counterexample) -> Judgement:
    verdicts = tuple(
        replace(verdict(method, each.law, REFUTED, detail=each.headline), counterexample=each)
        for each in examples
    )
    return Judgement(method, verdicts, 1.0, "much", counterexamples=examples)


def test_a_counterexample_of_two_methods_is_printed_once_with_its_test() -> None:
    again = replace(LOST, found_by="fuzz")
    text = shown(report(refuted_by("explore", LOST), refuted_by("fuzz", again)))
    assert text.count("1. allocate('A', 1)") == 1
    assert text.count("def test_block_0_is_lost") == 1
    assert text.rstrip().endswith("poolproof: refuted")


def test_a_fault_is_the_same_whatever_led_to_it() -> None:
    start = replace(STEP, operation="allocate('B', 0)", expected="[]", observed="[]")
    longer = replace(LOST, steps=(start, STEP), found_by="fuzz")
    text = shown(report(refuted_by("explore", LOST), refuted_by("fuzz", longer)))
    assert text.count("def test_block_0_is_lost") == 1
    assert "allocate('B', 0)" not in text


def test_the_same_headline_of_another_operation_or_expectation_is_another_fault() -> None:
    fork = replace(LOST, steps=(replace(STEP, operation="fork('A', 'B')"),))
    refused = replace(LOST, steps=(replace(STEP, expected="refused: the name is in use"),))
    assert len(list(stories(report(refuted_by("explore", LOST, fork, refused))))) == 3


def test_a_counterexample_without_steps_is_printed_too() -> None:
    assert len(list(stories(report(refuted_by("prove", replace(LOST, steps=())))))) == 1


def test_another_fault_of_the_same_operations_is_printed_too() -> None:
    other = replace(LOST, law="results", headline="it returned []")
    assert len(list(stories(report(refuted_by("explore", LOST, other))))) == 2


def test_a_refutation_without_counterexample_is_told_in_a_line() -> None:
    told = verdict("contracts", "counts", REFUTED, detail="append: counts differ")
    mixed = replace(refuted_by("explore", LOST), verdicts=(told,))
    lines = list(stories(report(mixed)))
    assert lines[-1] == "counts: refuted by contracts: append: counts differ"
    assert len(lines) == 2


def test_the_worst_comes_first_and_the_outcome_last() -> None:
    text = shown(report(refuted_by("explore", LOST), PROVE))
    story, unknown, grid, last = (
        text.index(words)
        for words in ("block 0 is lost", "unknown: prove", "trust ledger", "poolproof: refuted")
    )
    assert story < unknown < grid < last


def test_what_replays_a_failure_is_told_from_where_the_folder_is_seen() -> None:
    found = made.refuted()
    assert "replayed, with --out's file, by: poolproof replay " in "".join(stories(found))
    assert " 'my out/counterexamples/" in "".join(stories(found, Path("my out")))
    assert "poolproof replay" in shown(found)
    out = io.StringIO()
    show(found, Console(file=out, width=200, color_system=None), Path("my out"))
    assert " 'my out/counterexamples/" in out.getvalue()


def test_square_brackets_are_text_and_no_markup() -> None:
    text = shown(report(refuted_by("explore", replace(LOST, headline="took [red], not [0]"))))
    assert "took [red], not [0]" in text


def test_tables_of_methods_are_bounded() -> None:
    columns = tuple(f"column {number}" for number in range(60))
    grid = Grid("large", columns, (("x" * 10_000,) * 60,) * 60, "")
    report = made.report(replace(made.judgement(), grids=(grid,)))
    text = renderer("text")(report)
    assert len(text) < 200_000
    assert "and 48 more columns, in report.json" in text


def test_a_method_that_judged_nothing_is_told_with_its_reason() -> None:
    silent = replace(made.judgement(), verdicts=(), notes=("its process ended with 9",))
    assert list(unknowns(made.report(silent))) == ["unknown: fuzz: its process ended with 9"]
    assert list(unknowns(made.measured())) == []

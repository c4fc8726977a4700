"""The suite runs every method that fits the target, beside its canary, and never overclaims."""

from __future__ import annotations

import os
from contextlib import nullcontext
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from tests.verification.test_cli_harness import after

from poolproof_verification import canaries, injected, metamorphic, suite
from poolproof_verification.contracts import judge as contracts_judge
from poolproof_verification.reports import folder
from poolproof_verification.reports.report import Report
from poolproof_verification.suite import FOREIGN, METHODS, check_extras, verify
from poolproof_verification.verdict import (
    INTERRUPTED,
    Canary,
    CouldNotRun,
    Evidence,
    Judgement,
    Outcome,
    Verdict,
    overall,
)

HELD, REFUTED, UNKNOWN = Outcome.HELD, Outcome.REFUTED, Outcome.UNKNOWN


def judgement(method: str, *outcomes: Outcome) -> Judgement:
    verdicts = tuple(
        Verdict(method, "counts", outcome, Evidence.CASES, 1, "cases", "scope")
        for outcome in outcomes
    )
    return Judgement(method, verdicts, 0.5, "much")


def report(*judgements: Judgement, escaped: bool = False) -> Report:
    drawn = tuple(Canary(each.method, "bug", not escaped, "how") for each in judgements)
    return Report("poolproof", 0, judgements, drawn, 1.0)


@pytest.mark.parametrize(
    ("outcomes", "escaped", "outcome"),
    [
        ((HELD, HELD), False, HELD),
        ((HELD, HELD), True, UNKNOWN),
        ((HELD, UNKNOWN), False, UNKNOWN),
        ((UNKNOWN, REFUTED), False, REFUTED),
        ((HELD, REFUTED), True, REFUTED),
    ],
)
def test_all_held_only_if_every_method_did_and_caught_its_canary(
    outcomes: tuple[Outcome, ...], escaped: bool, outcome: Outcome
) -> None:
    judgements = [judgement(f"method {i}", each) for i, each in enumerate(outcomes)]
    assert report(*judgements, escaped=escaped).outcome is outcome


def test_a_method_without_verdicts_leaves_the_whole_unknown() -> None:
    assert report(judgement("one", HELD), judgement("other")).outcome is UNKNOWN
    assert report().outcome is UNKNOWN


def test_the_verdicts_of_all_methods_are_the_reports() -> None:
    found = report(judgement("one", HELD, UNKNOWN), judgement("other", HELD)).verdicts
    assert [verdict.method for verdict in found] == ["one", "one", "other"]


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """What was run; every method holds and catches its canary."""
    calls: list[tuple[Any, ...]] = []

    def judge(method: str, target: str, seed: int) -> Judgement:
        calls.append((method, target, seed))
        return judgement(method, HELD)

    def release(method: str, seed: int) -> Canary:
        calls.append(("canary", method, seed))
        return Canary(method, "bug", True, "how")

    monkeypatch.setattr(suite, "WORKERS", 0)  # in this process
    monkeypatch.setattr(suite, "judge", judge)
    monkeypatch.setattr(canaries, "release", release)
    return calls


def test_the_shipped_manager_is_judged_by_every_method(ran: list[tuple[Any, ...]]) -> None:
    told: list[str] = []
    found = verify("poolproof", 7, told.append)
    assert found.outcome is HELD
    assert [each.method for each in found.judgements] == list(METHODS)
    assert set(ran) == {(method, "poolproof", 7) for method in METHODS} | {
        ("canary", method, 7) for method in METHODS
    }
    held, drawn = told[: len(METHODS)], told[len(METHODS) :]
    assert held == [f"{method}: held (0.5 CPU s)" for method in METHODS]
    assert drawn == [f"{method}: seeded bug found: bug" for method in METHODS]


def test_a_foreign_manager_is_judged_by_what_concerns_it(ran: list[tuple[Any, ...]]) -> None:
    found = verify("textbook", 0)
    assert [each.method for each in found.judgements] == list(FOREIGN)
    assert set(METHODS) - set(FOREIGN) == {"prove", "contracts", "asking"}
    assert {each[0] for each in ran} == {*FOREIGN, "canary"}


@pytest.mark.usefixtures("ran")
def test_an_escaped_canary_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    escaped = Canary("fuzz", "bug", False, "no counterexample found")
    monkeypatch.setattr(canaries, "release", lambda method, seed: escaped)
    told: list[str] = []
    assert verify("textbook", 0, told.append).outcome is UNKNOWN
    assert told[-1] == "fuzz: seeded bug ESCAPED: bug"


@pytest.mark.usefixtures("ran")
def test_a_method_that_finds_nothing_to_check_could_not_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    nothing = replace(judgement("explore", HELD), verdicts=())
    monkeypatch.setattr(suite, "judge", lambda method, target, seed: nothing)
    with pytest.raises(CouldNotRun, match="explore found nothing to check"):
        verify("textbook", 0)


@pytest.mark.usefixtures("ran")
def test_a_method_interrupted_before_it_judged_anything_is_unknown_and_leaves_a_report(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    came: list[int] = []

    def judge(method: str, target: str, seed: int) -> Judgement:
        came.append(1)
        return replace(judgement(method), verdicts=())

    monkeypatch.setattr(suite, "judge", judge)
    monkeypatch.setattr(suite, "noted", lambda: nullcontext(lambda: len(came)))
    found = verify("textbook", 0)
    assert found.interrupted
    assert found.outcome is UNKNOWN
    assert {each.notes for each in found.judgements} == {(INTERRUPTED,)}


def ends_its_process(work: suite.Work) -> Judgement | Canary:
    """Exploring does, and the canary of fuzz; all else holds."""
    if (work.method, work.canary) in {("explore", False), ("fuzz", True)}:
        os._exit(0)
    if work.canary:
        return Canary(work.method, "bug", True, "how")
    return judgement(work.method, HELD)


def test_a_method_that_takes_its_process_with_it_is_unknown_and_the_others_are_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2]))
    monkeypatch.setattr(suite, "carry_out", ends_its_process)
    told: list[str] = []
    found = verify("textbook", 0, told.append)
    assert (found.outcome, found.interrupted) == (UNKNOWN, False)
    explore, *others = found.judgements
    assert (explore.verdicts, explore.notes) == ((), (suite.CRASHED,))
    assert {overall(each.verdicts) for each in others} == {HELD}
    assert [each.method for each in found.canaries if not each.refuted] == ["fuzz"]
    assert f"explore: unknown: {suite.CRASHED}" in told
    folder.write(found, tmp_path)
    for name in ("report.txt", "junit.xml", "report.sarif"):
        assert (tmp_path / name).read_text().count(suite.CRASHED) >= 2, name  # method, canary


def test_a_wrong_target_is_told_before_anything_runs(ran: list[tuple[Any, ...]]) -> None:
    with pytest.raises(CouldNotRun, match="unknown target"):
        verify("nobody", 0)
    assert ran == []


def test_a_missing_checker_is_told_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    check_extras(METHODS)
    monkeypatch.setattr(suite, "find_spec", lambda module: None if module == "z3" else "there")
    check_extras(FOREIGN)
    with pytest.raises(ModuleNotFoundError) as caught:
        check_extras(METHODS)
    assert caught.value.name == "z3"


def test_a_missing_checker_is_told_before_anything_runs(
    ran: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(suite, "find_spec", lambda module: None)
    with pytest.raises(ModuleNotFoundError):
        verify("textbook", 0)
    assert ran == []


@pytest.mark.parametrize("method", METHODS)
def test_each_method_is_asked_with_the_target_and_the_seed(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[Any, ...]] = []

    def answer(*arguments: Any, **named: Any) -> Judgement:
        asked.append((*arguments, named))
        return judgement(method, HELD)

    monkeypatch.setattr("poolproof_verification.proofs.prove", answer, raising=False)
    monkeypatch.setattr("poolproof_verification.contracts.check", answer)
    monkeypatch.setattr("poolproof_verification.explore.explore", answer)
    monkeypatch.setattr("poolproof_verification.fuzz.fuzz", answer)
    monkeypatch.setattr("poolproof_verification.metamorphic.check", answer)
    monkeypatch.setattr("poolproof_verification.injected.check", answer)
    monkeypatch.setattr("poolproof_verification.asking.check", answer)
    assert suite.judge(method, "poolproof", 7).method == method
    (arguments,) = asked
    if method in FOREIGN:
        assert arguments[0].name == "poolproof"
    if method not in ("explore", "asking"):  # these draw nothing
        assert 7 in (*arguments[:-1], arguments[-1].get("seed"))


def test_a_method_that_is_interrupted_has_judged_no_law_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each has a part that it repeats; the interrupt comes after a few times."""
    parts = {
        "prove": (import_module("poolproof_verification.proofs.prove"), "discharge", 130),
        "contracts": (contracts_judge, "examine", 2),
        "metamorphic": (metamorphic.Search, "run", 3),
        "injected": (injected.Search, "run", 3),
    }
    for method, (place, name, times) in parts.items():
        monkeypatch.setattr(place, name, after(times, getattr(place, name)))
        found = suite.judge(method, "poolproof", 0)
        assert found.verdicts, method
        assert {verdict.outcome for verdict in found.verdicts} == {UNKNOWN}, method
        assert {verdict.evidence for verdict in found.verdicts} == {Evidence.NONE}, method
        assert all("interrupted" in verdict.detail for verdict in found.verdicts), method

"""A contract holds by four conditions; whatever falls short of one of them is not held."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from poolproof import BlockManager
from poolproof_verification.contracts import judge
from poolproof_verification.contracts.cases import Arguments, precondition
from poolproof_verification.contracts.catalogue import CONTRACTS, Contract, Form
from poolproof_verification.contracts.judge import Finding, canary, examine, verdicts
from poolproof_verification.contracts.search import Search, search
from poolproof_verification.laws import LAWS
from poolproof_verification.mutants import MUTANTS, load, mutant_named
from poolproof_verification.textbook import Textbook
from poolproof_verification.verdict import CouldNotRun, Evidence, Outcome


def named(name: str) -> Contract:
    return next(contract for contract in CONTRACTS if contract.name == name)


RELEASE_ALL = named("release_all")


def cut_off(count: int) -> bool:
    """The front of a list stays what it was when the list loses it; plain Python disagrees.

    pre: count == 1
    post: _
    """
    blocks = [3, 5]
    front = blocks[:count]
    del blocks[:count]
    return front == [5]


def without_contract(layout: int) -> bool:
    """Nothing is promised."""
    return False


def one_case(function: object, random: Random) -> Iterator[Arguments]:
    yield {"count": 1}


def test_the_cheapest_contract_holds_and_says_by_what() -> None:
    finding = examine(RELEASE_ALL, BlockManager, 20.0)
    assert finding.outcome is Outcome.HELD, finding.words
    words = ("confirmed, exhausted", "canary refuted", "1,500 cases agree", "reset_keeps_counts")
    assert all(each in finding.words for each in words)


@pytest.mark.parametrize(
    ("contract", "bug", "laws"),  # one of which the case that is met first breaks
    [
        ("allocate", "ceiling_off_by_one", {"refusals", "lengths"}),
        ("append", "append_without_copy", {"refusals"}),
        ("fork", "count_saturates", {"counts"}),
        ("append", "one_block_size", {"refusals"}),
    ],
)
def test_a_seeded_bug_is_refuted_in_plain_python_too(
    contract: str, bug: str, laws: set[str]
) -> None:
    finding = examine(named(contract), load(mutant_named(bug)), 20.0)
    assert finding.outcome is Outcome.REFUTED
    assert laws & set(finding.broken)
    assert f"{contract}(layout=" in finding.words
    assert "expected" in finding.words
    assert "observed" in finding.words


def test_what_crosshair_confirms_wrongly_is_not_held() -> None:
    if not search(cut_off, 10.0).confirmed:
        pytest.skip("this CrossHair does not have the fault")
    finding = examine(Contract(cut_off, ("results",), (), one_case, 1), BlockManager, 10.0)
    assert finding.outcome is Outcome.REFUTED
    assert "plain Python refutes what the search has not" in finding.words


def test_a_function_without_a_contract_is_not_held() -> None:
    finding = examine(replace(RELEASE_ALL, function=without_contract), BlockManager, 5.0)
    assert finding.outcome is Outcome.UNKNOWN
    assert "nothing checked" in finding.words


def test_without_time_the_outcome_is_unknown() -> None:
    finding = examine(RELEASE_ALL, BlockManager, 0.01)
    assert finding.outcome is Outcome.UNKNOWN
    assert "not confirmed (" in finding.words


def test_too_few_cases_are_not_enough() -> None:
    finding = examine(replace(RELEASE_ALL, least_cases=1_501), BlockManager, 20.0)
    assert finding.outcome is Outcome.UNKNOWN
    assert finding.words == "only 1500 cases in plain Python, not 1501"


@pytest.mark.parametrize(
    ("bugs", "words"),
    [
        ((), "no seeded bug to refute"),
        (("takes_the_highest",), "the seeded bug takes_the_highest was not refuted"),
    ],
)
def test_a_contract_that_refutes_no_bug_is_not_held(bugs: tuple[str, ...], words: str) -> None:
    finding = examine(replace(RELEASE_ALL, bugs=bugs), BlockManager, 20.0)
    assert (finding.outcome, finding.words) == (Outcome.UNKNOWN, words)


def test_a_refutation_that_does_not_replay_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    arguments: Arguments = {"layout": 0, "block_size": 1, "lowest": 0, "forked": False}
    arguments |= dict.fromkeys(("held0", "held1", "held2", "length", "limit"), 0)
    assert precondition(RELEASE_ALL.function)(arguments)
    claimed = Search("POST_FAIL", counterexample=arguments, message="false when calling")
    monkeypatch.setattr(judge, "search", lambda *given, **options: claimed)
    finding = examine(RELEASE_ALL, BlockManager, 5.0)
    assert finding.outcome is Outcome.UNKNOWN
    assert "the call does not fail in plain Python" in finding.words


def test_a_canary_that_lives_leaves_the_contract_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    confirmed = Search("CONFIRMED", confirmed=True, paths=1)
    monkeypatch.setattr(judge, "search", lambda *given, **options: confirmed)
    finding = examine(RELEASE_ALL, BlockManager, 5.0)
    assert finding.outcome is Outcome.UNKNOWN
    assert "the canary was not refuted (CONFIRMED)" in finding.words


def test_each_law_is_as_good_as_the_worst_of_its_contracts() -> None:
    findings = [
        Finding(named("append"), Outcome.HELD, 10, "confirmed"),
        Finding(named("fork"), Outcome.REFUTED, 5, "fork() is false", ("counts",)),
        Finding(named("release"), Outcome.UNKNOWN, 3, "not confirmed"),
    ]
    found = {verdict.law: verdict for verdict in verdicts(findings, "so far")}
    assert found["counts"].outcome is Outcome.REFUTED
    assert found["counts"].detail == "fork: fork() is false"
    assert found["partition"].outcome is Outcome.UNKNOWN
    assert found["partition"].count == 18
    assert found["choices"].outcome is Outcome.HELD
    assert set(found) <= set(LAWS)
    told = {(v.evidence, v.unit, v.scope) for v in found.values()}
    assert told == {(Evidence.SCOPE, "paths", "so far")}


def test_a_form_says_of_which_states_it_speaks() -> None:
    form = Form((RELEASE_ALL,), "these states", "all others")
    judgement = judge.check(budget=20.0, form=form)
    assert {verdict.law for verdict in judgement.verdicts} == set(RELEASE_ALL.laws)
    assert {verdict.scope for verdict in judgement.verdicts} == {"these states"}
    assert {verdict.outcome for verdict in judgement.verdicts} == {Outcome.HELD}
    assert (judgement.not_covered, len(judgement.notes)) == ("all others", 1)


def test_a_foreign_class_cannot_be_judged() -> None:
    with pytest.raises(CouldNotRun, match="contracts speak of poolproof's own manager"):
        judge.check(Textbook)  # type: ignore[arg-type]  # a foreign class, which is the point


def test_every_contract_speaks_for_known_laws_and_has_known_bugs() -> None:
    bugs = {mutant.name for mutant in MUTANTS}
    for contract in CONTRACTS:
        assert set(contract.laws) <= set(LAWS)
        assert contract.bugs
        assert set(contract.bugs) <= bugs


def test_the_contracts_refute_bugs_that_only_large_values_show() -> None:
    bugs = {name for contract in CONTRACTS for name in contract.bugs}
    assert len([mutant for mutant in MUTANTS if mutant.unbounded and mutant.name in bugs]) >= 2


def test_a_canary_tells_how_it_was_refuted() -> None:
    told = canary(mutant_named("fork_shares_list"))
    assert told.refuted
    assert told.bug == "parent and child have one and the same table"
    assert "fork('a', 'b')" in told.how

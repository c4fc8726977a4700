"""What was reached is told in a line; what a full search did not reach makes it unknown."""

from __future__ import annotations

import pytest
from tests.verification.model_targets import ModelTarget

from poolproof_model.system import Refusal
from poolproof_verification import driver as driver_module
from poolproof_verification import fuzz as fuzz_module
from poolproof_verification import search_notes
from poolproof_verification.coverage import possible
from poolproof_verification.draws import plan
from poolproof_verification.driver import Driver
from poolproof_verification.fuzz import ROUND, Budget, fuzz, go_on, rounds, search
from poolproof_verification.laws import LAWS, OF_CODE
from poolproof_verification.reached import LAW, counts, note, verdict
from poolproof_verification.record import Record
from poolproof_verification.search_notes import STANDARD, is_full
from poolproof_verification.suite import FUZZ_EXAMPLES
from poolproof_verification.targets import AdapterTarget, find_target
from poolproof_verification.verdict import Evidence, Outcome, overall
from poolproof_verification.visibility import Traits

ONLY_NO_ROOM = frozenset(Refusal) - {Refusal.OUT_OF_BLOCKS}


def model(traits: Traits, block_sizes: range = range(1, 100)) -> AdapterTarget:
    return AdapterTarget("model", ModelTarget(traits, block_sizes))


def record_with(times: int) -> Record:
    """Every goal was reached so often, all at once."""
    record = Record(find_target("poolproof"))
    record.block_sizes = {2}
    record.reached[possible(record.target.traits, {2})] += times
    return record


def test_the_law_is_one_of_the_search_and_not_of_managers() -> None:
    assert LAW in LAWS
    assert LAW not in OF_CODE


def test_how_often_all_goals_were_reached_is_told() -> None:
    record = record_with(3)
    record.reached["fork of several blocks", "grow by no token"] += 1
    record.reached[()] += 1000
    number = len(counts(record))
    total = f"{3 * number + 2} times in all"
    assert note(record).startswith(f"cases of the model: {number} of {number} goals reached, ")
    assert note(record).endswith(f"{total}; least often: allocate of no token, 3 times")
    held = verdict(record, "fuzz", "here")
    assert (held.outcome, held.evidence, held.count) == (Outcome.HELD, Evidence.CASES, number)
    assert (held.unit, held.scope, held.detail) == ("goals", "here", "")


def test_a_goal_that_is_not_reached_is_named_and_makes_it_unknown() -> None:
    record = Record(find_target("poolproof"))
    record.block_sizes = {2}
    goals = possible(record.target.traits, {2})
    record.reached[goals[:4] + goals[6:]] += 5
    unknown = verdict(record, "fuzz", "here")
    assert (unknown.outcome, unknown.evidence) == (Outcome.UNKNOWN, Evidence.NONE)
    assert unknown.detail == f"never reached: {goals[4]}, {goals[5]}"
    assert unknown.count == len(goals) - 2
    assert note(record).endswith(f"goals reached; never: {goals[4]}, {goals[5]}")


def test_a_goal_that_the_target_does_not_allow_is_not_counted() -> None:
    record = Record(model(Traits(operations=frozenset({"allocate", "append"}))))
    record.reached["fork of several blocks",] += 1
    assert "fork of several blocks" not in counts(record)
    assert "append in place" not in counts(record)
    record.block_sizes.add(2)
    assert "append in place" in counts(record)


SIX = frozenset({"allocate", "fork", "append", "grow", "release", "release_all"})
KINDS = {
    "copies at once": model(Traits(copies_at_fork=True)),
    "trusts its caller": model(
        Traits(SIX - {"grow", "release_all"}, undefined=ONLY_NO_ROOM, reserved=frozenset({0}))
    ),
    "no fork": model(Traits(SIX - {"fork"})),
    "one slot": model(Traits(), range(1, 2)),
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_random_driver_comes_upon_every_case_that_a_manager_allows(kind: str) -> None:
    record = Record(KINDS[kind])
    driver, missing = Driver(record, 0), ["all"]
    while missing and record.runs < 300:
        driver.run()
        missing = [goal for goal, number in counts(record).items() if not number]
    assert not missing
    assert len(record.faults) == 0


def test_the_machine_counts_the_same_cases() -> None:
    record = Record(find_target("poolproof"))
    go_on(record, iter([(0, 30)]), Budget(examples=30))
    found = counts(record)
    assert sum(number > 0 for number in found.values()) > len(found) / 2
    assert set().union(*record.reached) <= set(found)


def test_a_full_search_that_draws_too_little_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    never_forks = Traits(SIX - {"fork"})
    monkeypatch.setattr(
        driver_module, "plan", lambda random, shape, traits: plan(random, shape, never_forks)
    )
    monkeypatch.setattr(fuzz_module, "go_on", lambda *arguments: None)
    monkeypatch.setattr(search_notes, "STANDARD", 20)
    record = search(find_target("poolproof"), 0, examples=40)
    assert is_full(record)
    assert "fork of several blocks" in verdict(record, "fuzz", "").detail


@pytest.mark.parametrize("judged", [True, False])
def test_a_search_of_full_size_has_to_come_upon_every_case(
    judged: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_notes, "STANDARD", 4 if judged else ROUND)
    judgement = fuzz(find_target("poolproof"), 3, examples=4)
    assert [each.law for each in judgement.verdicts if each.law not in OF_CODE] == (
        ["coverage"] if judged else []
    )
    assert any("cases of the model: " in note and "never: " in note for note in judgement.notes)
    assert overall(judgement.verdicts) is (Outcome.UNKNOWN if judged else Outcome.HELD)
    assert not judged or judgement.verdicts[-1].detail.startswith("never reached: ")


def test_the_suite_searches_at_least_as_much_as_the_command() -> None:
    assert FUZZ_EXAMPLES >= STANDARD
    assert sum(runs for _, runs in rounds(0, None, None)) == STANDARD

"""What the manager says when asked is judged law by law, and a bug in it is noticed."""

from __future__ import annotations

import pytest

from poolproof_verification.asking import canary, check
from poolproof_verification.mutants import load, mutant_named
from poolproof_verification.verdict import Evidence, Outcome, overall


def test_the_shipped_manager_is_held_to_two_laws() -> None:
    judgement = check()
    assert overall(judgement.verdicts) is Outcome.HELD
    assert [verdict.law for verdict in judgement.verdicts] == ["alarms", "questions"]
    assert {verdict.evidence for verdict in judgement.verdicts} == {Evidence.CASES}
    assert judgement.verdicts[0].count > 1_000 and judgement.verdicts[1].count > 100
    assert "nothing broken in" in judgement.notes[0]


@pytest.mark.parametrize(
    ("name", "law"),
    [
        ("lost_block_escapes", "alarms"),
        ("usage_adds_up_holders", "questions"),
        ("truth_is_a_number", "questions"),
    ],
)
def test_a_bug_refutes_the_law_that_it_breaks(name: str, law: str) -> None:
    verdicts = check(load(mutant_named(name))).verdicts
    assert {each.law for each in verdicts if each.outcome is Outcome.REFUTED} == {law}
    assert all(each.detail for each in verdicts if each.outcome is Outcome.REFUTED)


def test_a_canary_is_noticed_or_said_to_have_escaped() -> None:
    assert canary(mutant_named("leak_and_double_count_cancel")).refuted
    escaped = canary(mutant_named("release_frees_early"))
    assert (escaped.refuted, escaped.how) == (False, "nothing said is wrong")

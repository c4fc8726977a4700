"""What a search could not judge is told, and not said to hold."""

from __future__ import annotations

from poolproof_verification.explore import explore
from poolproof_verification.fuzz import fuzz
from poolproof_verification.scopes import SMALL_SCOPES
from poolproof_verification.targets import find_target
from poolproof_verification.verdict import Outcome, overall

EXAMPLE = "poolproof_verification.adapters.example:Example"


def test_what_was_never_accepted_is_told() -> None:
    notes = fuzz(find_target("textbook"), 0, examples=10).notes
    assert any(note.startswith("never accepted: ") and "grow" in note for note in notes)


def test_what_cannot_be_judged_is_told_and_not_said_to_hold() -> None:
    judgement = fuzz(find_target(EXAMPLE), 0, examples=5)
    assert overall(judgement.verdicts) is Outcome.HELD
    laws = {verdict.law: verdict.count for verdict in judgement.verdicts}
    assert not {"counts", "can", "self-check"} & set(laws)
    assert laws["results"] < laws["choices"]
    notes = "\n".join(judgement.notes)
    assert "not judged: counts: the manager shows no reference counts" in notes
    assert "judged in part: partition: not which blocks are free" in notes
    never = [verdict.law for verdict in explore(find_target(EXAMPLE), SMALL_SCOPES[:1]).verdicts]
    assert "counts" not in never

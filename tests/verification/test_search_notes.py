"""What a search could not judge is told, and not said to hold."""

from __future__ import annotations

from poolproof_verification.explore import explore
from poolproof_verification.fuzz import fuzz
from poolproof_verification.operations import OPERATIONS
from poolproof_verification.record import Record
from poolproof_verification.scopes import SMALL_SCOPES
from poolproof_verification.search_notes import notes
from poolproof_verification.targets import find_target
from poolproof_verification.verdict import Outcome, overall

EXAMPLE = "poolproof_verification.adapters.example:Example"


def test_what_was_never_accepted_is_told() -> None:
    record = Record(find_target("poolproof"))
    record.accepted.update(name for name in OPERATIONS if name != "grow")
    told = list(notes(record, []))
    assert "never accepted: grow" in told
    assert not [note for note in told if note.startswith("not offered: ")]


def test_what_is_not_offered_is_told_apart_from_what_was_never_accepted() -> None:
    told = fuzz(find_target(EXAMPLE), 0, examples=3).notes
    assert "not offered: fork, release_all" in told
    assert not [note for note in told if note.startswith("never accepted: ")]
    assert "every operation offered was accepted at times" in told


def test_what_cannot_be_judged_is_told_and_not_said_to_hold() -> None:
    judgement = fuzz(find_target(EXAMPLE), 0, examples=5)
    assert overall(judgement.verdicts) is Outcome.HELD
    laws = {verdict.law: verdict.count for verdict in judgement.verdicts}
    assert not {"counts", "can", "self-check"} & set(laws)
    assert laws["results"] < laws["choices"]
    told = "\n".join(judgement.notes)
    assert "not judged: counts: the manager shows no reference counts" in told
    assert "judged in part: partition: not which blocks are free" in told
    never = [verdict.law for verdict in explore(find_target(EXAMPLE), SMALL_SCOPES[:1]).verdicts]
    assert "counts" not in never

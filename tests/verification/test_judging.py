"""A law is judged where something was judged or broke, and told in its own words."""

from __future__ import annotations

import pytest

from poolproof_verification.counterexample import Counterexample
from poolproof_verification.judging import NOTHING_TRIED, asked, judge, untried
from poolproof_verification.laws import LAWS
from poolproof_verification.verdict import Evidence, Judgement, Outcome, Verdict, overall

LOST = Counterexample(
    "house", "", "House", 1, 1, "partition", "block 0 is lost",
    ("partition: block 0 is lost", "refusals: it must be refused"), (),
)  # fmt: skip


def judged(counts: dict[str, int], found: list[Counterexample]) -> dict[str, Verdict]:
    verdicts = judge("explore", Evidence.EXHAUSTED, "small", "transitions", counts, found)
    return {verdict.law: verdict for verdict in verdicts}


def test_a_law_that_was_not_judged_has_no_verdict() -> None:
    assert set(judged({"partition": 5, "contents": 0}, [])) == {"partition"}


def test_a_judged_law_without_counterexample_held() -> None:
    verdict = judged({"counts": 7}, [])["counts"]
    assert verdict.outcome is Outcome.HELD
    assert (verdict.count, verdict.unit, verdict.scope) == (7, "transitions", "small")
    assert (verdict.detail, verdict.counterexample) == ("", None)


def test_a_broken_law_is_refuted_in_its_own_words() -> None:
    verdicts = judged({"partition": 5, "refusals": 2, "counts": 5}, [LOST])
    assert verdicts["partition"].detail == "block 0 is lost"
    assert verdicts["refusals"].detail == "it must be refused"
    assert verdicts["refusals"].counterexample is LOST
    assert verdicts["counts"].outcome is Outcome.HELD


def test_a_broken_law_is_refuted_even_if_it_was_not_counted() -> None:
    verdicts = judged({}, [LOST])
    assert {verdict.outcome for verdict in verdicts.values()} == {Outcome.REFUTED}
    assert overall(verdicts.values()) is Outcome.REFUTED


def test_nothing_judged_is_unknown() -> None:
    assert overall(judged({}, []).values()) is Outcome.UNKNOWN


def test_verdicts_come_in_the_order_of_the_laws() -> None:
    assert list(judged(dict.fromkeys(reversed(LAWS), 1), [])) == list(LAWS)


def test_questions_are_counted_in_states() -> None:
    verdicts = judged(dict.fromkeys(LAWS, 1), [])
    units = {law: verdict.unit for law, verdict in verdicts.items()}
    assert {units.pop(law) for law in ("can", "questions", "self-check")} == {"states"}
    assert set(units.values()) == {"transitions"}


@pytest.mark.parametrize(
    ("questions", "counts"),
    [
        (set(), (0, 0, 0)),
        ({"used"}, (0, 9, 0)),
        ({"check_invariants"}, (0, 0, 9)),
        ({"violations", "can_append"}, (9, 0, 9)),
    ],
)
def test_no_law_is_judged_by_questions_that_the_target_does_not_answer(
    questions: set[str], counts: tuple[int, int, int]
) -> None:
    found = asked(questions, 9)
    assert (found["can"], found["questions"], found["self-check"]) == counts


def test_a_search_in_which_nothing_was_accepted_holds_nothing_and_keeps_what_it_refuted() -> None:
    verdicts = judge("explore", Evidence.EXHAUSTED, "small", "transitions", {"counts": 9}, [LOST])
    found = untried(Judgement("explore", verdicts, 0.1, "much"))
    settled = {verdict.law: verdict for verdict in found.verdicts}
    assert settled["partition"].outcome is Outcome.REFUTED
    assert settled["counts"].outcome is Outcome.UNKNOWN
    assert settled["counts"].detail == found.notes[0] == NOTHING_TRIED
    assert settled["counts"].evidence is Evidence.NONE

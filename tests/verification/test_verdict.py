"""Unknown never passes, refuted never hides, and nothing checked is not held."""

from __future__ import annotations

from itertools import product

import pytest

from poolproof_verification.verdict import (
    COULD_NOT_RUN,
    EXIT_CODES,
    Evidence,
    Outcome,
    Verdict,
    overall,
)

HELD, REFUTED, UNKNOWN = Outcome.HELD, Outcome.REFUTED, Outcome.UNKNOWN


def verdict(outcome: Outcome, count: int = 1, detail: str = "") -> Verdict:
    return Verdict("method", "counts", outcome, Evidence.CASES, count, "cases", "scope", detail)


@pytest.mark.parametrize("outcomes", list(product(Outcome, repeat=3)), ids=str)
def test_refuted_beats_unknown_and_unknown_beats_held(outcomes: tuple[Outcome, ...]) -> None:
    worst = next(each for each in (REFUTED, UNKNOWN, HELD) if each in outcomes)
    assert overall(map(verdict, outcomes)) is worst


def test_no_verdict_at_all_is_unknown() -> None:
    assert overall([]) is UNKNOWN


def test_what_held_in_no_case_is_unknown() -> None:
    assert overall([verdict(HELD), verdict(HELD, count=0)]) is UNKNOWN
    assert overall([verdict(HELD, count=0)]) is UNKNOWN


@pytest.mark.parametrize("detail", ["", "why"])
def test_refuted_and_unknown_count_without_a_count(detail: str) -> None:
    assert overall([verdict(HELD), verdict(REFUTED, 0, detail)]) is REFUTED
    assert overall([verdict(HELD), verdict(UNKNOWN, 0, detail)]) is UNKNOWN


def test_each_outcome_has_an_exit_code_of_its_own() -> None:
    assert (EXIT_CODES[HELD], EXIT_CODES[REFUTED], EXIT_CODES[UNKNOWN]) == (0, 1, 3)
    assert COULD_NOT_RUN == 2


def test_only_the_evidence_of_proofs_says_proved_and_it_says_of_what() -> None:
    proved = [each for each in Evidence if "proved" in each.value]
    assert proved == [Evidence.PROVED]
    assert "proved of the model" in Evidence.PROVED.value

from __future__ import annotations

from dataclasses import replace

import z3
from tests.verification.proofs.by_hand import obligation

from poolproof_model.invariants import INVARIANTS
from poolproof_model.system import TRANSITIONS
from poolproof_verification.proofs.cases import cases_of, every_obligation, with_lemmas
from poolproof_verification.proofs.lemmas import LEMMAS, NATURAL, TWO
from poolproof_verification.proofs.solve import discharge

X, Y = z3.Ints("x y")
BOTH = obligation("both", "", z3.And(X > 0, Y > 0), (("x", X > 1), ("y", Y > 1)))
TIMEOUT = 2000


def test_a_goal_in_one_part_has_no_cases() -> None:
    assert cases_of(replace(BOTH, goal=X > 0)) == ()


def test_the_cases_are_the_parts_and_that_they_make_the_goal() -> None:
    first, second, together = cases_of(BOTH)
    assert [first.name, second.name] == ["both (part 1 of 2)", "both (part 2 of 2)"]
    assert [str(first.goal), str(second.goal)] == ["x > 0", "y > 0"]
    assert first.hypotheses == BOTH.hypotheses
    assert [str(part) for _, part in together.hypotheses] == ["x > 0", "y > 0"]
    assert together.goal is BOTH.goal
    assert all(discharge(case, set(), TIMEOUT).proved for case in cases_of(BOTH))


def test_a_part_that_does_not_follow_is_not_proved() -> None:
    first, second, _ = cases_of(replace(BOTH, hypotheses=BOTH.hypotheses[:1]))
    assert discharge(first, set(), TIMEOUT).proved
    assert not discharge(second, set(), TIMEOUT).proved


def test_a_part_too_few_does_not_make_the_goal() -> None:
    *_, together = cases_of(BOTH)
    fewer = replace(together, hypotheses=together.hypotheses[:1])
    assert not discharge(fewer, set(), TIMEOUT).proved


def test_every_split_of_the_model_covers_its_goal() -> None:
    split = [each for each in every_obligation(TRANSITIONS, INVARIANTS) if cases_of(each)]
    assert split
    for each in split:
        *parts, together = cases_of(each)
        assert z3.And(*(part.goal for part in parts)).eq(each.goal)
        assert discharge(together, set(), TIMEOUT).proved


def test_there_are_the_obligations_of_all_lemmas_first() -> None:
    names = [each.name for each in every_obligation(TRANSITIONS, INVARIANTS)]
    of_lemmas = {each.name for lemma in LEMMAS for each in lemma.obligations()}
    assert set(names[: len(of_lemmas)]) == of_lemmas
    assert len(set(names)) == len(names) > len(of_lemmas)


def test_an_obligation_brings_the_lemmas_it_rests_on() -> None:
    goal = obligation("counted", "", X == X, lemmas=(TWO,))
    names = [each.name for each in with_lemmas((goal, *NATURAL.obligations()))]
    assert names == [
        "lemma count is natural: base",
        "lemma count is natural: step",
        "lemma count of one: base",
        "lemma count of one: step",
        "lemma count of two: base",
        "lemma count of two: step",
        "counted",
    ]

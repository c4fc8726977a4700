"""What is wrong with a state is named: which block, which sequence, which law."""

from __future__ import annotations

from typing import Any

import pytest

from poolproof_verification.audit import (
    SEVERITY,
    Breach,
    audit,
    differences,
    misplaced,
    owners_of,
    worst_first,
)
from poolproof_verification.laws import OF_CODE
from poolproof_verification.operations import View


def view(free: list[int], ref: dict[int, int], **tables: tuple[list[int], int]) -> View:
    return View(free, ref, {n: {"blocks": b, "len": length} for n, (b, length) in tables.items()})


RIGHT = view([2], {0: 2, 1: 1}, A=([0], 2), B=([0, 1], 3))


def test_a_right_state_has_nothing_wrong() -> None:
    assert audit(RIGHT, 3, 2) == []
    assert audit(view([], {}), 0, 2) == []


@pytest.mark.parametrize(
    ("shown", "law", "words"),
    [
        (
            view([1, 2], {}),
            "partition",
            "block 0 is lost: not free, no table holds it, not counted",
        ),
        (
            view([2], {0: 1, 1: 1}, A=([0], 1)),
            "partition",
            "block 1 is lost: not free, no table holds it, counted once",
        ),
        (
            view([0, 1, 2], {0: 1}, A=([0], 1)),
            "partition",
            "block 0 is free while 'A' still holds it",
        ),
        (
            view([0, 1, 2], {2: 3}),
            "partition",
            "block 2 is free while no table holds it, yet it is counted 3 times",
        ),
        (view([0, 1, 2, 3], {}), "partition", "block 3 is none of the pool's 3"),
        (view([0, 0, 1, 2], {}), "partition", "block 0 is listed as free twice"),
        (
            view([1, 2], {0: 1}, A=([0], 1), B=([0], 1)),
            "counts",
            "block 0 is counted once, yet 'A' and 'B' still hold it",
        ),
        (
            view([1, 2], {}, A=([0], 1)),
            "counts",
            "block 0 is counted 0 times, yet 'A' still holds it",
        ),
        (
            view([1, 2], {0: 2}, A=([0, 0], 3)),
            "tables",
            "'A' lists block 0 more than once: [0, 0]",
        ),
        (view([1, 2], {0: 1}, A=([0], 3)), "lengths", "'A' has 1 block of 2 for 3 tokens"),
        (view([0, 1, 2], {}, A=([], -1)), "lengths", "'A' has 0 blocks of 2 for -1 tokens"),
        (view([1, 0, 2], {}), "questions", "the free blocks are not in order: [1, 0, 2]"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_each_contradiction_is_one_breach_in_plain_words(shown: View, law: str, words: str) -> None:
    assert audit(shown, 3, 2) == [Breach(law, words)]


@pytest.mark.parametrize(
    ("free", "tables"),
    [([None], {}), ([[0]], {}), ([0], {"A": {"blocks": None, "len": 1}})],
    ids=str,
)
def test_a_state_that_is_none_is_one_breach(free: Any, tables: Any) -> None:
    (breach,) = audit(View(free, {}, tables), 1, 1)
    assert breach.law == "questions"
    assert breach.words.startswith("the state shown is none: ")


def test_differences_from_the_model_are_told_by_sequence() -> None:
    shown = view([], {}, A=([0], 2), B=([0, 2], 3), D=([], 0))
    model = view([], {}, A=([0], 1), B=([0, 1], 3), C=([], 0))
    assert list(differences(shown, model)) == [
        Breach("lengths", "'A' has 2 tokens where the model has 1"),
        Breach("tables", "'B' has the table [0, 2] where the model has [0, 1]"),
        Breach("tables", "'C' is gone, but live in the model"),
        Breach("tables", "'D' is live, but not in the model"),
    ]
    assert list(differences(RIGHT, RIGHT)) == []


def test_a_block_that_returns_too_soon_or_not_at_all_breaks_the_law_of_release() -> None:
    before = view([3], {0: 1, 1: 2, 2: 1}, A=([0, 1], 3), B=([1, 2], 3))
    model = view([0, 3], {1: 1, 2: 1}, B=([1, 2], 3))
    shown = view([1, 3], {2: 1}, B=([2], 3))
    assert list(misplaced(before, shown, model)) == [
        Breach("release", "block 1 returned to the pool while 'B' still holds it"),
        Breach("release", "block 0 did not return to the pool, though its last holder let go"),
    ]
    assert list(misplaced(before, model, model)) == []


def test_a_block_that_is_not_taken_is_no_matter_of_release() -> None:
    before, model = view([0, 1], {}), view([1], {0: 1}, A=([0], 1))
    assert list(misplaced(before, before, model)) == []


def test_owners_count_each_entry() -> None:
    assert owners_of(RIGHT) == {0: ["A", "B"], 1: ["B"]}
    assert owners_of(view([], {}, A=([0, 0], 2))) == {0: ["A", "A"]}


def test_every_law_has_its_severity() -> None:
    assert sorted(SEVERITY) == sorted(OF_CODE)


def test_the_worst_comes_first_and_equals_keep_their_order() -> None:
    breaches = [Breach("tables", "1"), Breach("self-check", "2"), Breach("partition", "3")]
    assert [each.words for each in worst_first([*breaches, Breach("tables", "4")])] == [
        "3",
        "1",
        "4",
        "2",
    ]

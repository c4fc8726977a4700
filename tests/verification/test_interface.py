"""What the manager says beside its operations is judged call by call."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from poolproof import BlockManager, OutOfBlocks
from poolproof_verification.interface import CALLS, REFUSALS, Index, badly_refused, disagreements
from poolproof_verification.limits import limited_to
from poolproof_verification.mutants import load, mutant_named


def test_the_shipped_manager_answers_every_call_as_written_down() -> None:
    assert list(disagreements(BlockManager)) == []
    assert CALLS >= 55


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("truth_is_a_number", "answers [2], where TypeError is right"),
        ("second_release_is_silent", "answers [], where UnknownSequence is right"),
        ("negative_count_accepted", "where ValueError is right"),
        ("table_returns_own_list", "('table', 'a') answers with a part of the manager's state"),
        ("view_shows_own_lists", "('seqs',) answers with a part of the manager's state"),
    ],
)
def test_a_seeded_bug_is_told(name: str, words: str) -> None:
    manager = load(mutant_named(name))
    assert any(words in each for each in disagreements(manager))


FALSE: list[tuple[str, Any, str]] = [
    ("total", property(lambda manager: 5), "('total',) answers 5, where 4 is right"),
    ("__repr__", lambda manager: "a manager", "answers 'a manager', where 'BlockManager(4, 4)"),
    ("can_allocate", lambda manager, n: 1, "answers 1, where True is right"),
    ("slot", lambda manager, name, at: at, "answers Index(5), where 5 is right"),
]


@pytest.mark.parametrize(("name", "instead", "words"), FALSE, ids=[each[0] for each in FALSE])
def test_a_false_answer_is_told_beside_the_right_one(
    name: str, instead: Any, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BlockManager, name, instead)
    assert any(words in each for each in disagreements(BlockManager))


def test_an_error_must_have_its_figures_as_values_as_arguments_and_in_words() -> None:
    refusing = REFUSALS[0]
    assert badly_refused(OutOfBlocks(3, 2), refusing) == ""
    assert "lack ['asked for 4 ']" in badly_refused(
        OutOfBlocks(3, 2), replace(refusing, words=("asked for 4 ",))
    )
    assert "the error has {'asked': 2, 'free': 3}" in badly_refused(OutOfBlocks(2, 3), refusing)
    assert "MemoryError is right" not in badly_refused(MemoryError("no"), refusing)
    assert "where OutOfBlocks is right" in badly_refused(MemoryError("no"), refusing)
    swapped = OutOfBlocks(3, 2)
    swapped.args = (2, 3)
    assert "and (2, 3)" in badly_refused(swapped, refusing)


def test_an_error_made_by_keyword_has_its_arguments_too() -> None:
    class OutOfBlocks(MemoryError):
        def __init__(self, asked: int, free: int) -> None:
            self.asked, self.free = asked, free

        def __str__(self) -> str:
            return "asked for 3 blocks where 2 are free"

    assert "cannot be pickled" in badly_refused(OutOfBlocks(3, 2), REFUSALS[0])


def test_a_manager_of_an_impossible_size_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    class Anything:
        def __init__(self, total: object, block_size: object) -> None:
            pass

    found = list(disagreements(Anything))  # type: ignore[arg-type]
    assert any(each.startswith("(-1, 4) makes <") for each in found)
    assert len(found) > 30


def test_an_endless_call_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(manager: BlockManager, name: str) -> int:
        while True:
            pass

    monkeypatch.setattr(BlockManager, "length", endless)
    with limited_to(0.05):
        assert any("not ended after" in each for each in disagreements(BlockManager))


def test_an_index_is_no_int() -> None:
    assert Index(3).__index__() == 3
    assert repr(Index(3)) == "Index(3)"

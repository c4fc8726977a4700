"""The answers are derived from the model, and a right manager gives them."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import pytest
from tests.verification.faulty_managers import Strict

from poolproof import BlockManager
from poolproof_model.execute import empty_pool
from poolproof_verification.adapters.lesson import LessonAdapter, interface_of
from poolproof_verification.lockstep import FRESH, Lockstep
from poolproof_verification.operations import Accepted, Operation, Refused
from poolproof_verification.oracle import Oracle, carry_out
from poolproof_verification.questions import (
    NO_ANSWER,
    alike,
    answers,
    same,
    wrong_answer,
    wrong_answers,
)
from poolproof_verification.targets import ClassTarget
from poolproof_verification.textbook import Textbook

HISTORY = (
    Operation("allocate", ("A", 3)),
    Operation("fork", ("A", "B")),
    Operation("append", ("B",)),
    Operation("allocate", ("C", 0)),
)
NAMES = ("A", "B", "C", "Z")


def adapter_of(manager: Any) -> LessonAdapter:
    adapter = LessonAdapter(manager, interface_of(manager))
    for operation in HISTORY:
        adapter.call(operation)
    return adapter


def answered() -> dict[tuple[str, tuple[Any, ...]], Any]:
    pool = empty_pool(4, 2)
    for operation in HISTORY:
        pool, _ = carry_out(pool, operation)
    return {(name, arguments): answer for name, arguments, answer in answers(Oracle(), pool, NAMES)}


@pytest.mark.parametrize(
    ("question", "arguments", "answer"),
    [
        ("used", (), 3),
        ("num_free", (), 1),
        ("can_allocate", (2,), True),
        ("can_allocate", (3,), False),
        ("can_allocate", (-1,), False),
        ("can_append", ("A",), True),
        ("can_append", ("Z",), False),
        ("can_grow", ("A", 2), True),
        ("can_grow", ("A", 3), True),
        ("can_grow", ("C", 3), False),
        ("can_grow", ("C", -1), False),
        ("table", ("B",), [0, 2]),
        ("length", ("B",), 4),
        ("last_block", ("B",), 2),
        ("last_block", ("C",), NO_ANSWER),
        ("slot", ("B", 3), 5),
        ("slot", ("B", 4), NO_ANSWER),
        ("slot", ("B", -1), NO_ANSWER),
        ("table", ("Z",), NO_ANSWER),
        ("violations", (), []),
    ],
)
def test_an_answer_follows_from_the_state(
    question: str, arguments: tuple[Any, ...], answer: Any
) -> None:
    assert answered()[question, arguments] is answer or answered()[question, arguments] == answer


@pytest.mark.parametrize(
    "manager", [BlockManager(4, 2), Textbook(4, 2)], ids=lambda each: type(each).__name__
)
def test_a_right_manager_answers_everything_right(manager: Any) -> None:
    pool = empty_pool(4, 2)
    for operation in HISTORY:
        pool, _ = carry_out(pool, operation)
    adapter, asked = adapter_of(manager), list[Operation]()
    assert list(wrong_answers(adapter, Oracle(), pool, NAMES, asked.append)) == []
    assert {question.name for question in asked} == adapter.questions


def test_every_question_of_the_shipped_manager_is_asked() -> None:
    assert {question for question, _ in answered()} == interface_of(BlockManager(1, 1)).questions


@pytest.mark.parametrize(
    ("question", "answer", "given", "asserted"),
    [
        (Operation("used"), 3, 4, "assert manager.used() == 3"),
        (Operation("num_free"), 1, 0, "assert manager.num_free == 1"),
        (Operation("can_append", ("A",)), True, 1, "assert manager.can_append('A') is True"),
        (
            Operation("table", ("Z",)),
            NO_ANSWER,
            [],
            "with pytest.raises(LookupError):\n    manager.table('Z')",
        ),
    ],
)
def test_a_wrong_answer_comes_with_lines_for_a_test(
    question: Operation, answer: Any, given: Any, asserted: str
) -> None:
    breach = wrong_answer(question, answer, Accepted(given))
    assert (breach.question, breach.asserted) == (question.name, asserted)
    wanted = "a refusal" if answer is NO_ANSWER else repr(answer)
    assert breach.words == f"{question} answers {given!r}, where {wanted} is right"


def test_a_question_that_is_refused_has_no_answer() -> None:
    breach = wrong_answer(Operation("used"), 3, Refused(None, KeyError("A")))
    assert breach.words == "used() answers refused: KeyError: 'A', where 3 is right"


@pytest.mark.parametrize(
    ("value", "expected"),
    [(True, 1), (1, True), ([True], [1]), ((0,), [0]), ([0, 1], [0]), ("", 0)],
)
def test_what_is_equal_but_of_another_type_is_not_the_same(value: Any, expected: Any) -> None:
    assert not same(value, expected)


def test_what_is_the_same_is_so_throughout() -> None:
    assert same(([0, 1], (2, 3)), ([0, 1], (2, 3)))
    assert same(None, None)


class Incomparable:
    def __eq__(self, other: object) -> bool:
        raise RuntimeError

    __hash__ = None  # type: ignore[assignment]  # what cannot be compared is not hashed


def test_what_cannot_be_compared_is_neither_the_same_nor_alike() -> None:
    assert not same([Incomparable()], [0])
    assert not alike([Incomparable()], [0])
    assert alike([True], [1])


class AnswersAnyway(Textbook):
    """It has an answer for every question, even where there is nothing to answer."""

    def table(self, name: Any) -> list[int]:
        return self.seqs[name]["blocks"] if name in self.seqs else []


def test_an_answer_where_there_is_none_is_wrong() -> None:
    pool = empty_pool(4, 2)
    for operation in HISTORY:
        pool, _ = carry_out(pool, operation)
    (breach,) = wrong_answers(adapter_of(AnswersAnyway(4, 2)), Oracle(), pool, NAMES)
    assert breach.words == "table('Z') answers [], where a refusal is right"


class OwnTable(Strict):
    def table(self, name: Hashable) -> list[int]:
        return self.seqs[name]["blocks"]


def test_a_list_that_a_question_returns_is_the_callers_to_write_into() -> None:
    lockstep = Lockstep(ClassTarget("own", OwnTable), 2, 2)
    lockstep.do(Operation("allocate", ("A", 1)))
    assert lockstep.ask(("Z",), FRESH).finding is None
    found = lockstep.ask(("A",), FRESH, one_by_one=True).finding
    assert found is not None
    own = [breach for breach in found.breaches if "list of the manager's own" in breach.words]
    assert own[0].words.startswith("table('A') returns a list of the manager's own")
    assert own[0].asserted == (
        "returned = manager.table('A')\nreturned[:] = [-99] * (len(returned) + 1)"
    )


class ShyOfTheMiddle(BlockManager):  # type: ignore[misc]  # it is final
    def can_allocate(self, n_tokens: Any) -> bool:
        return super().can_allocate(n_tokens) and not 1 < n_tokens < 6

    def slot(self, name: Hashable, position: Any) -> int:
        right = super().slot(name, position)
        return right + 1 if position == 1 else right

    def can_grow(self, name: Hashable, n_tokens: Any) -> bool:
        return super().can_grow(name, n_tokens) and n_tokens != 7  # 3 blocks, and a slot of slack


def test_what_is_wrong_between_the_edges_and_at_the_edge_of_a_growth_is_found() -> None:
    lockstep = Lockstep(ClassTarget("shy", ShyOfTheMiddle), 5, 2)
    assert lockstep.do(Operation("allocate", ("A", 3))).finding is None
    found = lockstep.ask(("A",), FRESH).finding
    assert found is not None
    told = " ".join(breach.words for breach in found.breaches)
    assert all(asked in told for asked in ("can_allocate(3)", "can_grow('A', 7)", "slot('A', 1)"))


def test_only_what_is_asked_is_answered() -> None:
    pool = empty_pool(2, 1)
    asked = {name for name, _, _ in answers(Oracle(), pool, ("Z",), {"used", "can_append"})}
    assert asked == {"used", "can_append"}

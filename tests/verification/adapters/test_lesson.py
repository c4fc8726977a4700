"""The lesson's interface is called as it is; nothing of it raises, and nothing is believed."""

from __future__ import annotations

import sys
from collections.abc import Hashable
from fractions import Fraction
from types import ModuleType
from typing import Any

import pytest

from poolproof import BlockManager, OutOfBlocks, SequenceExists, UnknownSequence
from poolproof_model.system import Refusal
from poolproof_verification.adapters.adapter import UnreadableView
from poolproof_verification.adapters.lesson import (
    ERRORS,
    LessonAdapter,
    interface_of,
    refusals,
)
from poolproof_verification.operations import (
    OPERATIONS,
    Accepted,
    Failed,
    Operation,
    Refused,
    View,
)
from poolproof_verification.textbook import Textbook


def adapter(manager: Any) -> LessonAdapter:
    return LessonAdapter(manager, interface_of(manager))


def call(name: str, *arguments: Any) -> Operation:
    return Operation(name, arguments)


def test_the_shipped_manager_is_held_to_its_own_errors() -> None:
    errors = refusals(BlockManager)
    assert errors[Refusal.EXISTS] is SequenceExists
    assert errors[Refusal.OUT_OF_BLOCKS] is OutOfBlocks
    assert interface_of(BlockManager(1, 1)).refuses_wrong_types


def test_a_class_without_errors_of_its_own_refuses_with_the_builtin_ones() -> None:
    assert refusals(Textbook) == ERRORS
    assert not interface_of(Textbook(1, 1)).refuses_wrong_types


def test_what_is_no_class_of_errors_is_no_error_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("house_of_the_lesson_tests")
    module.__dict__.update(SequenceExists="no class", OutOfBlocks=int)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    manager_class = type("Pool", (Textbook,), {"__module__": module.__name__})
    assert refusals(manager_class) == ERRORS


def test_operations_and_questions_are_those_that_the_class_has() -> None:
    shipped, lesson = interface_of(BlockManager(1, 1)), interface_of(Textbook(1, 1))
    assert shipped.operations == set(OPERATIONS)
    assert lesson.operations == {*OPERATIONS} - {"grow"}
    assert lesson.questions == {"used", "check_invariants"}
    assert {"can_append", "num_free", "slot", "violations"} <= shipped.questions


def test_an_attribute_of_the_same_name_is_no_question_if_it_takes_no_arguments() -> None:
    class Other(Textbook):
        table: Any = ()
        length = 7
        num_free = 3

    assert interface_of(Other(1, 1)).questions == {"used", "check_invariants", "num_free"}


@pytest.mark.parametrize(
    ("operation", "reason", "error"),
    [
        (call("allocate", "A", True), Refusal.WRONG_TYPE, TypeError),
        (call("allocate", "B", -1), Refusal.NEGATIVE, ValueError),
        (call("append", "Z"), Refusal.UNKNOWN, UnknownSequence),
        (call("allocate", "A", 1), Refusal.EXISTS, SequenceExists),
        (call("allocate", "B", 9), Refusal.OUT_OF_BLOCKS, OutOfBlocks),
    ],
    ids=str,
)
def test_a_refusal_of_the_shipped_manager_has_its_reason(
    operation: Operation, reason: Refusal, error: type
) -> None:
    shipped = adapter(BlockManager(2, 1))
    assert shipped.call(call("allocate", "A", 1)) == Accepted([0])
    response = shipped.call(operation)
    assert isinstance(response, Refused)
    assert type(response.error) is error
    assert response.reason is reason
    assert [each for each in Refusal if shipped.agrees(each, response)] == [reason]


def test_of_a_shared_error_no_reason_is_told_and_each_agrees() -> None:
    class Guarded(Textbook):
        def allocate(self, name: Hashable, n_tokens: int) -> list[int]:
            raise ValueError("no")

    guarded = adapter(Guarded(1, 1))
    response = guarded.call(call("allocate", "A", 1))
    assert str(response) == "refused: ValueError: no"
    assert {each for each in Refusal if guarded.agrees(each, response)} == {
        Refusal.EXISTS,
        Refusal.NEGATIVE,
    }


def test_an_error_that_is_no_refusal_is_a_failure() -> None:
    class Broken(Textbook):
        def append(self, name: Hashable) -> bool:
            raise {"A": RuntimeError("half\nway"), "B": SystemExit(3)}[str(name)]

    broken = adapter(Broken(1, 1))
    assert broken.call(call("append", "A")) == Failed("RuntimeError: half way")
    assert broken.call(call("append", "B")) == Failed("SystemExit: 3")
    assert not broken.agrees(Refusal.UNKNOWN, Failed("KeyError: 'A'"))
    assert not broken.agrees(Refusal.UNKNOWN, Accepted(None))


def test_an_interrupt_is_not_swallowed() -> None:
    class Interrupted(Textbook):
        def append(self, name: Hashable) -> bool:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        adapter(Interrupted(1, 1)).call(call("append", "A"))


def test_a_question_is_called_or_read() -> None:
    shipped = adapter(BlockManager(2, 1))
    assert shipped.ask("num_free") == Accepted(2)
    assert shipped.ask("used") == Accepted(0)
    assert shipped.ask("can_allocate", 2) == Accepted(True)
    refused = shipped.ask("slot", "Z", 0)
    assert isinstance(refused, Refused)
    assert refused.reason is Refusal.UNKNOWN


def test_an_index_out_of_range_refuses_a_question() -> None:
    shipped = adapter(BlockManager(2, 1))
    shipped.call(call("allocate", "A", 0))
    assert isinstance(shipped.ask("last_block", "A"), Refused)


def test_a_question_that_breaks_is_a_failure() -> None:
    class Broken(Textbook):
        def used(self) -> int:
            raise ZeroDivisionError

    assert adapter(Broken(1, 1)).ask("used") == Failed("ZeroDivisionError")


def test_the_view_is_a_copy() -> None:
    textbook = Textbook(3, 2)
    textbook.allocate("A", 3)
    view = adapter(textbook).view()
    assert view == View([2], {0: 1, 1: 1}, {"A": {"blocks": [0, 1], "len": 3}})
    view.free.clear()
    view.ref.clear()
    view.seqs["A"]["blocks"].clear()
    assert (textbook.free, textbook.ref) == ([2], {0: 1, 1: 1})
    assert textbook.seqs["A"]["blocks"] == [0, 1]


class Number:
    """An integer of another library."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value

    def __eq__(self, other: object) -> bool:
        return bool(self.value == other)

    def __hash__(self) -> int:
        return hash(self.value)


def test_integers_of_another_library_are_integers() -> None:
    textbook: Any = Textbook(3, 2)
    textbook.free, textbook.ref = (Number(1), Number(2)), {Number(0): Number(1)}
    textbook.seqs = {"A": {"blocks": [Number(0)], "len": Number(2)}}
    view = adapter(textbook).view()
    assert view == View([1, 2], {0: 1}, {"A": {"blocks": [0], "len": 2}})
    assert {type(block) for block in (*view.free, *view.ref, *view.ref.values())} == {int}


@pytest.mark.parametrize(
    ("part", "junk"),
    [
        ("free", None),
        ("free", 3),
        ("free", [None]),
        ("free", ["0"]),
        ("free", [True]),
        ("free", [Fraction(1)]),
        ("ref", None),
        ("ref", [1, 2]),
        ("ref", {"0": 1}),
        ("ref", {0: None}),
        ("seqs", None),
        ("seqs", []),
        ("seqs", {"A": None}),
        ("seqs", {"A": {"blocks": [0]}}),
        ("seqs", {"A": {"blocks": None, "len": 1}}),
        ("seqs", {"A": {"blocks": [[0]], "len": 1}}),
        ("seqs", {"A": {"blocks": [0], "len": "1"}}),
        ("seqs", {"A": {"blocks": [0], "len": 1.0}}),
    ],
    ids=str,
)
def test_junk_is_no_view(part: str, junk: Any) -> None:
    textbook = Textbook(1, 1)
    setattr(textbook, part, junk)
    with pytest.raises(UnreadableView) as caught:
        adapter(textbook).view()
    assert len(str(caught.value).splitlines()) == 1


def test_a_view_that_raises_is_no_view() -> None:
    class Silent(Textbook):
        def __getattribute__(self, name: str) -> Any:
            if name == "seqs":
                raise RuntimeError("not now")
            return super().__getattribute__(name)

    silent = Silent(1, 1)
    with pytest.raises(UnreadableView, match="RuntimeError: not now"):
        adapter(silent).view()

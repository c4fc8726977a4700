"""A failure is told with the line of the adapter or manager where it was raised, and no path."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any

import pytest

from poolproof_model.system import Refusal
from poolproof_verification.adapters.adapter import UnreadableView
from poolproof_verification.adapters.lesson import LessonAdapter, interface_of
from poolproof_verification.limits import Guarded
from poolproof_verification.operations import Failed, Operation, Refused
from poolproof_verification.places import raised_at
from poolproof_verification.textbook import Textbook

HERE = Path(__file__).name
LINES = Path(__file__).read_text(encoding="utf-8").splitlines()
APPEND = Operation("append", ("A",))


def at(mark: str) -> str:
    """Where the line with this mark is."""
    return f"{HERE}:{1 + next(i for i, line in enumerate(LINES) if line.endswith(f'# {mark}'))}"


class Broken(Textbook):
    def append(self, name: Hashable) -> bool:
        return self.inner() if name == "A" else bool(json.loads("{"))  # outside

    def inner(self) -> bool:
        return 1 // len(self.seqs) > 1  # inside


def guarded(**methods: Callable[..., Any]) -> Guarded:
    adapter = LessonAdapter(manager := Broken(2, 1), interface_of(manager))
    for name, method in methods.items():
        setattr(adapter, name, method)
    return Guarded(adapter)


def fails(*arguments: Any) -> Any:
    raise RuntimeError("half way")  # raised


def hides(*arguments: Any) -> Any:
    try:
        fails()
    except RuntimeError as error:
        raise UnreadableView("no state") from error


def endless(*arguments: Any) -> Any:
    return endless(*arguments)


def test_the_last_line_of_the_manager_is_told_and_none_of_the_library() -> None:
    manager = guarded()
    answer = str(manager.call(APPEND))
    assert answer.startswith("failed: ZeroDivisionError: ")
    assert answer.endswith(f", at {at('inside')}")
    refused = manager.call(Operation("append", ("B",)))
    assert isinstance(refused, Refused)  # a JSONDecodeError is a ValueError: nothing to be told
    assert HERE not in str(refused)


def test_whatever_method_of_an_adapter_fails_its_line_is_told() -> None:
    bad = guarded(call=fails, ask=fails, agrees=fails, view=fails)
    words = f"RuntimeError: half way, at {at('raised')}"
    assert str(bad.call(APPEND)) == str(bad.ask("used")) == f"failed: {words}"
    assert bad.denial(Refusal.UNKNOWN, Refused(None)).endswith(f"agrees() says: {words}")
    for view, told in ((fails, words), (hides, f"no state, at {at('raised')}")):
        with pytest.raises(UnreadableView) as error:
            guarded(view=view).view()
        assert str(error.value) == told


def test_one_failure_in_two_places_is_one() -> None:
    assert Failed("no", "a.py:1") == Failed("no", "a.py:2")


def test_what_varies_with_the_depth_of_the_stack_is_not_told() -> None:
    assert str(guarded(call=endless).call(APPEND)).endswith("exceeded")
    assert raised_at(None) == raised_at(RuntimeError("never raised")) == ""
    with pytest.raises(json.JSONDecodeError) as error:
        json.loads("{")
    assert raised_at(error.value).startswith(f"{HERE}:")

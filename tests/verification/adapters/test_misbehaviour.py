"""An adapter that misbehaves in one method is refuted in words that say how."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import pytest

from poolproof_verification.adapters.example import Example, ExampleAdapter
from poolproof_verification.driver import NOT_AGAIN
from poolproof_verification.fuzz import fuzz
from poolproof_verification.limits import Guarded, limited_to
from poolproof_verification.operations import QUESTIONS, Accepted, Refused, View
from poolproof_verification.reports.story_text import story
from poolproof_verification.targets import AdapterTarget
from poolproof_verification.verdict import Outcome, overall


class Misbehaves(Example):
    """Makes adapters that misbehave in one method from the third time on."""

    def __init__(self, method: str, does: Callable[..., Any]) -> None:
        self.method, self.does = method, does

    def make(self, total: int, block_size: int) -> ExampleAdapter:
        adapter, calls = super().make(total, block_size), [0]
        right = getattr(adapter, self.method)

        def method(*arguments: Any) -> Any:
            calls[0] += 1
            return right(*arguments) if calls[0] < 3 else self.does(*arguments)

        setattr(adapter, self.method, method)
        return adapter


def raising(error: BaseException) -> Callable[..., Any]:
    def method(*arguments: Any) -> Any:
        raise error

    return method


class Own(BaseException):
    """What a target raises that is no error of Python's."""


class Exits:
    """A value that ends the process where it is shown or compared."""

    def __repr__(self) -> str:
        raise SystemExit(0)

    def __eq__(self, other: object) -> bool:
        raise SystemExit(0)


JUNK_VIEW: Any = View
JUNK_REASON: Any = "value"
BAD = [
    ("call", raising(RuntimeError("half way")), "failed: RuntimeError: half way"),
    ("call", raising(SystemExit(0)), "failed: SystemExit: 0"),
    ("call", raising(RecursionError("deep")), "failed: RecursionError: deep"),
    ("call", raising(Own("of its own")), "failed: Own: of its own"),
    ("call", raising(asyncio.CancelledError()), "failed: CancelledError"),
    ("call", lambda *arguments: Accepted(Exits()), "<Exits that cannot be shown>"),
    ("call", lambda *arguments: Refused(JUNK_REASON), "whose reason is 'value', which is no Ref"),
    ("view", lambda: JUNK_VIEW(0, None, {"A": Exits()}), "the table of 'A' is <Exits that cannot"),
    ("call", lambda *arguments: None, "the adapter answers None, which is no response"),
    ("view", raising(SystemExit(1)), "does not show its state: SystemExit: 1"),
    ("view", lambda: None, "does not show its state: None is no view"),
    ("view", lambda: JUNK_VIEW(-1, None, {}), "-1 are free"),
    ("view", lambda: JUNK_VIEW([1], None, {}), "the free blocks are [1], not their number"),
    ("view", lambda: JUNK_VIEW(0, None, {"A": None}), "the table of 'A' is None"),
    ("ask", raising(GeneratorExit()), "num_free() answers failed: GeneratorExit"),
    ("ask", lambda *arguments: 7, "num_free() answers failed: the adapter answers 7"),
]


@pytest.mark.parametrize(("method", "does", "words"), BAD)
def test_a_bad_adapter_is_refuted_in_words(
    method: str, does: Callable[..., Any], words: str
) -> None:
    judgement = fuzz(AdapterTarget("bad", Misbehaves(method, does)), 0, examples=2)
    assert overall(judgement.verdicts) is Outcome.REFUTED
    told = "\n".join(story(each) for each in judgement.counterexamples)
    assert words in told
    assert NOT_AGAIN not in told


def test_where_an_adapter_fails_to_say_what_it_answers_everything_is_asked() -> None:
    class Fails(ExampleAdapter):
        def __getattribute__(self, name: str) -> Any:
            if name == "questions":
                raise SystemExit(0)
            return super().__getattribute__(name)

    assert Guarded(Fails(Example().make(2, 1).manager)).questions == set(QUESTIONS)


@pytest.mark.parametrize("method", ["call", "view", "ask"])
def test_a_method_that_hangs_is_refuted_before_anything_is_explored(method: str) -> None:
    def hang(*arguments: Any) -> None:
        while True:
            time.sleep(0.001)  # waits, as it does not compute

    with limited_to(0.1, clock=0.1):
        judgement = fuzz(AdapterTarget("hangs", Misbehaves(method, hang)), 0, examples=2)
    assert overall(judgement.verdicts) is Outcome.REFUTED
    told = "\n".join(story(each) for each in judgement.counterexamples)
    assert "not ended after" in told
    assert not any("states" in note for note in judgement.notes)

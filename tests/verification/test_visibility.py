"""Traits are read off an adapter, and what is no view is told."""

from __future__ import annotations

from typing import Any

import pytest

from poolproof_verification.adapters.lesson import LessonAdapter
from poolproof_verification.operations import (
    HIDDEN,
    Operation,
    View,
    completed,
    view_of,
)
from poolproof_verification.oracle import carry_out
from poolproof_verification.targets import ClassTarget
from poolproof_verification.textbook import Textbook
from poolproof_verification.verdict import CouldNotRun
from poolproof_verification.visibility import (
    Traits,
    judged_in_part,
    malformed,
    not_judged,
    shown_of,
    start_of,
    traits_of,
)

INTERFACE = ClassTarget("textbook", Textbook).interface
EAGER = Traits(copies_at_fork=True)


def call(name: str, *arguments: Any) -> Operation:
    return Operation(name, arguments)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("operations", {"allocate"}, "operations is {'allocate'}, not a frozenset of str"),
        ("operations", frozenset({"fly"}), "its operations have ['fly']; there are allocate,"),
        ("operations", frozenset(), "adapter LessonAdapter has no operations"),
        (
            "operations",
            frozenset({"append"}),
            "adapter LessonAdapter has no allocate: nothing could ever be tried",
        ),
        ("questions", frozenset({"nope"}), "its questions have ['nope']; there are can_allocate,"),
        ("any_free_block", 1, "any_free_block is 1, not True or False"),
        ("reserved", frozenset({True}), "reserved is frozenset({True}), not a frozenset of int"),
        ("undefined", None, "undefined is None, not a frozenset of Refusal"),
    ],
)
def test_an_adapter_that_says_junk_of_itself_is_told(name: str, value: Any, words: str) -> None:
    adapter = LessonAdapter(Textbook(1, 1), INTERFACE)
    setattr(adapter, name, value)
    with pytest.raises(CouldNotRun) as caught:
        traits_of(adapter, None)
    assert words in str(caught.value)


def test_an_adapter_that_lacks_a_trait_is_told() -> None:
    adapter = LessonAdapter(Textbook(1, 1), INTERFACE)
    del adapter.undefined
    with pytest.raises(CouldNotRun, match="adapter LessonAdapter lacks undefined"):
        traits_of(adapter, None)


JUNK: Any = View  # made of anything
ONLY_NUMBERS = Traits(shows_free_blocks=False, shows_counts=False)


@pytest.mark.parametrize(
    ("view", "traits", "words"),
    [
        (None, EAGER, "None is no view"),
        (JUNK([], {}, {}), EAGER, ""),
        (JUNK(0, {}, {}), EAGER, "the free blocks are 0, not a list of integers"),
        (JUNK([], {}, {}), ONLY_NUMBERS, "the free blocks are [], not their number"),
        (JUNK(True, None, {}), ONLY_NUMBERS, "the free blocks are True, not their number"),
        (JUNK([True], {}, {}), EAGER, "the free blocks are [True], not a list of integers"),
        (JUNK([], None, {}), EAGER, "the counts are None, not a dict of integers"),
        (JUNK(0, {}, {}), ONLY_NUMBERS, "the counts are {}, not None, as at first"),
        (JUNK([], {"0": 1}, {}), EAGER, "the counts are {'0': 1}, not a dict of integers"),
        (JUNK([], {}, []), EAGER, "the tables are [], not a dict"),
        (JUNK([], {}, {"A": [0]}), EAGER, "the table of 'A' is [0], not blocks and len"),
        (
            JUNK([], {}, {"A": {"blocks": (0,), "len": 1}}),
            EAGER,
            "the blocks of 'A' are (0,), not a list of integers",
        ),
        (
            JUNK([], {}, {"A": {"blocks": [], "len": None}}),
            EAGER,
            "the length of 'A' is None, not an integer",
        ),
    ],
)
def test_what_is_no_view_is_told(view: Any, traits: Traits, words: str) -> None:
    assert malformed(view, traits) == words


def test_the_model_shows_as_much_as_the_manager() -> None:
    pool, _ = carry_out(start_of(3, 2, EAGER), call("allocate", "A", 3))
    assert shown_of(pool, EAGER) == view_of(pool)
    tables = {"A": {"blocks": [0, 1], "len": 3}}
    assert shown_of(pool, ONLY_NUMBERS) == View(1, None, tables)
    assert str(shown_of(pool, ONLY_NUMBERS)) == "free 1 | A [0, 1] 3 tokens"


def test_who_shows_and_promises_everything_is_judged_by_every_law() -> None:
    asked = frozenset({"can_append", "violations", "table"})
    assert not_judged(Traits(questions=asked)) == judged_in_part(Traits(questions=asked)) == {}


def test_what_is_hidden_is_completed() -> None:
    assert completed(HIDDEN, [1]) == [1]
    assert completed(([1], HIDDEN), ([1], (0, 1))) == ([1], (0, 1))
    assert completed([2], [1]) == [2]
    assert completed((1, 2, 3), (1, 2)) == (1, 2, 3)

"""Sentences agree in number, and foreign values are told whatever they do."""

from __future__ import annotations

import pytest

from poolproof_verification.words import error_told, plural, still_held, times, told


@pytest.mark.parametrize(
    ("count", "words"), [(0, "0 blocks"), (1, "1 block"), (2, "2 blocks"), (12345, "12,345 blocks")]
)
def test_a_word_is_in_the_plural_unless_there_is_one(count: int, words: str) -> None:
    assert plural(count, "block") == words


@pytest.mark.parametrize(
    ("count", "words"), [(0, "0 times"), (1, "once"), (2, "twice"), (3, "3 times")]
)
def test_once_twice_and_so_on(count: int, words: str) -> None:
    assert times(count) == words


def test_who_holds_a_block_is_told_by_name() -> None:
    assert still_held([]) == "no table holds it"
    assert still_held(["A"]) == "'A' still holds it"
    assert still_held(["A", 7]) == "'A' and 7 still hold it"


class Plain:
    pass


class Mute(Exception):
    def __repr__(self) -> str:
        raise RuntimeError

    __str__ = __repr__


def test_a_value_is_told_as_code_without_its_address() -> None:
    assert told([1, "A"]) == "[1, 'A']"
    assert told(Plain()).endswith("Plain object>")


def test_a_value_that_cannot_be_shown_is_told_all_the_same() -> None:
    assert told(Mute()) == "<Mute that cannot be shown>"
    assert error_told(Mute()) == "Mute: a message that cannot be shown"


def test_an_error_is_told_in_one_line() -> None:
    assert error_told(ValueError("two\n  lines")) == "ValueError: two lines"
    assert error_told(KeyError()) == "KeyError"


def test_what_a_terminal_would_obey_is_escaped_and_letters_of_any_script_are_not() -> None:
    class Obeyed:
        def __repr__(self) -> str:
            return "\x1b[2J\n\u202eé"

    assert told(Obeyed()) == r"\x1b[2J\n\u202eé"
    assert error_told(ValueError("\x1b[2J 块")) == r"ValueError: \x1b[2J 块"


def test_a_class_that_calls_itself_what_a_terminal_obeys_is_told_escaped() -> None:
    evil = type("W\x1b[31m\u202e", (Exception,), {})
    assert error_told(evil("x")) == r"W\x1b[31m\u202e: x"
    assert error_told(evil()) == r"W\x1b[31m\u202e"
    silent = type("S\u202e", (), {"__repr__": lambda self: 1 / 0})
    assert told(silent()) == r"<S\u202e that cannot be shown>"

"""Foreign words come out printable, on one line, and no longer than they may be."""

from __future__ import annotations

import sys

import pytest

from poolproof_verification.reports.plain_words import ends, visible, visible_lines

ALL = "".join(map(chr, range(sys.maxunicode + 1)))


def test_plain_text_stays_as_it_is() -> None:
    for text in ("block 2 is lost", "naïve 序列 'A'", "<b>&amp;", "C:\\new", ""):
        assert visible(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", r"\x1b[31mred\x1b[0m"),
        ("a\u202egnp.exe", r"a\u202egnp.exe"),
        ("\u2066x\u2069\u200b\ufeff", r"\u2066x\u2069\u200b\ufeff"),
        ("one\ntwo\r\tthree\0", r"one\ntwo\r\tthree\x00"),
        ("\x85\u2028\u2029", r"\x85\u2028\u2029"),
        ("\ud800\U000e0001", r"\ud800\U000e0001"),
    ],
)
def test_what_steers_a_terminal_or_a_reader_is_shown_as_an_escape(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_no_character_at_all_comes_out_unprintable() -> None:
    shown = visible(ALL, 20 * len(ALL))
    assert shown.isprintable()
    shown.encode("utf-8")


def test_a_long_text_keeps_its_ends_and_says_how_much_is_left_out() -> None:
    shown = visible("a" * 500_000 + "b" * 500_000, 100)
    assert len(shown) <= 100
    assert shown == f"{'a' * 30}[... 999,940 characters ...]{'b' * 30}"


@pytest.mark.parametrize("text", ["\x1b" * 101, "\U000e0001" * 99_999, "x" * 300])
@pytest.mark.parametrize("most", [100, 101, 250])
def test_escapes_count_and_are_not_cut_in_two(text: str, most: int) -> None:
    shown = visible(text, most)
    assert len(shown) <= most
    head = shown.partition("[...")[0]
    assert head == "".join([visible(text[0])] * (len(head) // len(visible(text[0]))))


def test_what_is_no_text_is_shown_as_its_words() -> None:
    assert visible(12) == "12"
    assert visible(("A", 1)) == "('A', 1)"


def test_many_lines_keep_their_ends_too() -> None:
    shown = visible_lines("\n".join(f"line {number}\x1b" for number in range(10_000)), lines=6)
    assert shown.splitlines() == [
        r"line 0\x1b", r"line 1\x1b", "[... 9,994 lines ...]",
        r"line 9996\x1b", r"line 9997\x1b", r"line 9998\x1b", r"line 9999\x1b",
    ]  # fmt: skip
    assert visible_lines("one\ntwo\r") == "one\ntwo\\r"


def test_the_ends_of_few_are_all_of_them() -> None:
    assert ends("abc", 3) == ([(1, "a"), (2, "b"), (3, "c")], 0, [])
    assert ends("abcd", 3) == ([(1, "a")], 1, [(3, "c"), (4, "d")])


def test_a_short_line_keeps_as_much_of_both_ends_as_it_can() -> None:
    assert visible("chatcmpl-3f2e00000000000000000e21-1", 24) == "chatcmpl-3...00000e21-1"

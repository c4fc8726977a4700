"""Progress is heard by whoever listens, told in few lines, and steers no terminal."""

from __future__ import annotations

import io
import time

import pytest
from rich.console import Console
from tests.verification.test_fuzz import TEXTBOOK

from poolproof_verification.explore import explore_scope
from poolproof_verification.fuzz import search
from poolproof_verification.progress import Bars, Lines, Stage, at, heard_by, now_and_then, shown
from poolproof_verification.scopes import Scope


def test_nobody_has_to_listen_and_the_last_who_does_hears() -> None:
    outer: list[Stage] = []
    inner: list[Stage] = []
    at("unheard")
    with heard_by(outer.append):
        with heard_by(inner.append):
            at("half of it", 0.5)
        at("all of it", 1.0, "fuzz")
    at("unheard")
    assert inner == [Stage("half of it", 0.5)]
    assert outer == [Stage("all of it", 1.0, "fuzz")]


def test_what_comes_often_is_heard_now_and_then() -> None:
    heard: list[Stage] = []
    hear = now_and_then(heard.append)
    for number in range(1000):
        hear(Stage(str(number)))
    assert heard[0] == Stage("0")
    assert len(heard) < 100


def test_a_search_says_what_it_does_how_far_it_is_and_what_it_has_found() -> None:
    told: list[Stage] = []
    with heard_by(told.append):
        record = search(TEXTBOOK, 0, examples=1000, enough=1)
    assert len(told) == record.runs
    assert told[-1].words.startswith("random driver: ")
    assert told[-1].words.endswith(" operations, 1 fault")
    assert told[-1].share == record.runs / 4000


def test_an_exploration_says_how_many_states_wait() -> None:
    told: list[Stage] = []
    with heard_by(told.append):
        states = explore_scope(TEXTBOOK, Scope(2, 2, 1, 2)).states
    assert len(told) == states
    assert told[0].words.endswith(": 0 states visited, 0 to come, 0 faults")
    assert told[-1].words.endswith(" faults")


def test_lines_name_every_method_until_it_is_over(capsys: pytest.CaptureFixture[str]) -> None:
    with Lines(every=0.01) as lines:
        lines.show(Stage("3 faults", 0.25, "fuzz"))
        lines.show(Stage("4 faults", None, "fuzz"))  # how much is done is not forgotten
        lines.show(Stage("7 states", None, "explore"))
        told = until(capsys, " s: fuzz 25%: 4 faults | explore: 7 states\n")
        lines.show(Stage("", label="fuzz", over=True))
        told += until(capsys, " s: explore: 7 states\n")
    assert "0%: 3" not in told
    assert not lines.teller.is_alive()


def until(capsys: pytest.CaptureFixture[str], words: str) -> str:
    """What was told by the time these words were."""
    told = ""
    while words not in told:
        time.sleep(0.01)
        told += capsys.readouterr().err
    return told


def test_lines_say_nothing_of_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with Lines(every=0.001):
        time.sleep(0.02)
    assert capsys.readouterr().err == ""


def test_on_a_terminal_each_method_has_a_line_while_it_runs() -> None:
    terminal = Console(file=io.StringIO(), force_terminal=True, width=100)
    with Bars(terminal) as bars:
        bars.show(Stage("3 [b]faults", 0.25, "fuzz"))
        bars.show(Stage("7 states", None, "explore"))
        fuzz, explore = bars.progress.tasks
        assert (fuzz.completed, fuzz.total, explore.total) == (0.25, 1.0, None)
        bars.progress.refresh()
        bars.show(Stage("", label="fuzz", over=True))
        assert [task.description for task in bars.progress.tasks] == ["7 states"]
    drawn = terminal.file
    assert isinstance(drawn, io.StringIO)
    assert "3 [b]faults" in drawn.getvalue()


def test_foreign_words_steer_no_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Lines.__init__, "__defaults__", (0.01,))
    with shown("fuzz"):
        at("\x1b[2J\u202e" + "x" * 10_000)
        told = until(capsys, "\n")
    assert "\x1b" not in told and "\u202e" not in told
    assert all(len(line) < 300 for line in told.splitlines())

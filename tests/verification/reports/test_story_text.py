"""The story of a counterexample for a terminal: every step, and each state drawn."""

from __future__ import annotations

from dataclasses import replace

from poolproof_verification.counterexample import Counterexample, Step
from poolproof_verification.operations import Operation, View
from poolproof_verification.places import Place
from poolproof_verification.reports.story_text import MOST_STEPS, story

FIRST = Step(
    operation="allocate('A', 1)",
    expected="[0]",
    observed="[0]",
    shown=View([], {0: 1}, {"A": {"blocks": [0], "len": 1}}),
    model=View([], {0: 1}, {"A": {"blocks": [0], "len": 1}}),
    call=Operation("allocate", ("A", 1)),
)
SECOND = Step("release('A')", "[0]", "[]", View([], {}, {}), View([0], {}, {}))
EXAMPLE = Counterexample(
    target="house:Manager",
    import_line="from house import Manager",
    class_name="Manager",
    total=1,
    block_size=2,
    law="partition",
    headline="block 0 is lost: not free, no table holds it, not counted",
    breaches=(
        "partition: block 0 is lost: not free, no table holds it, not counted",
        "results: release('A') returned [], where [0] is right",
    ),
    steps=(FIRST, SECOND),
    start=View([0], {}, {}),
)

STORY = """\
partition: block 0 is lost: not free, no table holds it, not counted
  house:Manager, a pool of 1 block of 2 slots; broken in step 2
  1. allocate('A', 1)
       expected and observed: [0]
       state:    ┌─ 0 ─┐
                 │ ■ A │
                 └─────┘
                 1 block: 1 held
                 A: 0[█░]  1 token, 1 slack
  2. release('A')
       expected: [0]
       observed: []
       manager:  ┌─ 0 ≠ ──┐
                 │ ✗ lost │
                 └────────┘
                 1 block: 1 lost
       model:    ┌─ 0 ≠ ──┐
                 │ □ free │
                 └────────┘
                 1 block: 1 free
       differ:   block 0 is lost; in the model free
  broken: partition: block 0 is lost: not free, no table holds it, not counted
  broken: results: release('A') returned [], where [0] is right"""


def test_the_story_draws_every_step_and_says_where_it_parts_from_the_model() -> None:
    assert story(EXAMPLE) == STORY


def test_where_the_code_of_the_last_operation_is_is_told() -> None:
    placed = replace(SECOND, place=Place("house/pool.py", 7))
    lines = story(replace(EXAMPLE, steps=(FIRST, placed))).splitlines()
    assert lines[2] == "  at house/pool.py:7"


def test_in_ascii_even_a_name_is() -> None:
    told = story(replace(EXAMPLE, headline="block 0 of 'é' is lost"), ascii_only=True)
    assert told.isascii()
    assert "'\\xe9'" in told


def test_of_many_steps_the_first_and_the_last_are_told() -> None:
    told = story(replace(EXAMPLE, steps=(FIRST,) * 9_999 + (SECOND,)))
    assert "  ... 9,960 steps are left out here\n" in told
    assert told.count("allocate('A', 1)") == MOST_STEPS - 1
    assert "  10000. release('A')" in told


def test_no_name_steers_the_terminal_or_fills_it() -> None:
    hostile = replace(FIRST, operation="\x1b[2J\u202e" + "x" * 10**6, observed="\r\nheld")
    told = story(replace(EXAMPLE, headline="\x07", steps=(hostile,)))
    assert not {"\x1b", "\u202e", "\x07", "\r"} & set(told)
    assert max(map(len, told.splitlines())) <= 420


def test_the_managers_own_calls_are_told_line_by_line_and_steer_nothing() -> None:
    own = replace(EXAMPLE, own_calls=("hold(0, 1)", "drop(0)  # KeyError: \x1b[2J\n\u202e"))
    lines = story(own).split("\n")
    assert lines[-3:] == [
        "  in the manager's own calls:",
        "    hold(0, 1)",
        r"    drop(0)  # KeyError: \x1b[2J\n\u202e",
    ]
    assert own.as_json()["own_calls"] == list(own.own_calls)
    assert own.identity() == EXAMPLE.identity()

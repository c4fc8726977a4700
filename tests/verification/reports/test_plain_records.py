"""Records come out with the same shape, and with words that do nothing but be read."""

from __future__ import annotations

import html
import shlex
from dataclasses import replace
from pathlib import Path

import pytest
from tests.verification.reports import made

from poolproof_verification.counterexample_file import name_of
from poolproof_verification.operations import View
from poolproof_verification.reports import renderer
from poolproof_verification.reports.plain_records import (
    difference,
    once_more,
    pasteable,
    plain,
    replay_of,
    story,
)
from poolproof_verification.reports.plain_words import visible


def test_a_plain_report_is_left_as_it_is() -> None:
    assert plain(made.refuted()) == made.refuted()


def test_every_text_of_a_record_is_made_visible() -> None:
    shown = plain(made.nasty("a\x1b\nb"))
    assert "\x1b" not in repr(shown).replace(r"\x1b", "")
    assert shown.target == r"a\x1b\nb"
    assert shown.judgements[0].counterexamples[0].steps[1].shown == r"a\x1b\nb"
    assert shown.judgements[0].grids[0].rows == ((r"a\x1b\nb",),)


def test_a_test_keeps_its_lines() -> None:
    found = replace(made.counterexample(), import_line="import one\nimport two\x1b")
    assert plain(found).import_line == "import one\nimport two\\x1b"
    step = replace(made.counterexample().steps[0], asserted="assert 1\nassert 2\x1b")
    assert plain(step).asserted == "assert 1\nassert 2\\x1b"


def test_names_that_look_the_same_when_they_are_short_stay_two() -> None:
    names = ["a" * 1000 + middle + "a" * 1000 for middle in "xy"]
    table = {"blocks": [0], "len": 1}
    shown = plain(View([], None, {name: table for name in names}))
    assert list(shown.seqs) == [visible(names[0]), f"{visible(names[0])}'"]


def test_names_that_are_no_text_are_shown_as_text() -> None:
    assert list(plain(View(3, None, {("a", 1): {"blocks": [], "len": 0}})).seqs) == ["('a', 1)"]


def test_a_story_tells_both_its_ends() -> None:
    told = story(made.counterexample(steps=10_000))
    assert len(told.splitlines()) <= 201
    assert "  1. allocate('A', 1)" in told
    assert "  10000. allocate('A', 0)" in told.replace("10,000", "10000")
    assert story(made.counterexample()).startswith("partition: block 0 is lost\n")


def test_the_difference_is_told_where_there_is_one() -> None:
    found = made.counterexample()
    right, wrong = found.steps
    assert difference(right, found) == ""
    assert difference(wrong, found) == "block 0 is lost, counted once; in the model held by A"
    unseen = replace(right, shown="no state")
    assert difference(unseen, found).startswith("no state, where the model has free [1]")


def test_a_test_too_long_to_paste_is_none() -> None:
    assert pasteable(made.counterexample()) == made.counterexample().test()
    assert pasteable(made.counterexample(steps=10_000)) == ""
    assert pasteable(made.counterexample(name="x" * 5_000)) == ""


def test_a_replay_is_told_from_where_the_folder_is_seen() -> None:
    found = made.counterexample()
    assert replay_of(found).endswith(f" counterexamples/{name_of(found)}")
    folder = Path("my out")
    assert replay_of(found, folder).endswith(f" 'my out/counterexamples/{name_of(found)}'")
    assert list(once_more(found, "", folder)) == [f"replayed by: {replay_of(found, folder)}"]
    assert replay_of(replace(found, steps=()), folder) == ""


def test_a_folder_s_name_steers_no_terminal() -> None:
    (line,) = once_more(made.counterexample(), "", Path("a\x1b[1m"))
    assert "\x1b" not in line


def test_what_replays_it_names_the_target_unless_it_is_built_in() -> None:
    for target, named in {
        "textbook": [],
        "house.pool:Pool": ["--target", "house.pool:Pool"],
        "odd name;$(x)": ["--target", "odd name;$(x)"],
    }.items():
        found = made.counterexample(target=target)
        file = f"counterexamples/{name_of(found)}"
        assert shlex.split(replay_of(found)) == ["poolproof", "replay", *named, file]
    assert replay_of(replace(found, steps=(replace(found.steps[0], call=None),))) == ""
    assert replay_of(replace(found, steps=())) == ""


@pytest.mark.parametrize("name", ["text", "html", "markdown", "junit", "github"])
def test_every_format_prints_the_same_command_that_replays_it(name: str) -> None:
    found = made.counterexample(target="house.pool:Pool")
    text = renderer(name)(made.report(made.judgement(found=(found,)), target=found.target))
    assert replay_of(found) in text.replace("%3A", ":")
    assert "poolproof replay counterexamples" not in text


@pytest.mark.parametrize("name", ["text", "html", "markdown", "junit"])
def test_a_long_command_is_whole_or_not_there(name: str) -> None:
    long = made.counterexample(target=f"house's.{'deep.' * 66}pool:Pool")
    assert len(shlex.split(replay_of(long))) == 5
    text = renderer(name)(made.report(made.judgement(found=(long,)), target=long.target))
    assert replay_of(long) in html.unescape(text)
    for target in (f"house's.{'deep.' * 140}pool:Pool", "house\x1b.pool:Pool"):
        assert replay_of(made.counterexample(target=target)) == ""


def test_a_folder_that_begins_as_an_option_is_none() -> None:
    *_, file = shlex.split(replay_of(made.counterexample(), Path("-x")))
    assert file.startswith("./-x/")

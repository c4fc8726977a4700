"""Whatever is in a file is answered, or refused in a line: in time, and without saying too much."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.verification.test_replay import A0, A1, FAULT, line, log, recorded

from poolproof_verification.counterexample import digest_of
from poolproof_verification.counterexample_file import write
from poolproof_verification.lockstep import FRESH
from poolproof_verification.replay import replay
from poolproof_verification.verdict import CouldNotRun, Outcome

# --- arguments that are hard to tell, to hash or to find again ------------------------------------

ENORMOUS = {"int": f"0x{'f' * 4000}"}  # more digits than Python writes in decimals
STRANGE = {
    "an enormous number": ENORMOUS,
    "a tuple with an enormous number": {"tuple": [ENORMOUS]},
    "a tuple with a list": {"tuple": [[1]]},
    "a tuple with a dict": {"tuple": [{"dict": [[1, 2]]}]},
    "a list with an enormous number": [ENORMOUS],
    "half a character": "\ud800",
    "infinity": {"float": "inf"},
    "a stand-in": {"stand_in": 1, "text": "<Request>"},
}
NOT_A_NUMBER = {"float": "nan"}
CALLS = {
    "allocate": ("?", 1), "allocate tokens": ("A", "?"), "append": ("?",), "grow": ("?", 1),
    "grow tokens": ("A", "?"), "fork": ("A", "?"), "fork parent": ("?", "B"), "release": ("?",),
}  # fmt: skip


def strange_line(case: str, value: Any) -> dict[str, Any]:
    arguments = [value if each == "?" else each for each in CALLS[case]]
    return line(case.partition(" ")[0], *arguments)


@pytest.mark.parametrize("target", ["poolproof", "textbook"])
@pytest.mark.parametrize("value", STRANGE)
@pytest.mark.parametrize("case", CALLS)
def test_whatever_the_arguments_are_a_log_is_answered(
    case: str, value: str, target: str, tmp_path: Path
) -> None:
    strange = strange_line(case, STRANGE[value])
    found = replay(log(tmp_path, line("allocate", "A", 1), strange, strange, line("append", "A")))
    assert found.line().encode() and found.outcome in Outcome


@pytest.mark.parametrize("value", STRANGE)
@pytest.mark.parametrize("case", CALLS)
def test_whatever_the_arguments_are_a_counterexample_is_answered(
    case: str, value: str, tmp_path: Path
) -> None:
    data = recorded("textbook", A1, A0).as_json()
    data["steps"][1]["call"] = strange_line(case, STRANGE[value])["call"]
    for each in ("poolproof", "textbook"):
        found = replay(signed(tmp_path / "a.json", data), each)
        assert found.line().encode() and found.outcome in Outcome


def signed(path: Path, data: dict[str, Any]) -> Path:
    """The data as a file with a right digest."""
    content = {key: value for key, value in data.items() if key != "digest"}
    path.write_text(json.dumps(content | {"digest": digest_of(content)}))
    return path


@pytest.mark.parametrize("value", [NOT_A_NUMBER, {"tuple": ["A", NOT_A_NUMBER]}], ids=str)
def test_a_name_that_is_not_equal_to_itself_is_told(value: Any, tmp_path: Path) -> None:
    words = "a name is not equal to itself"
    with pytest.raises(CouldNotRun, match=words):
        replay(log(tmp_path, line("allocate", value, 1)))
    data = recorded("textbook", A1, A0).as_json()
    data["steps"][0]["call"] = line("allocate", value, 1)["call"]
    with pytest.raises(CouldNotRun, match=words):
        replay(signed(tmp_path / "a.json", data))
    assert replay(log(tmp_path, line("allocate", "A", value)), "poolproof").operations == 1


# --- bounds ---------------------------------------------------------------------------------------


def test_what_might_never_end_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(CouldNotRun, match="pipe: no file"):
        replay(tmp_path / "pipe")


def test_more_than_can_be_replayed_is_told_at_once(tmp_path: Path) -> None:
    then = recorded("textbook", A1, A0)
    path = write(replace(then, total=1 << 20, block_size=1 << 20), tmp_path / "a.json")
    with pytest.raises(CouldNotRun, match=r"of 1,048,576 slots has more than 16,384 slots, and is"):
        replay(path)
    enormous = {"total": 1 << 17, "block_size": 1 << 17, "target": "poolproof"}
    path = log(tmp_path, line("allocate", "A", 1), line("grow", "A", 10**9), **enormous)
    with pytest.raises(
        CouldNotRun, match="grow by more than 1,024 tokens is not replayed in a pool"
    ):
        replay(path)


def test_a_growth_beyond_a_small_pool_is_refused_as_it_was(tmp_path: Path) -> None:
    path = log(tmp_path, line("allocate", "A", 1), line("grow", "A", 10**30), target="poolproof")
    assert replay(path).outcome is Outcome.HELD


def test_many_words_are_one_short_line_without_their_middle(tmp_path: Path) -> None:
    for observed in ("\ud800", "x" * 10**6, "two\nlines", "\x1b[2J"):
        then = recorded("textbook", A1, A0)
        steps = (replace(then.steps[0], expected=observed), then.steps[1])
        found = replay(write(replace(then, steps=steps), tmp_path / "a.json"))
        assert found.outcome is Outcome.UNKNOWN
        assert found.line().isprintable() and len(found.line()) < 500
        assert found.line().endswith("was to be expected, now [0]")
    path = log(tmp_path, line("allocate", "A", 2000), line("allocate", "A", 0), total=2000)
    for words in replay(path).lines():
        assert words.isprintable() and len(words) < 500


# --- answers that would say too much --------------------------------------------------------------


def test_a_fresh_manager_is_a_step_only_by_itself(tmp_path: Path) -> None:
    then = recorded("textbook", A1, A0)
    fresh = replace(then.steps[0], call=FRESH)
    for steps in ((fresh, *then.steps), (*then.steps, fresh), (fresh, fresh)):
        with pytest.raises(CouldNotRun, match="__init__ is a step only where there is no other"):
            replay(write(replace(then, steps=steps), tmp_path / "a.json"))
    with pytest.raises(CouldNotRun, match="line 3: __init__ is no operation"):
        replay(log(tmp_path, line("allocate", "A", 1), line("__init__")))


BLIND = "poolproof_verification.adapters.example:Example"  # it shows no counts


def test_a_target_that_cannot_show_the_recorded_law_makes_it_stale(tmp_path: Path) -> None:
    then = replace(recorded("textbook", A1, A0), law="counts", any_free_block=True)
    path = write(replace(then, total=4, steps=then.steps[:1]), tmp_path / "a.json")
    found = replay(path, BLIND)
    assert found.outcome is Outcome.UNKNOWN
    assert found.words == "counts cannot be judged: the manager shows no reference counts"
    assert replay(path, "poolproof").outcome is Outcome.HELD


def test_nor_is_a_log_fixed_by_a_target_that_cannot_show_its_faults(tmp_path: Path) -> None:
    fault = {"fault": FAULT["fault"] | {"law": "counts"}}
    path = log(tmp_path, line("allocate", "A", 1), fault, total=4)
    found = replay(path, BLIND)
    assert (found.outcome, found.law) == (Outcome.UNKNOWN, "counts")
    assert "counts cannot be judged" in found.words

"""A counterexample survives its file; a file that is not one is told in one line."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from tests.verification.test_counterexample import EXAMPLE, FIRST

from poolproof_verification.counterexample import Counterexample, digest_of
from poolproof_verification.counterexample_file import MOST_BYTES, name_of, read, validator, write
from poolproof_verification.explore import counterexamples, explore_scopes
from poolproof_verification.operations import Operation
from poolproof_verification.scopes import Scope
from poolproof_verification.targets import find_target
from poolproof_verification.verdict import CouldNotRun


@pytest.fixture(scope="module")
def found() -> list[Counterexample]:
    target = find_target("textbook")
    return counterexamples(target, explore_scopes(target, (Scope(2, 2, 1, 2),)))


def test_what_a_search_finds_comes_back_the_same(
    found: list[Counterexample], tmp_path: Path
) -> None:
    assert len(found) >= 3
    for each in found:
        path = write(each, tmp_path / name_of(each))
        assert read(path) == each
        assert all(step.call is not None for step in each.steps)


@pytest.mark.parametrize("value", [None, 1.5, [], True, 10**30, -1, "", ("A", 1), b"x", 1.0])
def test_absurd_arguments_come_back_of_the_same_types(value: object, tmp_path: Path) -> None:
    step = replace(FIRST, call=Operation("allocate", (value, value)))
    back = read(write(replace(EXAMPLE, steps=(step,)), tmp_path / "a.json"))
    assert back.steps == (step,)
    assert back.steps[0].call is not None
    assert repr(back.steps[0].call.arguments) == repr((value, value))


def test_own_calls_come_back_whatever_is_in_them_and_need_not_be_there(tmp_path: Path) -> None:
    hostile = replace(EXAMPLE, own_calls=("\x1b[2J\n", "hold(0)"))
    assert read(write(hostile, tmp_path / "a.json")) == hostile
    data = EXAMPLE.as_json()
    del data["digest"], data["own_calls"]
    (tmp_path / "b.json").write_text(json.dumps(data | {"digest": digest_of(data)}))
    assert read(tmp_path / "b.json") == EXAMPLE


def test_a_counterexample_of_the_models_comes_back_too(tmp_path: Path) -> None:
    steps = (replace(FIRST, call=None),)
    assert read(write(replace(EXAMPLE, steps=steps), tmp_path / "a.json")).steps == steps


def test_the_name_is_law_operation_and_digest_and_stays(found: list[Counterexample]) -> None:
    names = [name_of(each) for each in found]
    assert len(set(names)) == len(names)
    assert names[0].startswith("partition-allocate-")
    assert name_of(replace(found[0], seed=3, version="later")) == names[0]
    assert name_of(EXAMPLE).startswith("partition-step-")


def test_the_schema_is_one() -> None:
    for part in ("counterexample", "log_header", "log_line"):
        Draft202012Validator.check_schema(validator(part).schema)


Change = Callable[[dict[str, Any]], object]
SIGNED: dict[str, tuple[Change, str]] = {
    "a missing part": (lambda data: data.pop("total"), "'total' is a required property"),
    "an unknown part": (lambda data: data.update(code="import os"), "'code' was unexpected"),
    "no steps": (lambda data: data.update(steps=[]), "at ['steps']"),
    "a negative pool": (lambda data: data.update(total=-1), "at ['total']"),
    "an enormous pool": (lambda data: data.update(total=10**12), "at ['total']"),
    "no size": (lambda data: data.update(block_size=True), "at ['block_size']"),
    "too many reserved blocks": (
        lambda data: data.update(reserved=[0] * 10_001),
        "at ['reserved']",
    ),
    "too many own calls": (
        lambda data: data.update(own_calls=[""] * 201),
        "at ['own_calls']",
    ),
    "an own call too long": (
        lambda data: data.update(own_calls=["x" * 1001]),
        "at ['own_calls'][0]",
    ),
    "an own call that is no text": (
        lambda data: data.update(own_calls=[{"eval": "1"}]),
        "at ['own_calls'][0]",
    ),
    "an unknown law": (lambda data: data.update(law="gravity"), "law 'gravity' is unknown"),
    "another operation": (
        lambda data: data["steps"][0]["call"].update(name="__class__"),
        "at ['steps'][0]['call']",
    ),
    "too few arguments": (
        lambda data: data["steps"][0]["call"].update(arguments=["A"]),
        "at ['steps'][0]['call']",
    ),
    "an object for an argument": (
        lambda data: data["steps"][0]["call"].update(arguments=[{"eval": "1"}, 1]),
        "at ['steps'][0]['call']",
    ),
    "half a stand-in": (
        lambda data: data["steps"][0]["call"].update(arguments=[{"stand_in": 1}, 1]),
        "at ['steps'][0]['call']",
    ),
    "a key that is none": (
        lambda data: data["steps"][0]["call"].update(arguments=[{"dict": [[[], 1]]}, 1]),
        "an argument is no value",
    ),
    "another version": (lambda data: data.update(schema=2), "schema 2 is unknown"),
    "truth for a version": (lambda data: data.update(schema=True), "schema True is unknown"),
    "no version": (lambda data: data.pop("schema"), "no counterexample"),
}


def refused(path: Path) -> str:
    """Why the file is none, in one line that names it."""
    with pytest.raises(CouldNotRun) as caught:
        read(path)
    words = str(caught.value)
    assert words.startswith(f"{path}: ")
    assert len(words.splitlines()) == 1
    assert len(words) < len(str(path)) + 250
    return words


@pytest.mark.parametrize("case", SIGNED, ids=str)
def test_a_file_that_is_not_as_it_should_be_is_told_even_with_a_right_digest(
    case: str, tmp_path: Path
) -> None:
    change, words = SIGNED[case]
    data = EXAMPLE.as_json()
    del data["digest"]
    change(data)
    (tmp_path / "a.json").write_text(json.dumps(data | {"digest": digest_of(data)}))
    assert words in refused(tmp_path / "a.json")


@pytest.mark.parametrize(
    ("part", "value"), [("total", 2), ("law", "results"), ("seed", 1), ("headline", "all is well")]
)
def test_a_change_is_noticed(part: str, value: object, tmp_path: Path) -> None:
    data = EXAMPLE.as_json() | {part: value}
    (tmp_path / "a.json").write_text(json.dumps(data))
    assert "the digest differs" in refused(tmp_path / "a.json")


WHOLE = json.dumps(EXAMPLE.as_json())
TEXTS = {
    "nothing": ("", "no JSON"),
    "half": (WHOLE[: len(WHOLE) // 2], "no JSON"),
    "alien": ('{"name": "Ada"}', "no counterexample"),
    "no object": ("[1, 2]", "no counterexample"),
    "a number": ("7", "no counterexample"),
    "prose": ("import os", "no JSON"),
    "deep": ("[" * 100_000 + "]" * 100_000, "nested too deeply"),
    "deep within": (WHOLE.replace('["A", 1]', f"[{'[' * 400 + ']' * 400}, 1]"), ""),
    "no number": (WHOLE.replace('"total": 1', '"total": NaN'), "NaN is no number"),
    "too large": (WHOLE.replace('["A", 1]', '["A", 1e400]'), "number in it is too large"),
    "too long": (WHOLE.replace('["A", 1]', f'["A", {"1" * 5000}]'), "no JSON"),
}


@pytest.mark.parametrize("case", TEXTS)
def test_what_is_no_file_of_ours_is_told_in_one_line(case: str, tmp_path: Path) -> None:
    text, words = TEXTS[case]
    (tmp_path / "a.json").write_text(text)
    assert words in refused(tmp_path / "a.json")


def test_an_enormous_file_is_not_read_to_its_end(tmp_path: Path) -> None:
    with open(tmp_path / "a.json", "wb") as file:
        file.truncate(MOST_BYTES * 1000)
    assert "longer than" in refused(tmp_path / "a.json")


def test_folders_missing_files_and_other_encodings_are_told(tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(WHOLE.encode("utf-16"))
    assert "a folder" in refused(tmp_path)
    assert "cannot be read" in refused(tmp_path / "missing")
    assert "not text" in refused(tmp_path / "latin")

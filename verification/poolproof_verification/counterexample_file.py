"""A counterexample's file, checked against a schema and its digest before it is believed.

Nothing in a file is executed or imported. The digest notices a change, by chance or by hand; who
means to deceive can write another.

Does not cover: whether the story in a file is true; `replay` finds that out.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, NoReturn

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from jsonschema.validators import extend

from poolproof_verification.counterexample import SCHEMA, Counterexample, Step, digest_of
from poolproof_verification.files import read_whole, write_whole
from poolproof_verification.laws import LAWS
from poolproof_verification.lockstep import FRESH
from poolproof_verification.operations import NUMBERS, Operation
from poolproof_verification.places import Place
from poolproof_verification.plain import comes_back, from_plain
from poolproof_verification.reports.plain_words import visible
from poolproof_verification.verdict import CouldNotRun
from poolproof_verification.views import Shown, from_data
from poolproof_verification.workloads.lines import shown

MOST_BYTES = 16 << 20
LONGEST_REASON = 160  # characters of what is wrong with a file, which may quote from it
SHORT_DIGEST = 12
REPORT = 3  # the version of a report's form
# By the kind of data: where it says its version, which is read here, and what it is called.
VERSIONS = {
    "counterexample": ("schema", SCHEMA, "counterexample, and no log of a watcher"),
    "log_header": ("log", SCHEMA, "counterexample, and no log of a watcher"),
    "report": ("report", REPORT, "report"),
}


class Malformed(Exception):
    """What is wrong with the data."""


@cache
def validator(part: str) -> Draft202012Validator:
    """Judges data by this definition of the schema."""
    text = files("poolproof_verification").joinpath("schema.json").read_text("utf-8")
    types = Draft202012Validator.TYPE_CHECKER.redefine("integer", is_whole)
    strict: type[Draft202012Validator] = extend(  # type: ignore[no-untyped-call]
        Draft202012Validator, type_checker=types
    )
    return strict(json.loads(text) | {"$ref": f"#/$defs/{part}"})


def is_whole(_: object, value: object) -> bool:
    """It can number something: 0.0, an integer for the schema, cannot."""
    return isinstance(value, int) and not isinstance(value, bool)


def refuse_number(words: str) -> NoReturn:
    """Infinity and NaN are no JSON."""
    raise Malformed(f"{words} is no number of JSON")


def parsed(text: str, part: str) -> Any:
    """The text as data of this kind; Malformed."""
    try:
        data = json.loads(text, parse_constant=refuse_number)
        check_version(data, part)
        error = best_match(validator(part).iter_errors(data))
    except RecursionError:
        raise Malformed("nested too deeply") from None
    except ValueError as problem:
        raise Malformed(f"no JSON: {problem}") from None
    if error is not None:
        where = "".join(f"[{each!r}]" for each in error.absolute_path)
        raise Malformed(f"not as it should be{where and ' at '}{where}: {error.message}")
    return data


def check_version(data: Any, part: str) -> None:
    """The data is of the version that is read here; Malformed."""
    if part not in VERSIONS:
        return
    key, version, name = VERSIONS[part]
    if not isinstance(data, dict) or key not in data:
        raise Malformed(f"no {name}")
    if type(data[key]) is not int or data[key] != version:
        words = f"{key} {data[key]!r} is unknown; this version reads {version}"
        raise Malformed(words)


def wrong(path: Path, reason: object) -> CouldNotRun:
    """The error that says in one line what is wrong with the file."""
    words = " ".join(str(reason).split())
    return CouldNotRun(f"{shown(path)}: {visible(words, LONGEST_REASON)}")


def read(path: Path) -> Counterexample:
    """The file's counterexample; CouldNotRun says what is wrong with the file."""
    return counterexample_in(path, read_whole(path, MOST_BYTES))


def counterexample_in(path: Path, text: str) -> Counterexample:
    """The counterexample in the text of this file."""
    try:
        data = parsed(text, "counterexample")
        check_digest(data)
        return counterexample_of(data)
    except Malformed as malformed:
        raise wrong(path, malformed) from None


def check_digest(data: dict[str, Any]) -> None:
    """The content is what it was when it was written; Malformed."""
    content = {key: value for key, value in data.items() if key != "digest"}
    try:
        digest = digest_of(content)
    except ValueError:
        raise Malformed("a number in it is too large") from None
    if digest != data["digest"]:
        raise Malformed("its content is not what was written: the digest differs")


def counterexample_of(data: dict[str, Any]) -> Counterexample:
    """The counterexample that became this data; Malformed."""
    if data["law"] not in LAWS:
        raise Malformed(f"law {data['law']!r} is unknown")
    left_out = ("schema", "test", "digest")
    values = {key: value for key, value in data.items() if key not in left_out}
    values["total"], values["block_size"] = int(data["total"]), int(data["block_size"])
    values["start"] = state_of(data["start"])
    values["breaches"] = tuple(data["breaches"])
    values["own_calls"] = tuple(data.get("own_calls", ()))
    values["reserved"] = tuple(data.get("reserved", ()))
    values["steps"] = steps = tuple(map(step_of, data["steps"]))
    if len(steps) > 1 and any(step.call == FRESH for step in steps):
        raise Malformed(f"{FRESH.name} is a step only where there is no other")
    return Counterexample(**values)


def step_of(data: dict[str, Any]) -> Step:
    """The step that became this data; Malformed."""
    states = {part: state_of(data[part]) for part in ("shown", "model")}
    place = data["place"] and Place(**data["place"])
    return Step(**{**data, **states, "call": call_of(data["call"]), "place": place})


def state_of(data: Any) -> Shown:
    """The state that became this data; Malformed."""
    try:
        return from_data(data)
    except (ValueError, TypeError) as problem:
        raise Malformed(f"a state is none: {problem}") from None


def call_of(data: dict[str, Any] | None) -> Operation | None:
    """The operation that became this data; Malformed."""
    if data is None:
        return None
    try:
        call = Operation(data["name"], tuple(map(from_plain, data["arguments"])))
    except (ValueError, TypeError) as problem:
        raise Malformed(f"{data['name']}: an argument is no value: {problem}") from None
    for index, argument in enumerate(data["arguments"]):
        if index not in NUMBERS.get(call.name, ()) and not comes_back(argument):
            raise Malformed(f"{call}: a name is not equal to itself")
    return call


def write(counterexample: Counterexample, path: Path) -> Path:
    """Write the counterexample's file whole or not at all; CouldNotRun."""
    return write_whole(path, f"{json.dumps(counterexample.as_json(), indent=2)}\n")


def name_of(counterexample: Counterexample) -> str:
    """The same name for the same operations that break the same law: law-operation-digest."""
    call = counterexample.steps[-1].call
    operation = call.name.strip("_") if call else "step"
    digest = counterexample.identity().removeprefix("sha256:")[:SHORT_DIGEST]
    return f"{counterexample.law}-{operation}-{digest}.json"

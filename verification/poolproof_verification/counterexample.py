"""A counterexample: concrete operations, what was expected, what was observed, what broke.

It is plain data: every value of the target's is kept as text, so nothing of it can be executed.
The operations' arguments are our own, and kept as they are.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from functools import cache
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as version_of
from typing import Any

from poolproof_verification.operations import OPERATIONS, Operation
from poolproof_verification.places import Place
from poolproof_verification.plain import to_plain
from poolproof_verification.views import Shown, to_data

SCHEMA = 1


@cache
def project_version() -> str:
    """The version that is installed."""
    try:
        return version_of("poolproof")
    except PackageNotFoundError:  # the sources, on the import path
        return "not installed"


@dataclass(frozen=True)
class Step:
    """One operation of a counterexample."""

    operation: str  # as code
    expected: str
    observed: str
    shown: Shown  # the target's state afterwards, as it shows it
    model: Shown  # the model's, as much of it as the target shows
    asserted: str = ""  # the same as a line of a test
    call: Operation | None = None  # as data; None for a step that is no manager's operation
    place: Place | None = None  # where the target's code for it is

    @property
    def agrees(self) -> bool:
        """The target did what the model says, and shows the same state."""
        return self.expected == self.observed and self.shown == self.model

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        call = self.call and {
            "name": self.call.name,
            "arguments": list(map(to_plain, self.call.arguments)),
        }
        states = {"shown": to_data(self.shown), "model": to_data(self.model)}
        place = self.place and vars(self.place)
        return values_of(self) | states | {"call": call, "place": place}


@dataclass(frozen=True)
class Counterexample:
    """The shortest operations found that break a law."""

    target: str
    import_line: str
    class_name: str
    total: int  # blocks in the pool
    block_size: int
    law: str
    headline: str  # what broke, in an engineer's words
    breaches: tuple[str, ...]  # everything that is wrong after the last step, worst first
    steps: tuple[Step, ...]
    start: Shown = ""  # what a fresh manager shows
    found_by: str = ""
    seed: int | None = None  # what the search drew from, if it drew
    reserved: tuple[int, ...] = ()  # blocks beside the total that nobody takes
    any_free_block: bool = False  # which of several free blocks are taken was the target's choice
    version: str = field(default_factory=project_version)  # of poolproof
    own_calls: tuple[str, ...] = ()  # the same as the adapter called the manager, if it tells

    def breaks(self, law: str) -> bool:
        """The law is among those broken after the last step."""
        return bool(self.breach_of(law))

    def breach_of(self, law: str) -> str:
        """How the law is broken after the last step; nothing where it is not."""
        prefix = f"{law}: "
        found = (each for each in self.breaches if each.startswith(prefix))
        return next(found, "").removeprefix(prefix)

    @property
    def title(self) -> str:
        """The headline and the last operation, as different ones may break the same."""
        return self.after(self.headline)

    def after(self, words: str) -> str:
        """What is broken, and the last operation if these words do not tell it."""
        last = (step.operation for step in self.steps[-1:] if step.operation not in words)
        return ", after ".join([words, *last])

    @property
    def also(self) -> tuple[str, ...]:
        """What is broken beside the headline; of a proof, the clause that breaks, with values."""
        told = f"{self.law}: {self.headline}"
        return tuple(words for words in self.breaches if words != told)

    @property
    def place(self) -> Place | None:
        """The last operation's place in the target's code, or else the last that there is."""
        return next((step.place for step in reversed(self.steps) if step.place), None)

    @property
    def fault(self) -> tuple[str, ...]:
        """What counts as the same fault, whichever method found it, by whatever operations."""
        last = ((step.operation.partition("(")[0], step.expected) for step in self.steps[-1:])
        return self.target, self.law, self.headline, *next(last, ())

    def operations(self) -> str:
        """The calls, in one line."""
        return "; ".join(step.operation for step in self.steps)

    def line(self) -> str:
        """The headline and the calls, in one line."""
        return f"{self.headline} (after {self.operations()})"

    def test(self) -> str:
        """The same as a test, which fails on the target and passes on a right manager."""
        name = re.sub(r"\W+", "_", self.headline.partition(":")[0]).strip("_").lower()
        imported, *body = self.beside_model() if self.any_free_block else self.as_it_went()
        lines = [imported, self.import_line, "", "", f"def test_{name[:60]}() -> None:"]
        return "\n".join([*lines, *(f"    {line}" for line in body)]) + "\n"

    def as_it_went(self) -> Iterator[str]:
        """The test's import and lines, where the model says which blocks are taken."""
        yield "import pytest"
        yield f"manager = {self.class_name}({self.total}, {self.block_size})"
        for step in self.steps:
            yield from step.asserted.splitlines()

    def beside_model(self) -> Iterator[str]:
        """The test's import and lines, where other blocks may be taken than were: it names none."""
        yield "from poolproof_verification.beside_model import BesideModel"
        target = self.class_name.removesuffix(".manager")
        yield "# Any free block may be taken; the model judges each step, refusals too."
        yield f"manager = BesideModel({target}, {self.total}, {self.block_size})"
        calls = [step.call for step in self.steps if step.call is not None]
        yield from (f"manager.{call}" for call in calls if call.name in OPERATIONS)

    def as_json(self) -> dict[str, Any]:
        """Plain data with a digest: a file of its own, or a part of the report."""
        content = {"schema": SCHEMA} | values_of(self) | {"test": self.test()}
        content["start"], content["reserved"] = to_data(self.start), list(self.reserved)
        content["breaches"], content["own_calls"] = list(self.breaches), list(self.own_calls)
        content["steps"] = [step.as_json() for step in self.steps]
        return content | {"digest": digest_of(content)}

    def identity(self) -> str:
        """The same for whatever is found of the same operations, whenever and however."""
        steps = [step.as_json()["call"] or step.operation for step in self.steps]
        return digest_of([self.target, self.total, self.block_size, self.law, steps])


def values_of(record: Counterexample | Step) -> dict[str, Any]:
    """The fields and their values."""
    return {each.name: getattr(record, each.name) for each in fields(record)}


def digest_of(content: Any) -> str:
    """Another one for whatever content differs in anything; ValueError: it is no JSON."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return f"sha256:{hashlib.sha256(text.encode('ascii')).hexdigest()}"

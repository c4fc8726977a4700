"""A record of a report with every text in it made visible and short, ready to be shown.

Comparing, counting and naming come before this: two texts may look the same when they are short.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from poolproof_verification.counterexample import Counterexample, Step
from poolproof_verification.counterexample_file import name_of
from poolproof_verification.operations import View
from poolproof_verification.reports import story_text
from poolproof_verification.reports.picture import pool_of, scene_after
from poolproof_verification.reports.plain_words import LONGEST, visible, visible_lines
from poolproof_verification.targets import BUILT_IN
from poolproof_verification.words import harmless

MOST_LINES = 200  # of a story
LONGEST_LINE = 600  # characters of one of its lines
LONGEST_COMMAND = 4_000  # which is to be typed, so it is whole
CODE = ("asserted", "import_line")  # the fields that have lines of their own
Record = TypeVar("Record")


def plain(record: Record, most: int = LONGEST) -> Record:
    """The same record, each text in it a line of at most `most` characters."""
    value: Any = record
    shown: Any = value
    if isinstance(value, str):
        shown = visible(value, most)
    elif isinstance(value, View):
        shown = plain_view(value, most)
    elif type(value) is tuple:
        shown = tuple(plain(each, most) for each in value)
    elif is_dataclass(value) and not isinstance(value, type):
        values = {each.name: getattr(value, each.name) for each in fields(value)}
        shown = replace(value, **{name: field(name, values[name], most) for name in values})
    return shown  # type: ignore[no-any-return]  # of the record's own type


def field(name: str, value: Any, most: int) -> Any:
    """One field of a record."""
    return visible_lines(value, most) if name in CODE else plain(value, most)


def plain_view(view: View, most: int = LONGEST) -> View:
    """The same state, its names visible and still distinct."""
    seqs: dict[Any, dict[str, Any]] = {}
    for name, table in view.seqs.items():
        shown = visible(name, most)
        while shown in seqs:
            shown += "'"
        seqs[shown] = table
    return View(view.free, view.ref, seqs)


def story(found: Counterexample, lines: int = MOST_LINES, *, ascii_only: bool = False) -> str:
    """The counterexample's story, of so many lines at most beside what says how many are gone."""
    told = story_text.story(found, ascii_only=ascii_only)
    return visible_lines(told, LONGEST_LINE, lines)


def replay_of(found: Counterexample, folder: Path | None = None) -> str:
    """The command that replays it from the run's folder, or from where that is seen as `folder`.

    It names the target where `replay` would not carry it out on what the file names. Nothing for
    steps of the model, nor for a target that cannot be typed: what is quoted is never shortened.
    """
    typed = len(found.target) <= LONGEST and found.target.isprintable()
    if not (typed and found.steps and all(step.call is not None for step in found.steps)):
        return ""
    named = [] if found.target in BUILT_IN else ["--target", found.target]
    path = str(Path(folder or "", "counterexamples", name_of(found)))
    words = [*named, f"./{path}" if path.startswith("-") else path]
    return " ".join(["poolproof replay", *map(shlex.quote, words)])


def once_more(found: Counterexample, command: str, folder: Path | None = None) -> Iterator[str]:
    """The run's command and the replay; of the record as it is, as a plain one has another name.

    `folder`: where the run's is, for whoever reads this where the command was typed.
    """
    if command:
        yield f"found again by: {visible(command, LONGEST_COMMAND)}"
    if replay := replay_of(found, folder):
        where = "" if folder else ", with --out's file,"
        yield f"replayed{where} by: {harmless(replay)}"


def difference(step: Step, found: Counterexample) -> str:
    """Where the two states after a step of it part; nothing where they are the same."""
    if step.shown == step.model:
        return ""
    told = scene_after(step, pool_of(found)).differences
    return visible(told[0] if told else f"{step.shown}, where the model has {step.model}")


def step_line(number: int, step: Step, found: Counterexample) -> str:
    """One step of it without pictures: what was expected and observed, and where states part."""
    same = step.expected == step.observed
    observed = "as observed" if same else f"observed {visible(step.observed)}"
    words = f"{number:,}. {visible(step.operation)}: expected {visible(step.expected)}, {observed}"
    differ = difference(step, found)
    return f"{words}; differ: {differ}" if differ else words


def pasteable(found: Counterexample, lines: int = MOST_LINES) -> str:
    """Its test, if it is short enough to be pasted; nothing else."""
    code = found.test()
    return code if visible_lines(code, LONGEST_LINE, lines) == code else ""

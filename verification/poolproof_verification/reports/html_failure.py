"""A counterexample as the page shows it: what broke, each step drawn, how to repeat it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from poolproof_verification.counterexample import Counterexample, Step
from poolproof_verification.laws import LAWS
from poolproof_verification.reports.blocks import FAULTS, Block
from poolproof_verification.reports.folder import beside, files_of
from poolproof_verification.reports.html_room import MOST_PARTS, fitting, parts
from poolproof_verification.reports.picture import (
    Picture,
    Pool,
    Scene,
    pool_of,
    scene_after,
    scene_of,
)
from poolproof_verification.reports.plain_records import replay_of
from poolproof_verification.reports.plain_words import ends
from poolproof_verification.reports.report import Report
from poolproof_verification.words import plural

MOST_STEPS = 200  # drawn of one failure
FEWEST_STEPS = 8
MOST_OF_ALL = 600  # steps drawn on the page
MOST_FAILURES = 50
MOST_DRAWN = 400_000  # blocks that are looked at for one failure's pictures
COLOURS = 6
MOST_WRONG = 1  # blocks told under the headline
MOST_CALLS = 12  # listed before the steps
NOT_TRUE, NOT_INDUCTIVE = "not true that ", "not inductive that "


@dataclass(frozen=True)
class Told:
    """One step as it is drawn."""

    number: int
    step: Step
    before: Scene | None  # None where nobody knows it, or the step before shows it
    after: Scene

    @property
    def answers_agree(self) -> bool:
        """What came back is what was expected."""
        return self.step.expected == self.step.observed


@dataclass(frozen=True)
class Failure:
    """One counterexample, with what the page says of it."""

    number: int
    method: str
    found: Counterexample
    file: Path  # where the run keeps it, beside a test
    first: tuple[Told, ...]
    left_out: int
    last: tuple[Told, ...]
    colours: dict[str, int]  # of each sequence's blocks
    reached: Counterexample | None = None  # operations that break the same claim of the model

    @property
    def steps(self) -> tuple[Told, ...]:
        """Every step drawn."""
        return (*self.first, *self.last)

    @property
    def sentence(self) -> str:
        """The law in one sentence."""
        return LAWS[self.found.law]

    @property
    def size(self) -> str:
        """The pool's."""
        slots = plural(self.found.block_size, "slot")
        return f"{plural(self.found.total, 'block')} of {slots}"

    @property
    def of_model(self) -> bool:
        """It breaks the model itself: there is no manager."""
        return self.method == "prove"

    @property
    def inductive_step(self) -> bool:
        """Its first state is one that need not be reachable."""
        return self.of_model and self.found.headline.startswith(NOT_INDUCTIVE)

    @property
    def holders(self) -> tuple[str, ...]:
        """Who holds the blocks that are not as they should be in the end, and who should."""
        last = self.steps[-1].after
        wrong = [words for words in last.differences if words.startswith("block ")]
        return tuple(wrong[:MOST_WRONG]) or tuple(self.guilty)[:MOST_WRONG]

    @property
    def guilty(self) -> Iterator[str]:
        """What is wrong with blocks where the model shows the same, or nothing."""
        last = self.steps[-1].after.manager
        for block in last.blocks if isinstance(last, Picture) else ():
            if block.kind in FAULTS:
                yield f"block {block.number()} is {block.look.words()}"

    @property
    def calls(self) -> tuple[str, ...]:
        """All operations, where they are few."""
        steps = self.found.steps
        return tuple(step.operation for step in steps) if len(steps) <= MOST_CALLS else ()

    @property
    def replay(self) -> str:
        """The command that carries the operations out once more; nothing if none does."""
        return replay_of(self.found)

    @property
    def test_file(self) -> str:
        """Where the run keeps it as a test."""
        return beside(self.file).as_posix()

    def owner(self, block: Block) -> str:
        """The classes of a block's colours: its first two owners'."""
        owners = [self.colours.get(name, 0) for name in block.look.owners[:2]]
        return " ".join(
            f"{kind}{at}" for kind, at in zip(("first", "second"), owners, strict=False)
        )


def failures_of(report: Report) -> tuple[Failure, ...]:
    """The first failures, drawn; beside a step of the model the operations that are as bad."""
    methods = [method for _, method in report.failures_by_method()]
    kept = list(zip(files_of(report), methods, strict=True))[:MOST_FAILURES]
    most = max(FEWEST_STEPS, min(MOST_STEPS, MOST_OF_ALL // max(len(kept), 1)))
    operations = {found.headline: found for found in report.failures}
    failures = []
    for number, ((file, found), method) in enumerate(kept, 1):
        first, left_out, last = drawn(found, most, MOST_PARTS // len(kept))
        claim = found.headline.removeprefix(NOT_INDUCTIVE)
        failure = Failure(
            number=number,
            method=method,
            found=found,
            file=file,
            first=first,
            left_out=left_out,
            last=last,
            colours=colours_of((*first, *last)),
            reached=operations.get(f"{NOT_TRUE}{claim}"),
        )
        failures.append(failure)
    return tuple(failures)


def drawn(
    found: Counterexample, most: int, room: int
) -> tuple[tuple[Told, ...], int, tuple[Told, ...]]:
    """The first and the last steps, at most so many, and how many are left out between them."""
    pool = pool_of(found)
    affordable = min(most, MOST_DRAWN // (len(pool.usable or ()) + 1))
    first, left_out, last = ends(found.steps, max(FEWEST_STEPS, affordable))
    steps: list[Told] = []
    for number, step in (*first, *last):
        steps.append(told(number, step, found, pool, steps[-1] if steps else None))
    if sum(parts(each.before) + parts(each.after) for each in steps) > room:
        steps = reduced(steps, room)
    return tuple(steps[: len(first)]), left_out, tuple(steps[len(first) :])


def reduced(steps: list[Told], room: int) -> list[Told]:
    """The steps with smaller pictures, and the state before one only where no step shows it."""
    shown = {each.number for each in steps}
    kept = [replace(each, before=None) if each.number - 1 in shown else each for each in steps]
    scenes = [scene for each in kept for scene in (each.before, each.after) if scene]
    smaller = fitting(scenes, room)
    return [
        replace(each, before=next(smaller) if each.before else None, after=next(smaller))
        for each in kept
    ]


def told(number: int, step: Step, found: Counterexample, pool: Pool, previous: Told | None) -> Told:
    """One step with the states before and after; `previous` is the one drawn before it."""
    before = None
    if previous and previous.number == number - 1:
        before = previous.after
    elif number > 1:
        before = scene_after(found.steps[number - 2], pool)
    elif found.start:
        before = scene_of(found.start, found.start, pool)
    return Told(number, step, before, scene_after(step, pool))


def colours_of(steps: Iterable[Told]) -> dict[str, int]:
    """A colour for each sequence, in the order in which they come."""
    names = dict.fromkeys(names_in(steps))
    return {name: at % COLOURS for at, name in enumerate(names)}


def names_in(steps: Iterable[Told]) -> Iterator[str]:
    """The names in the pictures, the model's before the manager's."""
    for each in steps:
        for picture in (each.after.model, each.after.manager):
            if isinstance(picture, Picture):
                yield from (table.name for table in picture.tables)

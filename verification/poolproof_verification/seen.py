"""What is seen of a life: outcomes, results and states, up to names and the numbers of blocks.

Does not cover: whether any of it is right.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from poolproof_model.execute import Pool
from poolproof_verification.limits import NOT_ENDED
from poolproof_verification.lives import Life
from poolproof_verification.lockstep import Lockstep
from poolproof_verification.operations import (
    HIDDEN,
    Accepted,
    Failed,
    Operation,
    Refused,
    Response,
    View,
)
from poolproof_verification.oracle import Oracle
from poolproof_verification.targets import KnownTarget
from poolproof_verification.verdict import Evidence, Outcome, Verdict
from poolproof_verification.visibility import shown_of
from poolproof_verification.words import plural, told

Names = Mapping[Any, Any]  # what a sequence counts as, if not as what it is called
AS_CALLED: Names = {}
NOTHING = "no life was fit to judge it by"


class NeverEnds(Exception):
    """A call did not end in time, so nothing more can be judged."""


@dataclass(frozen=True)
class Seen:
    """One operation as it went: what came back, and what was shown before and after."""

    operation: Operation
    response: Response
    before: View | str
    shown: View | str


def manager_of(target: KnownTarget, life: Life) -> Lockstep:
    """A fresh manager for this life, trusted in nothing; CouldNotRun."""
    size, oracle = (life.total, life.block_size), Oracle(traits=target.traits)
    return Lockstep(target, *size, contents=False, invariants=False, oracle=oracle)


def live_through(target: KnownTarget, life: Life) -> list[Seen]:
    """The whole life of a fresh manager; CouldNotRun, NeverEnds."""
    return continued(manager_of(target, life), *life.operations)


def continued(manager: Lockstep, *operations: Operation) -> list[Seen]:
    """These operations on this manager; NeverEnds."""
    seen, before = [], manager.show()
    for operation in operations:
        response = manager.guarded.call(operation)
        if isinstance(response, Failed) and NOT_ENDED in response.words:
            raise NeverEnds(f"{operation} {response}")
        if isinstance(response, Accepted):
            response = Accepted(copied(response.value))
        shown = manager.show()
        seen.append(Seen(operation, response, before, shown))
        before = shown
    return seen


def copied(value: Any) -> Any:
    """What was returned, in lists that the manager cannot change any more."""
    if isinstance(value, tuple):
        return tuple(map(copied, value))
    return list(value) if type(value) is list else value


def as_modelled(manager: Lockstep, pool: Pool) -> bool:
    """The manager shows what the model says, up to the numbers of blocks if any may be taken."""
    numbered = manager.traits.any_free_block
    model = shown_of(pool, manager.traits)
    return bool(state_of(manager.show(), numbered) == state_of(model, numbered))


def outcome_of(seen: Seen, numbered: bool, names: Names = AS_CALLED) -> tuple[Any, ...]:
    """What came back, without words; `numbered`, `names`: as for `state_of`."""
    response = seen.response
    if isinstance(response, Refused):
        return "refused", response.reason, type(response.error).__name__
    if not isinstance(response, Accepted):
        return ("failed",)
    releases = seen.operation.name.startswith("release")
    numbers = numbers_in(seen.before if releases else seen.shown, names) if numbered else {}
    value = with_numbers(response.value, numbers)
    ascending = releases and numbered and type(value) is list
    return "accepted", sorted(value, key=str) if ascending else value


def state_of(shown: View | str, numbered: bool, names: Names = AS_CALLED) -> Any:
    """What is shown, with the sequences called by these names.

    `numbered`: blocks are numbered as the tables first have them, as any free ones may be taken.
    """
    if isinstance(shown, str):
        return shown
    seqs = {names.get(name, name): table for name, table in shown.seqs.items()}
    if not numbered:
        return View(shown.free, shown.ref, seqs)
    numbers = numbers_in(shown, names)
    free = len(shown.free) if isinstance(shown.free, list) else shown.free
    ref = shown.ref and {numbers.get(block, -1): count for block, count in shown.ref.items()}
    tables = {
        name: {"blocks": with_numbers(table["blocks"], numbers), "len": table["len"]}
        for name, table in seqs.items()
    }
    return View(free, ref, tables)


def numbers_in(shown: View | str, names: Names) -> dict[int, int]:
    """The number of each block in a table, by the tables in the order of their names."""
    if isinstance(shown, str):
        return {}
    tables = {str(names.get(name, name)): table for name, table in shown.seqs.items()}
    blocks = (block for name in sorted(tables) for block in tables[name]["blocks"])
    return {block: number for number, block in enumerate(dict.fromkeys(blocks))}


def with_numbers(value: Any, numbers: dict[int, int]) -> Any:
    """The value with numbers for its blocks; what is foreign in it is kept as text."""
    if type(value) in (list, tuple):
        return type(value)(with_numbers(each, numbers) for each in value)
    if type(value) is int:
        return numbers.get(value, value)
    return value if value is HIDDEN else told(value)  # so that True is not 1


@dataclass
class Tally:
    """How often each law was judged, the first breach of each, and why the search ended early."""

    counts: dict[str, int] = field(default_factory=dict)
    broken: dict[str, str] = field(default_factory=dict)
    ended: str = ""

    def judged(self, law: str) -> None:
        """Once more."""
        self.counts[law] = self.counts.get(law, 0) + 1

    def told(self) -> str:
        """How far the search has come."""
        broken = f"{', '.join(self.broken)} broken" if self.broken else "nothing broken"
        return f"{plural(sum(self.counts.values()), 'case')}, {broken}"

    def verdict(self, method: str, law: str, unit: str, scope: str) -> Verdict:
        """Held where it was judged, nothing broke it, and the search was not cut short."""
        broken, count = self.broken.get(law, ""), self.counts.get(law, 0)
        open_ended = self.ended or ("" if count else NOTHING)
        unknown = open_ended and not broken
        outcome = Outcome.UNKNOWN if unknown else Outcome.REFUTED if broken else Outcome.HELD
        evidence = Evidence.NONE if unknown else Evidence.CASES
        detail = broken or open_ended
        return Verdict(method, law, outcome, evidence, count, unit, scope, detail)

    def verdicts(self, method: str, units: Mapping[str, str], scope: str) -> tuple[Verdict, ...]:
        """One for each law of `units`, which says what is counted of it."""
        return tuple(self.verdict(method, law, unit, scope) for law, unit in units.items())

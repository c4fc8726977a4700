"""Concrete operations that break a claim, as few as possible: the executed model, breadth first.

States count as one where tables, lengths, counts and free blocks are the same, whatever the tokens.

Does not cover: larger pools, more names, longer prompts, other choices than the lowest free blocks.
What it does not find may still be broken; it refutes, and never proves.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice, product
from typing import Any

from poolproof_model.execute import Blocks, Pool, broken, chosen, empty_pool, needed, refusal
from poolproof_model.execute import step as executed
from poolproof_model.invariants import INVARIANTS
from poolproof_model.system import Clause, Transition
from poolproof_verification.proofs.claims import Claim, Kinds, Step, claims_of, parameters_of

TOTAL, BLOCK_SIZE = 3, 2
SCOPES = (("A", "B"), 4000), (("A", "B", "C"), 4000)  # names, and steps tried at most
LENGTHS = range(-1, 4)


@dataclass(frozen=True)
class Prompt:
    """A prompt whose tokens are consecutive numbers."""

    first: int

    def __call__(self, position: int) -> int:
        """The token at this position."""
        return self.first + position


@dataclass(frozen=True)
class Operation:
    """A transition with concrete arguments and the blocks it takes."""

    transition: Transition
    arguments: dict[str, Any]
    blocks: Blocks

    def __str__(self) -> str:
        """The operation as code."""
        given = ", ".join(f"{name}={value!r}" for name, value in self.arguments.items())
        return f"{self.transition.name}({given})"


@dataclass(frozen=True)
class Run:
    """Operations from the empty pool, the last of which has yet to be judged."""

    operations: tuple[Operation, ...]
    before: Pool

    @property
    def step(self) -> Step:
        """The last operation, for claims to speak of."""
        last = self.operations[-1]
        return Step(last.transition, self.before.state(), last.arguments, chosen(last.blocks))

    @property
    def after(self) -> Pool:
        """The pool that the executed model makes of it."""
        last = self.operations[-1]
        return executed(self.before, last.transition, last.arguments, last.blocks)


@dataclass(frozen=True)
class Break:
    """A claim that the last operation of a run breaks, and the values for which it does."""

    claim: Claim
    values: dict[str, Any]
    run: Run

    @property
    def fault(self) -> str:
        """What does not hold, and where."""
        where = ", ".join(f"{name} {value!r}" for name, value in self.values.items())
        words = f"{self.claim.clause.replace('_', ' ')} does not hold"
        return f"{words} at {where}" if where else words

    def __str__(self) -> str:
        """One line: what is broken, where, after what."""
        return f"{self.fault} after {'; '.join(map(str, self.run.operations))}"


def find_breaks(
    claims: Iterable[Claim], transitions: Iterable[Transition], invariants: tuple[Clause, ...]
) -> dict[str, Break]:
    """For each claim that can be broken in scope, by its name, the shortest run that does."""
    transitions, wanted = tuple(transitions), {claim.name: claim for claim in claims}
    found: dict[str, Break] = {}
    for names, limit in SCOPES:
        for run in islice(runs(transitions, invariants, names), limit):
            missing = [claim for name, claim in wanted.items() if name not in found]
            if not missing:
                return found
            found |= {each.claim.name: each for each in breaks_of(run, missing, names)}
    return found


def never_fires(
    transitions: Iterable[Transition], invariants: tuple[Clause, ...]
) -> tuple[str, ...]:
    """The transitions that no run in scope takes: whatever is proved of them says nothing."""
    silent = {transition.name: None for transition in transitions}
    for names, limit in SCOPES:
        for run in islice(runs(tuple(transitions), invariants, names), limit):
            silent.pop(run.operations[-1].transition.name, None)
            if not silent:
                return ()
    return tuple(silent)


def runs(
    transitions: tuple[Transition, ...], invariants: tuple[Clause, ...], names: tuple[str, ...]
) -> Iterator[Run]:
    """Every admitted step from every state that is reached with all invariants intact."""
    start = empty_pool(TOTAL, BLOCK_SIZE)
    level: list[tuple[tuple[Operation, ...], Pool]] = [((), start)]
    seen = {shape_of(start)}
    while level:
        deeper = []
        for operations, pool in level:
            for operation in admitted(transitions, pool, names, len(operations)):
                run = Run((*operations, operation), pool)
                yield run
                after = run.after
                if shape_of(after) not in seen and not any(broken(after, invariants)):
                    seen.add(shape_of(after))
                    deeper.append((run.operations, after))
        level = deeper


def shape_of(pool: Pool) -> Hashable:
    """What tells states apart here: everything but tokens."""
    tables = sorted((str(name), table.blocks, table.length) for name, table in pool.tables.items())
    return pool.free, tuple(sorted(pool.counts.items())), tuple(tables)


def admitted(
    transitions: Iterable[Transition], pool: Pool, names: tuple[str, ...], depth: int
) -> Iterator[Operation]:
    """Every operation admitted in this state, with the lowest free blocks as its choice."""
    for transition in transitions:
        kinds = parameters_of(transition)
        for values in product(*(arguments_of(kind, names, depth) for kind in kinds.values())):
            arguments = dict(zip(kinds, values, strict=True))
            if refusal(pool, transition, arguments) is None:
                count = max(0, needed(pool, transition, arguments))
                yield Operation(transition, arguments, tuple(sorted(pool.free)[:count]))


def arguments_of(kind: str, names: tuple[str, ...], depth: int) -> Iterable[Any]:
    """What to try as an argument; tokens differ from those of all earlier operations."""
    fresh = 10 * (depth + 1)
    if kind.startswith("Callable"):
        return (Prompt(fresh),)
    tried: dict[str, Iterable[Any]] = {
        "Sequence": names,
        "Token": (fresh,),
        "Block": range(TOTAL),
        "Index": range(TOTAL),
    }
    return tried.get(kind, LENGTHS)


def breaks_of(run: Run, claims: Iterable[Claim], names: tuple[str, ...]) -> Iterator[Break]:
    """The claims about its transition that the run's last operation breaks."""
    step = run.step
    for claim in claims:
        if claim.transition.name == step.transition.name:
            for values in values_of(claim.variables, names):
                if not claim.holds(step, values):
                    yield Break(claim, values, run)
                    break


def values_of(variables: Kinds, names: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """Every value the variables can have in scope."""
    ranges: dict[str, Iterable[Any]] = {
        "Sequence": names,
        "Block": range(TOTAL),
        "Index": range(TOTAL),
        "Offset": range(BLOCK_SIZE),
    }
    slots = range(TOTAL * BLOCK_SIZE)
    for values in product(*(ranges.get(kind, slots) for kind in variables.values())):
        yield dict(zip(variables, values, strict=True))


def breaches(
    pool: Pool,
    transition: Transition,
    arguments: dict[str, Any],
    blocks: Blocks,
    invariants: tuple[Clause, ...] = INVARIANTS,
) -> list[str]:
    """What this one step breaks, in words: for a counterexample's test."""
    run = Run((Operation(transition, arguments, blocks),), pool)
    names = tuple({*map(str, pool.tables), *SCOPES[-1][0]})
    claims = claims_of(transition, invariants)
    return [str(each) for each in breaks_of(run, claims, names)]

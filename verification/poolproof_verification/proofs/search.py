"""Concrete operations that break a claim, as few as possible: the executed model, breadth first.

States count as one where tables, lengths, counts and free blocks are the same, whatever the tokens.
An effect is looked at in full, outside its footprint too; a text that cannot be run is broken.

Does not cover: larger pools, more names, longer prompts, other choices than the lowest free blocks.
What it does not find may still be broken; it refutes, and never proves.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, product
from typing import Any

from poolproof_model.execute import Blocks, Pool, broken, chosen, empty_pool, is_lawful, refusal_in
from poolproof_model.execute import step as executed
from poolproof_model.invariants import INVARIANTS
from poolproof_model.state import Choice, State
from poolproof_model.system import Clause, Transition, call
from poolproof_verification.proofs.claims import Claim, Kinds, Step, parameters_of
from poolproof_verification.proofs.model_mutants_exact import judged_claims

TOTAL, BLOCK_SIZE = 3, 2
SCOPES = (("A", "B"), 4000), (("A", "B", "C"), 4000)  # names, and steps tried at most
LENGTHS = range(-1, 4)
Names = tuple[Any, ...]
STRANGER = "Z"  # a name that no run uses
FAILURES = (TypeError, AttributeError, ValueError, LookupError, ArithmeticError)


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
    failure: str = ""  # why it cannot be told whether it is admitted

    def __str__(self) -> str:
        """The operation as code."""
        given = ", ".join(f"{name}={value!r}" for name, value in self.arguments.items())
        return f"{self.transition.name}({given})"


@dataclass(frozen=True)
class Run:
    """Operations from the empty pool, the last of which has yet to be judged."""

    operations: tuple[Operation, ...]
    before: Pool
    names: Names = SCOPES[-1][0]

    @cached_property
    def step(self) -> Step:
        """The last operation, for claims to speak of."""
        last, before = self.operations[-1], state_of(self.before, self.names)
        return Step(last.transition, before, last.arguments, choice_of(self.before, last.blocks))

    @property
    def after(self) -> Pool:
        """The pool that the executed model makes of it."""
        last = self.operations[-1]
        return executed(self.before, last.transition, last.arguments, last.blocks)


def state_of(pool: Pool, names: Names) -> State:
    """The pool as total functions, in a run that uses these names and no others."""
    used = (*names, *pool.tables)
    return replace(pool.state(), is_sequence=lambda sequence: sequence in used)


def choice_of(pool: Pool, blocks: Blocks) -> Choice:
    """These blocks; beyond them, where a choice may say anything, all others, the held first."""
    others = sorted(set(range(pool.total)) - set(blocks), key=lambda block: block in pool.free)
    return chosen((*blocks, *others))


@dataclass(frozen=True)
class Break:
    """A claim that the last operation of a run breaks, and the values for which it does."""

    claim: Claim
    values: dict[str, Any]
    run: Run
    failure: str = ""  # the error, where the model's text cannot be run

    @property
    def fault(self) -> str:
        """What does not hold, and where."""
        if self.failure:
            return f"the model's text fails: {self.failure}"
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


def first_breaks(
    claims: Iterable[Claim], transitions: Iterable[Transition], invariants: tuple[Clause, ...]
) -> tuple[Break, ...]:
    """What the first run in scope that breaks any of the claims breaks."""
    transitions, claims = tuple(transitions), tuple(claims)
    for names, limit in SCOPES:
        for run in islice(runs(transitions, invariants, names), limit):
            found = tuple(breaks_of(run, claims, names))
            if found:
                return found
    return ()


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
    transitions: tuple[Transition, ...], invariants: tuple[Clause, ...], names: Names
) -> Iterator[Run]:
    """Every admitted step from every state that is reached with all invariants intact."""
    for _, _, found in reached(transitions, invariants, names):
        yield from found


def reached(
    transitions: tuple[Transition, ...], invariants: tuple[Clause, ...], names: Names
) -> Iterator[tuple[tuple[Operation, ...], Pool, tuple[Run, ...]]]:
    """The states reached with all invariants intact: the operations, the state, the steps on."""
    start = empty_pool(TOTAL, BLOCK_SIZE)
    waiting: deque[tuple[tuple[Operation, ...], Pool]] = deque([((), start)])
    seen = {shape_of(start)}
    while waiting:
        operations, pool = waiting.popleft()
        found = tuple(
            Run((*operations, operation), pool, names)
            for operation in admitted(transitions, pool, names, len(operations))
        )
        yield operations, pool, found
        for run in found:
            after = intact(run, invariants)
            if after is not None and shape_of(after) not in seen:
                seen.add(shape_of(after))
                waiting.append((run.operations, after))


def intact(run: Run, invariants: tuple[Clause, ...]) -> Pool | None:
    """The state after the run, or None where something is broken there."""
    try:
        after = run.after
        return None if any(broken(after, invariants)) else after
    except FAILURES:
        return None


def shape_of(pool: Pool) -> Hashable:
    """What tells states apart here: everything but tokens."""
    tables = sorted((str(name), table.blocks, table.length) for name, table in pool.tables.items())
    return pool.free, tuple(sorted(pool.counts.items())), tuple(tables)


def admitted(
    transitions: Iterable[Transition], pool: Pool, names: Names, depth: int
) -> Iterator[Operation]:
    """Every operation admitted in this state, with the lowest free blocks as its choice."""
    state, free = state_of(pool, names), tuple(sorted(pool.free))
    for transition, arguments in asked(transitions, names, depth):
        try:
            if refusal_in(state, transition, arguments) is None:
                count = max(0, call(transition.needs, {"state": state, **arguments}))
                yield Operation(transition, arguments, free[:count])
        except FAILURES as error:
            yield Operation(transition, arguments, (), f"{type(error).__name__}: {error}")


def asked(
    transitions: Iterable[Transition], names: Names, depth: int
) -> Iterator[tuple[Transition, dict[str, Any]]]:
    """Every operation to try, admitted or not."""
    for transition in transitions:
        kinds = parameters_of(transition)
        for values in product(*(arguments_of(kind, names, depth) for kind in kinds.values())):
            yield transition, dict(zip(kinds, values, strict=True))


def arguments_of(kind: str, names: Names, depth: int) -> Iterable[Any]:
    """What to try as an argument; tokens differ from those of all earlier operations."""
    fresh = 10 * (depth + 1)
    if kind.startswith("Callable"):
        return (Prompt(fresh),)
    tried: dict[str, Iterable[Any]] = {
        "Sequence": (*names, STRANGER),
        "Token": (fresh,),
        "Block": range(TOTAL),
        "Index": range(TOTAL),
    }
    return tried.get(kind, LENGTHS)


def breaks_of(run: Run, claims: Iterable[Claim], names: Names) -> Iterator[Break]:
    """The claims about its transition that the run's last operation breaks."""
    step, last = run.step, run.operations[-1]
    for claim in claims:
        if claim.transition.name == step.transition.name:
            if last.failure:
                yield Break(claim, {}, run, last.failure)
                continue
            for values in values_of(claim.variables, names):
                try:
                    if claim.holds(step, values):
                        continue
                    yield Break(claim, values, run)
                except FAILURES as error:
                    yield Break(claim, {}, run, f"{type(error).__name__}: {error}")
                break


def values_of(variables: Kinds, names: Names) -> Iterator[dict[str, Any]]:
    """Every value the variables can have in scope."""
    ranges: dict[str, Iterable[Any]] = {
        "Sequence": (*names, STRANGER),
        "Block": range(-1, TOTAL + 1),  # the two outside belong to no pool
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
    """What this one step breaks, in words: for a counterexample's test.

    A step that is refused, or takes other blocks than it may, breaks nothing.
    """
    names = tuple(dict.fromkeys((*pool.tables, *SCOPES[-1][0])))
    run = Run((Operation(transition, arguments, blocks),), pool, names)
    with suppress(*FAILURES):
        refused = refusal_in(run.step.before, transition, arguments)
        if refused or not is_lawful(pool, transition, arguments, blocks):
            return []
    claims = judged_claims(transition, invariants)
    return [str(each) for each in breaks_of(run, claims, names)]

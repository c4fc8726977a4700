"""Runs of the executed model, breadth first: every admitted operation from every state in scope.

States count as one where tables, lengths, counts and free blocks are the same, whatever the tokens.
An operation takes the lowest free blocks; a text that cannot be run is an operation that fails.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, product
from typing import Any

from poolproof_model.execute import Blocks, Pool, broken, chosen, empty_pool, refusal_in
from poolproof_model.execute import step as executed
from poolproof_model.state import Choice, State
from poolproof_model.system import Clause, Transition, call
from poolproof_verification.proofs.claims import Step, parameters_of

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

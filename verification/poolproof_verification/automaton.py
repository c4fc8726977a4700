"""The model as an automaton that is learned while it is used: each state is asked about once.

A state is the model's up to the names of sequences and the numbers of blocks, to which the model is
indifferent: sequences are called by slots, and the blocks in use are 0, 1, ... as the tables first
have them, so that the free ones are the highest. Where an operation leads is what the oracle says
of it the first time; an edge keeps that, and how slots and blocks are called after.

Does not cover: what the blocks contain, which the shadow memory follows.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from poolproof_model.execute import FreeBlocks, Members, Pool, Table, broken, empty_pool
from poolproof_model.system import Refusal
from poolproof_verification.coverage import Reached, goals_of
from poolproof_verification.operations import OPERATIONS, Operation
from poolproof_verification.oracle import Oracle, carry_out
from poolproof_verification.visibility import Traits


class Slot(NamedTuple):
    """Stands for a name: the sequence with this number, or one that is not live."""

    number: int


NEW = Slot(-1)
SLOTS = tuple(map(Slot, range(64)))
SMALL = 16  # blocks: up to here every new state is judged by every invariant,
ONE_IN = 100  # beyond that one of so many
Code = tuple[Any, ...]  # an operation's name and arguments, with slots for names


@dataclass(slots=True)
class Edge:
    """What an operation leads to; blocks are called as before it, those it takes come next."""

    reason: Refusal | None
    value: Any = None
    after: State | None = None
    slots: tuple[int, ...] = ()  # what each slot afterwards was before, -1 for a new sequence
    blocks: tuple[int, ...] = ()  # what each block in use afterwards was called before
    freed: tuple[int, ...] = ()
    taken: int = 0
    goals: Reached = ()  # cases of the model that it is one of


NOTHING = empty_pool(0, 1)
WRONG_TYPE = {
    name: Edge(
        Refusal.WRONG_TYPE,
        goals=goals_of(NOTHING, Operation(name), Refusal.WRONG_TYPE, NOTHING),
    )
    for name in OPERATIONS
}


class State:
    """One state of the model."""

    def __init__(self, pool: Pool) -> None:
        """`pool`: with slots for names, and blocks in the order of their first use."""
        self.pool = pool
        self.tables = [pool.tables[name].blocks for name in SLOTS[: len(pool.tables)]]
        self.lengths = [pool.tables[name].length for name in SLOTS[: len(pool.tables)]]
        self.counts = [pool.counts[block] for block in range(len(pool.counts))]
        self.num_free = len(pool.free)
        self.edges: dict[Code, Edge] = {}


class Automaton:
    """The states of one pool that were met so far."""

    def __init__(self, total: int, block_size: int, traits: Traits) -> None:
        """`traits`: what the manager is like; reserved blocks are no part of the pool here."""
        self.traits = traits
        self.oracle = Oracle(traits=traits)
        self.states: dict[tuple[Any, ...], State] = {}
        self.start = State(empty_pool(total, block_size, contents=False))
        self.states[()] = self.start

    def edge(self, state: State, code: Code) -> Edge:
        """What the model says of the operation."""
        operation = Operation(code[0], code[1:])
        reason = self.oracle.refused(state.pool, operation)
        if reason is None:
            edge = self.accepted(state, operation)
        else:
            edge = Edge(reason, goals=goals_of(state.pool, operation, reason, state.pool))
        state.edges[code] = edge
        return edge

    def accepted(self, state: State, operation: Operation) -> Edge:
        """Where an accepted operation leads."""
        copies = self.traits.copies_at_fork
        pool, value = carry_out(state.pool, operation, copies_at_fork=copies)
        names, blocks = in_order(pool)
        in_use, taken = len(state.counts), len(state.pool.free - pool.free)
        return Edge(
            reason=None,
            value=value,
            after=self.known(pool, names, blocks),
            slots=tuple(name.number for name in names),
            blocks=tuple(blocks),
            freed=tuple(block for block in range(in_use + taken) if block in pool.free),
            taken=taken,
            goals=goals_of(state.pool, operation, None, pool),
        )

    def known(self, pool: Pool, names: list[Slot], blocks: list[int]) -> State:
        """The state that this pool is in, once it is renamed."""
        slots = dict(zip(names, SLOTS, strict=False))
        numbers = {block: number for number, block in enumerate(blocks)}
        key = tuple(
            (tuple(numbers[block] for block in pool.tables[name].blocks), pool.tables[name].length)
            for name in names
        )
        if key not in self.states:
            unused = (block for block in range(pool.total) if block not in numbers)
            numbers |= {block: number for number, block in enumerate(unused, len(blocks))}
            self.states[key] = self.met(renamed(pool, slots, numbers))
        return self.states[key]

    def met(self, pool: Pool) -> State:
        """A state that was not met before."""
        if pool.total <= SMALL or len(self.states) % ONE_IN == 1:
            for name, at in broken(pool):
                raise AssertionError(f"the model's invariant {name} is broken at {at} in {pool}")
        return State(pool)


def in_order(pool: Pool) -> tuple[list[Slot], list[int]]:
    """The sequences, ordered by what does not depend on numbers, and the blocks they first have."""

    def shape(name: Slot) -> tuple[Any, ...]:
        table = pool.tables[name]
        return table.length, [pool.counts[block] for block in table.blocks]

    names: list[Any] = sorted(pool.tables, key=shape)
    return names, list(dict.fromkeys(block for name in names for block in pool.tables[name].blocks))


def renamed(pool: Pool, names: Mapping[Any, Hashable], blocks: Mapping[int, int]) -> Pool:
    """The same state with other names of sequences and other numbers of blocks."""

    def table(old: Table) -> Table:
        return Table(tuple(blocks[block] for block in old.blocks), old.length)

    return Pool(
        total=pool.total,
        block_size=pool.block_size,
        free=FreeBlocks(blocks[block] for block in pool.free),
        counts={blocks[block]: count for block, count in pool.counts.items()},
        tables={names[name]: table(old) for name, old in pool.tables.items()},
        holders={
            blocks[block]: Members(names[name] for name in row)
            for block, row in pool.holders.items()
        },
        contents=None,
    )


def named(arguments: tuple[Any, ...], order: list[str], new: str) -> Iterator[Any]:
    """The arguments with names in the place of slots."""
    for argument in arguments:
        if type(argument) is Slot:
            yield order[argument.number] if argument.number >= 0 else new
        else:
            yield argument


def numbered(value: Any, blocks: list[int], ascending: bool) -> Any:
    """An operation's result with the blocks' real numbers."""
    if isinstance(value, list):
        found = [blocks[block] for block in value]
        return sorted(found) if ascending else found
    if isinstance(value, tuple):
        added, copy = value
        pair = None if copy is None else (blocks[copy[0]], blocks[copy[1]])
        return [blocks[block] for block in added], pair
    return value

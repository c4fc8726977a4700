"""The same transitions as a program: a concrete state, and one step of it.

A step evaluates the effect at the transition's footprint only (the blocks it touches, the sequences
it names) and takes everything else over as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from poolproof_model.algebra import Truth
from poolproof_model.invariants import INVARIANTS
from poolproof_model.state import Choice, State, lawful
from poolproof_model.system import Clause, Refusal, Transition, call, names_of
from poolproof_model.transitions import initial

NO_BLOCK = -1
Blocks = tuple[int, ...]


class Members(frozenset[Hashable]):
    """A concrete row: the names of the sequences that hold one block."""

    def contains(self, sequence: Hashable) -> bool:
        """The sequence is a member."""
        return sequence in self

    def with_member(self, sequence: Hashable, member: bool) -> Members:
        """The same set, but for this sequence."""
        return Members(self | {sequence}) if member else Members(self - {sequence})

    def emptied(self) -> Members:
        """The set without members."""
        return NOBODY

    def size(self) -> int:
        """How many sequences are members."""
        return len(self)


NOBODY = Members()


class FreeBlocks(frozenset[int]):
    """The free blocks, asked like the state's function `free`."""

    def __call__(self, block: int) -> bool:
        """The block is free."""
        return block in self


@dataclass(frozen=True)
class Table:
    """One live sequence: its block table, its tokens, and the tokens it was given."""

    blocks: Blocks = ()
    length: int = 0
    history: tuple[Any, ...] = ()


NO_TABLE = Table()


@dataclass(frozen=True)
class Pool:
    """A concrete state.

    `counts` and `holders` have referenced blocks only, `contents` those that were ever written;
    without `contents` (None) nothing is said of tokens.
    """

    total: int
    block_size: int
    free: FreeBlocks
    counts: Mapping[int, int] = field(default_factory=dict)
    tables: Mapping[Hashable, Table] = field(default_factory=dict)
    holders: Mapping[int, Members] = field(default_factory=dict)
    contents: Mapping[int, tuple[Any, ...]] | None = field(default_factory=dict)

    def state(self) -> State:
        """This pool as total functions."""
        tables, contents = self.tables, self.contents or {}
        unwritten = (None,) * self.block_size

        def table(sequence: Hashable) -> Table:
            return tables.get(sequence, NO_TABLE)

        return State(
            total=self.total,
            block_size=self.block_size,
            is_sequence=lambda sequence: True,
            how_many=self.how_many,
            free=self.free,
            reference_count=lambda block: self.counts.get(block, 0),
            live=lambda sequence: sequence in tables,
            table_length=lambda sequence: len(table(sequence).blocks),
            block_at=lambda sequence, index: entry(table(sequence).blocks, index, NO_BLOCK),
            length=lambda sequence: table(sequence).length,
            holders=lambda block: self.holders.get(block, NOBODY),
            index_of=lambda sequence, block: index_in(table(sequence).blocks, block),
            content=lambda block, offset: entry(contents.get(block, unwritten), offset, None),
            history=lambda sequence, position: entry(table(sequence).history, position, None),
        )

    def how_many(self, predicate: Callable[[int], Truth]) -> int:
        """How many blocks of the pool satisfy the predicate."""
        if isinstance(predicate, FreeBlocks):
            return len(predicate)  # all of them are the pool's
        return sum(map(predicate, range(self.total)))


def entry(row: tuple[Any, ...], index: int, default: Any) -> Any:
    """The row's entry at the index, or the default outside of it."""
    return row[index] if 0 <= index < len(row) else default


def index_in(blocks: Blocks, block: int) -> int:
    """Where the block stands in the table, or -1."""
    return blocks.index(block) if block in blocks else -1


def empty_pool(total: int, block_size: int, *, contents: bool = True) -> Pool:
    """The initial state, taken from the model's own `initial`."""
    nothing = Pool(total, block_size, FreeBlocks(), contents={} if contents else None)
    start = initial(nothing.state())
    return Pool(
        total, block_size, FreeBlocks(filter(start.free, range(total))), contents=nothing.contents
    )


def chosen(blocks: Blocks) -> Choice:
    """These blocks, in this order, as a transition's choice."""
    index = {block: i for i, block in enumerate(blocks)}
    return Choice(
        block=lambda i: entry(blocks, i, NO_BLOCK), index_of=lambda block: index.get(block, -1)
    )


def needed(pool: Pool, transition: Transition, arguments: dict[str, Any]) -> int:
    """How many free blocks the transition takes."""
    return int(call(transition.needs, {"state": pool.state(), **arguments}))


def refusal(pool: Pool, transition: Transition, arguments: dict[str, Any]) -> Refusal | None:
    """The first reason why the transition is refused, or None where it is admitted."""
    return refusal_in(pool.state(), transition, arguments)


def refusal_in(state: State, transition: Transition, arguments: dict[str, Any]) -> Refusal | None:
    """The same, asked of a state."""
    values = {"state": state, **arguments}
    for reason, condition in transition.requirements:
        if not call(condition, values):
            return reason
    too_many = call(transition.needs, values) > state.num_free()
    return Refusal.OUT_OF_BLOCKS if too_many else None


def is_lawful(
    pool: Pool, transition: Transition, arguments: dict[str, Any], blocks: Blocks
) -> bool:
    """The blocks are as many as needed, free, and distinct."""
    state, count = pool.state(), needed(pool, transition, arguments)
    picks = chosen(blocks)
    return len(blocks) == count and all(lawful(state, picks, count, i) for i in range(count))


def step(pool: Pool, transition: Transition, arguments: dict[str, Any], blocks: Blocks) -> Pool:
    """The state after an admitted transition with a lawful choice of blocks; checks neither."""
    before = pool.state()
    source = arguments[transition.source]
    first = max(0, call(transition.touches, {"state": before, "source": source}))
    touched = pool.tables.get(source, NO_TABLE).blocks[first:] + blocks
    after = call(transition.effect, {"state": before, "choice": chosen(blocks), **arguments})
    return commit(pool, after, touched, arguments[transition.acting])


def commit(pool: Pool, after: State, touched: Blocks, acting: Hashable) -> Pool:
    """The pool with the state's values at the touched blocks and the acting sequence."""
    counts, holders, tables = dict(pool.counts), dict(pool.holders), dict(pool.tables)
    contents = None if pool.contents is None else dict(pool.contents)
    for block in touched:
        put(counts, block, after.reference_count(block), 0)
        put(holders, block, after.holders(block), NOBODY)
        if contents is not None:
            contents[block] = tuple(after.content(block, i) for i in range(pool.block_size))
    put(tables, acting, table_of(after, acting, contents is not None), None)
    freed = {block for block in touched if after.free(block)}
    free = FreeBlocks((pool.free - set(touched)) | freed)
    return Pool(pool.total, pool.block_size, free, counts, tables, holders, contents)


def put(mapping: dict[Any, Any], key: Any, value: Any, default: Any) -> None:
    """Store the value; a default is stored by leaving it out."""
    if value == default:
        mapping.pop(key, None)
    else:
        mapping[key] = value


def table_of(state: State, sequence: Hashable, contents: bool) -> Table | None:
    """The sequence's table in this state, or None if it is not live."""
    if not state.live(sequence):
        return None
    length = state.length(sequence)
    blocks = tuple(state.block_at(sequence, i) for i in range(state.table_length(sequence)))
    history = tuple(state.history(sequence, i) for i in range(length)) if contents else ()
    return Table(blocks, length, history)


def broken(pool: Pool, clauses: tuple[Clause, ...] = INVARIANTS) -> Iterator[tuple[str, str]]:
    """Each clause that does not hold in this state, with the values for which it does not."""
    state = pool.state()
    for clause in clauses:
        for values in ranges(pool, names_of(clause)):
            if not clause(state, *values.values()):
                yield clause.__name__, ", ".join(f"{name} {x!r}" for name, x in values.items())


def ranges(pool: Pool, names: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """All values of a clause's variables that are of interest in this state, well-formed or not."""
    variables = names[1:]
    blocks = sorted({*range(pool.total), *pool.free, *pool.counts, *pool.holders})
    holding = (name for row in pool.holders.values() for name in row)
    for sequence in dict.fromkeys((*pool.tables, *holding)) if "sequence" in variables else (None,):
        table = pool.tables.get(sequence, NO_TABLE)
        values: dict[str, Any] = {
            "sequence": (sequence,),
            "block": blocks,
            "index": range(len(table.blocks)),
            "position": range(table.length if pool.contents is not None else 0),
        }
        for combination in product(*(values[name] for name in variables)):
            yield dict(zip(variables, combination, strict=True))

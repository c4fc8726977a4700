"""The representation invariant, clause by clause: what is broken, in which blocks, for whom."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import NamedTuple

from poolproof.block_pool import BlockPool
from poolproof.block_table import BlockTable

Tables = Mapping[Hashable, BlockTable]
Owners = dict[int, list[Hashable]]


class Violation(NamedTuple):
    """One broken clause."""

    clause: str
    """partition, counts, tables, lengths, or representation for the manager's hidden state."""
    blocks: tuple[int, ...]
    owners: tuple[Hashable, ...]
    message: str

    def __str__(self) -> str:
        """One line for a log."""
        return f"{self.clause}: {self.message}"


def find_violations(pool: BlockPool, tables: Tables, block_size: int) -> list[Violation]:
    """All broken clauses; O(blocks + table entries). Changes nothing, whatever the state."""
    if not len(pool.free_map) == len(pool.extra) == pool.total:
        sizes = f"{len(pool.free_map)} and {len(pool.extra)} entries for {pool.total} blocks"
        return [Violation("representation", (), (), f"the block map and the counts have {sizes}")]
    owners: Owners = {}
    for name, table in tables.items():
        for block in table.blocks:
            owners.setdefault(block, []).append(name)
    found = [*check_blocks(pool, owners), *check_hints(pool)]
    for name, table in tables.items():
        found += check_table(name, table, pool, owners, block_size)
    return found


def check_blocks(pool: BlockPool, owners: Owners) -> Iterator[Violation]:
    """Each block is free or referenced, and referenced as often as sequences hold it."""
    for block, (free, extra) in enumerate(zip(pool.free_map, pool.extra, strict=True)):
        names = tuple(dict.fromkeys(owners.get(block, ())))
        held = f"held by {', '.join(map(repr, names))}" if names else "held by nobody"
        if free and names:
            yield Violation("partition", (block,), names, f"block {block} is free, yet {held}")
        elif not free and not names:
            lost = f"block {block} is lost: neither free nor in any table"
            yield Violation("counts", (block,), (), f"{lost}, yet counted {1 + extra} time(s)")
        elif not free and 1 + extra != len(names):
            count = f"block {block} is counted {1 + extra} time(s), yet {held}"
            yield Violation("counts", (block,), names, count)
        if free > 1 or (free and extra):
            hidden = f"free block {block} has byte {free} and {extra} reference(s) beyond the first"
            yield Violation("representation", (block,), names, hidden)


def check_hints(pool: BlockPool) -> Iterator[Violation]:
    """The number of free blocks and the lowest possible one agree with the map."""
    free = len(pool.free_map) - pool.free_map.count(0)
    if pool.num_free != free:
        count = f"num_free is {pool.num_free}, yet {free} blocks are free"
        yield Violation("representation", (), (), count)
    if pool.lowest < 0 or any(pool.free_map[: pool.lowest]):
        below = f"a free block lies below the search's start, {pool.lowest}"
        yield Violation("representation", (), (), below)


def check_table(
    name: Hashable, table: BlockTable, pool: BlockPool, owners: Owners, block_size: int
) -> Iterator[Violation]:
    """A table has distinct blocks of the pool, as many as its tokens need, and a truthful limit."""
    blocks, length, limit = table.blocks, table.length, table.limit
    strange = tuple(block for block in blocks if not 0 <= block < pool.total)
    if strange:
        yield Violation("tables", strange, (name,), f"{name!r} holds {strange}: not in the pool")
    if len(set(blocks)) < len(blocks):
        twice = tuple(block for block in set(blocks) if owners[block].count(name) > 1)
        yield Violation("tables", twice, (name,), f"{name!r} holds {twice} more than once")
    if length < 0 or len(blocks) != -(-length // block_size):
        fit = f"{name!r} has {len(blocks)} block(s) of {block_size} for {length} token(s)"
        yield Violation("lengths", tuple(blocks), (name,), fit)
    shared = [block for block in blocks if len(owners[block]) > 1]
    least = length if blocks and blocks[-1] in shared else len(blocks) * block_size
    if not length <= limit <= least or (shared and not table.forked):
        hidden = f"{name!r} may fill up to {limit} of {least} slots; forked is {table.forked}"
        yield Violation("representation", tuple(shared), (name,), hidden)

"""The shipped manager's hidden state as plain data: read off, put back, tampered with.

Of the states reached in some small lives, every one with one hidden value replaced.
"""

from __future__ import annotations

import sys
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from poolproof import BlockManager
from poolproof_model.execute import FreeBlocks, Members, Pool, Table


@dataclass(frozen=True)
class HiddenTable:
    """The fields of one block table."""

    blocks: tuple[int, ...]
    length: int
    limit: int
    forked: bool


@dataclass(frozen=True)
class HiddenState:
    """Every field of a manager."""

    total: int
    block_size: int
    free_map: bytes
    extra: tuple[int, ...]  # references beyond the first
    num_free: int
    lowest: int
    tables: tuple[tuple[str, HiddenTable], ...]

    def __str__(self) -> str:
        """The fields in an engineer's words."""
        tables = "; ".join(
            f"{name} {list(table.blocks)} {table.length} token(s), limit {table.limit}, "
            f"forked {table.forked}"
            for name, table in self.tables
        )
        return (
            f"{self.total} blocks of {self.block_size}, free map {list(self.free_map)}, references "
            f"beyond the first {list(self.extra)}, num_free {self.num_free}, search from "
            f"{self.lowest}, tables: {tables or 'none'}"
        )

    def pool(self) -> Pool:
        """The same in the model: a block is counted unless it is free and in no table."""
        tables: dict[Hashable, Table] = {
            name: Table(table.blocks, table.length) for name, table in self.tables
        }
        held = {block for table in tables.values() for block in table.blocks}
        free = FreeBlocks(block for block in range(self.total) if self.free_map[block])
        counts = {
            block: 1 + self.extra[block]
            for block in range(self.total)
            if block not in free or block in held
        }
        holders = {
            block: Members(name for name, table in tables.items() if block in table.blocks)
            for block in held
        }
        return Pool(self.total, self.block_size, free, counts, tables, holders, None)


def read(manager: BlockManager) -> HiddenState:
    """The manager's fields as they are."""
    pool, tables = manager._pool, manager._sequences
    return HiddenState(
        pool.total,
        manager._block_size,
        bytes(pool.free_map),
        tuple(pool.extra),
        pool.num_free,
        pool.lowest,
        tuple(
            (str(name), HiddenTable(tuple(each.blocks), each.length, each.limit, each.forked))
            for name, each in tables.items()
        ),
    )


def build(manager_class: type[BlockManager], state: HiddenState) -> BlockManager:
    """A manager of the class with these fields, whether they make sense or not."""
    manager = manager_class(state.total, state.block_size)
    pool = manager._pool
    pool.free_map = bytearray(state.free_map)
    pool.extra = list(state.extra)
    pool.num_free, pool.lowest = state.num_free, state.lowest
    table_class = vars(sys.modules[manager_class.__module__])["BlockTable"]
    for name, table in state.tables:
        fields = list(table.blocks), table.length, table.limit, table.forked
        manager._sequences[name] = table_class(*fields)
    return manager


LIVES: tuple[tuple[int, int, tuple[tuple[Any, ...], ...]], ...] = (
    (
        4,
        2,
        (
            ("allocate", "A", 3),
            ("fork", "A", "B"),
            ("append", "B"),
            ("fork", "A", "C"),
            ("release", "B"),
            ("allocate", "D", 0),
            ("append", "D"),
            ("grow", "D", 2),
            ("release", "A"),
            ("append", "C"),
            ("release", "D"),
        ),
    ),
    (
        5,
        4,
        (("allocate", "A", 6), ("fork", "A", "B"), ("append", "B"), ("allocate", "C", 3)),
    ),
    (3, 1, (("allocate", "A", 2), ("fork", "A", "B"), ("fork", "B", "C"), ("append", "C"))),
    (0, 1, (("allocate", "A", 0),)),
)


@cache
def reached() -> tuple[HiddenState, ...]:
    """Each state of the shipped manager in these lives."""
    states = []
    for total, block_size, operations in LIVES:
        manager = BlockManager(total, block_size)
        states.append(read(manager))
        for name, *arguments in operations:
            getattr(manager, name)(*arguments)
            states.append(read(manager))
    return tuple(dict.fromkeys(states))


def tampered(state: HiddenState) -> Iterator[HiddenState]:
    """The state with one hidden value replaced, in every way that is near at hand."""
    yield from with_other_maps(state)
    for number in (state.num_free - 1, state.num_free + 1):
        yield replace(state, num_free=number)
    for lowest in {*range(-1, state.total + 2)} - {state.lowest}:
        yield replace(state, lowest=lowest)
    for index, (name, table) in enumerate(state.tables):
        for other in tampered_tables(state, table):
            tables = (*state.tables[:index], (name, other), *state.tables[index + 1 :])
            yield replace(state, tables=tables)


def with_other_maps(state: HiddenState) -> Iterator[HiddenState]:
    """Another byte, another count, too few or too many of them."""
    free_map, extra = state.free_map, state.extra
    for block in range(state.total):
        for byte in {0, 1, 2} - {free_map[block]}:
            changed = free_map[:block] + bytes([byte]) + free_map[block + 1 :]
            yield replace(state, free_map=changed)
        for count in (extra[block] - 1, extra[block] + 1):
            yield replace(state, extra=(*extra[:block], count, *extra[block + 1 :]))
    yield replace(state, free_map=free_map + b"\1")
    yield replace(state, extra=(*extra, 0))
    if state.total:
        yield replace(state, free_map=free_map[:-1])
        yield replace(state, extra=extra[:-1])


def tampered_tables(state: HiddenState, table: HiddenTable) -> Iterator[HiddenTable]:
    """Another entry, one less or one more; another length, limit or flag."""
    blocks, size = table.blocks, state.block_size
    for index, block in enumerate(blocks):
        for other in set(range(-1, state.total + 1)) - {block}:
            yield replace(table, blocks=(*blocks[:index], other, *blocks[index + 1 :]))
    for other in range(state.total):
        yield replace(table, blocks=(*blocks, other))
    if blocks:
        yield replace(table, blocks=blocks[:-1])
    near = {-1, 0, table.length - size, table.length - 1, table.length + 1, table.length + size}
    for length in near - {table.length}:
        yield replace(table, length=length)
    for limit in set(range(table.length - 1, len(blocks) * size + 2)) - {table.limit}:
        yield replace(table, limit=limit)
    yield replace(table, forked=not table.forked)

"""Any valid hidden state: tables in full, and all other sequences as counts of holders.

An operation touches the pool and the table it names, no other table. So one real table and, for
each block, the number of other sequences that hold it stand for any number of sequences. Where it
must be seen that the others are left alone, some of them are bystanders with tables of their own.

Which blocks are where comes as an index into a constant list, made concrete by bisection; lengths,
counts, flags and the block size may be symbolic. A test of a state is one `&` expression, so the
search does not branch on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import NamedTuple, TypeVar

NAME = "a"  # the live sequence with a table
NEW = "b"  # a name not in use

Blocks = tuple[int, ...]
Option = TypeVar("Option")


@dataclass(frozen=True, eq=False)
class Layout:
    """Where the blocks are: in the table, held by others only, or free."""

    blocks: Blocks  # the table, in logical order
    elsewhere: Blocks
    free: Blocks
    free_map: bytearray


def layouts(total: int, longest: int) -> tuple[Layout, ...]:
    """All layouts of a pool with a table of up to `longest` blocks."""
    found = []
    for entries in range(longest + 1):
        for blocks in permutations(range(total), entries):
            rest = [block for block in range(total) if block not in blocks]
            for count in range(len(rest) + 1):
                for elsewhere in combinations(rest, count):
                    free = tuple(block for block in rest if block not in elsewhere)
                    free_map = bytearray(block in free for block in range(total))
                    found.append(Layout(blocks, elsewhere, free, free_map))
    return tuple(found)


THREE = layouts(3, longest=3)
THREE_POOLS = layouts(3, longest=0)
FOUR_POOLS = layouts(4, longest=0)


def pick(options: Sequence[Option], index: int) -> Option:
    """options[index] by bisection: on each path of a search it is a concrete one."""
    low, high = 0, len(options)
    while high - low > 1:
        middle = (low + high) // 2
        if index < middle:
            high = middle
        else:
            low = middle
    return options[low]


class Bystander(NamedTuple):
    """Another sequence, which the operation does not name."""

    name: str
    blocks: Blocks
    length: int
    limit: int
    forked: bool


class Frame:
    """A hidden state. Mutable only so that it is cheap to make."""

    __slots__ = (
        "block_size",
        "bystanders",
        "forked",
        "layout",
        "length",
        "limit",
        "lowest",
        "others",
    )

    def __init__(
        self,
        layout: Layout,
        block_size: int,
        lowest: int,
        others: Blocks,
        length: int = 0,
        limit: int = 0,
        forked: bool = False,
        bystanders: tuple[Bystander, ...] = (),
    ) -> None:
        """`others[block]`: other sequences that hold it, bystanders among them.

        The rest is as in the manager's fields.
        """
        self.layout = layout
        self.block_size = block_size
        self.lowest = lowest
        self.others = tuple(0 if block in layout.free else n for block, n in enumerate(others))
        self.length = length
        self.limit = limit
        self.forked = forked
        self.bystanders = bystanders

    def names(self) -> set[str]:
        """Those in use, as far as they are known."""
        return {NAME, *(each.name for each in self.bystanders)}

    def unseen(self) -> Blocks:
        """How many sequences without a table hold each block."""
        if not self.bystanders:
            return self.others
        seen = [block for each in self.bystanders for block in each.blocks]
        return tuple(count - seen.count(block) for block, count in enumerate(self.others))

    def __str__(self) -> str:
        """The state in an engineer's words."""
        table = f"table {list(self.layout.blocks)}, {self.length} token(s), limit {self.limit}"
        others = f"other holders {list(self.others)}, search from {self.lowest}"
        words = f"block size {self.block_size}, {table}, forked {self.forked}, {others}"
        return ", ".join([words, *map(str, self.bystanders)])


def is_valid(
    options: Sequence[Layout],
    index: int,
    block_size: int,
    lowest: int,
    others: Blocks,
    length: int = 0,
    limit: int = 0,
    forked: bool = False,
) -> bool:
    """The representation invariant holds, and the layout says which blocks are held."""
    if not (index >= 0) & (index < len(options)):
        return False
    layout = pick(options, index)
    valid = (block_size >= 1) & (lowest >= 0)
    for block in layout.blocks:
        valid = valid & (others[block] >= 0)
    for block in layout.elsewhere:
        valid = valid & (others[block] >= 1)
    for block in layout.free:
        valid = valid & (others[block] == 0)
    if layout.free:
        valid = valid & (lowest <= layout.free[0])
    return valid & table_is_valid(layout.blocks, length, limit, forked, others, block_size)


def table_is_valid(
    blocks: Sequence[int],
    length: int,
    limit: int,
    forked: bool,
    others: Sequence[int],
    block_size: int,
) -> bool:
    """A table fits its tokens, has a truthful limit, and knows whether others hold its blocks."""
    if not blocks:
        return (length == 0) & (limit == 0)
    slots, held = len(blocks) * block_size, others[blocks[-1]]
    valid = (slots < length + block_size) & (length <= limit) & (limit <= slots)
    valid = valid & ((held == 0) | (limit == length))  # the sole holder may fill the last block
    for block in blocks[:-1]:
        held = held + others[block]
    return valid & ((held == 0) | forked)

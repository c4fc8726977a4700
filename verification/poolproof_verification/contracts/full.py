"""Any valid hidden state of two or three sequences, each with its table in full.

Bystanders have their blocks in ascending order, and come in no order among themselves. The search
for a free block starts at the lowest one; other starts are tried with one table in full.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, permutations
from random import Random

from poolproof_verification.contracts.cases import (
    BLOCK_SIZES,
    SMALL,
    Arguments,
    Cases,
    precondition,
)
from poolproof_verification.contracts.frame import (
    Blocks,
    Bystander,
    Frame,
    Layout,
    pick,
    table_is_valid,
)

BYSTANDERS = ("other", "third")
DRAWS = 5_000  # of small cases, of which most are admitted

Fields = tuple[int, int, bool]  # a table's length, limit and flag


@dataclass(frozen=True, eq=False)
class FullLayout:
    """Where the blocks are, and which of them the bystanders have."""

    layout: Layout
    tables: tuple[Blocks, ...]
    others: Blocks  # how many bystanders have each block

    def rivals(self, index: int) -> Blocks:
        """How many sequences but this bystander have each block."""
        own, table = self.layout.blocks, self.tables[index]
        counts = enumerate(self.others)
        return tuple(count + (block in own) - (block in table) for block, count in counts)


def full_layouts(
    total: int, longest: int, bystanders: int, longest_other: int
) -> tuple[FullLayout, ...]:
    """All layouts of a pool with tables of up to so many blocks."""
    own = [blocks for n in range(longest + 1) for blocks in permutations(range(total), n)]
    rest = [blocks for n in range(longest_other + 1) for blocks in combinations(range(total), n)]
    pairs = list(combinations_with_replacement(rest, bystanders))
    return tuple(full_layout(total, blocks, tables) for blocks in own for tables in pairs)


def full_layout(total: int, blocks: Blocks, tables: tuple[Blocks, ...]) -> FullLayout:
    """The layout with these tables."""
    others = tuple(sum(block in table for table in tables) for block in range(total))
    elsewhere = tuple(b for b in range(total) if others[b] and b not in blocks)
    free = tuple(b for b in range(total) if not others[b] and b not in blocks)
    free_map = bytearray(block in free for block in range(total))
    return FullLayout(Layout(blocks, elsewhere, free, free_map), tables, others)


def is_valid_full(
    options: Sequence[FullLayout], index: int, block_size: int, *fields: Fields
) -> bool:
    """The representation invariant holds; `fields` are the named sequence's, then the others'."""
    if not (index >= 0) & (index < len(options)):
        return False
    full = pick(options, index)
    valid = (block_size >= 1) & table_is_valid(
        full.layout.blocks, *fields[0], full.others, block_size
    )
    for number, (table, own) in enumerate(zip(full.tables, fields[1:], strict=True)):
        valid = valid & table_is_valid(table, *own, full.rivals(number), block_size)
    return valid


def full_frame(
    options: Sequence[FullLayout], index: int, block_size: int, *fields: Fields
) -> Frame:
    """This state."""
    full = pick(options, index)
    bystanders = tuple(
        Bystander(name, table, *own)
        for name, table, own in zip(BYSTANDERS, full.tables, fields[1:], strict=False)
    )
    free = full.layout.free
    lowest = free[0] if free else len(full.others)
    return Frame(full.layout, block_size, lowest, full.others, *fields[0], bystanders)


def full_cases(options: Sequence[FullLayout]) -> Cases:
    """Cases of a contract that speaks of these layouts, drawn without repetition."""

    def cases(function: Callable[..., bool], random: Random) -> Iterator[Arguments]:
        admits, seen = precondition(function), set()
        extra = [name for name in SMALL if name in inspect.signature(function).parameters]
        for _ in range(DRAWS):
            arguments = drawn(options, random)
            arguments |= {name: random.choice(SMALL[name]) for name in extra}
            case = tuple(arguments.items())
            if case not in seen and admits(arguments):
                seen.add(case)
                yield arguments

    return cases


def drawn(options: Sequence[FullLayout], random: Random) -> Arguments:
    """A small valid state."""
    index, block_size = random.randrange(len(options)), random.choice(BLOCK_SIZES)
    full = options[index]
    own = drawn_fields(full.layout.blocks, full.others, block_size, random)
    arguments: Arguments = {"layout": index, "block_size": block_size, "own": own}
    for number, table in enumerate(full.tables):
        fields = drawn_fields(table, full.rivals(number), block_size, random)
        arguments[BYSTANDERS[number]] = fields
    return arguments


def drawn_fields(blocks: Blocks, rivals: Blocks, block_size: int, random: Random) -> Fields:
    """The fields of a table, of which others hold the blocks so many times."""
    slots = len(blocks) * block_size
    length = slots - random.randrange(block_size) if blocks else 0
    limit = length if blocks and rivals[blocks[-1]] else random.randint(length, slots)
    forked = any(rivals[block] for block in blocks) or random.random() < 0.5
    return length, limit, forked

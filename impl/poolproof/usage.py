"""Waste and sharing in slots and blocks: each figure with its denominator."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from poolproof.block_table import BlockTable


@dataclass(frozen=True)
class Usage:
    """How some sequences use the pool. A share whose denominator is zero is 0.0.

    `usage()` speaks of all live sequences, `usage_of(name)` of one as if it were alone.
    """

    pool_slots: int
    """Slots in the whole pool, used or not: blocks in the pool x block_size."""
    logical_blocks: int
    """Entries in the sequences' block tables; a shared block counts once for each holder."""
    physical_blocks: int
    """Distinct blocks in those tables; a shared block counts once."""
    allocated_slots: int
    """Slots in the physical blocks: physical_blocks x block_size."""
    filled_slots: int
    """Allocated slots that contain a token; a shared slot counts once."""

    @property
    def slack_slots(self) -> int:
        """Allocated slots that contain no token."""
        return self.allocated_slots - self.filled_slots

    @property
    def slack_share_of_allocated_slots(self) -> float:
        """Slack slots / allocated slots: 0.3125 for 33 tokens in blocks of 16."""
        return share(self.slack_slots, self.allocated_slots)

    @property
    def slack_share_of_pool_slots(self) -> float:
        """Slack slots / slots in the whole pool."""
        return share(self.slack_slots, self.pool_slots)

    @property
    def saved_blocks(self) -> int:
        """Blocks that sharing saves: logical - physical."""
        return self.logical_blocks - self.physical_blocks

    @property
    def saved_share_of_logical_blocks(self) -> float:
        """Blocks that sharing saves / logical blocks."""
        return share(self.saved_blocks, self.logical_blocks)


def share(part: int, whole: int) -> float:
    """part / whole, or 0.0 where there is no whole."""
    return part / whole if whole else 0.0


def measure(tables: Iterable[BlockTable], block_size: int, total: int) -> Usage:
    """The use that these sequences make of a pool of `total` blocks; O(table entries)."""
    logical = 0
    filled: dict[int, int] = {}  # slots with a token, for each block
    for table in tables:
        logical += len(table.blocks)
        for entry, block in enumerate(table.blocks):
            tokens = min(block_size, table.length - entry * block_size)
            filled[block] = max(filled.get(block, 0), tokens)
    return Usage(
        pool_slots=total * block_size,
        logical_blocks=logical,
        physical_blocks=len(filled),
        allocated_slots=len(filled) * block_size,
        filled_slots=sum(filled.values()),
    )

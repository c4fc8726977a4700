"""One sequence's blocks, and what growing it amounts to."""

from __future__ import annotations

from typing import NamedTuple, final


@final
class BlockTable:
    """The blocks of a sequence in logical order; up to `limit` tokens fit without block work."""

    __slots__ = ("blocks", "forked", "length", "limit")

    def __init__(self, blocks: list[int], length: int, limit: int, forked: bool) -> None:
        """`length`, `limit`: tokens; `forked`: some block was shared once, so counts matter."""
        self.blocks = blocks
        self.length = length
        self.limit = limit
        self.forked = forked


class Growth(NamedTuple):
    """What `grow` did. The engine copies first, then writes the new tokens."""

    blocks: list[int]
    """Blocks added at the end of the table, in logical order."""
    copy: tuple[int, int] | None
    """(source, destination) of the copy owed for a shared last block, or None."""

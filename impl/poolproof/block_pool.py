"""Which blocks are free, and how often a block is referenced."""

from __future__ import annotations

from itertools import compress
from typing import final

from poolproof.errors import OutOfBlocks

# One run of free blocks that suffices is taken whole. Otherwise fewer blocks than WINDOW_FROM are
# taken one by one; more in pieces: a run of at least LONG_RUN whole, shorter ones together through
# a window of the map that is a little wider than twice what is still missing.
WINDOW_FROM = 16
LONG_RUN = 4
WINDOW_SLACK = 16


@final
class BlockPool:
    """The free blocks as a map of bytes; `bytearray.find` makes taking the lowest one cheap.

    A signal handler may raise between any two statements. Their order keeps this much at all times:
    `num_free` is never above the number of free blocks, and no free block lies below `lowest`.
    """

    __slots__ = ("extra", "free_map", "lowest", "num_free", "total")

    def __init__(self, total: int) -> None:
        """`total` free blocks."""
        self.total = total
        self.num_free = total
        self.free_map = bytearray(b"\1") * total  # 1: free
        self.lowest = 0  # no free block lies below
        self.extra = [0] * total  # references beyond the first

    def take_one(self) -> int:
        """The lowest free block, which is free no longer. OutOfBlocks."""
        if self.num_free == 0:
            raise OutOfBlocks(1, 0)
        self.num_free -= 1
        block = self.free_map.find(1, self.lowest)
        self.free_map[block] = 0
        self.lowest = block + 1
        return block

    def take(self, count: int) -> list[int]:
        """The `count` lowest free blocks, ascending, which are free no longer. OutOfBlocks."""
        if count > self.num_free:
            raise OutOfBlocks(count, self.num_free)
        if count == 0:
            return []
        self.num_free -= count
        start = self.free_map.find(1, self.lowest)
        end = start + count
        if self.free_map.find(0, start, end) < 0:  # one run holds them all
            self.free_map[start:end] = bytes(count)
            self.lowest = end
            return list(range(start, end))
        if count < WINDOW_FROM:
            return self._take_singly(count, start)
        return self._take_pieces(count, start)

    def _take_singly(self, count: int, start: int) -> list[int]:
        free_map, taken = self.free_map, []
        for _ in range(count):
            start = free_map.find(1, start)
            free_map[start] = 0
            taken.append(start)
            start += 1
        self.lowest = start
        return taken

    def _take_pieces(self, count: int, start: int) -> list[int]:
        free_map, end = self.free_map, start
        taken: list[int] = []
        while missing := count - len(taken):
            start = free_map.find(1, end)
            end = free_map.find(0, start, start + missing)
            if end < 0:
                end = start + missing
            if end - start >= LONG_RUN:
                taken += range(start, end)
            else:
                end = min(start + 2 * missing + WINDOW_SLACK, self.total)
                taken += compress(range(start, end), free_map[start:end])
                if len(taken) > count:
                    del taken[count:]
                    end = taken[-1] + 1
            free_map[start:end] = bytes(end - start)
        self.lowest = end
        return taken

    def give(self, blocks: list[int]) -> None:
        """Blocks, ascending and not free, that are free again."""
        if not blocks:
            return
        first, count = blocks[0], len(blocks)
        if first < self.lowest:
            self.lowest = first
        if count == 1:
            self.free_map[first] = 1
        elif blocks[-1] - first == count - 1:  # ascending and distinct: one run
            self.free_map[first : first + count] = b"\1" * count
        else:
            free_map = self.free_map
            for block in blocks:
                free_map[block] = 1
        self.num_free += count

    def share(self, blocks: list[int]) -> None:
        """One reference more to each block."""
        extra = self.extra
        for block in blocks:
            extra[block] += 1

    def let_go(self, blocks: list[int]) -> list[int]:
        """One reference less to each block; returns those that had one only, still to be given."""
        extra, freed = self.extra, []
        for block in blocks:
            more = extra[block]
            if more:
                extra[block] = more - 1
            else:
                freed.append(block)
        return freed

    def reset(self) -> list[int]:
        """Every block is free; returns those that were not, ascending."""
        freed = [block for block, free in enumerate(self.free_map) if not free]
        self.extra[:] = [0] * self.total
        self.lowest = 0
        self.free_map[:] = b"\1" * self.total
        self.num_free = self.total
        return freed

    def free_blocks(self) -> list[int]:
        """The free blocks, ascending."""
        return list(compress(range(self.total), self.free_map))

    def reference_counts(self) -> dict[int, int]:
        """How often each block that is not free is referenced."""
        extra = self.extra
        return {block: 1 + extra[block] for block, free in enumerate(self.free_map) if not free}

"""The lesson's manager in plain lists and dicts: its whole state in plain sight, nothing guarded.

Baseline of the benchmark, and the first foreign manager that the harness refutes: a name that
exists is overwritten and its blocks are lost, and a negative number of tokens is accepted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from typing import TypedDict


class Sequence(TypedDict):
    """One sequence: its block table in logical order and its length in tokens."""

    blocks: list[int]
    len: int


class Textbook:
    """A pool of `total` blocks of `block_size` slots, lowest block first, with copy-on-write."""

    def __init__(self, num_blocks: int, block_size: int) -> None:
        """All blocks are free."""
        self.total = num_blocks
        self.block_size = block_size
        self.free = list(range(num_blocks))  # ascending
        self.ref: dict[int, int] = {}  # reference counts of the blocks that are not free
        self.seqs: dict[Hashable, Sequence] = {}

    def allocate(self, name: Hashable, n_tokens: int) -> list[int]:
        """A new sequence takes ceil(n_tokens / block_size) blocks, and these are returned.

        MemoryError.
        """
        needed = -(-n_tokens // self.block_size)
        if needed > len(self.free):
            raise MemoryError(f"{needed} blocks asked for, {len(self.free)} free")
        blocks = [self._take() for _ in range(needed)]
        self.seqs[name] = {"blocks": blocks, "len": n_tokens}
        return blocks.copy()

    def _take(self) -> int:
        if not self.free:
            raise MemoryError("1 block asked for, 0 free")
        block = self.free.pop(0)
        self.ref[block] = 1
        return block

    def fork(self, parent: Hashable, child: Hashable) -> list[int]:
        """A new sequence shares every block of its parent, and these are returned. KeyError."""
        sequence = self.seqs[parent]
        for block in sequence["blocks"]:
            self.ref[block] += 1
        self.seqs[child] = {"blocks": sequence["blocks"].copy(), "len": sequence["len"]}
        return sequence["blocks"].copy()

    def append(self, name: Hashable) -> bool:
        """One more token; returns whether a copy took a shared last block's place.

        KeyError; MemoryError.
        """
        sequence = self.seqs[name]
        blocks, copied = sequence["blocks"], False
        if sequence["len"] % self.block_size == 0:
            blocks.append(self._take())
        elif self.ref[blocks[-1]] > 1:
            new = self._take()
            self.ref[blocks[-1]] -= 1
            blocks[-1] = new
            copied = True
        sequence["len"] += 1
        return copied

    def release(self, name: Hashable) -> list[int]:
        """The sequence ends; returns the blocks that nobody else holds, now free, ascending.

        KeyError.
        """
        freed = []
        for block in self.seqs.pop(name)["blocks"]:
            self.ref[block] -= 1
            if self.ref[block] == 0:
                del self.ref[block]
                freed.append(block)
        self.free += freed
        self.free.sort()
        return sorted(freed)

    def release_all(self) -> list[int]:
        """Every sequence ends; returns the freed blocks, ascending."""
        return sorted(block for name in list(self.seqs) for block in self.release(name))

    def used(self) -> int:
        """Blocks that are not free."""
        return self.total - len(self.free)

    def check_invariants(self) -> bool:
        """Free and referenced blocks make up the pool; a count is how many tables hold the block.

        `free` ascends.
        """
        partition = sorted([*self.free, *self.ref]) == list(range(self.total))
        tables = (sequence["blocks"] for sequence in self.seqs.values())
        counts = self.ref == dict(Counter(block for blocks in tables for block in blocks))
        return partition and counts and self.free == sorted(self.free)

"""A watcher's own books: tables, lengths and counts as the operations so far make them.

They are as large as the pool and its live sequences, however long the history, and are changed in
as many steps as an operation touches blocks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from typing import Any

from poolproof_model.system import Refusal
from poolproof_verification.operations import NUMBERS, Operation, View, integer, wrong_type


class Entry:
    """One live sequence: its block table, and its length in tokens."""

    __slots__ = ("blocks", "length")

    def __init__(self, blocks: list[int], length: int) -> None:
        """As they are; the list becomes the entry's own."""
        self.blocks, self.length = blocks, length


class Books:
    """What one pool's operations have led to."""

    def __init__(self, block_size: int, copies_at_fork: bool) -> None:
        """Empty; `adopt` fills them."""
        self.block_size = block_size
        self.copies_at_fork = copies_at_fork
        self.tables: dict[Hashable, Entry] = {}
        self.counts: dict[int, int] = {}
        self.num_free = 0

    def adopt(self, view: View) -> None:
        """Take the state over as the manager shows it."""
        self.tables = {
            name: Entry(list(table["blocks"]), table["len"]) for name, table in view.seqs.items()
        }
        listed = (block for entry in self.tables.values() for block in entry.blocks)
        self.counts = dict(Counter(listed) if view.ref is None else view.ref)
        self.num_free = len(view.free) if isinstance(view.free, list) else view.free

    def refusal(self, operation: Operation) -> Refusal | None:
        """Why the operation must be refused, or None."""
        if wrong_type(operation):
            return Refusal.WRONG_TYPE
        name, arguments = operation
        if name == "release_all":
            return None
        if name in NUMBERS and (integer(arguments[1]) or 0) < 0:
            return Refusal.NEGATIVE
        if name != "allocate" and arguments[0] not in self.tables:
            return Refusal.UNKNOWN
        new = arguments[0] if name == "allocate" else arguments[1] if name == "fork" else None
        if name in ("allocate", "fork") and new in self.tables:
            return Refusal.EXISTS
        return Refusal.OUT_OF_BLOCKS if self.needed(operation) > self.num_free else None

    def needed(self, operation: Operation) -> int:
        """How many free blocks the operation takes."""
        name, arguments = operation
        if name == "allocate":
            return -(-(integer(arguments[1]) or 0) // self.block_size)
        if name in ("append", "grow"):
            more = integer(arguments[1]) or 0 if name == "grow" else 1
            return sum(self.growth(self.tables[arguments[0]], more))
        return int(name == "fork" and self.copies(self.tables[arguments[0]]))

    def copies(self, parent: Entry) -> bool:
        """A fork of this sequence copies its last block at once."""
        return self.copies_at_fork and parent.length % self.block_size != 0

    def growth(self, entry: Entry, more: int) -> tuple[int, int]:
        """Blocks that `more` tokens take: for a copy (0 or 1), and at the end of the table."""
        partial = more > 0 and entry.length % self.block_size != 0
        copies = 1 if partial and self.counts.get(entry.blocks[-1], 0) > 1 else 0
        return copies, -(-(entry.length + more) // self.block_size) - len(entry.blocks)

    # --- accepted operations, of which the books have admitted that they may be -------------------

    def append(self, name: Hashable, last: int | None = None) -> bool:
        """One more token; `last`: the last block afterwards. Returns whether a copy was due."""
        entry = self.tables[name]
        copies, added = self.growth(entry, 1)
        entry.length += 1
        if not copies and not added:
            return False
        assert last is not None, "the block taken"
        if copies:
            self.let_go(entry.blocks[-1:])
            entry.blocks.pop()
        entry.blocks.append(last)
        self.take([last])
        return copies == 1

    def allocate(self, name: Hashable, length: int, table: list[int]) -> list[int]:
        """A new sequence with this table, which is also the result."""
        self.tables[name] = Entry(list(table), length)
        self.take(table)
        return table

    def fork(self, parent: Hashable, child: Hashable, table: list[int]) -> Any:
        """A new sequence with this table; returns the result."""
        source = self.tables[parent]
        copies = self.copies(source)
        blocks = [*source.blocks[:-1], *table[-1:]] if copies else list(source.blocks)
        self.tables[child] = Entry(blocks, source.length)
        kept = blocks[:-1] if copies else blocks
        for block in kept:
            self.counts[block] = self.counts.get(block, 0) + 1
        if copies:
            self.take(blocks[-1:])
        copy = (source.blocks[-1], blocks[-1]) if copies else None
        return (list(blocks), copy) if self.copies_at_fork else list(blocks)

    def grow(self, name: Hashable, more: int, table: list[int]) -> Any:
        """So many tokens more, which leads to this table; returns the result."""
        entry = self.tables[name]
        copies, added = self.growth(entry, more)
        old = len(entry.blocks)
        copy = (entry.blocks[-1], table[old - 1]) if copies else None
        new = table[old : old + added]
        if copy:
            self.let_go(entry.blocks[-1:])
            entry.blocks[-1] = copy[1]
        entry.blocks += new
        entry.length += more
        self.take([*new, *(copy[1:] if copy else ())])
        return new, copy

    def release(self, name: Hashable) -> list[int]:
        """The sequence ends; returns the freed blocks, ascending."""
        return sorted(self.let_go(self.tables.pop(name).blocks))

    def release_all(self) -> list[int]:
        """Every sequence ends; returns the freed blocks, ascending."""
        return sorted(block for name in list(self.tables) for block in self.release(name))

    def take(self, blocks: Iterable[int]) -> None:
        """These blocks are no longer free."""
        for block in blocks:
            self.counts[block] = self.counts.get(block, 0) + 1
            self.num_free -= 1

    def let_go(self, blocks: Iterable[int]) -> list[int]:
        """One reference less to each; returns those that are free now."""
        freed = []
        for block in blocks:
            count = self.counts.get(block, 0) - 1
            if count > 0:
                self.counts[block] = count
            else:
                self.counts.pop(block, None)
                freed.append(block)
        self.num_free += len(freed)
        return freed

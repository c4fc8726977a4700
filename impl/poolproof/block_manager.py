"""The operations a scheduler calls: allocate, fork, append, grow, release."""

from __future__ import annotations

from collections.abc import Hashable
from typing import SupportsIndex, TypedDict, final

from poolproof.block_pool import BlockPool
from poolproof.block_table import BlockTable, Growth
from poolproof.errors import (
    OutOfBlocks,
    SequenceExists,
    UnknownSequence,
    integer,
    natural,
)
from poolproof.usage import Usage, measure
from poolproof.violations import Violation, find_violations


class SequenceView(TypedDict):
    """One sequence as `seqs` shows it."""

    blocks: list[int]
    len: int


@final
class BlockManager:
    """Which blocks of a KV cache belong to which sequence.

    A pool of `total` blocks with `block_size` slots each; a token fills a slot. A refused operation
    raises and leaves everything as it was. Blocks are taken lowest number first.

    Memory: 9 bytes a block of the pool, 8 for each entry of a block table, and 32 for each block in
    use: the Python integer that is its number, which all tables share.

    Threads: there is no lock inside. Use one manager from one thread at a time, with a lock of your
    own where several share it; different managers share nothing.

    KeyboardInterrupt (or whatever a signal handler raises) inside an operation: the sequences that
    the operation named may be half-way, so release them. No other sequence changes and no block in
    a table is free. Blocks may be lost: `violations` names them, `release_all` recovers them.
    """

    # The order of statements that change two things keeps the promise about interrupts: a block is
    # taken before a table has it, and free only when no table has it any more.
    __slots__ = ("_block_size", "_pool", "_sequences")

    def __init__(self, num_blocks: SupportsIndex, block_size: SupportsIndex) -> None:
        """A pool of `num_blocks` free blocks of `block_size` slots.

        ValueError: num_blocks < 0 or block_size < 1; TypeError: not an integer; MemoryError.
        """
        total, size = integer(num_blocks, "num_blocks"), integer(block_size, "block_size")
        natural(total, "num_blocks")
        self._block_size = natural(size, "block_size", 1)
        try:
            self._pool = BlockPool(total)
        except OverflowError:
            raise MemoryError(f"no memory for a pool of {total} blocks") from None
        self._sequences: dict[Hashable, BlockTable] = {}

    def __repr__(self) -> str:
        """Sizes and use."""
        return (
            f"BlockManager({self.total}, {self._block_size}): "
            f"{len(self._sequences)} sequences, {self.num_free} blocks free"
        )

    def _table(self, name: Hashable) -> BlockTable:
        try:
            return self._sequences[name]
        except KeyError:
            raise UnknownSequence(name) from None

    def allocate(self, name: Hashable, n_tokens: SupportsIndex) -> list[int]:
        """A new sequence of `n_tokens` tokens takes ceil(n_tokens / block_size) blocks.

        Returns its block table in logical order. ValueError: n_tokens < 0; SequenceExists;
        OutOfBlocks.
        """
        length = n_tokens if type(n_tokens) is int else integer(n_tokens, "n_tokens")
        exists = name in self._sequences
        if length < 0:
            raise ValueError(f"n_tokens must be at least 0, not {length}")
        if exists:
            raise SequenceExists(name)
        count = -(-length // self._block_size)
        blocks = [self._pool.take_one()] if count == 1 else self._pool.take(count)
        self._sequences[name] = BlockTable(blocks, length, count * self._block_size, False)
        return blocks.copy()

    def fork(self, parent: Hashable, child: Hashable) -> list[int]:
        """A new sequence `child` shares every block of `parent`, a partly filled last one too.

        Returns the child's block table. KeyError: no such parent; SequenceExists.
        """
        exists = child in self._sequences
        table = self._table(parent)
        if exists:
            raise SequenceExists(child)
        table.forked = True
        table.limit = table.length  # the next append of either looks at the last block
        self._pool.share(table.blocks)
        blocks = table.blocks.copy()
        self._sequences[child] = BlockTable(blocks, table.length, table.length, True)
        return blocks.copy()

    def append(self, name: Hashable) -> bool:
        """One more token; O(1) but for the search for a free block once a block.

        Returns whether the last block was shared and another has taken its place: then the engine
        copies the previous last block to the new `last_block(name)` before it writes the token.
        KeyError; OutOfBlocks.
        """
        try:
            table = self._sequences[name]
        except KeyError:
            raise UnknownSequence(name) from None
        if table.length < table.limit:
            table.length += 1
            return False
        blocks, copied = table.blocks, False
        if table.length % self._block_size == 0:
            blocks.append(self._pool.take_one())
        elif self._pool.extra[blocks[-1]]:
            self._replace_last(blocks)
            copied = True
        table.limit = len(blocks) * self._block_size
        table.length += 1
        return copied

    def _replace_last(self, blocks: list[int]) -> tuple[int, int]:
        """A free block takes the place of the shared last one; returns (previous, new)."""
        last, new = blocks[-1], self._pool.take_one()
        blocks[-1] = new
        self._pool.extra[last] -= 1
        return last, new

    def grow(self, name: Hashable, n_tokens: SupportsIndex) -> Growth:
        """The same as `n_tokens` appends, all or nothing.

        Returns the blocks added and the copy owed, to be made before the new tokens are written.
        ValueError: n_tokens < 0; KeyError; OutOfBlocks.
        """
        more = integer(n_tokens, "n_tokens")
        exists = name in self._sequences
        natural(more, "n_tokens")
        if not exists:
            raise UnknownSequence(name)
        table = self._sequences[name]
        copies, added = self._growth(table, more)
        if copies + added > self._pool.num_free:
            raise OutOfBlocks(copies + added, self._pool.num_free)
        if more == 0:
            return Growth([], None)
        copy = self._replace_last(table.blocks) if copies else None
        new = self._pool.take(added)
        table.blocks += new
        table.limit = len(table.blocks) * self._block_size
        table.length += more
        return Growth(new, copy)

    def _growth(self, table: BlockTable, more: int) -> tuple[int, int]:
        """Blocks that `more` tokens take: for a copy (0 or 1), and at the end of the table."""
        partial = more > 0 and table.length % self._block_size != 0
        copies = 1 if partial and self._pool.extra[table.blocks[-1]] else 0
        return copies, -(-(table.length + more) // self._block_size) - len(table.blocks)

    def release(self, name: Hashable) -> list[int]:
        """The sequence lets go of its blocks; those that nobody else holds are free again.

        Returns the freed blocks, ascending. KeyError.
        """
        try:
            table = self._sequences.pop(name)
        except KeyError:
            hash(name)  # an empty dict does not ask whether the name is hashable
            raise UnknownSequence(name) from None
        freed = self._pool.let_go(table.blocks) if table.forked else table.blocks
        freed.sort()
        self._pool.give(freed)
        return freed

    def release_all(self) -> list[int]:
        """Every sequence lets go, and the pool is whole again; O(total).

        Returns the freed blocks, ascending: all that were not free.
        """
        self._sequences.clear()
        return self._pool.reset()

    # --- questions that change nothing ------------------------------------------------------------

    def can_allocate(self, n_tokens: SupportsIndex) -> bool:
        """`allocate` of so many tokens under a new name would succeed."""
        length = integer(n_tokens, "n_tokens")
        return 0 <= length <= self._pool.num_free * self._block_size

    def can_append(self, name: Hashable) -> bool:
        """`append` would succeed."""
        return self.can_grow(name, 1)

    def can_grow(self, name: Hashable, n_tokens: SupportsIndex) -> bool:
        """`grow` by so many tokens would succeed."""
        more = integer(n_tokens, "n_tokens")
        table = self._sequences.get(name)
        if table is None or more < 0:
            return False
        return sum(self._growth(table, more)) <= self._pool.num_free

    def table(self, name: Hashable) -> list[int]:
        """The sequence's blocks in logical order. KeyError."""
        return self._table(name).blocks.copy()

    def length(self, name: Hashable) -> int:
        """The sequence's tokens. KeyError."""
        return self._table(name).length

    def last_block(self, name: Hashable) -> int:
        """The last block of the sequence's table. KeyError; IndexError: it has no block."""
        blocks = self._table(name).blocks
        if not blocks:
            raise IndexError(f"sequence {name!r} has no block yet")
        return blocks[-1]

    def slot(self, name: Hashable, position: SupportsIndex) -> int:
        """Where the token at `position` lies: block x block_size + offset. KeyError; IndexError."""
        at, table = integer(position, "position"), self._table(name)
        if not 0 <= at < table.length:
            raise IndexError(f"position {at} of sequence {name!r}, which has {table.length} tokens")
        entry, offset = divmod(at, self._block_size)
        return table.blocks[entry] * self._block_size + offset

    @property
    def total(self) -> int:
        """Blocks in the pool."""
        return self._pool.total

    @property
    def block_size(self) -> int:
        """Slots in a block."""
        return self._block_size

    @property
    def num_free(self) -> int:
        """Free blocks."""
        return self._pool.num_free

    def used(self) -> int:
        """Blocks that are not free."""
        return self.total - self.num_free

    @property
    def free(self) -> list[int]:
        """The free blocks, ascending; O(total)."""
        return self._pool.free_blocks()

    @property
    def ref(self) -> dict[int, int]:
        """Each referenced block's reference count; O(total)."""
        return self._pool.reference_counts()

    @property
    def seqs(self) -> dict[Hashable, SequenceView]:
        """Each live sequence's blocks and length in tokens."""
        return {
            name: {"blocks": table.blocks.copy(), "len": table.length}
            for name, table in self._sequences.items()
        }

    def usage(self) -> Usage:
        """Waste and sharing of all sequences together; O(table entries)."""
        return measure(self._sequences.values(), self._block_size, self.total)

    def usage_of(self, name: Hashable) -> Usage:
        """Waste of one sequence, as if it were alone. KeyError."""
        return measure((self._table(name),), self._block_size, self.total)

    def violations(self) -> list[Violation]:
        """Each broken clause with its blocks and owners; O(total + table entries)."""
        return find_violations(self._pool, self._sequences, self._block_size)

    def check_invariants(self) -> bool:
        """No clause is broken."""
        return not self.violations()

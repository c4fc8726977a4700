"""State: what the pool and the block tables are, as total functions.

Tokens fill slots; `block_size` slots make a block. A sequence's position p lies in entry
p // block_size of its block table, at offset p % block_size of that block.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from poolproof_model.algebra import (
    Block,
    Count,
    Index,
    Offset,
    Position,
    Row,
    Sequence,
    Token,
    Truth,
    within,
)


@dataclass(frozen=True)
class State:
    """One state. Components are total; outside their meaning they have some value or other."""

    # The setting in which a run takes place; no transition changes it.
    total: Count  # blocks in the pool: 0 .. total - 1
    block_size: Count  # slots in a block
    is_sequence: Callable[[Sequence], Truth]  # one of the finitely many names a run uses
    how_many: Callable[[Callable[[Block], Truth]], Count]  # blocks of the pool that satisfy it

    # What a manager stores.
    free: Callable[[Block], Truth]
    reference_count: Callable[[Block], Count]
    live: Callable[[Sequence], Truth]
    table_length: Callable[[Sequence], Count]  # blocks
    block_at: Callable[[Sequence, Index], Block]
    length: Callable[[Sequence], Count]  # tokens

    # Ghosts: what the tables determine, and what the slots contain.
    holders: Callable[[Block], Row]  # the sequences whose table has the block
    index_of: Callable[[Sequence, Block], Index]  # where in the table, if held
    content: Callable[[Block, Offset], Token]
    history: Callable[[Sequence, Position], Token]  # the tokens the sequence was given

    def is_block(self, block: Block) -> Truth:
        """The block is one of the pool's."""
        return within(block, self.total)

    def holds(self, sequence: Sequence, block: Block) -> Truth:
        """The block stands in the sequence's table."""
        return self.holders(block).contains(sequence)

    def num_free(self) -> Count:
        """How many blocks are free."""
        return self.how_many(self.free)

    def last_block(self, sequence: Sequence) -> Block:
        """The last entry of the sequence's table, if it has any."""
        return self.block_at(sequence, self.table_length(sequence) - 1)

    def read(self, sequence: Sequence, position: Position) -> Token:
        """What an engine reads at this position, through the block table."""
        block = self.block_at(sequence, position // self.block_size)
        return self.content(block, position % self.block_size)


@dataclass(frozen=True)
class Choice:
    """The free blocks a transition takes, picked by any policy, in order and without repetition."""

    block: Callable[[Index], Block]
    index_of: Callable[[Block], Index]  # the inverse: where a picked block stands in the order

    def takes(self, needed: Count, block: Block) -> Truth:
        """The block is one of the first `needed` picks."""
        index = self.index_of(block)
        return within(index, needed) & (self.block(index) == block)


def lawful(state: State, choice: Choice, needed: Count, index: Index) -> Truth:
    """Pick number `index`, if needed at all, is free and stands at no other place."""
    pick = choice.block(index)
    unneeded = (index < 0) | (needed <= index)
    return unneeded | (state.free(pick) & (choice.index_of(pick) == index))

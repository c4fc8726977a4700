"""What always holds, one clause each, pointwise: true of every block, sequence, index and position.

The names of a clause's parameters say what it ranges over. Safety is what a user wants to know;
the auxiliary clauses tie the ghosts to the tables and make the whole inductive.
"""

from __future__ import annotations

from poolproof_model.algebra import Block, Index, Position, Sequence, Truth, implies, within
from poolproof_model.state import State


def partition(state: State, block: Block) -> Truth:
    """A block is free exactly when it is the pool's and nobody references it."""
    count = state.reference_count(block)
    return (count >= 0) & (state.free(block) == (state.is_block(block) & (count == 0)))


def counts(state: State, block: Block) -> Truth:
    """A block's reference count is the number of sequences that hold it."""
    return state.reference_count(block) == state.holders(block).size()


def lengths(state: State, sequence: Sequence) -> Truth:
    """A live sequence, one of the run's, has exactly the blocks that its tokens need."""
    tokens, slots = state.length(sequence), state.table_length(sequence) * state.block_size
    fits = (tokens >= 0) & (tokens <= slots) & (slots < tokens + state.block_size)
    return implies(state.live(sequence), state.is_sequence(sequence) & fits)


def contents(state: State, sequence: Sequence, position: Position) -> Truth:
    """A sequence reads, through its table, the very tokens it was given."""
    written = state.live(sequence) & within(position, state.length(sequence))
    return implies(written, state.read(sequence, position) == state.history(sequence, position))


def holders(state: State, sequence: Sequence, block: Block) -> Truth:
    """Who holds a block has it in its table, and is live; the block is the pool's."""
    index = state.index_of(sequence, block)
    entry = within(index, state.table_length(sequence)) & (state.block_at(sequence, index) == block)
    known = state.is_sequence(sequence) & state.live(sequence) & state.is_block(block)
    return implies(state.holds(sequence, block), known & entry)


def tables(state: State, sequence: Sequence, index: Index) -> Truth:
    """A live sequence holds every entry of its table, and no block twice."""
    block = state.block_at(sequence, index)
    entry = state.live(sequence) & within(index, state.table_length(sequence))
    return implies(entry, state.holds(sequence, block) & (state.index_of(sequence, block) == index))


SAFETY = (partition, counts, lengths, contents)
AUXILIARY = (holders, tables)
INVARIANTS = SAFETY + AUXILIARY

"""What each transition does, in the same anatomy: GUARD, NEEDS (free blocks to choose), EFFECT.

A function is called with what its parameters name (`system.call`), so their names matter.

The text is read twice: run on Python values it is the oracle, on symbolic values the relation that
is proved. Hence no `if`, `and`, `or`, `not`, `in`, no loop and no chained comparison on state.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from poolproof_model.algebra import (
    Block,
    Count,
    Offset,
    Position,
    Row,
    Sequence,
    Token,
    Truth,
    absent,
    at,
    choose,
    one_if,
    row_at,
)
from poolproof_model.state import Choice, State

# --- initially ------------------------------------------------------------------------------------


def initial(state: State) -> State:
    """All blocks are free, no sequence is live; of `state` only the sizes and names are kept."""
    return replace(
        state,
        free=state.is_block,
        reference_count=lambda block: 0,
        live=lambda sequence: False,
        table_length=lambda sequence: 0,
        length=lambda sequence: 0,
        holders=lambda block: state.holders(block).emptied(),
    )


# --- allocate: a new sequence takes blocks for its prompt -----------------------------------------


def length_is_natural(state: State, length: Count) -> Truth:
    """GUARD: there is no negative number of tokens."""
    return length >= 0


def sequence_is_new(state: State, sequence: Sequence) -> Truth:
    """GUARD: the name is one of the run's, and not in use."""
    return state.is_sequence(sequence) & absent(state.live(sequence))


def blocks_for(state: State, length: Count) -> Count:
    """NEEDS: the tokens' blocks, the last one perhaps in part."""
    return (length + state.block_size - 1) // state.block_size


def allocate(
    state: State,
    choice: Choice,
    sequence: Sequence,
    length: Count,
    prompt: Callable[[Position], Token],
) -> State:
    """EFFECT: the chosen blocks, each referenced once, are the table; the prompt fills them.

    `prompt` is total: it is asked at any position, and what it says beyond `length` is slack.
    """
    needed = blocks_for(state, length)

    def taken(block: Block) -> Truth:
        return choice.takes(needed, block)

    def content(block: Block, offset: Offset) -> Token:
        written = prompt(choice.index_of(block) * state.block_size + offset)
        return choose(taken(block), written, state.content(block, offset))

    return replace(
        state,
        free=lambda block: state.free(block) & absent(taken(block)),
        reference_count=lambda block: choose(taken(block), 1, state.reference_count(block)),
        live=at(state.live, sequence, True),
        table_length=at(state.table_length, sequence, needed),
        block_at=row_at(state.block_at, sequence, choice.block),
        length=at(state.length, sequence, length),
        holders=lambda block: state.holders(block).with_member(sequence, taken(block)),
        index_of=row_at(state.index_of, sequence, choice.index_of),
        content=content,
        history=row_at(state.history, sequence, prompt),
    )


# --- fork: a child shares its parent's blocks -----------------------------------------------------


def parent_is_live(state: State, parent: Sequence) -> Truth:
    """GUARD: there is such a sequence to share with."""
    return state.is_sequence(parent) & state.live(parent)


def child_is_new(state: State, child: Sequence) -> Truth:
    """GUARD: the name is one of the run's, and not in use."""
    return state.is_sequence(child) & absent(state.live(child))


def fork(state: State, choice: Choice, parent: Sequence, child: Sequence) -> State:
    """EFFECT: the child has the parent's table; each of its blocks is referenced once more."""

    def shared(block: Block) -> Truth:
        return state.holds(parent, block)

    return replace(
        state,
        reference_count=lambda block: state.reference_count(block) + one_if(shared(block)),
        live=at(state.live, child, True),
        table_length=at(state.table_length, child, state.table_length(parent)),
        block_at=row_at(state.block_at, child, lambda index: state.block_at(parent, index)),
        length=at(state.length, child, state.length(parent)),
        holders=lambda block: state.holders(block).with_member(child, shared(block)),
        index_of=row_at(state.index_of, child, lambda block: state.index_of(parent, block)),
        history=row_at(state.history, child, lambda position: state.history(parent, position)),
    )


# --- append: one more token, written only into a block that nobody else holds ---------------------


def sequence_is_live(state: State, sequence: Sequence) -> Truth:
    """GUARD: there is such a sequence."""
    return state.is_sequence(sequence) & state.live(sequence)


def at_boundary(state: State, sequence: Sequence) -> Truth:
    """The last block is full, or there is none yet."""
    return state.length(sequence) % state.block_size == 0


def copies_on_write(state: State, sequence: Sequence) -> Truth:
    """The slot to write lies in a block that another sequence holds too."""
    shared = state.reference_count(state.last_block(sequence)) > 1
    return absent(at_boundary(state, sequence)) & shared


def one_block_or_none(state: State, sequence: Sequence) -> Count:
    """NEEDS: one block at a boundary or for a copy, else none."""
    return one_if(at_boundary(state, sequence) | copies_on_write(state, sequence))


def append(state: State, choice: Choice, sequence: Sequence, token: Token) -> State:
    """EFFECT: the token stands in the next slot; a shared last block is replaced by a copy."""
    length, entries = state.length(sequence), state.table_length(sequence)
    last = state.last_block(sequence)
    boundary = at_boundary(state, sequence)
    copied = copies_on_write(state, sequence)
    fresh = boundary | copied
    target = choose(fresh, choice.block(0), last)
    index = choose(boundary, entries, entries - 1)

    def gained(block: Block) -> Truth:
        return fresh & (block == target)

    def lost(block: Block) -> Truth:
        return copied & (block == last)

    def reference_count(block: Block) -> Count:
        return choose(gained(block), 1, state.reference_count(block) - one_if(lost(block)))

    def holders(block: Block) -> Row:
        held = gained(block) | (state.holds(sequence, block) & absent(lost(block)))
        return state.holders(block).with_member(sequence, held)

    def content(block: Block, offset: Offset) -> Token:
        kept = choose(copied, state.content(last, offset), state.content(block, offset))
        written = choose(offset == length % state.block_size, token, kept)
        return choose(block == target, written, state.content(block, offset))

    return replace(
        state,
        free=lambda block: state.free(block) & absent(gained(block)),
        reference_count=reference_count,
        table_length=at(state.table_length, sequence, index + 1),
        block_at=row_at(
            state.block_at,
            sequence,
            lambda i: choose(i == index, target, state.block_at(sequence, i)),
        ),
        length=at(state.length, sequence, length + 1),
        holders=holders,
        index_of=row_at(
            state.index_of,
            sequence,
            lambda block: choose(gained(block), index, state.index_of(sequence, block)),
        ),
        content=content,
        history=row_at(
            state.history,
            sequence,
            lambda position: choose(position == length, token, state.history(sequence, position)),
        ),
    )


# --- release: a block returns to the pool only when its last holder lets go -----------------------


def release(state: State, choice: Choice, sequence: Sequence) -> State:
    """EFFECT: each of its blocks loses one reference; those at zero are free again."""

    def reference_count(block: Block) -> Count:
        return state.reference_count(block) - one_if(state.holds(sequence, block))

    def returned(block: Block) -> Truth:
        return state.holds(sequence, block) & (reference_count(block) == 0)

    return replace(
        state,
        free=lambda block: state.free(block) | returned(block),
        reference_count=reference_count,
        live=at(state.live, sequence, False),
        table_length=at(state.table_length, sequence, 0),
        length=at(state.length, sequence, 0),
        holders=lambda block: state.holders(block).with_member(sequence, False),
    )

"""What each transition promises, written apart from its text: admission, postconditions, safety.

Invariants alone are kept by a transition that does nothing; these clauses are not. With the
invariants they leave open which free blocks are taken, what a slot contains that nobody reads, and
nothing else. A clause speaks of the state before, the state after and, by the names of its
parameters, of the arguments and of anything else there may be. `acting` is the sequence whose table
the transition writes.
"""

from __future__ import annotations

from collections.abc import Callable

from poolproof_model.algebra import (
    Block,
    Count,
    Index,
    Offset,
    Position,
    Sequence,
    Token,
    Truth,
    absent,
    implies,
    one_if,
    within,
)
from poolproof_model.state import State

# --- the initial state ----------------------------------------------------------------------------


def no_live_sequence(state: State, sequence: Sequence) -> Truth:
    """No sequence is live yet."""
    return absent(state.live(sequence))


INITIALLY: tuple[Callable[..., Truth], ...] = (no_live_sequence,)

# --- every transition -----------------------------------------------------------------------------


def others_keep_their_tables(
    before: State, after: State, acting: Sequence, other: Sequence, index: Index
) -> Truth:
    """No other sequence's table changes, nor whether it is live."""
    same = (
        (after.live(other) == before.live(other))
        & (after.table_length(other) == before.table_length(other))
        & (after.block_at(other, index) == before.block_at(other, index))
    )
    return (other == acting) | same


def others_keep_their_tokens(
    before: State, after: State, acting: Sequence, other: Sequence, position: Position
) -> Truth:
    """No other sequence's length changes, nor the tokens it was given."""
    same = (after.length(other) == before.length(other)) & (
        after.history(other, position) == before.history(other, position)
    )
    return (other == acting) | same


def others_keep_their_contents(
    before: State, after: State, acting: Sequence, other: Sequence, block: Block, offset: Offset
) -> Truth:
    """No slot of a block that another sequence holds is written."""
    held = absent(other == acting) & before.holds(other, block)
    return implies(held, after.content(block, offset) == before.content(block, offset))


def writes_only_its_own_blocks(
    before: State, after: State, acting: Sequence, block: Block, offset: Offset
) -> Truth:
    """A block that is written belongs to the acting sequence, and to it alone."""
    kept = after.content(block, offset) == before.content(block, offset)
    return kept | (after.holds(acting, block) & (after.reference_count(block) == 1))


FRAMES: tuple[Callable[..., Truth], ...] = (
    others_keep_their_tables,
    others_keep_their_tokens,
    others_keep_their_contents,
    writes_only_its_own_blocks,
)

# --- allocate -------------------------------------------------------------------------------------


def allocate_admits(state: State, sequence: Sequence, length: Count) -> Truth:
    """Admitted: a new name, and a natural number of tokens for which free blocks have slots."""
    new = state.is_sequence(sequence) & absent(state.live(sequence))
    return new & (length >= 0) & (length <= state.num_free() * state.block_size)


def allocate_makes_it_live(after: State, sequence: Sequence, length: Count) -> Truth:
    """The sequence is live and as long as asked."""
    return after.live(sequence) & (after.length(sequence) == length)


def allocate_writes_the_prompt(
    after: State,
    sequence: Sequence,
    length: Count,
    prompt: Callable[[Position], Token],
    position: Position,
) -> Truth:
    """Through its table, the sequence reads the prompt, and the prompt is what it was given."""
    given = after.history(sequence, position) == prompt(position)
    return implies(
        within(position, length), given & (after.read(sequence, position) == prompt(position))
    )


def allocate_takes_free_blocks(
    before: State, after: State, sequence: Sequence, index: Index
) -> Truth:
    """Each entry of the table was free, is so no longer, and is referenced once."""
    block = after.block_at(sequence, index)
    taken = before.free(block) & absent(after.free(block)) & (after.reference_count(block) == 1)
    return implies(within(index, after.table_length(sequence)), taken)


def allocate_takes_no_other_block(
    before: State, after: State, sequence: Sequence, block: Block
) -> Truth:
    """A block outside the new table is free or referenced as before."""
    same = (after.free(block) == before.free(block)) & (
        after.reference_count(block) == before.reference_count(block)
    )
    return after.holds(sequence, block) | same


# --- fork -----------------------------------------------------------------------------------------


def fork_admits(state: State, parent: Sequence, child: Sequence) -> Truth:
    """Admitted: a live parent and a new name, however few blocks are free."""
    new = state.is_sequence(child) & absent(state.live(child))
    return state.is_sequence(parent) & state.live(parent) & new


def fork_shares_the_table(
    before: State, after: State, parent: Sequence, child: Sequence, index: Index
) -> Truth:
    """The child is live with the parent's table, entry by entry."""
    same = (after.table_length(child) == before.table_length(parent)) & (
        after.block_at(child, index) == before.block_at(parent, index)
    )
    return after.live(child) & same


def fork_shares_the_tokens(
    before: State, after: State, parent: Sequence, child: Sequence, position: Position
) -> Truth:
    """The child is as long as the parent, was given the same tokens and reads them."""
    same = (after.length(child) == before.length(parent)) & (
        after.history(child, position) == before.history(parent, position)
    )
    read = after.read(child, position) == before.read(parent, position)
    return same & implies(within(position, before.length(parent)), read)


def fork_counts_each_block_once_more(
    before: State, after: State, parent: Sequence, block: Block
) -> Truth:
    """Each of the parent's blocks is referenced once more, no other; no block is taken or freed."""
    more = before.reference_count(block) + one_if(before.holds(parent, block))
    return (after.reference_count(block) == more) & (after.free(block) == before.free(block))


# --- append ---------------------------------------------------------------------------------------


def append_admits(state: State, sequence: Sequence) -> Truth:
    """Admitted: a live sequence with room in a block that it alone holds, or with a free block."""
    slots = state.table_length(sequence) * state.block_size
    alone = state.holders(state.last_block(sequence)).size() == 1
    room = (state.length(sequence) < slots) & alone
    live = state.is_sequence(sequence) & state.live(sequence)
    return live & (room | (state.num_free() > 0))


def append_adds_the_token(before: State, after: State, sequence: Sequence, token: Token) -> Truth:
    """The sequence is live, one token longer, and reads the new token at its end."""
    end = before.length(sequence)
    longer = after.live(sequence) & (after.length(sequence) == end + 1)
    return longer & (after.history(sequence, end) == token) & (after.read(sequence, end) == token)


def append_keeps_earlier_tokens(
    before: State, after: State, sequence: Sequence, position: Position
) -> Truth:
    """The sequence was given, and reads, the same tokens as before at every earlier position."""
    given = after.history(sequence, position) == before.history(sequence, position)
    read = after.read(sequence, position) == before.read(sequence, position)
    return implies(within(position, before.length(sequence)), given & read)


def append_keeps_earlier_blocks(
    before: State, after: State, sequence: Sequence, index: Index
) -> Truth:
    """Every entry of the table but the one written stays as it was."""
    written = before.length(sequence) // before.block_size
    same = after.block_at(sequence, index) == before.block_at(sequence, index)
    return (index == written) | same


def append_frees_nothing(before: State, after: State, block: Block) -> Truth:
    """No block becomes free."""
    return implies(after.free(block), before.free(block))


# --- release --------------------------------------------------------------------------------------


def release_admits(state: State, sequence: Sequence) -> Truth:
    """Admitted: any live sequence."""
    return state.is_sequence(sequence) & state.live(sequence)


def release_ends_the_sequence(after: State, sequence: Sequence, block: Block) -> Truth:
    """The sequence is not live and holds nothing."""
    return absent(after.live(sequence)) & absent(after.holds(sequence, block))


def release_drops_one_reference(
    before: State, after: State, sequence: Sequence, block: Block
) -> Truth:
    """Every block it held counts one less, every other block the same."""
    fewer = before.reference_count(block) - one_if(before.holds(sequence, block))
    return after.reference_count(block) == fewer


def freed(before: State, after: State, block: Block) -> Truth:
    """The block has returned to the pool."""
    return after.free(block) & absent(before.free(block))


def release_frees_exactly_the_last_held(
    before: State, after: State, sequence: Sequence, block: Block
) -> Truth:
    """A block is freed exactly if this sequence held it and its count reached zero."""
    last = before.holds(sequence, block) & (after.reference_count(block) == 0)
    return freed(before, after, block) == last


def release_frees_no_held_block(
    before: State, after: State, block: Block, other: Sequence
) -> Truth:
    """A freed block has count zero, and no sequence holds it."""
    unheld = (after.reference_count(block) == 0) & absent(after.holds(other, block))
    return implies(freed(before, after, block), unheld)


def release_loses_no_block(after: State, block: Block) -> Truth:
    """Every block of the pool whose count is zero is free."""
    unreferenced = after.is_block(block) & (after.reference_count(block) == 0)
    return implies(unreferenced, after.free(block))


def release_writes_nothing(before: State, after: State, block: Block, offset: Offset) -> Truth:
    """No slot of any block changes."""
    return after.content(block, offset) == before.content(block, offset)

"""The contracts of a live sequence: each operation keeps every law, from any valid hidden state.

Does not cover: more than 3 blocks, contents, more than one table in full, the order of hidden
dictionaries, arguments that are no integers.

Parameters common to all: `layout`, which blocks are in the table, held by others only, or free;
`block_size`; `lowest`, where the search for a free block starts; `held0` ..., how many other
sequences hold block 0 ...; `length`, `limit`, `forked`, the hidden fields of the table.
"""

from __future__ import annotations

from poolproof_verification.contracts.frame import NAME, NEW, THREE, Frame, is_valid, pick
from poolproof_verification.contracts.step import keeps


def valid(
    layout: int,
    block_size: int,
    lowest: int,
    held0: int,
    held1: int,
    held2: int,
    length: int,
    limit: int,
    forked: bool,
    n_tokens: int = 0,
) -> bool:
    """There is such a state, and such a number of tokens."""
    others = held0, held1, held2
    state = is_valid(THREE, layout, block_size, lowest, others, length, limit, forked)
    return state & (n_tokens >= 0)


def state(
    layout: int,
    block_size: int,
    lowest: int,
    held0: int,
    held1: int,
    held2: int,
    length: int,
    limit: int,
    forked: bool,
) -> Frame:
    """This state."""
    others = held0, held1, held2
    return Frame(pick(THREE, layout), block_size, lowest, others, length, limit, forked)


def append(
    layout: int,
    block_size: int,
    lowest: int,
    held0: int,
    held1: int,
    held2: int,
    length: int,
    limit: int,
    forked: bool,
) -> bool:
    """One token more.

    pre: valid(layout, block_size, lowest, held0, held1, held2, length, limit, forked)
    post: _
    """
    frame = state(layout, block_size, lowest, held0, held1, held2, length, limit, forked)
    return keeps(frame, "append", NAME)


def fork(
    layout: int,
    block_size: int,
    lowest: int,
    held0: int,
    held1: int,
    held2: int,
    length: int,
    limit: int,
    forked: bool,
) -> bool:
    """A child of the table.

    pre: valid(layout, block_size, lowest, held0, held1, held2, length, limit, forked)
    post: _
    """
    frame = state(layout, block_size, lowest, held0, held1, held2, length, limit, forked)
    return keeps(frame, "fork", NAME, NEW)


def refused_existing(
    layout: int,
    block_size: int,
    lowest: int,
    held0: int,
    held1: int,
    held2: int,
    length: int,
    limit: int,
    forked: bool,
    fork: bool,
    n_tokens: int,
) -> bool:
    """A new sequence under the name of the table.

    pre: valid(layout, block_size, lowest, held0, held1, held2, length, limit, forked, n_tokens)
    post: _
    """
    frame = state(layout, block_size, lowest, held0, held1, held2, length, limit, forked)
    return keeps(frame, "fork", NAME, NAME) if fork else keeps(frame, "allocate", NAME, n_tokens)


def release(
    layout: int,
    block_size: int,
    lowest: int,
    held0: int,
    held1: int,
    held2: int,
    length: int,
    limit: int,
    forked: bool,
) -> bool:
    """The end of the table.

    pre: valid(layout, block_size, lowest, held0, held1, held2, length, limit, forked)
    post: _
    """
    frame = state(layout, block_size, lowest, held0, held1, held2, length, limit, forked)
    return keeps(frame, "release", NAME)


def release_all(
    layout: int,
    block_size: int,
    lowest: int,
    held0: int,
    held1: int,
    held2: int,
    length: int,
    limit: int,
    forked: bool,
) -> bool:
    """The end of every sequence.

    pre: valid(layout, block_size, lowest, held0, held1, held2, length, limit, forked)
    post: _
    """
    frame = state(layout, block_size, lowest, held0, held1, held2, length, limit, forked)
    return keeps(frame, "release_all")


def grow(
    layout: int,
    block_size: int,
    lowest: int,
    held0: int,
    held1: int,
    held2: int,
    length: int,
    limit: int,
    forked: bool,
    n_tokens: int,
) -> bool:
    """Any number of tokens more.

    pre: valid(layout, block_size, lowest, held0, held1, held2, length, limit, forked, n_tokens)
    post: _
    """
    frame = state(layout, block_size, lowest, held0, held1, held2, length, limit, forked)
    return keeps(frame, "grow", NAME, n_tokens)

"""The contracts: one operation of the real class keeps every law, from any valid hidden state.

Does not cover: more than 3 blocks (4 where a sequence is allocated), contents, more than one table
in full, the order of hidden dictionaries, arguments that are no integers.

Parameters common to all: `layout`, which blocks are in the table, held by others only, or free;
`block_size`; `lowest`, where the search for a free block starts; `others0` ..., how many other
sequences hold block 0 ...; `length`, `limit`, `forked`, the hidden fields of the table.
"""

from __future__ import annotations

from poolproof_verification.contracts.frame import (
    FOUR_POOLS,
    NAME,
    NEW,
    THREE,
    THREE_POOLS,
    Frame,
    is_valid,
    pick,
)
from poolproof_verification.contracts.step import keeps
from poolproof_verification.contracts.subject import SUBJECT

OF_UNUSED_OR_USED_NAMES = (
    ("fork", NEW, NAME),
    ("fork", NEW, "c"),
    ("fork", NAME, NAME),
    ("append", NEW),
    ("release", NEW),
)
OF_NEGATIVE_COUNTS = (("allocate", NAME), ("allocate", NEW), ("grow", NAME), ("grow", NEW))
OF_COUNTS = (("allocate", NAME), ("grow", NEW))


def valid(
    layout: int,
    block_size: int,
    lowest: int,
    others0: int,
    others1: int,
    others2: int,
    length: int,
    limit: int,
    forked: bool,
) -> bool:
    """There is such a state of three blocks and a table."""
    others = others0, others1, others2
    return is_valid(THREE, layout, block_size, lowest, others, length, limit, forked)


def state(
    layout: int,
    block_size: int,
    lowest: int,
    others0: int,
    others1: int,
    others2: int,
    length: int,
    limit: int,
    forked: bool,
) -> Frame:
    """This state."""
    others = others0, others1, others2
    return Frame(pick(THREE, layout), block_size, lowest, others, length, limit, forked)


def pool(layout: int, block_size: int, lowest: int, *others: int) -> bool:
    """There is such a state of three blocks and an empty table."""
    return is_valid(THREE_POOLS, layout, block_size, lowest, others)


def append(
    layout: int,
    block_size: int,
    lowest: int,
    others0: int,
    others1: int,
    others2: int,
    length: int,
    limit: int,
    forked: bool,
) -> bool:
    """One token more.

    pre: valid(layout, block_size, lowest, others0, others1, others2, length, limit, forked)
    post: _
    """
    frame = state(layout, block_size, lowest, others0, others1, others2, length, limit, forked)
    return keeps(frame, "append", NAME)


def fork(
    layout: int,
    block_size: int,
    lowest: int,
    others0: int,
    others1: int,
    others2: int,
    length: int,
    limit: int,
    forked: bool,
) -> bool:
    """A child of the table.

    pre: valid(layout, block_size, lowest, others0, others1, others2, length, limit, forked)
    post: _
    """
    frame = state(layout, block_size, lowest, others0, others1, others2, length, limit, forked)
    return keeps(frame, "fork", NAME, NEW)


def release(
    layout: int,
    block_size: int,
    lowest: int,
    others0: int,
    others1: int,
    others2: int,
    length: int,
    limit: int,
    forked: bool,
) -> bool:
    """The end of the table.

    pre: valid(layout, block_size, lowest, others0, others1, others2, length, limit, forked)
    post: _
    """
    frame = state(layout, block_size, lowest, others0, others1, others2, length, limit, forked)
    return keeps(frame, "release", NAME)


def release_all(
    layout: int,
    block_size: int,
    lowest: int,
    others0: int,
    others1: int,
    others2: int,
    length: int,
    limit: int,
    forked: bool,
) -> bool:
    """The end of every sequence.

    pre: valid(layout, block_size, lowest, others0, others1, others2, length, limit, forked)
    post: _
    """
    frame = state(layout, block_size, lowest, others0, others1, others2, length, limit, forked)
    return keeps(frame, "release_all")


def grow(
    layout: int,
    block_size: int,
    lowest: int,
    others0: int,
    others1: int,
    others2: int,
    length: int,
    limit: int,
    forked: bool,
    n_tokens: int,
) -> bool:
    """Any number of tokens more.

    pre: (n_tokens >= 0) & valid(layout, block_size, lowest, others0, others1, others2, length, limit, forked)
    post: _
    """
    frame = state(layout, block_size, lowest, others0, others1, others2, length, limit, forked)
    return keeps(frame, "grow", NAME, n_tokens)


def allocate(
    layout: int,
    block_size: int,
    lowest: int,
    others0: int,
    others1: int,
    others2: int,
    n_tokens: int,
) -> bool:
    """A new sequence of any number of tokens.

    pre: (n_tokens >= 0) & pool(layout, block_size, lowest, others0, others1, others2)
    post: _
    """
    others = others0, others1, others2
    frame = Frame(pick(THREE_POOLS, layout), block_size, lowest, others)
    return keeps(frame, "allocate", NEW, n_tokens)


def allocate_by_windows(
    layout: int,
    block_size: int,
    lowest: int,
    others0: int,
    others1: int,
    others2: int,
    others3: int,
    n_tokens: int,
    window_from: int,
    slack: int,
) -> bool:
    """A new sequence in a pool of four, wherever windows begin and however wide they are.

    pre: (n_tokens >= 0) & (slack >= -1) & is_valid(FOUR_POOLS, layout, block_size, lowest, (others0, others1, others2, others3))
    post: _
    """
    others = others0, others1, others2, others3
    frame = Frame(pick(FOUR_POOLS, layout), block_size, lowest, others)
    SUBJECT.set_windows(window_from, slack)
    return keeps(frame, "allocate", NEW, n_tokens)


def refused_names(
    layout: int,
    block_size: int,
    lowest: int,
    others0: int,
    others1: int,
    others2: int,
    call: int,
) -> bool:
    """A name that is unknown, or in use.

    pre: (call >= 0) & (call < len(OF_UNUSED_OR_USED_NAMES)) & pool(layout, block_size, lowest, others0, others1, others2)
    post: _
    """
    others = others0, others1, others2
    frame = Frame(pick(THREE_POOLS, layout), block_size, lowest, others)
    name, *arguments = pick(OF_UNUSED_OR_USED_NAMES, call)
    return keeps(frame, name, *arguments)


def refused_counts(
    layout: int,
    block_size: int,
    lowest: int,
    others0: int,
    others1: int,
    others2: int,
    call: int,
    n_tokens: int,
) -> bool:
    """The same where the operation has a count, too.

    pre: (call >= 0) & (call < len(OF_COUNTS)) & (n_tokens >= 0) & pool(layout, block_size, lowest, others0, others1, others2)
    post: _
    """
    others = others0, others1, others2
    frame = Frame(pick(THREE_POOLS, layout), block_size, lowest, others)
    name, sequence = pick(OF_COUNTS, call)
    return keeps(frame, name, sequence, n_tokens)


def refused_negatives(
    layout: int,
    block_size: int,
    lowest: int,
    others0: int,
    others1: int,
    others2: int,
    call: int,
    n_tokens: int,
) -> bool:
    """A negative number of tokens, of one digit: the error's text is built digit by digit.

    pre: (call >= 0) & (call < len(OF_NEGATIVE_COUNTS)) & (n_tokens >= -9) & (n_tokens < 0) & pool(layout, block_size, lowest, others0, others1, others2)
    post: _
    """
    others = others0, others1, others2
    frame = Frame(pick(THREE_POOLS, layout), block_size, lowest, others)
    name, sequence = pick(OF_NEGATIVE_COUNTS, call)
    return keeps(frame, name, sequence, n_tokens)

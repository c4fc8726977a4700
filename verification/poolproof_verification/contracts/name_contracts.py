"""The contracts of new and of wrong names: each call keeps every law, from any valid hidden state.

Does not cover: more than 4 blocks, a live sequence that has tokens, contents, the order of hidden
dictionaries, arguments that are no integers, negative numbers below LEAST_COUNT.

Parameters common to all: `layout`, which blocks are held and which are free; `block_size`;
`lowest`, where the search for a free block starts; `held0` ..., how many other sequences hold
block 0 ...; `call`, which of a constant list of calls is made.
"""

from __future__ import annotations

from poolproof_verification.contracts.frame import (
    FOUR_POOLS,
    NAME,
    NEW,
    THREE_POOLS,
    Frame,
    is_valid,
    pick,
)
from poolproof_verification.contracts.step import keeps
from poolproof_verification.contracts.subject import SUBJECT

COUNTED = ("allocate", "grow")
UNKNOWN_NAMES = (
    ("fork", NEW, NAME),
    ("fork", NEW, "c"),
    ("append", NEW),
    ("grow", NEW),
    ("release", NEW),
)
NEGATIVES = (("allocate", NAME), ("allocate", NEW), ("grow", NAME), ("grow", NEW))
LEAST_COUNT = -2  # a refusal's text has the number, and is built digit by digit, branching on each
WINDOW_FROM = 2  # so that a pool of four has windows


def valid_pool(layout: int, block_size: int, lowest: int, *others: int) -> bool:
    """There is such a state, of as many blocks as there are numbers of other holders."""
    options = FOUR_POOLS if len(others) == 4 else THREE_POOLS
    return is_valid(options, layout, block_size, lowest, others)


def pool(layout: int, block_size: int, lowest: int, *others: int) -> Frame:
    """This state."""
    options = FOUR_POOLS if len(others) == 4 else THREE_POOLS
    return Frame(pick(options, layout), block_size, lowest, others)


def is_call(calls: tuple[tuple[str, ...], ...], call: int) -> bool:
    """There is such a call."""
    return (call >= 0) & (call < len(calls))


def allocate(
    layout: int,
    block_size: int,
    lowest: int,
    held0: int,
    held1: int,
    held2: int,
    n_tokens: int,
) -> bool:
    """A new sequence of any number of tokens.

    pre: valid_pool(layout, block_size, lowest, held0, held1, held2) & (n_tokens >= 0)
    post: _
    """
    frame = pool(layout, block_size, lowest, held0, held1, held2)
    return keeps(frame, "allocate", NEW, n_tokens)


def valid_windows(
    layout: int,
    block_size: int,
    lowest: int,
    held0: int,
    held1: int,
    held2: int,
    held3: int,
    slack: int,
    n_tokens: int,
) -> bool:
    """There is such a state of four blocks and such a number; a window is never empty."""
    others = held0, held1, held2, held3
    return valid_pool(layout, block_size, lowest, *others) & (slack >= -1) & (n_tokens >= 0)


def allocate_by_windows(
    layout: int,
    block_size: int,
    lowest: int,
    held0: int,
    held1: int,
    held2: int,
    held3: int,
    long_run: int,
    slack: int,
    n_tokens: int,
) -> bool:
    """A new sequence in a pool of four that is searched through windows.

    pre: valid_windows(layout, block_size, lowest, held0, held1, held2, held3, slack, n_tokens)
    post: _
    """
    frame = pool(layout, block_size, lowest, held0, held1, held2, held3)
    SUBJECT.set_windows(WINDOW_FROM, long_run, slack)
    return keeps(frame, "allocate", NEW, n_tokens)


def valid_call(call: int, n_tokens: int) -> bool:
    """There is such a call with an unknown name, and such a number of tokens."""
    return is_call(UNKNOWN_NAMES, call) & (n_tokens >= 0)


def is_negative(call: int, n_tokens: int) -> bool:
    """There is such a call with a number of tokens, and such a negative number."""
    return is_call(NEGATIVES, call) & (n_tokens >= LEAST_COUNT) & (n_tokens < 0)


def refused_unknown(
    layout: int,
    block_size: int,
    lowest: int,
    held0: int,
    held1: int,
    held2: int,
    call: int,
    n_tokens: int,
) -> bool:
    """A name that nobody has.

    pre: valid_call(call, n_tokens) & valid_pool(layout, block_size, lowest, held0, held1, held2)
    post: _
    """
    frame = pool(layout, block_size, lowest, held0, held1, held2)
    name, *sequences = pick(UNKNOWN_NAMES, call)
    counts = (n_tokens,) if name in COUNTED else ()
    return keeps(frame, name, *sequences, *counts)


def refused_negatives(
    layout: int,
    block_size: int,
    lowest: int,
    held0: int,
    held1: int,
    held2: int,
    call: int,
    n_tokens: int,
) -> bool:
    """A negative number of tokens.

    pre: is_negative(call, n_tokens) & valid_pool(layout, block_size, lowest, held0, held1, held2)
    post: _
    """
    frame = pool(layout, block_size, lowest, held0, held1, held2)
    name, sequence = pick(NEGATIVES, call)
    return keeps(frame, name, sequence, n_tokens)

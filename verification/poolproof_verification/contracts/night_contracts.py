"""The contracts of full states: no operation touches another sequence's table, in four blocks.

Does not cover: more than 4 blocks, longer tables than the layouts say, contents, the order of
hidden dictionaries and of bystanders' blocks, arguments that are no integers.

Parameters common to all: `layout`, which blocks are in which table; `block_size`; `own`, the hidden
length, limit and flag of the table that the operation is about, `other` and `third` those of the
bystanders; `call`, which of a constant list of calls is made.
"""

from __future__ import annotations

from poolproof_verification.contracts.frame import NAME, NEW, pick
from poolproof_verification.contracts.full import (
    BYSTANDERS,
    Fields,
    FullLayout,
    full_frame,
    full_layouts,
    is_valid_full,
)
from poolproof_verification.contracts.name_contracts import WINDOW_FROM, is_call
from poolproof_verification.contracts.step import keeps
from poolproof_verification.contracts.subject import SUBJECT

TWO = full_layouts(4, longest=2, bystanders=1, longest_other=2)
THREE = full_layouts(4, longest=2, bystanders=2, longest_other=1)
# Where many blocks are taken, which costs more paths. There are holes between the free blocks; of
# three sequences some block is always free.
TWO_TAKING = full_layouts(4, longest=1, bystanders=1, longest_other=3)
THREE_TAKING = full_layouts(4, longest=1, bystanders=2, longest_other=1)
CALLS = (
    ("fork", NAME, NEW),
    ("fork", NAME, BYSTANDERS[0]),
    ("release", NAME),
    ("release_all",),
)
WINDOWS = WINDOW_FROM, 2, 0  # every second block of four is taken through a window


def valid(
    options: tuple[FullLayout, ...],
    layout: int,
    block_size: int,
    *fields: Fields,
    n_tokens: int = 0,
    call: int = 0,
) -> bool:
    """There is such a state, such a number of tokens, and such a call."""
    state = is_valid_full(options, layout, block_size, *fields)
    return state & (n_tokens >= 0) & is_call(CALLS, call)


def two_append(layout: int, block_size: int, own: Fields, other: Fields) -> bool:
    """One token more, beside another sequence.

    pre: valid(TWO, layout, block_size, own, other)
    post: _
    """
    return keeps(full_frame(TWO, layout, block_size, own, other), "append", NAME)


def two_call(layout: int, block_size: int, own: Fields, other: Fields, call: int) -> bool:
    """A fork, or the end of one or of both.

    pre: valid(TWO, layout, block_size, own, other, call=call)
    post: _
    """
    name, *sequences = pick(CALLS, call)
    return keeps(full_frame(TWO, layout, block_size, own, other), name, *sequences)


def two_grow(layout: int, block_size: int, own: Fields, other: Fields, n_tokens: int) -> bool:
    """Any number of tokens more, beside another sequence; through windows.

    pre: valid(TWO_TAKING, layout, block_size, own, other, n_tokens=n_tokens)
    post: _
    """
    SUBJECT.set_windows(*WINDOWS)
    return keeps(full_frame(TWO_TAKING, layout, block_size, own, other), "grow", NAME, n_tokens)


def two_allocate(layout: int, block_size: int, own: Fields, other: Fields, n_tokens: int) -> bool:
    """A third sequence of any number of tokens; through windows.

    pre: valid(TWO_TAKING, layout, block_size, own, other, n_tokens=n_tokens)
    post: _
    """
    SUBJECT.set_windows(*WINDOWS)
    return keeps(full_frame(TWO_TAKING, layout, block_size, own, other), "allocate", NEW, n_tokens)


def three_grow(
    layout: int, block_size: int, own: Fields, other: Fields, third: Fields, n_tokens: int
) -> bool:
    """Any number of tokens more, beside two other sequences; through windows.

    pre: valid(THREE_TAKING, layout, block_size, own, other, third, n_tokens=n_tokens)
    post: _
    """
    SUBJECT.set_windows(*WINDOWS)
    frame = full_frame(THREE_TAKING, layout, block_size, own, other, third)
    return keeps(frame, "grow", NAME, n_tokens)


def three_allocate(
    layout: int, block_size: int, own: Fields, other: Fields, third: Fields, n_tokens: int
) -> bool:
    """A fourth sequence of any number of tokens; through windows.

    pre: valid(THREE_TAKING, layout, block_size, own, other, third, n_tokens=n_tokens)
    post: _
    """
    SUBJECT.set_windows(*WINDOWS)
    frame = full_frame(THREE_TAKING, layout, block_size, own, other, third)
    return keeps(frame, "allocate", NEW, n_tokens)


def three_append(layout: int, block_size: int, own: Fields, other: Fields, third: Fields) -> bool:
    """One token more, beside two other sequences.

    pre: valid(THREE, layout, block_size, own, other, third)
    post: _
    """
    return keeps(full_frame(THREE, layout, block_size, own, other, third), "append", NAME)


def three_call(
    layout: int, block_size: int, own: Fields, other: Fields, third: Fields, call: int
) -> bool:
    """A fork, or the end of one or of all three.

    pre: valid(THREE, layout, block_size, own, other, third, call=call)
    post: _
    """
    name, *sequences = pick(CALLS, call)
    return keeps(full_frame(THREE, layout, block_size, own, other, third), name, *sequences)

"""What an operation must do from a given state, said in the terms of the frame.

Each of these is compared with the model, case by case, whenever a contract is judged.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from poolproof_model.system import Refusal
from poolproof_verification.contracts.frame import NAME, Blocks, Frame

Row = tuple[str, Blocks, int]  # a sequence's name, block table and length in tokens


class Expected(NamedTuple):
    """The answer, or why it is refused, and what the state is afterwards."""

    answer: Any
    tables: tuple[Row, ...]
    others: Blocks


def unchanged(frame: Frame) -> Row:
    """The table as it was."""
    return NAME, frame.layout.blocks, frame.length


def after(frame: Frame, answer: Any, *tables: Row) -> Expected:
    """These tables, and those of the bystanders, which stay as they are."""
    rest = tuple((each.name, each.blocks, each.length) for each in frame.bystanders)
    return Expected(answer, tables + rest, frame.unseen())


def refused(frame: Frame, reason: Refusal) -> Expected:
    """A refusal changes nothing."""
    return after(frame, reason, unchanged(frame))


def allocate(frame: Frame, name: str, n_tokens: int) -> Expected:
    """As many of the lowest free blocks as the tokens need."""
    if n_tokens < 0:
        return refused(frame, Refusal.NEGATIVE)
    if name in frame.names():
        return refused(frame, Refusal.EXISTS)
    free = frame.layout.free
    needed = -(-n_tokens // frame.block_size)
    if needed > len(free):
        return refused(frame, Refusal.OUT_OF_BLOCKS)
    blocks = free[:needed]
    return after(frame, blocks, unchanged(frame), (name, blocks, n_tokens))


def fork(frame: Frame, parent: str, child: str) -> Expected:
    """The child has the parent's table and length."""
    if parent != NAME:
        return refused(frame, Refusal.UNKNOWN)
    if child in frame.names():
        return refused(frame, Refusal.EXISTS)
    blocks = frame.layout.blocks
    return after(frame, blocks, unchanged(frame), (child, blocks, frame.length))


def append(frame: Frame, name: str) -> Expected:
    """A block more at a boundary; a block instead of a shared last one; else no block."""
    if name != NAME:
        return refused(frame, Refusal.UNKNOWN)
    blocks, free = frame.layout.blocks, frame.layout.free
    boundary = frame.length == len(blocks) * frame.block_size
    copied = not boundary and frame.others[blocks[-1]] != 0
    if (boundary or copied) and not free:
        return refused(frame, Refusal.OUT_OF_BLOCKS)
    if copied:
        blocks = (*blocks[:-1], free[0])
    elif boundary:
        blocks = (*blocks, free[0])
    return after(frame, copied, (NAME, blocks, frame.length + 1))


def grow(frame: Frame, name: str, n_tokens: int) -> Expected:
    """A block instead of a shared, partly filled last one, then as many more as needed."""
    if n_tokens < 0:
        return refused(frame, Refusal.NEGATIVE)
    if name != NAME:
        return refused(frame, Refusal.UNKNOWN)
    blocks, free, copy = frame.layout.blocks, frame.layout.free, None
    if n_tokens == 0:
        return after(frame, ((), None), unchanged(frame))
    if frame.length % frame.block_size != 0 and frame.others[blocks[-1]] != 0:
        if not free:
            return refused(frame, Refusal.OUT_OF_BLOCKS)
        copy = blocks[-1], free[0]
        blocks, free = (*blocks[:-1], free[0]), free[1:]
    needed = -(-(frame.length + n_tokens) // frame.block_size) - len(blocks)
    if needed > len(free):
        return refused(frame, Refusal.OUT_OF_BLOCKS)
    added = free[:needed]
    return after(frame, (added, copy), (NAME, blocks + added, frame.length + n_tokens))


def release(frame: Frame, name: str) -> Expected:
    """The blocks that no other sequence holds are free again."""
    if name != NAME:
        return refused(frame, Refusal.UNKNOWN)
    freed = tuple(block for block in sorted(frame.layout.blocks) if frame.others[block] == 0)
    return after(frame, freed)


def release_all(frame: Frame) -> Expected:
    """Every block that was not free is free again; nobody holds anything."""
    nobody = (0,) * len(frame.others)
    held = tuple(block for block in range(len(nobody)) if block not in frame.layout.free)
    return Expected(held, (), nobody)


EXPECTED: dict[str, Callable[..., Expected]] = {
    "allocate": allocate,
    "fork": fork,
    "append": append,
    "grow": grow,
    "release": release,
    "release_all": release_all,
}
# The question that must say beforehand whether the operation will be accepted.
QUESTIONS = {"allocate": "can_allocate", "append": "can_append", "grow": "can_grow"}

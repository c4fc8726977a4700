"""What a manager's operations are in terms of transitions, and what they return.

An operation is one transition, or one after the other: `grow` is so many appends, all or nothing;
`release_all` releases every sequence.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import Any

from poolproof_model.execute import Pool
from poolproof_model.system import ALLOCATE, APPEND, FORK, RELEASE, Refusal, Transition

Step = tuple[Transition, dict[str, Any]]
Tokens = Callable[[Hashable, int], Any]  # the token a sequence is given at a position


def no_tokens(sequence: Hashable, position: int) -> None:
    """Where contents are left out of account."""


def steps(
    pool: Pool, name: str, arguments: tuple[Any, ...], tokens: Tokens = no_tokens
) -> Iterator[Step]:
    """The operation as transitions with their arguments."""
    if name == "allocate":
        sequence, length = arguments
        yield ALLOCATE, prompted(sequence, length, tokens)
    elif name == "fork":
        yield FORK, dict(zip(("parent", "child"), arguments, strict=True))
    elif name in ("append", "grow"):
        sequence, count = arguments if name == "grow" else (*arguments, 1)
        start = pool.tables[sequence].length if sequence in pool.tables else 0
        for position in range(start, start + count):
            yield APPEND, {"sequence": sequence, "token": tokens(sequence, position)}
    elif name == "release":
        yield RELEASE, {"sequence": arguments[0]}
    else:
        for sequence in pool.tables:
            yield RELEASE, {"sequence": sequence}


def prompted(sequence: Hashable, length: int, tokens: Tokens) -> dict[str, Any]:
    """The arguments of `allocate`; the prompt is total, like everything a transition is given."""

    def prompt(position: int) -> Any:
        return tokens(sequence, position) if 0 <= position < length else None

    return {"sequence": sequence, "length": length, "prompt": prompt}


def growth_refusal(
    pool: Pool, name: Hashable, count: int, room: Callable[[], int]
) -> Refusal | None:
    """Why `grow` is refused, or None; `room` says how many appends in a row are admitted."""
    if count < 0:
        return Refusal.NEGATIVE
    if name not in pool.tables:
        return Refusal.UNKNOWN
    return None if count <= room() else Refusal.OUT_OF_BLOCKS


def result(before: Pool, name: str, arguments: tuple[Any, ...], after: Pool) -> Any:
    """What the operation returns, having led from one state to the other."""
    if name in ("release", "release_all"):
        return sorted(after.free - before.free)
    sequence = arguments[-1] if name == "fork" else arguments[0]
    blocks = after.tables[sequence].blocks
    if name in ("allocate", "fork"):
        return list(blocks)
    old = before.tables[sequence].blocks
    copied = blocks[: len(old)] != old
    if name == "append":
        return copied
    return list(blocks[len(old) :]), (old[-1], blocks[len(old) - 1]) if copied else None

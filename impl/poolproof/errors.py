"""Operating errors: what was asked, what the state was, what to do."""

from __future__ import annotations

import operator
from collections.abc import Hashable
from typing import SupportsIndex


class OutOfBlocks(MemoryError):
    """The pool has fewer free blocks than the operation takes."""

    def __init__(self, asked: int, free: int) -> None:
        """`asked`: blocks the operation takes; `free`: blocks there are."""
        super().__init__(asked, free)
        self.asked = asked
        self.free = free

    def __str__(self) -> str:
        """One line for a log."""
        return (
            f"asked for {self.asked} block(s) where {self.free} are free; "
            "nothing was changed: release a sequence, or ask again later"
        )


class SequenceExists(ValueError):
    """The name is in use."""

    def __init__(self, name: Hashable) -> None:
        """`name`: of the sequence that already lives."""
        super().__init__(name)
        self.name = name

    def __str__(self) -> str:
        """One line for a log."""
        return f"sequence {self.name!r} exists already; release it first, or choose another name"


class UnknownSequence(KeyError):
    """No live sequence has this name."""

    def __init__(self, name: Hashable) -> None:
        """`name`: as asked for."""
        super().__init__(name)
        self.name = name

    def __str__(self) -> str:
        """One line for a log."""
        return f"no sequence {self.name!r}; it was never allocated, or is already released"


def integer(value: SupportsIndex, what: str) -> int:
    """The value as an int.

    Raises TypeError for a bool and for anything that is no integer; `what` names the argument.
    """
    if not isinstance(value, bool):
        try:
            return operator.index(value)
        except TypeError:
            pass
    raise TypeError(f"{what} must be an integer, not {type(value).__name__} {value!r}")


def natural(value: SupportsIndex, what: str, least: int = 0) -> int:
    """The value as an int of at least `least`; TypeError or ValueError otherwise."""
    number = integer(value, what)
    if number < least:
        raise ValueError(f"{what} must be at least {least}, not {number}")
    return number

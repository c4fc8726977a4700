"""A fault: the law that an operation broke, with block and owners."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    """What has become of a block, or what else is wrong."""

    LEAK = "leak"  # neither free nor in any table
    DOUBLE_COUNT = "double count"  # free while held, free twice, or counted more often than held
    MISSING_COUNT = "missing count"  # counted less often than held: it will be free too soon
    SHARED_WRITE = "shared write"  # a token is written into a block that others hold, too
    TABLE = "table"  # a sequence has another table or length than its operations gave it
    RESULT = "result"  # what an operation returned
    REFUSAL = "refusal"  # refused or accepted where it should not be, or changed by a refusal
    VIEW = "view"  # the manager does not show its state


@dataclass(frozen=True)
class Fault:
    """What was found wrong after an operation."""

    number: int  # of the operation; the first is 1
    operation: str  # as code
    law: str  # a key of LAWS
    kind: Kind
    words: str
    block: int | None = None
    owners: tuple[Hashable, ...] = ()
    since: int = 0  # all was in order after this operation

    @property
    def exact(self) -> bool:
        """This very operation broke the law."""
        return self.since >= self.number - 1

    def __str__(self) -> str:
        """One line: what is wrong, and after which operation."""
        if self.words.startswith(self.operation):
            return self.words
        what, separator, more = self.words.partition(": ")
        if self.exact:
            return f"{what} after {self.operation}{separator}{more}"
        broken = f"broken in one of operations {self.since + 1:,} to {self.number:,}"
        return f"{what}, found after {self.operation}, {broken}{separator}{more}"


class PoolWarning(UserWarning):
    """A watched manager broke a law."""


class BrokenLaw(Exception):
    """A watched manager broke a law in an operation that was carried out all the same."""

    def __init__(self, fault: Fault) -> None:
        """`fault`: what was found."""
        super().__init__(str(fault))
        self.fault = fault

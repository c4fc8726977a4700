"""What is asked of a manager, what comes back, and what it shows of its state."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from poolproof_model.execute import Pool
from poolproof_model.system import Refusal
from poolproof_verification.words import error_told, plural, told

OPERATIONS = ("allocate", "fork", "append", "grow", "release", "release_all")
# Which parameters of an operation are numbers; all others are names.
NUMBERS = {"allocate": (1,), "grow": (1,)}


class Operation(NamedTuple):
    """One call, with concrete arguments."""

    name: str
    arguments: tuple[Any, ...] = ()

    def __str__(self) -> str:
        """The call as code."""
        return f"{self.name}({', '.join(map(repr, self.arguments))})"


def names_in(operations: Iterable[Operation]) -> tuple[str, ...]:
    """The sequences that the operations name, in the order of their first use."""
    named = (
        operation.arguments[index]
        for operation in operations
        for index in range(len(operation.arguments))
        if is_name(operation, index)
    )
    return tuple(dict.fromkeys(named))


def is_name(operation: Operation, index: int) -> bool:
    """The argument at the index is the name of a sequence."""
    number = index in NUMBERS.get(operation.name, ())
    return isinstance(operation.arguments[index], str) and not number


@dataclass(frozen=True)
class Accepted:
    """The operation was carried out and returned this."""

    value: Any

    def __str__(self) -> str:
        """What came back."""
        return told(self.value)


@dataclass(frozen=True)
class Refused:
    """The operation was refused, for a reason if one is known, with an error of the target's."""

    reason: Refusal | None
    error: object = ""

    def __str__(self) -> str:
        """The reason and the target's own words."""
        words = error_told(self.error) if isinstance(self.error, Exception) else ""
        return ": ".join(filter(None, ("refused", self.reason and self.reason.value, words)))


@dataclass(frozen=True)
class Failed:
    """The operation broke: an error that is no refusal."""

    words: str

    def __str__(self) -> str:
        """The error."""
        return f"failed: {self.words}"


Response = Accepted | Refused | Failed


class View(NamedTuple):
    """What a manager shows, in the lesson's shapes."""

    free: list[int]
    """The free blocks, ascending."""
    ref: dict[int, int]
    """The reference count of each referenced block."""
    seqs: dict[Any, dict[str, Any]]
    """Each live sequence's `blocks` in logical order and `len` in tokens."""

    def __str__(self) -> str:
        """One line: free blocks, tables with token counts, reference counts."""
        tables = "; ".join(
            f"{name} {table['blocks']} {plural(table['len'], 'token')}"
            for name, table in self.seqs.items()
        )
        counts = ", ".join(f"{block}: {count}" for block, count in self.ref.items())
        return f"free {self.free} | {tables or 'no sequence'} | counts {{{counts}}}"


def view_of(pool: Pool) -> View:
    """What a manager in this state of the model shows."""
    tables = pool.tables.items()
    return View(
        free=sorted(pool.free),
        ref=dict(pool.counts),
        seqs={name: {"blocks": list(table.blocks), "len": table.length} for name, table in tables},
    )

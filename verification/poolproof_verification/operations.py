"""What is asked of a manager, what comes back, and what it shows of its state."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from poolproof_model.execute import Pool
from poolproof_model.system import Refusal
from poolproof_verification.words import error_told, plural, told

OPERATIONS = ("allocate", "fork", "append", "grow", "release", "release_all")
QUESTIONS = (
    "can_allocate", "can_append", "can_grow", "table", "length", "last_block", "slot", "used",
    "num_free", "violations", "check_invariants",
)  # fmt: skip
# Which parameters of an operation are numbers; all others are names.
NUMBERS = {"allocate": (1,), "grow": (1,)}


class Operation(NamedTuple):
    """One call, with concrete arguments."""

    name: str
    arguments: tuple[Any, ...] = ()

    def __str__(self) -> str:
        """The call as code."""
        return f"{self.name}({', '.join(map(told, self.arguments))})"


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


def integer(value: object) -> int | None:
    """The value as a manager understands it; None where it is no integer."""
    if type(value) is int:
        return value
    try:
        return None if isinstance(value, bool) else operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def is_hashable(value: object) -> bool:
    """The value may be a name; a tuple may not, where something in it may not."""
    try:
        hash(value)
    except TypeError:
        return False
    return True


def wrong_type(operation: Operation) -> bool:
    """Some number is no integer, or some name is not hashable."""
    numbers = NUMBERS.get(operation.name, ())
    for index, argument in enumerate(operation.arguments):
        if integer(argument) is None if index in numbers else not is_hashable(argument):
            return True
    return False


class Hidden:
    """What a manager does not tell: no value, and no part of a value."""

    def __repr__(self) -> str:
        """The name under which adapters import it."""
        return "HIDDEN"


HIDDEN = Hidden()


def completed(value: Any, expected: Any) -> Any:
    """The value with what is expected in the place of what the manager does not tell."""
    if value is HIDDEN:
        return expected
    if type(value) is type(expected) is tuple and len(value) == len(expected):
        return tuple(map(completed, value, expected))
    return value


@dataclass(frozen=True)
class Reserved:
    """Stands in the model for the sequence that holds a reserved block for ever."""

    block: int


@dataclass(frozen=True)
class Accepted:
    """The operation was carried out and returned this, in the lesson's shape.

    `allocate` and `fork` return the sequence's blocks, `append` whether the last block was copied,
    `grow` the blocks added and the copy as (source, destination) or None, `release` and
    `release_all` the freed blocks, ascending. A `fork` that copies at once returns the child's
    blocks and the copy, like `grow`. HIDDEN stands for a value, or a member of a pair, that the
    manager does not tell.
    """

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
    place: str = field(default="", compare=False)  # of a failure in two places there is one fault

    def __str__(self) -> str:
        """The error, and where it was raised."""
        return f"failed: {', at '.join(filter(None, (self.words, self.place)))}"


Response = Accepted | Refused | Failed


def no_response(response: object) -> str:
    """Why this is no response of an adapter; nothing where it is one."""
    if isinstance(response, Refused):
        reason = response.reason
        if reason is None or isinstance(reason, Refusal):
            return ""
        return f"a refusal whose reason is {told(reason)}, which is no Refusal"
    known = isinstance(response, Accepted | Failed)
    return "" if known else f"{told(response)}, which is no response"


class View(NamedTuple):
    """What a manager shows of its state; reserved blocks are left out."""

    free: list[int] | int
    """The free blocks, ascending; or only how many there are."""
    ref: dict[int, int] | None
    """The reference count of each referenced block; None where no counts are shown."""
    seqs: dict[Any, dict[str, Any]]
    """Each live sequence's `blocks` in logical order and `len` in tokens."""

    def __str__(self) -> str:
        """One line: free blocks, tables with token counts, reference counts."""
        tables = "; ".join(
            f"{name if isinstance(name, str) else told(name)} {table['blocks']} "
            f"{plural(table['len'], 'token')}"
            for name, table in self.seqs.items()
        )
        parts = [f"free {self.free}", tables or "no sequence"]
        if self.ref is not None:
            counts = ", ".join(f"{block}: {count}" for block, count in self.ref.items())
            parts.append(f"counts {{{counts}}}")
        return " | ".join(parts)


class FullView(View):
    """A view that leaves nothing out, as the model's."""

    __slots__ = ()
    free: list[int]
    ref: dict[int, int]


def view_of(pool: Pool) -> FullView:
    """What a manager in this state of the model shows, if it shows everything."""
    counts, seqs = dict(pool.counts), {}
    for name, table in pool.tables.items():
        if isinstance(name, Reserved):
            del counts[name.block]
        else:
            seqs[name] = {"blocks": list(table.blocks), "len": table.length}
    return FullView(free=sorted(pool.free), ref=counts, seqs=seqs)


def live_in(pool: Pool) -> list[Any]:
    """The names of the live sequences."""
    return [name for name in pool.tables if not isinstance(name, Reserved)]

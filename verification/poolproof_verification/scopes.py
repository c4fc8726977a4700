"""How small a pool can be explored whole, and every operation worth trying in it."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass

from poolproof_model.system import Refusal
from poolproof_verification.adapters.adapter import Adapter
from poolproof_verification.operations import Operation, wrong_type
from poolproof_verification.words import plural

UNKNOWN_NAME = "Z"
NOT_INTEGERS = (True, "1")
NOT_HASHABLE: list[str] = []
Menu = tuple[Operation, ...]


@dataclass(frozen=True)
class Scope:
    """How large the pool is, and which sequences and lengths are tried."""

    total: int
    sequences: int
    block_size: int
    tokens: int  # the longest sequence

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the sequences."""
        return tuple("ABCDEFGH"[: self.sequences])

    def __str__(self) -> str:
        """The scope in words."""
        return (
            f"{plural(self.total, 'block')} of {self.block_size}, "
            f"{plural(self.sequences, 'sequence')}, up to {plural(self.tokens, 'token')}"
        )


SCOPES = (Scope(3, 2, 3, 7), Scope(0, 2, 1, 2), Scope(6, 2, 1, 6), Scope(4, 3, 2, 6))
# Before a random search: a right manager has so few states in these that all take three seconds.
SMALL_SCOPES = (
    Scope(2, 2, 1, 2),
    Scope(2, 2, 2, 3),
    Scope(6, 1, 1, 6),
    Scope(3, 2, 2, 4),
    Scope(2, 3, 2, 3),
)


def offered(adapter: Adapter, scope: Scope) -> Iterator[Operation]:
    """The operations that the manager has, with the bad arguments that it promises to refuse."""
    for operation in menu(scope):
        promised = Refusal.WRONG_TYPE not in adapter.undefined or not wrong_type(operation)
        if promised and operation.name in adapter.operations:
            yield operation


def menu(scope: Scope) -> Iterator[Operation]:
    """Every operation with good and bad arguments."""
    names = (*scope.names, UNKNOWN_NAME)
    too_many = scope.total * scope.block_size + 1
    counts = (-1, *range(scope.tokens + 1), too_many)
    growths = sorted({-1, 0, 1, scope.block_size + 1, too_many})
    for name in scope.names:
        yield from (Operation("allocate", (name, count)) for count in counts)
        yield from (Operation("fork", (parent, name)) for parent in names)
    for name in names:
        yield Operation("append", (name,))
        yield Operation("release", (name,))
        sizes = growths if name == scope.names[0] else growths[:1] + growths[2:]  # 0 once will do
        yield from (Operation("grow", (name, count)) for count in sizes)
    yield Operation("release_all")
    yield from wrongly_typed(scope.names[0])


def worth_trying(operations: list[Operation], scope: Scope, live: frozenset[Hashable]) -> Menu:
    """Those operations that may tell something new while these sequences live.

    Where a name is refused whatever the number of tokens, a few numbers stand for all.
    """
    few = (-1, 1, scope.total * scope.block_size + 1)
    refusing = {"allocate": lambda name: name in live, "grow": lambda name: name not in live}

    def is_worth_it(operation: Operation) -> bool:
        name_is_refused = refusing.get(operation.name)
        if name_is_refused is None or wrong_type(operation):
            return True
        name, count = operation.arguments
        return count in few or not name_is_refused(name)

    return tuple(filter(is_worth_it, operations))


def wrongly_typed(name: str) -> Iterator[Operation]:
    """Numbers that are no integers, and names that are not hashable."""
    for operation, value in zip(("allocate", "grow"), NOT_INTEGERS, strict=True):
        yield Operation(operation, (name, value))
    yield Operation("allocate", (NOT_HASHABLE, -1))
    yield Operation("fork", (UNKNOWN_NAME, NOT_HASHABLE))
    yield Operation("append", (NOT_HASHABLE,))
    yield Operation("release", (NOT_HASHABLE,))

"""What the model says of an operation: refused and why, or accepted with which result and state.

The oracle never guesses which free blocks a manager takes: it is given them, and judges them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from typing import Any

from poolproof_model.execute import Blocks, Pool, is_lawful, needed, refusal, refusal_in, step
from poolproof_model.state import State
from poolproof_model.system import ALLOCATE, APPEND, FORK, RELEASE, Refusal, Transition
from poolproof_verification.operations import NUMBERS, Operation

StateKey = frozenset[tuple[Hashable, Blocks, int]]
Step = tuple[Transition, dict[str, Any]]
Tokens = Callable[[Hashable, int], Any]  # the token a sequence is given at a position


class UnlawfulChoice(Exception):
    """The blocks taken are not free, not distinct or not as many as needed."""


def wrong_type(operation: Operation) -> bool:
    """Some number is no integer, or some name is not hashable."""
    for index, argument in enumerate(operation.arguments):
        if index in NUMBERS.get(operation.name, ()):
            if type(argument) is not int:
                return True
        elif argument.__hash__ is None:
            return True
    return False


def no_tokens(sequence: Hashable, position: int) -> None:
    """Where contents are left out of account."""


def steps(pool: Pool, operation: Operation, tokens: Tokens = no_tokens) -> Iterator[Step]:
    """The operation as transitions of the model, one after the other."""
    name, arguments = operation
    if name == "allocate":
        sequence, length = arguments

        def prompt(position: int) -> Any:
            return tokens(sequence, position) if 0 <= position < length else None

        yield ALLOCATE, {"sequence": sequence, "length": length, "prompt": prompt}
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


class Oracle:
    """Says what the model says of operations; remembers what appends lead to."""

    def __init__(self) -> None:
        """Nothing is remembered yet."""
        self.successors: dict[tuple[StateKey, Hashable], Pool | None] = {}
        self.pool: Pool | None = None  # the one asked about last, and what was found of it
        self.state: State
        self.rooms: dict[Hashable, int]

    def refused(self, pool: Pool, operation: Operation) -> Refusal | None:
        """Why the operation is refused in this state, or None where it is accepted."""
        if wrong_type(operation):
            return Refusal.WRONG_TYPE
        if operation.name == "release_all":
            return None  # live sequences can be released one after the other
        if pool is not self.pool:
            self.pool, self.state, self.rooms = pool, pool.state(), {}
        if operation.name == "grow":
            return self.growth_refused(pool, *operation.arguments)
        transition, arguments = next(steps(pool, operation))
        return refusal_in(self.state, transition, arguments)

    def growth_refused(self, pool: Pool, name: Hashable, count: int) -> Refusal | None:
        """`grow` is all of its appends, or nothing."""
        if count < 0:
            return Refusal.NEGATIVE
        if name not in pool.tables:
            return Refusal.UNKNOWN
        if name not in self.rooms:
            self.rooms[name] = self.appends(pool, name)
        return None if count <= self.rooms[name] else Refusal.OUT_OF_BLOCKS

    def appends(self, pool: Pool, name: Hashable) -> int:
        """How many appends to this live sequence are accepted in a row."""
        if pool.contents is not None:
            pool = replace(pool, contents=None)  # what blocks contain does not matter here
        count = 0
        while (after := self.appended(pool, name)) is not None:
            pool, count = after, count + 1
        return count

    def appended(self, pool: Pool, name: Hashable) -> Pool | None:
        """The state without contents after one append, or None where that is refused."""
        key = key_of(pool), name
        if key not in self.successors:
            append = Operation("append", (name,))
            refused = self.refused_append(pool, name)
            self.successors[key] = None if refused else carry_out(pool, append)[0]
        return self.successors[key]

    def refused_append(self, pool: Pool, name: Hashable) -> bool:
        """The append is refused; of a live sequence that can only be for want of blocks."""
        reason = refusal(pool, APPEND, {"sequence": name, "token": None})
        assert reason in (None, Refusal.OUT_OF_BLOCKS), reason
        return reason is not None

    def carry_out(self, pool: Pool, operation: Operation, tokens: Tokens) -> tuple[Pool, Any]:
        """`carry_out` with the lowest blocks; appends without contents are remembered."""
        if pool.contents is not None or operation.name not in ("append", "grow"):
            return carry_out(pool, operation, None, tokens)
        after: Pool | None = pool
        for _ in range(operation.arguments[1] if operation.name == "grow" else 1):
            assert after is not None, "an accepted operation"
            after = self.appended(after, operation.arguments[0])
        assert after is not None, "an accepted operation"
        return after, result(pool, operation, after)


def key_of(pool: Pool) -> StateKey:
    """What makes two states the same: counts and free blocks follow from the tables."""
    return frozenset((name, table.blocks, table.length) for name, table in pool.tables.items())


def lowest(pool: Pool, count: int) -> Blocks:
    """The `count` lowest free blocks."""
    return tuple(sorted(pool.free)[:count]) if count else ()


def carry_out(
    pool: Pool, operation: Operation, picks: Blocks | None = None, tokens: Tokens = no_tokens
) -> tuple[Pool, Any]:
    """The state after an accepted operation that takes these blocks in this order, and its result.

    Without picks it takes the lowest free blocks. Raises UnlawfulChoice.
    """
    before = pool
    for transition, arguments in steps(pool, operation, tokens):
        count = needed(pool, transition, arguments)
        if picks is None:
            blocks = lowest(pool, count)
        else:
            blocks, picks = picks[:count], picks[count:]
            if not is_lawful(pool, transition, arguments, blocks):
                raise UnlawfulChoice(f"took {list(blocks)}, where {sorted(pool.free)} were free")
        pool = step(pool, transition, arguments, blocks)
    if picks:
        raise UnlawfulChoice(f"took {list(picks)} beyond what it needs")
    return pool, result(before, operation, pool)


def result(before: Pool, operation: Operation, after: Pool) -> Any:
    """What the operation returns."""
    name, arguments = operation
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


def picks_seen(before: Pool, operation: Operation, table: list[int]) -> Blocks:
    """The blocks that an accepted operation took, read off the sequence's table afterwards."""
    if operation.name not in ("allocate", "append", "grow"):
        return ()
    sequence = operation.arguments[0]
    old = before.tables[sequence].blocks if sequence in before.tables else ()
    return tuple(block for i, block in enumerate(table) if i >= len(old) or block != old[i])

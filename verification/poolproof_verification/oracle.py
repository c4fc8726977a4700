"""What the model says of an operation: refused and why, or accepted with which result and state.

The oracle never guesses which free blocks a manager takes: it is given them, and judges them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace
from math import inf
from typing import Any

from poolproof_model.execute import Blocks, Pool, is_lawful, needed, refusal, refusal_in, step
from poolproof_model.operations import Step, Tokens, growth_refusal, no_tokens, result, steps
from poolproof_model.state import State
from poolproof_model.system import APPEND, Refusal
from poolproof_verification.operations import Operation, Reserved, wrong_type
from poolproof_verification.visibility import Traits

StateKey = frozenset[tuple[Hashable, Blocks, int]]


class UnlawfulChoice(Exception):
    """The blocks taken are not free, not distinct or not as many as needed."""


class Oracle:
    """Says what the model says of operations; remembers what appends lead to."""

    def __init__(self, *, remembers: bool = True, traits: Traits | None = None) -> None:
        """Nothing is remembered yet. `remembers`: keep the states that appends lead to.

        `traits`: what the manager is like; without them, as the first one asked about is.
        """
        self.remembers = remembers
        self.traits = traits
        self.successors: dict[tuple[StateKey, Hashable], Pool | None] = {}
        self.pool: Pool | None = None  # the one asked about last, and what was found of it
        self.state: State
        self.rooms: dict[Hashable, tuple[int, bool]]  # so many appends, and whether no more

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
        transition, arguments = next(steps(pool, *operation))
        reason = refusal_in(self.state, transition, arguments)
        if reason is None and operation.name == "fork" and self.copies_at_fork:
            return self.copy_refused(pool, operation)
        return reason

    @property
    def copies_at_fork(self) -> bool:
        """A fork copies a partly filled last block at once."""
        return self.traits is not None and self.traits.copies_at_fork

    def copy_refused(self, pool: Pool, fork: Operation) -> Refusal | None:
        """Why the copy that goes with a fork is refused, or None."""
        if not copy_is_due(pool, fork):
            return None
        shared, _ = carry_out(pool, fork)
        return refusal(shared, APPEND, {"sequence": fork.arguments[1], "token": None})

    def growth_refused(self, pool: Pool, name: Hashable, count: int) -> Refusal | None:
        """Why `grow` is refused, if it is."""
        return growth_refusal(pool, name, count, lambda: self.room(pool, name, count))

    def room(self, pool: Pool, name: Hashable, enough: int) -> int:
        """How many appends in a row are admitted, if fewer than enough are."""
        known, ended = self.rooms.get(name, (0, False))
        if known < enough and not ended:
            known = self.appends(pool, name, enough)
            self.rooms[name] = known, known < enough
        return known

    def appends(self, pool: Pool, name: Hashable, enough: float = inf) -> int:
        """How many appends to this live sequence are accepted in a row, up to enough."""
        if pool.contents is not None:
            pool = replace(pool, contents=None)  # what blocks contain does not matter here
        count = 0
        while count < enough and (after := self.appended(pool, name)) is not None:
            pool, count = after, count + 1
        return count

    def appended(self, pool: Pool, name: Hashable) -> Pool | None:
        """The state without contents after one append, or None where that is refused."""
        key = key_of(pool), name
        if key not in self.successors:
            append = Operation("append", (name,))
            after = None if self.refused_append(pool, name) else carry_out(pool, append)[0]
            if not self.remembers:
                return after
            self.successors[key] = after
        return self.successors[key]

    def refused_append(self, pool: Pool, name: Hashable) -> bool:
        """The append is refused; of a live sequence that can only be for want of blocks."""
        reason = refusal(pool, APPEND, {"sequence": name, "token": None})
        assert reason in (None, Refusal.OUT_OF_BLOCKS), reason
        return reason is not None

    def carry_out(self, pool: Pool, operation: Operation, tokens: Tokens) -> tuple[Pool, Any]:
        """`carry_out` with the lowest blocks; appends without contents are remembered."""
        known = self.remembers and pool.contents is None
        if not known or operation.name not in ("append", "grow"):
            return carry_out(pool, operation, None, tokens, self.copies_at_fork)
        after: Pool | None = pool
        for _ in range(operation.arguments[1] if operation.name == "grow" else 1):
            assert after is not None, "an accepted operation"
            after = self.appended(after, operation.arguments[0])
        assert after is not None, "an accepted operation"
        return after, result(pool, *operation, after)


def key_of(pool: Pool) -> StateKey:
    """What makes two states the same: counts and free blocks follow from the tables."""
    return frozenset((name, table.blocks, table.length) for name, table in pool.tables.items())


def lowest(pool: Pool, count: int) -> Blocks:
    """The `count` lowest free blocks."""
    return tuple(sorted(pool.free)[:count]) if count else ()


def copy_is_due(pool: Pool, fork: Operation) -> bool:
    """The parent's last block is filled in part."""
    return pool.tables[fork.arguments[0]].length % pool.block_size != 0


def transitions(pool: Pool, operation: Operation, tokens: Tokens, copies: bool) -> Iterator[Step]:
    """The operation as transitions; a copy is made by an append, whose token is then dropped."""
    for transition, arguments in steps(pool, *operation, tokens):
        if operation.arguments or not isinstance(arguments["sequence"], Reserved):
            yield transition, arguments  # `release_all` spares the reserved blocks
    if copies:
        yield APPEND, {"sequence": operation.arguments[1], "token": None}


def carry_out(
    pool: Pool,
    operation: Operation,
    picks: Blocks | None = None,
    tokens: Tokens = no_tokens,
    copies_at_fork: bool = False,
) -> tuple[Pool, Any]:
    """The state after an accepted operation that takes these blocks in this order, and its result.

    Without picks it takes the lowest free blocks. Raises UnlawfulChoice.
    """
    before, forks = pool, copies_at_fork and operation.name == "fork"
    copies = forks and copy_is_due(pool, operation)
    for transition, arguments in transitions(pool, operation, tokens, copies):
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
    if not forks:
        return pool, result(before, *operation, pool)
    parent, child = operation.arguments
    if not copies:
        return pool, (result(before, *operation, pool), None)
    pool = without_last_token(pool, child)
    copy = before.tables[parent].blocks[-1], pool.tables[child].blocks[-1]
    return pool, (result(before, *operation, pool), copy)


def without_last_token(pool: Pool, name: Hashable) -> Pool:
    """The state in which the sequence ends one token earlier, within the same last block."""
    table = pool.tables[name]
    shorter = replace(table, length=table.length - 1, history=table.history[:-1])
    return replace(pool, tables={**pool.tables, name: shorter})


def picks_seen(before: Pool, operation: Operation, table: list[int]) -> Blocks:
    """The blocks that an accepted operation took, read off the sequence's table afterwards."""
    if operation.name not in ("allocate", "fork", "append", "grow"):
        return ()
    sequence = operation.arguments[0]
    old = before.tables[sequence].blocks if sequence in before.tables else ()
    return tuple(block for i, block in enumerate(table) if i >= len(old) or block != old[i])


def written(operation: Operation) -> Hashable:
    """The sequence whose table an operation on one sequence writes."""
    name: Hashable = operation.arguments[-1 if operation.name == "fork" else 0]
    return name

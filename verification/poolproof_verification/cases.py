"""A case of the model: one operation between two of its states, told by the model's own text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from poolproof_model.execute import Pool, refusal_in
from poolproof_model.state import State
from poolproof_model.system import APPEND
from poolproof_model.transitions import at_boundary, blocks_for, copies_on_write
from poolproof_verification.operations import live_in


@dataclass(frozen=True)
class Case:
    """An operation, with the states before and after it; the same state where it is refused."""

    before: State
    after: State
    arguments: tuple[Any, ...]
    live: int  # so many sequences before

    @property
    def sequence(self) -> Any:
        """Whose blocks the operation is about: the first argument."""
        return self.arguments[0]

    @property
    def tokens(self) -> int:
        """How many are asked for: the second argument."""
        return int(self.arguments[1])

    @cached_property
    def counts(self) -> list[int]:
        """How often each block in the sequence's table is referenced."""
        state, entries = self.before, range(self.before.table_length(self.sequence))
        return [int(state.reference_count(state.block_at(self.sequence, i))) for i in entries]

    @property
    def most(self) -> int:
        """The highest of these counts."""
        return max(self.counts, default=0)

    @property
    def last(self) -> int:
        """How often the last block is referenced, or 0 without one."""
        return (self.counts or [0])[-1]

    @cached_property
    def boundary(self) -> bool:
        """The sequence ends where a block does, or is empty."""
        return bool(at_boundary(self.before, self.sequence))

    @cached_property
    def copies(self) -> bool:
        """The next token makes a copy."""
        return bool(copies_on_write(self.before, self.sequence))

    @property
    def in_place(self) -> bool:
        """The next token needs no block."""
        return not (self.boundary or self.copies)

    @property
    def boundary_after(self) -> bool:
        """Afterwards the sequence ends where a block does, or is empty."""
        return bool(at_boundary(self.after, self.sequence))

    @property
    def taken(self) -> int:
        """So many blocks are taken."""
        return int(self.before.num_free() - self.after.num_free())

    @property
    def added(self) -> int:
        """So many entries are added to the sequence's table."""
        return int(self.after.table_length(self.sequence)) - len(self.counts)

    @property
    def full(self) -> bool:
        """No block is free."""
        return bool(self.before.num_free() == 0)

    @property
    def takes_last(self) -> bool:
        """The last free block is taken."""
        return not self.full and bool(self.after.num_free() == 0)

    @property
    def makes_room(self) -> bool:
        """No block is free before, and some are afterwards."""
        return self.full and bool(self.after.num_free() > 0)

    @property
    def lacking(self) -> int:
        """So many blocks are too few for a prompt."""
        return int(blocks_for(self.before, self.tokens) - self.before.num_free())

    @property
    def has_room(self) -> bool:
        """One token could be appended."""
        arguments = {"sequence": self.sequence, "token": None}
        return refusal_in(self.before, APPEND, arguments) is None

    @property
    def shares(self) -> bool:
        """Some block is held by several sequences."""
        return bool(self.before.how_many(lambda block: self.before.reference_count(block) > 1) > 0)

    def is_live(self, index: int) -> bool:
        """The argument at the index names a live sequence."""
        return bool(self.before.live(self.arguments[index]))


def case_of(before: Pool, arguments: tuple[Any, ...], after: Pool) -> Case:
    """An operation with these arguments between these states."""
    return Case(before.state(), after.state(), arguments, len(live_in(before)))

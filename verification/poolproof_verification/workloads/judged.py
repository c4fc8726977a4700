"""The real manager with the model beside it: each operation of a workload is judged.

Does not cover: what the blocks contain; each operation costs time in proportion to the pool.
"""

from __future__ import annotations

from typing import Any

from poolproof import BlockManager, OutOfBlocks, Usage
from poolproof_verification.adapters.lesson import LessonAdapter
from poolproof_verification.lockstep import Lockstep
from poolproof_verification.operations import Accepted, Operation, Refused, view_of
from poolproof_verification.oracle import Oracle
from poolproof_verification.targets import ClassTarget

Breaches = tuple[tuple[str, str], ...]  # each law with how it is broken


class Disagreement(Exception):
    """An operation that broke laws."""

    def __init__(self, number: int, operation: Operation, broken: Breaches, states: str) -> None:
        """`number`: of the operation; `broken`: the laws, worst first; `states`: around it."""
        self.number, self.operation, self.broken = number, operation, broken
        laws = "\n".join(f"  {law}: {words}" for law, words in broken)
        super().__init__(f"operation {number:,}, {operation}:\n{laws}\n{states}")


class JudgedManager:
    """A manager that a workload can use like any other."""

    def __init__(self, blocks: int, block_size: int, target: ClassTarget) -> None:
        """An empty pool of `blocks` blocks."""
        oracle = Oracle(remembers=False)  # a workload does not come back to a state
        self.lockstep = Lockstep(
            target, blocks, block_size, contents=False, invariants=False, oracle=oracle
        )
        adapter = self.lockstep.adapter
        assert isinstance(adapter, LessonAdapter)
        self.manager: BlockManager = adapter.manager
        self.block_size = block_size
        self.operations = 0

    @property
    def num_free(self) -> int:
        """Free blocks."""
        return self.manager.num_free

    def do(self, name: str, *arguments: Any) -> Any:
        """Carry out and judge one operation; OutOfBlocks, Disagreement."""
        self.operations += 1
        operation = Operation(name, arguments)
        before = self.lockstep.pool
        exchange = self.lockstep.do(operation)
        if exchange.finding is not None:
            broken = tuple((each.law, each.words) for each in exchange.finding.breaches)
            states = f"before {view_of(before)}\nmanager {exchange.shown}"
            raise Disagreement(self.operations, operation, broken, states)
        response = exchange.response
        if isinstance(response, Refused) and isinstance(response.error, OutOfBlocks):
            raise response.error
        assert isinstance(response, Accepted), response
        return response.value

    def allocate(self, name: int, n_tokens: int, /) -> list[int]:
        """A new sequence."""
        blocks: list[int] = self.do("allocate", name, n_tokens)
        return blocks

    def fork(self, parent: int, child: int, /) -> list[int]:
        """A new sequence that shares every block."""
        blocks: list[int] = self.do("fork", parent, child)
        return blocks

    def append(self, name: int, /) -> bool:
        """One more token."""
        copied: bool = self.do("append", name)
        return copied

    def release(self, name: int, /) -> list[int]:
        """The sequence ends."""
        freed: list[int] = self.do("release", name)
        return freed

    def length(self, name: int, /) -> int:
        """The sequence's tokens."""
        return self.manager.length(name)

    def last_block(self, name: int, /) -> int:
        """The last block of the sequence's table."""
        return self.manager.last_block(name)

    def usage(self) -> Usage:
        """Waste and sharing of all sequences together."""
        return self.manager.usage()

    def usage_of(self, name: int, /) -> Usage:
        """Waste of one sequence, as if it were alone."""
        return self.manager.usage_of(name)

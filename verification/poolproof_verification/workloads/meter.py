"""What a manager holds, and how much of it is slack, at every moment: O(1) an append.

The totals follow from what the manager returns and reports; at any moment `used` and `slack` are
what its own `usage()`, which looks at every table entry, says.
"""

from __future__ import annotations

from typing import Protocol

from poolproof import Usage
from poolproof_verification.verdict import CouldNotRun
from poolproof_verification.workloads.recorder import Recorder


class Manager(Protocol):
    """What a workload needs of a block manager; `poolproof.BlockManager` says what each does."""

    @property
    def block_size(self) -> int:
        """Slots in a block."""

    @property
    def num_free(self) -> int:
        """Free blocks."""

    def allocate(self, name: int, n_tokens: int, /) -> list[int]:
        """A new sequence; returns its block table. OutOfBlocks."""

    def fork(self, parent: int, child: int, /) -> list[int]:
        """A new sequence that shares every block; returns its block table."""

    def append(self, name: int, /) -> bool:
        """One more token; returns whether a copy took the last block's place. OutOfBlocks."""

    def release(self, name: int, /) -> list[int]:
        """The sequence ends; returns the freed blocks."""

    def length(self, name: int, /) -> int:
        """The sequence's tokens."""

    def last_block(self, name: int, /) -> int:
        """The last block of the sequence's table."""

    def usage(self) -> Usage:
        """Waste and sharing of all sequences together; looks at every table entry."""

    def usage_of(self, name: int, /) -> Usage:
        """Waste of one sequence, as if it were alone."""


class Meter:
    """Drives a manager without live sequences, and counts."""

    __slots__ = (
        "_append",
        "block_size",
        "clock",
        "copies",
        "free",
        "manager",
        "peak",
        "recorder",
        "slack",
        "slack_ms",
        "taken",
        "used",
        "used_ms",
    )

    def __init__(self, manager: Manager, recorder: Recorder | None = None) -> None:
        """Nothing is in use yet, and the clock stands at 0. `recorder`: keeps what charts show."""
        self.manager = manager
        self.recorder = recorder
        self._append = manager.append
        self.block_size = manager.block_size
        self.free = manager.num_free
        self.used = 0  # blocks
        self.slack = 0  # slots in use that contain no token
        self.peak = 0  # blocks
        self.taken = 0  # blocks
        self.copies = 0
        self.clock = 0  # milliseconds
        self.used_ms = 0  # block-milliseconds
        self.slack_ms = 0  # slot-milliseconds

    def wait(self, time: int) -> None:
        """What is in use stays as it is until this time, in milliseconds."""
        elapsed = time - self.clock
        if elapsed:
            if self.recorder is not None:
                self.recorder.stays(self.clock, time, self.used, self.slack)
            self.used_ms += self.used * elapsed
            self.slack_ms += self.slack * elapsed
            self.clock = time

    def allocate(self, name: int, tokens: int) -> None:
        """A new sequence. OutOfBlocks."""
        blocks = self.manager.allocate(name, tokens)
        self.slack -= self.manager.length(name)
        self._count(len(blocks))

    def fork(self, parent: int, child: int) -> None:
        """A sequence that shares its parent's blocks; it takes none."""
        self.manager.fork(parent, child)

    def append(self, name: int) -> None:
        """One more token. OutOfBlocks."""
        copied = self._append(name)
        self.slack -= 1
        taken = self.free - self.manager.num_free
        if taken:
            self._count(taken)
        if copied:
            self.copies += 1
            # The tokens copied along fill slots of the new block, and stay in the previous one.
            self.slack -= (self.manager.length(name) - 1) % self.block_size

    def release(self, name: int) -> None:
        """The sequence ends."""
        manager = self.manager
        unfilled = -manager.length(name) % self.block_size
        last = manager.last_block(name) if unfilled else None
        freed = manager.release(name)
        if last in freed:  # of the blocks that are gone only the last one can have had slack
            self.slack -= unfilled
        self.free += len(freed)
        self.used -= len(freed)

    def check(self) -> None:
        """The totals are what the manager's own `usage()` says; CouldNotRun otherwise."""
        usage = self.manager.usage()
        theirs, ours = (usage.physical_blocks, usage.slack_slots), (self.used, self.slack)
        if theirs != ours:
            raise CouldNotRun(
                f"the manager's usage() says {theirs} blocks in use and slots of slack, "
                f"but what it returned adds up to {ours}: its figures cannot be trusted"
            )

    def _count(self, blocks: int) -> None:
        """So many blocks were taken, without a token in them."""
        self.free -= blocks
        self.used += blocks
        self.taken += blocks
        self.slack += blocks * self.block_size
        if self.used > self.peak:
            self.peak = self.used

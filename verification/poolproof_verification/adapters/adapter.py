"""What the harness asks of a system under test; everything engine-specific stays behind this.

An adapter translates each call into one of three outcomes, accepted, refused or failed, and shows
the state: block tables always; reference counts, or none; the free blocks, or only their number.
What it does not show is not judged, and the ledger says so. `adapters.example` is a complete one.

An operation means what it means in the lesson: `allocate(name, tokens)`, `fork(parent, child)`,
`append(name)`, `grow(name, tokens)`, `release(name)`, `release_all()`. An adapter leaves out of
`operations` what its manager cannot do, and makes several calls of one operation where that is how
the manager is used. Names are strings; the adapter maps them to the manager's own keys.

Where several reasons to refuse apply, the first that `Refusal` names counts; `agrees` may call more
than one response right. `can_...` is False where the call would be refused, whyever; any other
question about a sequence that is not live is refused.

A call may raise, hang or answer junk: that is reported, with the operation, as a fault. `make` is
limited in time like a call, so a target imports its engine in `__init__`.

An adapter may also have `own_calls`, a list of what it called so far, each call as a line in the
manager's own words (`adapters.engine.OwnCalls` keeps one): counterexamples tell them as well.
And `methods`, a dict of operations and the manager's functions that carry them out, such as
`{"fork": Pool.clone}`: reports point at these lines, else at the adapter's.
"""

from __future__ import annotations

from typing import Any, Protocol

from poolproof_model.system import Refusal
from poolproof_verification.operations import Operation, Response, View


class UnreadableView(Exception):
    """The manager does not show its state, or shows something that is none."""


class Adapter(Protocol):
    """One manager with its pool, ready to be asked."""

    operations: frozenset[str]
    """The operations it has, of `OPERATIONS`."""
    questions: frozenset[str]
    """The questions it answers: can_allocate, table, violations, ..."""
    any_free_block: bool
    """It may take any free block; otherwise it promises the lowest."""
    copies_at_fork: bool
    """`fork` copies a partly filled last block at once (eager copy-on-write) and takes a block for
    that; otherwise the child shares it, and the `append` that writes into it copies it (lazy)."""
    reserved: frozenset[int]
    """Blocks that are never free and in no table: a null block, say. They count beside the pool:
    a manager of `total` blocks has numbers below `total + len(reserved)`."""
    undefined: frozenset[Refusal]
    """Where the manager promises nothing: an operation that would have to be refused for one of
    these reasons is never tried. Most managers trust their callers with `WRONG_TYPE`, at least."""

    def call(self, operation: Operation) -> Response:
        """Carry the operation out."""

    def agrees(self, expected: Refusal, response: Response) -> bool:
        """The response is the refusal that this reason calls for."""

    def ask(self, question: str, *arguments: Any) -> Response:
        """Ask a question that should change nothing; only `questions` are asked."""

    def view(self) -> View:
        """A copy of the state as the manager shows it; UnreadableView."""


class Target(Protocol):
    """A kind of manager, of which any number can be made."""

    @property
    def name(self) -> str:
        """As the user calls it."""

    def make(self, total: int, block_size: int) -> Adapter:
        """A manager with an empty pool of `total` blocks that can be taken.

        CouldNotRun where there is none of this size, which is then left out.
        """

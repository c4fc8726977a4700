"""What the harness asks of a system under test; everything engine-specific stays behind this."""

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

    refuses_wrong_types: bool
    """It promises to refuse numbers that are no integers, and names that are not hashable."""

    def call(self, operation: Operation) -> Response:
        """Carry the operation out; never raises an Exception."""

    def agrees(self, expected: Refusal, response: Response) -> bool:
        """The response is the refusal that this reason calls for."""

    def ask(self, question: str, *arguments: Any) -> Response:
        """Ask a question that should change nothing; never raises an Exception."""

    def view(self) -> View:
        """A copy of the state as the manager shows it; UnreadableView."""


class Target(Protocol):
    """A kind of manager, of which any number can be made."""

    @property
    def name(self) -> str:
        """As the user calls it."""

    def make(self, total: int, block_size: int) -> Adapter:
        """A manager with an empty pool."""

"""A complete adapter, for a small manager of the kind that engines have.

The manager keeps requests by number, refuses by returning None, takes whichever free block was
given back last, has block 0 reserved, shows no counts, and says only how many blocks are free.
The contract is `adapters.adapter`, and `operations.Accepted` says what each operation returns. From
the shell: `poolproof fuzz --target poolproof_verification.adapters.example:Example`.
"""

from __future__ import annotations

from typing import Any

from poolproof_model.system import Refusal
from poolproof_verification.operations import (
    HIDDEN,
    Accepted,
    Operation,
    Refused,
    Response,
    View,
)


class LastInFirstOut:
    """The manager: an engine's own, which knows nothing of the harness."""

    def __init__(self, num_blocks: int, block_size: int) -> None:
        """Block 0 is nobody's."""
        self.block_size = block_size
        self.stack = list(range(1, num_blocks))
        self.tables: dict[int, list[int]] = {}

    def hold(self, request: int, tokens: int) -> list[int] | None:
        """Make the request's table long enough for so many tokens; None if blocks are short."""
        table = self.tables.get(request, [])
        more = -(-tokens // self.block_size) - len(table)
        if more > len(self.stack):
            return None
        self.tables[request] = table + [self.stack.pop() for _ in range(more)]
        return self.tables[request]

    def drop(self, request: int) -> None:
        """Give the request's blocks back."""
        self.stack.extend(self.tables.pop(request, ()))


class ExampleAdapter:
    """The adapter: what the manager can do, and what is asked of it in the lesson's terms."""

    operations = frozenset({"allocate", "append", "grow", "release"})
    questions = frozenset({"num_free"})
    any_free_block = True
    copies_at_fork = False  # it has no fork
    reserved = frozenset({0})
    undefined = frozenset(Refusal) - {Refusal.OUT_OF_BLOCKS}  # it trusts its caller

    def __init__(self, manager: LastInFirstOut) -> None:
        """A fresh manager. Who uses it counts the tokens and numbers the requests, so we do."""
        self.manager = manager
        self.lengths: dict[str, int] = {}
        self.requests: dict[str, int] = {}

    def call(self, operation: Operation) -> Response:
        """Carry the operation out."""
        name, *numbers = operation.arguments
        if operation.name == "release":
            self.manager.drop(self.requests[name])
            del self.lengths[name]
            return Accepted(HIDDEN)  # it does not tell which blocks were freed
        request = self.requests.setdefault(name, len(self.requests))
        length = self.lengths.get(name, 0) + (numbers[0] if numbers else 1)
        table = self.manager.hold(request, length)
        if table is None:
            return Refused(Refusal.OUT_OF_BLOCKS)
        self.lengths[name] = length
        return Accepted(list(table) if operation.name == "allocate" else HIDDEN)

    def agrees(self, expected: Refusal, response: Response) -> bool:
        """None means that blocks are short, and nothing else."""
        return isinstance(response, Refused) and response.reason is expected

    def ask(self, question: str, *arguments: Any) -> Response:
        """The one question that it answers."""
        return Accepted(len(self.manager.stack))

    def view(self) -> View:
        """The tables, and how many blocks are free."""
        tables = self.manager.tables
        seqs = {
            name: {"blocks": list(tables[self.requests[name]]), "len": length}
            for name, length in self.lengths.items()
        }
        return View(free=len(self.manager.stack), ref=None, seqs=seqs)


class Example:
    """The target: makes managers, each with as many blocks beside the reserved one as asked for."""

    name = "example"

    def make(self, total: int, block_size: int) -> ExampleAdapter:
        """A manager with an empty pool."""
        return ExampleAdapter(LastInFirstOut(total + 1, block_size))

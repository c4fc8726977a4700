"""The model itself as a manager with any traits: it breaks no law, and allows what they allow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from poolproof_model.system import Refusal
from poolproof_verification.operations import Accepted, Operation, Refused, Response, View
from poolproof_verification.oracle import Oracle, carry_out
from poolproof_verification.visibility import Traits, shown_of, start_of


class ModelAdapter:
    """The model's state, and what an operation makes of it."""

    questions: frozenset[str] = frozenset()
    any_free_block = False

    def __init__(self, total: int, block_size: int, traits: Traits) -> None:
        self.traits, self.oracle = traits, Oracle(traits=traits)
        self.operations, self.undefined = traits.operations, traits.undefined
        self.copies_at_fork, self.reserved = traits.copies_at_fork, traits.reserved
        self.pool = start_of(total, block_size, traits, contents=False)

    def call(self, operation: Operation) -> Response:
        reason = self.oracle.refused(self.pool, operation)
        assert reason not in self.traits.undefined, f"{operation} is left undefined"
        if reason is not None:
            return Refused(reason)
        copies = self.traits.copies_at_fork
        self.pool, value = carry_out(self.pool, operation, copies_at_fork=copies)
        return Accepted(value)

    def agrees(self, expected: Refusal, response: Response) -> bool:
        return isinstance(response, Refused) and response.reason is expected

    def ask(self, question: str, *arguments: Any) -> Response:
        raise AssertionError("no question is answered")

    def view(self) -> View:
        return shown_of(self.pool, self.traits)


@dataclass(frozen=True)
class ModelTarget:
    """Makes such managers, of some block sizes."""

    says: Traits
    block_sizes: range = range(1, 100)
    name = "model"

    def make(self, total: int, block_size: int) -> ModelAdapter:
        if block_size not in self.block_sizes:
            raise ValueError(f"no blocks of {block_size}")
        return ModelAdapter(total, block_size, self.says)

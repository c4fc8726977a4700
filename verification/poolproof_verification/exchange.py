"""One operation with all that was seen of it, and what it broke."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from poolproof_model.execute import Pool
from poolproof_model.system import Refusal
from poolproof_verification.audit import Breach
from poolproof_verification.operations import Operation, Response, View


@dataclass(frozen=True)
class Finding:
    """An operation that broke a law."""

    operation: Operation
    expected: Refusal | None  # None: it was to be accepted
    breaches: tuple[Breach, ...]  # worst first

    @property
    def kind(self) -> tuple[str, str, str]:
        """Findings of one kind count as one fault: operation or question, expectation, law."""
        if self.worst.question:
            return self.worst.question, "", self.worst.law
        return self.operation.name, self.expected.name if self.expected else "", self.worst.law

    @property
    def worst(self) -> Breach:
        """The headline."""
        return self.breaches[0]


@dataclass(frozen=True)
class Exchange:
    """One operation with everything that was seen of it."""

    operation: Operation
    expected: Refusal | Any  # the reason of a refusal, or the result
    response: Response
    shown: View | str
    before: Pool
    after: Pool
    finding: Finding | None
    model: View  # as much of `after` as the manager shows

    @property
    def reason(self) -> Refusal | None:
        """Why it was to be refused, if it was."""
        return self.expected if isinstance(self.expected, Refusal) else None

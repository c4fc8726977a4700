"""Distinct faults, each by the shortest operations seen for it."""

from __future__ import annotations

from dataclasses import dataclass

from poolproof_verification.audit import SEVERITY
from poolproof_verification.exchange import Finding
from poolproof_verification.operations import Operation

Fault = tuple[str, str]  # the operation, and what it should have refused or which law it broke


@dataclass(frozen=True)
class Trace:
    """Operations on a fresh manager, the last of which breaks a law."""

    total: int
    block_size: int
    operations: tuple[Operation, ...]
    finding: Finding

    @property
    def fault(self) -> Fault:
        """What counts as the same fault."""
        operation, expected, law = self.finding.kind
        return operation, expected or law

    @property
    def rank(self) -> tuple[int, int, int]:
        """More harm first, then fewer operations, then fewer absurd arguments."""
        arguments = (x for operation in self.operations for x in operation.arguments)
        absurd = sum(type(x) is int and x < 0 for x in arguments)
        return SEVERITY.index(self.finding.worst.law), len(self.operations), absurd


class Faults:
    """The best trace seen so far for each fault."""

    def __init__(self) -> None:
        """None yet."""
        self.best: dict[Fault, Trace] = {}

    def add(self, trace: Trace) -> None:
        """Keep the trace if it tells more than what is known of its fault."""
        known = self.best.get(trace.fault)
        if known is None or trace.rank < known.rank:
            self.best[trace.fault] = trace

    def traces(self) -> list[Trace]:
        """One trace a fault, the most harmful first."""
        return sorted(self.best.values(), key=lambda trace: trace.rank)

    def __len__(self) -> int:
        """How many distinct faults there are."""
        return len(self.best)

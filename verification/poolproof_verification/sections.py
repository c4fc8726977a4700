"""One part of a report: lines to read, data for a program, and what they amount to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from poolproof_verification.verdict import Outcome

Stage = tuple[str, Callable[[], "Section"]]  # what to tell before it, and what makes it


@dataclass(frozen=True)
class Section:
    """What one request found."""

    title: str
    lines: tuple[str, ...]
    data: Any
    faults: tuple[str, ...] = ()  # why it is not held
    outcome_of_faults: Outcome = Outcome.UNKNOWN

    @property
    def outcome(self) -> Outcome:
        """Held where nothing is wrong."""
        return self.outcome_of_faults if self.faults else Outcome.HELD

    def text(self) -> Iterator[str]:
        """The title with the outcome, the lines, and what is wrong."""
        yield f"{self.title}: {self.outcome.value}"
        yield from (f"  {line}" for line in self.lines)
        yield from (f"  NOT HELD: {fault}" for fault in self.faults)

    def as_json(self) -> dict[str, Any]:
        """Plain data for the report."""
        return {
            "outcome": self.outcome.value,
            "faults": list(self.faults),
            "found": self.data,
        }

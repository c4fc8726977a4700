"""An adapter behind the lesson's interface, so that a counterexample runs as a test of any manager.

What the manager does not tell or show equals whatever a test compares it with.
"""

from __future__ import annotations

from typing import Any

from poolproof_model.system import Refusal
from poolproof_verification.adapters.adapter import Adapter
from poolproof_verification.adapters.lesson import ERRORS
from poolproof_verification.operations import HIDDEN, Accepted, Failed, Operation, Response


class Anything:
    """Equal to everything."""

    __hash__ = None  # type: ignore[assignment]  # it has no place in a dict

    def __eq__(self, other: object) -> bool:
        return True


class Many:
    """So many free blocks, equal to every list of that length."""

    __hash__ = None  # type: ignore[assignment]  # it has no place in a dict

    def __init__(self, number: int) -> None:
        """`number`: how many there are."""
        self.number = number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, list) and len(other) == self.number

    def __repr__(self) -> str:
        return f"<{self.number} free blocks>"


class Face:
    """A manager with the lesson's interface; what its adapter lacks raises when it is called."""

    def __init__(self, adapter: Adapter) -> None:
        """`adapter`: of a fresh manager."""
        self.adapter = adapter

    def __getattr__(self, name: str) -> Any:
        """An operation or a question."""
        if name == "num_free":
            return self.value_of(self.adapter.ask(name))
        if name in self.adapter.questions:
            return lambda *arguments: self.value_of(self.adapter.ask(name, *arguments))
        return lambda *arguments: self.value_of(self.adapter.call(Operation(name, arguments)))

    def value_of(self, response: Response) -> Any:
        """The value, or the error that stands for the refusal in the lesson."""
        if isinstance(response, Accepted):
            return shown(response.value)
        if isinstance(response, Failed):
            raise RuntimeError(response.words)
        reasons = [reason for reason in Refusal if self.adapter.agrees(reason, response)]
        errors = dict.fromkeys(ERRORS[reason] for reason in reasons) or {LookupError: None}
        raise type("Refused", tuple(errors), {})(str(response))

    @property
    def free(self) -> Any:
        """The free blocks, or how many there are."""
        free = self.adapter.view().free
        return Many(free) if isinstance(free, int) else free

    @property
    def ref(self) -> Any:
        """The reference counts, if there are any."""
        counts = self.adapter.view().ref
        return Anything() if counts is None else counts

    @property
    def seqs(self) -> Any:
        """The block tables and lengths."""
        return self.adapter.view().seqs


def shown(value: Any) -> Any:
    """The value, with something that equals everything in the place of what is not told."""
    if value is HIDDEN:
        return Anything()
    return tuple(map(shown, value)) if type(value) is tuple else value

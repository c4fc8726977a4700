"""Any class with the lesson's interface: allocate, fork, append, release, and free, ref, seqs."""

from __future__ import annotations

import sys
from typing import Any

from poolproof_model.system import Refusal
from poolproof_verification.adapters.adapter import UnreadableView
from poolproof_verification.operations import (
    OPERATIONS,
    Accepted,
    Failed,
    Operation,
    Refused,
    Response,
    View,
)

NEEDED = ("allocate", "fork", "append", "release", "free", "ref", "seqs")
QUESTIONS = (
    "can_allocate", "can_append", "can_grow", "table", "length", "last_block", "slot", "used",
    "num_free", "violations", "check_invariants",
)  # fmt: skip
ERRORS: dict[Refusal, type[Exception]] = {  # the more special error first
    Refusal.EXISTS: ValueError,
    Refusal.NEGATIVE: ValueError,
    Refusal.WRONG_TYPE: TypeError,
    Refusal.UNKNOWN: KeyError,
    Refusal.OUT_OF_BLOCKS: MemoryError,
}
# A target with errors of its own is held to them, and to a TypeError for a wrong type.
OWN_ERRORS = {Refusal.EXISTS: "SequenceExists", Refusal.OUT_OF_BLOCKS: "OutOfBlocks"}


def refusals(manager_class: type) -> dict[Refusal, type[Exception]]:
    """Which error the target refuses with, for each reason."""
    package = sys.modules.get(manager_class.__module__.partition(".")[0])
    own = {reason: getattr(package, name, None) for reason, name in OWN_ERRORS.items()}
    return ERRORS | {reason: error for reason, error in own.items() if error is not None}


class LessonAdapter:
    """A manager with the lesson's interface, called as it is."""

    any_free_block = False

    def __init__(self, manager: Any, errors: dict[Refusal, type[Exception]]) -> None:
        """`manager`: fresh; `errors`: what it refuses with."""
        self.manager = manager
        self.errors = errors
        self.refuses_wrong_types = errors[Refusal.EXISTS] is not ValueError
        self.operations = frozenset(name for name in OPERATIONS if hasattr(manager, name))
        self.questions = frozenset(name for name in QUESTIONS if hasattr(manager, name))

    def call(self, operation: Operation) -> Response:
        """Carry the operation out."""
        try:
            return Accepted(getattr(self.manager, operation.name)(*operation.arguments))
        except Exception as error:
            return self.outcome_of(error)

    def outcome_of(self, error: Exception) -> Response:
        """An error as a refusal, if it is one that a manager refuses with."""
        for reason, refuses_with in self.errors.items():
            if isinstance(error, refuses_with):
                return Refused(reason, error)
        return Failed(f"{type(error).__name__}: {error}")

    def agrees(self, expected: Refusal, response: Response) -> bool:
        """The response is the refusal that this reason calls for."""
        return isinstance(response, Refused) and (
            response.reason is expected
            or (
                response.reason is not None
                and self.errors[response.reason] is self.errors[expected]
            )
        )

    def ask(self, question: str, *arguments: Any) -> Response:
        """Ask; a property is read, a method is called."""
        try:
            value = getattr(self.manager, question)
            return Accepted(value(*arguments) if callable(value) else value)
        except IndexError as error:
            return Refused(None, error)
        except Exception as error:
            return self.outcome_of(error)

    def view(self) -> View:
        """A copy of the free blocks, the counts and the tables, in the lesson's shapes."""
        manager = self.manager
        try:
            return View(
                list(manager.free),
                dict(manager.ref),
                {
                    name: {"blocks": list(table["blocks"]), "len": table["len"]}
                    for name, table in manager.seqs.items()
                },
            )
        except Exception as error:
            raise UnreadableView(f"{type(error).__name__}: {error}") from error

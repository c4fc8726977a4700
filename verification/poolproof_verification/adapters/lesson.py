"""Any class with the lesson's interface: allocate, fork, append, release, and free, ref, seqs.

Does not cover: a manager's other operations and questions, and the words of its errors.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from poolproof.errors import integer
from poolproof_model.system import Refusal
from poolproof_verification.adapters.adapter import UnreadableView
from poolproof_verification.operations import (
    OPERATIONS,
    QUESTIONS,
    Accepted,
    Failed,
    FullView,
    Operation,
    Refused,
    Response,
)
from poolproof_verification.places import raised_at
from poolproof_verification.words import error_told

NEEDED = ("allocate", "fork", "append", "release", "free", "ref", "seqs")
WITHOUT_ARGUMENTS = ("used", "num_free")  # these may be properties
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
    return ERRORS | {
        reason: error
        for reason, error in own.items()
        if isinstance(error, type) and issubclass(error, Exception)
    }


def has(manager: Any, name: str) -> bool:
    """There is such an attribute, even if reading it fails."""
    try:
        return hasattr(manager, name)
    except Exception:
        return True


def answers(manager: Any, question: str) -> bool:
    """There is such a question; what takes arguments must be a method."""
    return has(manager, question) and (
        question in WITHOUT_ARGUMENTS or callable(getattr(manager, question, None))
    )


def integers(values: Iterable[Any]) -> list[int]:
    """The values as plain integers; TypeError where one is none."""
    found = list(values)
    if {int}.issuperset(map(type, found)):
        return found
    return [int(integer(value, "a block, a count or a length")) for value in found]


def table_of(table: Any) -> dict[str, Any]:
    """One sequence's blocks and length."""
    length = table["len"]
    if type(length) is not int:
        (length,) = integers([length])
    return {"blocks": integers(table["blocks"]), "len": length}


@dataclass(frozen=True)
class Interface:
    """What a class with the lesson's interface offers, and what it refuses with."""

    errors: dict[Refusal, type[Exception]]
    operations: frozenset[str]
    questions: frozenset[str]

    @property
    def refuses_wrong_types(self) -> bool:
        """It has errors of its own, so it is held to refusing wrong types, too."""
        return self.errors[Refusal.EXISTS] is not ERRORS[Refusal.EXISTS]

    @property
    def undefined(self) -> frozenset[Refusal]:
        """What it may do as it likes with."""
        return frozenset(() if self.refuses_wrong_types else (Refusal.WRONG_TYPE,))


def interface_of(manager: Any) -> Interface:
    """What this manager offers."""
    return Interface(
        errors=refusals(type(manager)),
        operations=frozenset(name for name in OPERATIONS if has(manager, name)),
        questions=frozenset(name for name in QUESTIONS if answers(manager, name)),
    )


class LessonAdapter:
    """A manager with the lesson's interface, called as it is."""

    any_free_block = False
    copies_at_fork = False
    reserved: frozenset[int] = frozenset()

    def __init__(self, manager: Any, interface: Interface) -> None:
        """`manager`: fresh; `interface`: what its class offers."""
        self.manager = manager
        self.errors = interface.errors
        self.undefined = interface.undefined
        self.operations = interface.operations
        self.questions = interface.questions

    def call(self, operation: Operation) -> Response:
        """Carry the operation out."""
        try:
            return Accepted(getattr(self.manager, operation.name)(*operation.arguments))
        except (Exception, SystemExit) as error:
            return self.outcome_of(error)

    def refuses_with(self, error: object) -> type[Exception] | None:
        """The most special of the errors that a manager refuses with, if this is one."""
        return next((each for each in self.errors.values() if isinstance(error, each)), None)

    def outcome_of(self, error: BaseException) -> Response:
        """An error as a refusal, if it is one that a manager refuses with."""
        refuses_with = self.refuses_with(error)
        if refuses_with is None:
            return Failed(error_told(error), raised_at(error))
        reasons = [reason for reason, each in self.errors.items() if each is refuses_with]
        return Refused(reasons[0] if len(reasons) == 1 else None, error)

    def agrees(self, expected: Refusal, response: Response) -> bool:
        """The response is a refusal with the error that this reason calls for."""
        return (
            isinstance(response, Refused)
            and self.refuses_with(response.error) is self.errors[expected]
        )

    def ask(self, question: str, *arguments: Any) -> Response:
        """Ask; a property is read, a method is called."""
        try:
            value = getattr(self.manager, question)
            return Accepted(value(*arguments) if callable(value) else value)
        except IndexError as error:
            return Refused(None, error)
        except (Exception, SystemExit) as error:
            return self.outcome_of(error)

    def view(self) -> FullView:
        """A copy of the free blocks, the counts and the tables, in the lesson's shapes."""
        manager = self.manager
        try:
            tables = {name: table_of(table) for name, table in manager.seqs.items()}
            counts = dict(manager.ref)
            if not {int}.issuperset(map(type, (*counts, *counts.values()))):
                counts = dict(zip(integers(counts), integers(counts.values()), strict=True))
            return FullView(integers(manager.free), counts, tables)
        except Exception as error:
            raise UnreadableView(error_told(error)) from error

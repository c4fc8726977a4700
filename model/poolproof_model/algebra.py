"""The few operators that mean the same on Python values and on symbolic ones.

Python's own `+ - * // % == < <= & |` already do. What Python does not give (a choice, a negation,
a set that counts its members) a symbolic value brings along as methods, so the model knows no
solver and has no switch between running and proving.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

# Each of these is a Python value when the model runs and a symbolic one when it is proved.
Truth = Any
Count = Any
Block = Any
Index = Any  # of an entry in a block table
Position = Any  # of a token in a sequence
Offset = Any  # of a slot in a block
Sequence = Any  # a sequence's name
Token = Any


class Symbolic(Protocol):
    """What a symbolic truth value brings along."""

    def choose(self, then: Any, otherwise: Any) -> Any:
        """`then` where this holds, else `otherwise`."""

    def negated(self) -> Any:
        """This does not hold."""


class Row(Protocol):
    """The set of sequences that hold one block; it changes one member at a time."""

    def contains(self, sequence: Sequence) -> Truth:
        """The sequence is a member."""

    def with_member(self, sequence: Sequence, member: Truth) -> Row:
        """The same set, but for this sequence, which is a member exactly if `member` holds."""

    def emptied(self) -> Row:
        """The set without members."""

    def size(self) -> Count:
        """How many sequences are members."""


def choose(condition: Truth, then: Any, otherwise: Any) -> Any:
    """`then` where the condition holds, else `otherwise`."""
    if isinstance(condition, bool):
        return then if condition else otherwise
    return condition.choose(then, otherwise)


def absent(condition: Truth) -> Truth:
    """The condition does not hold."""
    return (not condition) if isinstance(condition, bool) else condition.negated()


def implies(premise: Truth, conclusion: Truth) -> Truth:
    """The conclusion holds wherever the premise does."""
    return absent(premise) | conclusion


def one_if(condition: Truth) -> Count:
    """1 where the condition holds, else 0."""
    return choose(condition, 1, 0)


def within(value: Any, end: Any) -> Truth:
    """The value is one of 0, 1, ..., end - 1."""
    return (value >= 0) & (value < end)


def at(function: Callable[[Any], Any], point: Any, value: Any) -> Callable[[Any], Any]:
    """The function that has `value` at `point` and agrees with `function` elsewhere."""
    return lambda x: choose(x == point, value, function(x))


def row_at(
    function: Callable[[Any, Any], Any], point: Any, row: Callable[[Any], Any]
) -> Callable[[Any, Any], Any]:
    """The function of two arguments that is `row` where the first is `point`."""
    return lambda x, y: choose(x == point, row(y), function(x, y))

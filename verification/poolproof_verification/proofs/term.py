"""A solver term with Python's operators, which refuses to be used as a truth value.

The model's text then runs on terms as it runs on integers. `bool(term)` raises, so that no `if`,
`and`, `in` or chained comparison on a symbolic value slips through (the solver's own `==` would
answer False there, in silence).

Products and quotients of a symbolic block size are beyond what solvers decide. They become the
uninterpreted functions DIV, MOD and MUL, and sizes of sets the function COUNT; what the proofs need
to know of them are lemmas.
"""

from __future__ import annotations

from typing import Any

import z3

INTEGER, TRUTH = z3.IntSort(), z3.BoolSort()
SET = z3.ArraySort(INTEGER, TRUTH)

BLOCK_SIZE = z3.Int("block_size")
TOTAL = z3.Int("total")
NAMES = z3.Int("names")  # a run's sequences are 0 .. names - 1: finitely many, however many

DIV = z3.Function("quotient", INTEGER, INTEGER)  # x // block_size
MOD = z3.Function("remainder", INTEGER, INTEGER)  # x % block_size
MUL = z3.Function("slots", INTEGER, INTEGER)  # x * block_size
COUNT = z3.Function("count", SET, INTEGER, INTEGER)  # members of the set among 0 .. n - 1


class Term:
    """A symbolic integer or truth value. Comparable, therefore not hashable."""

    def __init__(self, term: Any) -> None:
        """`term`: the solver's expression."""
        self.term = term

    def __repr__(self) -> str:
        """The solver's notation."""
        return str(self.term)

    def __bool__(self) -> bool:
        """Refuse: a symbolic condition is neither true nor false."""
        raise TypeError(f"a symbolic value has no truth value: {str(self.term)[:80]}")

    def choose(self, then: Any, otherwise: Any) -> Any:
        """`then` where this holds, else `otherwise`."""
        return wrapped(z3.If(self.term, bare(then), bare(otherwise)))

    def negated(self) -> Term:
        """This does not hold."""
        return Term(z3.Not(self.term))

    def __and__(self, other: Any) -> Term:
        return Term(z3.And(self.term, bare(other)))

    def __or__(self, other: Any) -> Term:
        return Term(z3.Or(self.term, bare(other)))

    __rand__, __ror__ = __and__, __or__

    def __eq__(self, other: Any) -> Any:
        return Term(self.term == bare(other))

    def __ne__(self, other: Any) -> Any:
        return Term(self.term != bare(other))

    def __lt__(self, other: Any) -> Term:
        return Term(self.term < bare(other))

    def __le__(self, other: Any) -> Term:
        return Term(self.term <= bare(other))

    def __gt__(self, other: Any) -> Term:
        return Term(self.term > bare(other))

    def __ge__(self, other: Any) -> Term:
        return Term(self.term >= bare(other))

    def __add__(self, other: Any) -> Term:
        return Term(self.term + bare(other))

    def __sub__(self, other: Any) -> Term:
        return Term(self.term - bare(other))

    def __rsub__(self, other: Any) -> Term:
        return Term(bare(other) - self.term)

    def __neg__(self) -> Term:
        return Term(-self.term)

    __radd__ = __add__


class BlockSize(Term):
    """The block size. Python asks a subclass's reflected operators first, so `x // size` is DIV."""

    def __rfloordiv__(self, other: Any) -> Term:
        return Term(DIV(bare(other)))

    def __rmod__(self, other: Any) -> Term:
        return Term(MOD(bare(other)))

    def __rmul__(self, other: Any) -> Term:
        return Term(MUL(bare(other)))

    __mul__ = __rmul__


class TermRow:
    """A symbolic row: the set of sequences that hold one block. Meets the model's `Row`."""

    def __init__(self, term: Any) -> None:
        """`term`: an array from sequences to truth values."""
        self.term = term

    def contains(self, sequence: Any) -> Term:
        """The sequence is a member."""
        return Term(z3.Select(self.term, bare(sequence)))

    def with_member(self, sequence: Any, member: Any) -> TermRow:
        """The same set, but for this sequence."""
        return TermRow(z3.Store(self.term, bare(sequence), bare(member)))

    def emptied(self) -> TermRow:
        """The set without members."""
        return TermRow(z3.K(INTEGER, z3.BoolVal(False)))

    def size(self) -> Term:
        """How many of the run's sequences are members."""
        return Term(COUNT(self.term, NAMES))

    def __eq__(self, other: Any) -> Any:
        return Term(self.term == bare(other))


class FreeBlocks:
    """The free blocks of the state before: asked like a function, counted as a set."""

    def __init__(self, term: Any) -> None:
        """`term`: an array from blocks to truth values."""
        self.term = term

    def __call__(self, block: Any) -> Term:
        """The block is free."""
        return Term(z3.Select(self.term, bare(block)))


def how_many(predicate: Any) -> Term:
    """How many of the pool's blocks are free; no other predicate is counted symbolically."""
    if not isinstance(predicate, FreeBlocks):
        raise TypeError("only the free blocks of the state before can be counted symbolically")
    return Term(COUNT(predicate.term, TOTAL))


def bare(value: Any) -> Any:
    """The solver's expression in a wrapped value; any other value as it is."""
    return value.term if isinstance(value, Term | TermRow | FreeBlocks) else value


def wrapped(expression: Any) -> Any:
    """The expression as the model meets it: a set as a row, anything else as a term."""
    return TermRow(expression) if z3.is_array(expression) else Term(expression)


def formula(value: Any) -> Any:
    """A truth value of the model, symbolic or Python's own, as the solver's formula."""
    return z3.BoolVal(value) if isinstance(value, bool) else bare(value)

"""The symbolic state before a transition, its arguments, and clauses stated for all values.

The state's components, the arguments and the variables are read off the model's annotations; all
are integers to the solver, or functions. Names never clash: a component is `before.free`, an
argument `given sequence`, a variable of a goal `any block`, of a hypothesis `each block`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from itertools import product
from typing import Any

import z3

from poolproof_model.algebra import Truth, within
from poolproof_model.state import Choice, State
from poolproof_model.system import Clause
from poolproof_verification.proofs.claims import Kinds, holds_in, kinds_of, variables_of
from poolproof_verification.proofs.goals import Formula
from poolproof_verification.proofs.lemmas import PICK, PLACE
from poolproof_verification.proofs.term import (
    BLOCK_SIZE,
    INTEGER,
    NAMES,
    SET,
    TOTAL,
    TRUTH,
    BlockSize,
    FreeBlocks,
    Term,
    bare,
    formula,
    how_many,
    wrapped,
)
from poolproof_verification.proofs.triggers import triggers

SORTS = {"Truth": TRUTH, "Row": SET}  # every other kind is an integer
SIZES = (BLOCK_SIZE >= 1, TOTAL >= 0, NAMES >= 0)
CHOICE = Choice(lambda index: wrapped(PICK(bare(index))), lambda block: wrapped(PLACE(bare(block))))


def function(name: str, annotation: str) -> Callable[..., Any]:
    """An uninterpreted function with the arguments and the result of this annotation."""
    result = SORTS.get(annotation.rpartition("], ")[2].removesuffix("]"), INTEGER)
    symbol = z3.Function(name, *(INTEGER for _ in kinds_of(annotation)), result)
    return lambda *arguments: wrapped(symbol(*map(bare, arguments)))


def any_state() -> State:
    """A state of which nothing is known: its components are uninterpreted functions."""
    known: dict[str, Any] = {
        "total": Term(TOTAL),
        "block_size": BlockSize(BLOCK_SIZE),
        "is_sequence": lambda sequence: within(sequence, Term(NAMES)),
        "how_many": how_many,
        "free": FreeBlocks(z3.Const("before.free", SET)),
    }
    for field in fields(State):
        if field.name not in known:
            known[field.name] = function(f"before.{field.name}", str(field.type))
    return State(**known)


def constants(variables: Kinds, prefix: str) -> dict[str, Any]:
    """A symbolic constant (or function) for each variable."""
    return {
        name: function(f"{prefix} {name}", kind)
        if kind.startswith("Callable")
        else Term(z3.Int(f"{prefix} {name}"))
        for name, kind in variables.items()
    }


def in_sight(*named: tuple[Kinds, Mapping[str, Any]]) -> dict[str, list[Term]]:
    """The constants by what they range over."""
    found: dict[str, list[Term]] = {}
    for kinds, values in named:
        for name, kind in kinds.items():
            found.setdefault(kind, []).append(values[name])
    return found


def instances(clause: Clause, state: State, sight: Mapping[str, list[Term]]) -> Iterator[Formula]:
    """The invariant at all constants in sight of the kinds it ranges over."""
    variables = variables_of(clause)
    for values in product(*(sight.get(kind, ()) for kind in variables.values())):
        yield formula(holds_in(state, clause, dict(zip(variables, values, strict=True))))


def for_all(statement: Callable[..., Truth], variables: Kinds, name: str) -> Formula:
    """The statement for all values of its variables, which are given by name."""
    bound = constants(variables, "each")
    body = formula(statement(**bound))
    terms = [value.term for value in bound.values()]
    return z3.ForAll(terms, body, patterns=triggers(terms, body), qid=name.replace(" ", "_"))

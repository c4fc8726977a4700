"""The symbolic state before a transition, its arguments, and clauses stated for all values.

The state's components, the arguments and the variables are read off the model's annotations; all
are integers to the solver, or functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from itertools import product
from typing import Any

import z3

from poolproof_model.algebra import Truth, within
from poolproof_model.state import Choice, State
from poolproof_model.system import Clause, Transition
from poolproof_verification.proofs.claims import FRAME, Kinds, kinds_of, variables_of
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
    components = {
        field.name: function(field.name, str(field.type))
        for field in fields(State)
        if field.name not in FRAME
    }
    return State(
        **components
        | {
            "total": Term(TOTAL),
            "block_size": BlockSize(BLOCK_SIZE),
            "is_sequence": lambda sequence: within(sequence, Term(NAMES)),
            "how_many": how_many,
            "free": FreeBlocks(z3.Const("free", SET)),
        }
    )


def constants(variables: Kinds, prefix: str = "") -> dict[str, Any]:
    """A symbolic constant (or function) for each variable."""
    return {
        name: function(prefix + name, kind)
        if kind.startswith("Callable")
        else Term(z3.Int(prefix + name))
        for name, kind in variables.items()
    }


def parameters_of(transition: Transition) -> Kinds:
    """What the transition's parameters range over, as some function of its annotates them."""
    kinds: Kinds = {}
    guards = (condition for _, condition in transition.requirements)
    for each in (transition.effect, transition.needs, *guards, *transition.promises):
        kinds |= {name: str(kind) for name, kind in each.__annotations__.items()}
    return {name: kinds.get(name, "Count") for name in transition.parameters}


def in_sight(*named: tuple[Kinds, Mapping[str, Any]]) -> dict[str, list[Term]]:
    """The constants by what they range over."""
    found: dict[str, list[Term]] = {}
    for kinds, values in named:
        for name, kind in kinds.items():
            found.setdefault(kind, []).append(values[name])
    return found


def instances(clause: Clause, state: State, sight: Mapping[str, list[Term]]) -> Iterator[Formula]:
    """The clause at all constants in sight of the kinds it ranges over."""
    variables = variables_of(clause)
    for values in product(*(sight.get(kind, ()) for kind in variables.values())):
        yield formula(clause(state, *values))


def for_all(statement: Callable[..., Truth], variables: Kinds, name: str) -> Formula:
    """The statement for all values of its variables, which are given by name."""
    bound = constants(variables)
    body = formula(statement(**bound))
    terms = [value.term for value in bound.values()]
    return z3.ForAll(terms, body, patterns=triggers(terms, body), qid=name)

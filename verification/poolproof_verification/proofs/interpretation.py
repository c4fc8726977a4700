"""A concrete state as an interpretation: every function and constant of the proofs gets a meaning.

What is closed under an interpretation is true or false, and a solver says which. Counting, a
greatest member and the members in order are spelled out for sets cut off at `limit` members: exact
for every size up to `limit`, which no size in an obligation's hypotheses exceeds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

import z3

from poolproof_model.execute import Blocks, Members, chosen
from poolproof_model.state import State
from poolproof_verification.proofs.claims import COMPONENTS, Kinds, kinds_of
from poolproof_verification.proofs.goals import Formula, Lemma
from poolproof_verification.proofs.lemmas import (
    ENUMERATE,
    NEEDED,
    PICK,
    PLACE,
    UNUSED,
    WITNESS,
    n,
)
from poolproof_verification.proofs.symbols import SORTS
from poolproof_verification.proofs.term import (
    BLOCK_SIZE,
    COUNT,
    DIV,
    INTEGER,
    MOD,
    MUL,
    NAMES,
    SET,
    TOTAL,
)

OUTSIDE = -7  # no name, block, index, position or offset: where a component has its default
UNWRITTEN = -1  # the token of a slot that was never written
NO_SET = z3.K(INTEGER, z3.BoolVal(False))
Meanings = tuple[tuple[Any, Formula], ...]
Ranges = Mapping[str, Iterable[int]]  # what a kind of value ranges over


@dataclass(frozen=True)
class Interpretation:
    """What each function and constant means."""

    functions: Meanings
    constants: Meanings
    limit: int  # sizes up to which counting is exact

    def of(self, formula: Formula) -> Formula:
        """The formula with all meanings put in."""
        return z3.substitute(z3.substitute_funs(formula, *self.functions), *self.constants)

    def of_lemma(self, lemma: Lemma) -> Formula:
        """The lemma's hypothesis with all meanings put in, for sizes up to the limit."""
        if not lemma.variables:
            return self.of(lemma.statement)
        sized = z3.Implies(n <= self.limit, lemma.statement)
        return self.of(z3.ForAll(lemma.variables, sized))

    def also(self, constants: Iterable[tuple[Any, Formula]]) -> Interpretation:
        """The same with more constants."""
        return Interpretation(self.functions, (*self.constants, *constants), self.limit)


def interpretation(
    state: State, names: int, arguments: Mapping[str, Any], kinds: Kinds, blocks: Blocks
) -> Interpretation:
    """The state before a step, the step's arguments, and the blocks it takes.

    Names are 0 .. names - 1, tokens are integers.
    """
    ranges = ranges_of(state, names)
    limit = max(state.total, names) + 1
    components = tuple(component_of(state, component, ranges, names) for component in COMPONENTS)
    given = tuple(argument(name, arguments[name], kind, ranges) for name, kind in kinds.items())
    sizes = ((BLOCK_SIZE, state.block_size), (TOTAL, state.total), (NAMES, names))
    needed = (NEEDED, z3.IntVal(len(blocks)))
    meant = (*components, *given, needed, *((size, z3.IntVal(value)) for size, value in sizes))
    known = (*arithmetic(state.block_size), *counting(limit), *choice(blocks, state.total))
    return Interpretation(
        functions=(*known, *(each for each in meant if isinstance(each[0], z3.FuncDeclRef))),
        constants=tuple(each for each in meant if not isinstance(each[0], z3.FuncDeclRef)),
        limit=limit,
    )


def ranges_of(state: State, names: int) -> dict[str, range]:
    """Where components may differ from their defaults."""
    slots = state.total * state.block_size
    return {
        "Sequence": range(names),
        "Block": range(-1, state.total + 1),
        "Index": range(-1, state.total + 1),
        "Offset": range(-1, state.block_size + 1),
        "Position": range(-1, slots + 2),
    }


def component_of(state: State, component: Any, ranges: Ranges, names: int) -> tuple[Any, Formula]:
    """What this component of the state before means."""
    name, concrete = f"before.{component.name}", getattr(state, component.name)
    kinds = kinds_of(component.type)
    if component.name == "free":
        return z3.Const(name, SET), set_of(filter(concrete, ranges["Block"]))
    sort = SORTS.get(component.type.rpartition("], ")[2].removesuffix("]"), INTEGER)
    symbol = z3.Function(name, *(INTEGER for _ in kinds), sort)
    return symbol, tabulated(concrete, [ranges[kind] for kind in kinds])


def argument(name: str, value: Any, kind: str, ranges: Ranges) -> tuple[Any, Formula]:
    """What an argument means; a function of positions is tabulated."""
    if callable(value):
        symbol = z3.Function(f"given {name}", *(INTEGER for _ in kinds_of(kind)), INTEGER)
        return symbol, tabulated(value, [ranges[each] for each in kinds_of(kind)])
    return z3.Int(f"given {name}"), literal(value)


def tabulated(function: Callable[..., Any], ranges: list[Iterable[int]]) -> Formula:
    """The function's values in these ranges, elsewhere its value at `OUTSIDE`."""
    default = function(*(OUTSIDE for _ in ranges))
    result = literal(default)
    for point in product(*ranges):
        value = function(*point)
        if value != default:
            result = z3.If(at(point), literal(value), result)
    return result


@cache
def at(point: tuple[int, ...]) -> Formula:
    """A function's arguments are these."""
    return z3.And([z3.Var(number, INTEGER) == each for number, each in enumerate(point)])


def literal(value: Any) -> Formula:
    """A concrete value as the solver writes it."""
    if isinstance(value, Members):
        return set_of(value)
    if isinstance(value, bool):
        return z3.BoolVal(value)
    return number(UNWRITTEN if value is None else value)


@cache
def number(value: int) -> Formula:
    """A number as the solver writes it."""
    return z3.IntVal(value)


def set_of(members: Iterable[Any]) -> Formula:
    """A finite set of numbers."""
    result = NO_SET
    for each in sorted(members):
        result = z3.Store(result, each, z3.BoolVal(True))
    return result


def arithmetic(block_size: int) -> Meanings:
    """Quotients, remainders and products, of this block size."""
    x = z3.Var(0, INTEGER)
    return (DIV, x / block_size), (MOD, x % block_size), (MUL, x * block_size)


def counting(limit: int) -> Meanings:
    """Members below a bound: how many, the greatest, and number i of them in ascending order."""
    members, end, index = z3.Var(0, SET), z3.Var(1, INTEGER), z3.Var(2, INTEGER)
    inside = [z3.And(end > each, members[each]) for each in range(limit)]
    ones = [z3.If(each, 1, 0) for each in inside]
    greatest, entry = z3.IntVal(0), z3.IntVal(0)
    for each in range(limit):
        greatest = z3.If(inside[each], z3.IntVal(each), greatest)
        smaller = z3.Sum([z3.IntVal(0), *ones[:each]])
        entry = z3.If(z3.And(inside[each], smaller == index), z3.IntVal(each), entry)
    return (COUNT, z3.Sum(ones)), (WITNESS, greatest), (ENUMERATE, entry)


def choice(blocks: Blocks, total: int) -> Meanings:
    """The picks, their inverse, and what each leaves of a set."""
    concrete, left, picks = chosen(blocks), z3.Var(0, SET), z3.Var(1, INTEGER)
    for number, block in enumerate(blocks):
        left = z3.If(picks > number, z3.Store(left, block, z3.BoolVal(False)), left)
    return (
        (PICK, tabulated(concrete.block, [range(len(blocks))])),
        (PLACE, tabulated(concrete.index_of, [range(total)])),
        (UNUSED, left),
    )


def is_satisfiable(formulas: Iterable[Formula], timeout: int = 5000) -> bool:
    """Some values of whatever has no meaning make all of them true; unknown is no yes."""
    solver = z3.Solver()
    solver.set(timeout=timeout)
    solver.add(*formulas)
    return bool(solver.check() == z3.sat)


def is_valid(formula: Formula, timeout: int = 5000) -> bool:
    """The formula is true for all values of whatever has no meaning in it; unknown is no yes."""
    solver = z3.Solver()
    solver.set(timeout=timeout)
    solver.add(z3.Not(formula))
    return bool(solver.check() == z3.unsat)

"""First-order mutants of the model's text, made by machine: each is refuted, or equal to the model.

Every place in `transitions.py` where one token could be wrong is made wrong, one at a time: a
component's update dropped, a comparison flipped, a number or a length off by one, two arguments
swapped, a condition negated, an operand dropped, branches swapped. What nothing concrete breaks
must still be proved, every obligation of it, and be explained as equivalent.

Does not cover: two faults that hide each other; `needs`, guards and promises listed in `system`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any

from poolproof_model import transitions
from poolproof_model.system import TRANSITIONS, Transition

LENGTHS = ("length", "entries", "needed", "index")  # names of counts in the model's text
OTHER = {
    ast.Eq: (ast.NotEq,),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Lt: (ast.LtE, ast.GtE),
    ast.NotEq: (ast.Eq,),
}
SIGNS = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
Edit = tuple[str, Callable[[], ast.expr]]  # what is done, and the expression instead


@dataclass(frozen=True)
class TextMutant:
    """The model's transitions with one place of the text changed."""

    name: str  # function:line within it:what is done
    function: str
    node: ast.expr  # the expression, in the tree of the text
    instead: ast.expr  # what it became

    @property
    def wrong(self) -> str:
        """What is wrong, in a line."""
        return f"{self.name}: {shortened(self.node)} became {shortened(self.instead)}"

    def module(self) -> ModuleType:
        """The changed text, loaded."""
        module = ModuleType(f"{transitions.__name__} with {self.name}")
        changed = {id(self.node): ast.copy_location(deepcopy(self.instead), self.node)}
        source: ast.Module = ast.fix_missing_locations(deepcopy(tree(), changed))
        exec(compile(source, module.__name__, "exec"), module.__dict__)
        return module

    @property
    def affected(self) -> tuple[Transition, ...]:
        """The transitions whose functions use the changed one, as they are then."""
        users, pairs = using(self.function), zip(TRANSITIONS, self.transitions, strict=True)
        return tuple(wrong for right, wrong in pairs if users & names_in_text(right))

    @property
    def transitions(self) -> tuple[Transition, ...]:
        """The model's list, made of the changed text."""
        module = self.module()
        return tuple(remade(each, module) for each in TRANSITIONS)


def shortened(node: ast.expr) -> str:
    """The expression, or its beginning."""
    expression = ast.unparse(node)
    return expression if len(expression) <= 60 else f"{expression[:57]}..."


def remade(transition: Transition, module: ModuleType) -> Transition:
    """The transition with its functions taken from another text."""

    def same(function: Callable[..., Any]) -> Callable[..., Any]:
        known = function.__module__ == transitions.__name__
        return getattr(module, function.__name__) if known else function

    guards = tuple(same(guard) for _, guard in transition.requirements)
    reasons = (reason for reason, _ in transition.requirements)
    return replace(
        transition,
        requirements=tuple(zip(reasons, guards, strict=True)),
        needs=same(transition.needs),
        effect=same(transition.effect),
    )


def names_in_text(transition: Transition) -> set[str]:
    """The functions of the text that the transition is made of."""
    guards = (guard for _, guard in transition.requirements)
    functions = (transition.effect, transition.needs, *guards)
    return {each.__name__ for each in functions if each.__module__ == transitions.__name__}


@cache
def tree() -> ast.Module:
    """The model's text."""
    return ast.parse(Path(str(transitions.__file__)).read_text())


def functions() -> Iterator[ast.FunctionDef]:
    """The functions at the top of the text."""
    return (node for node in tree().body if isinstance(node, ast.FunctionDef))


@cache
def using(function: str) -> frozenset[str]:
    """The function, and those that use it, at any remove."""
    uses = {each.name: names_used(each) for each in functions()}
    found = {function}
    while True:
        more = {name for name, used in uses.items() if used & found} - found
        if not more:
            return frozenset(found)
        found |= more


def names_used(node: ast.AST) -> set[str]:
    """Every name that is read within."""
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


@cache
def text_mutants() -> tuple[TextMutant, ...]:
    """All of them, in the order of the text; two in one line with one name are numbered."""
    found, counted = [], dict[str, int]()
    for function in functions():
        for node in expressions(function):
            for kind, instead in edits(node):
                plain = f"{function.name}:{node.lineno - function.lineno}:{kind}"
                counted[plain] = counted.get(plain, 0) + 1
                number = f" ({counted[plain]})" if counted[plain] > 1 else ""
                found.append(TextMutant(plain + number, function.name, node, instead()))
    return tuple(found)


def expressions(function: ast.FunctionDef) -> list[ast.expr]:
    """The expressions of a function's body, by their place; annotations and docstrings apart."""
    within = [node for each in function.body for node in ast.walk(each)]
    skipped = {id(part) for node in within for part in unexecuted(node)}
    found = (node for node in within if isinstance(node, ast.expr) and id(node) not in skipped)
    return sorted(found, key=lambda node: (node.lineno, node.col_offset, -extent(node)))


def extent(node: ast.expr) -> int:
    """How far the expression goes, in columns; lines count for many."""
    return ((node.end_lineno or 0) - node.lineno) * 1000 + (node.end_col_offset or 0)


def unexecuted(node: ast.AST) -> Iterator[ast.AST]:
    """Parts of a statement that say nothing about states."""
    if isinstance(node, ast.FunctionDef):
        for each in (*node.args.args, node.returns):
            yield from ast.walk(each) if each else ()
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        yield node.value


# --- what can be wrong ----------------------------------------------------------------------------


def edits(node: ast.expr) -> Iterator[Edit]:
    """Everything that can be wrong with this expression, each a fault of its own."""
    yield from off_by_one(node)
    if isinstance(node, ast.Compare):
        yield from comparisons(node)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd | ast.BitOr):
        yield "drop the right operand", lambda: deepcopy(node.left)
        yield "drop the left operand", lambda: deepcopy(node.right)
    if isinstance(node, ast.Call):
        yield from calls(node)


def off_by_one(node: ast.expr) -> Iterator[Edit]:
    """A number, or a length, one more and one less."""
    number = isinstance(node, ast.Constant) and type(node.value) is int
    name = isinstance(node, ast.Name) and node.id in LENGTHS and isinstance(node.ctx, ast.Load)
    if number or name or is_length(node):
        yield "one more", lambda: ast.BinOp(deepcopy(node), ast.Add(), ast.Constant(1))
        yield "one less", lambda: ast.BinOp(deepcopy(node), ast.Sub(), ast.Constant(1))


def is_length(node: ast.expr) -> bool:
    """A state is asked for a length."""
    asked = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    return asked and node.func.attr in ("length", "table_length")  # type: ignore[attr-defined]


def comparisons(node: ast.Compare) -> Iterator[Edit]:
    """The comparison with another sign."""
    for sign in OTHER[type(node.ops[0])]:
        kind = f"{SIGNS[type(node.ops[0])]} to {SIGNS[sign]}"
        yield kind, partial(replaced, node, ops=[sign()])


def calls(node: ast.Call) -> Iterator[Edit]:
    """Arguments swapped, updates dropped, conditions negated."""
    called = node.func.id if isinstance(node.func, ast.Name) else ""
    if called == "choose":
        condition, then, otherwise = node.args
        yield "swap the branches", lambda: replaced(node, args=[condition, otherwise, then])
    elif called in ("one_if", "absent"):
        yield "negate the condition", lambda: negated(node)
    for first in range(len(node.args) - 1):
        if called not in ("choose", "replace"):
            yield f"swap arguments {first + 1} and {first + 2}", partial(swapped, node, first)
    for keyword in node.keywords:
        yield f"drop {keyword.arg}", partial(without, node, keyword)


def negated(node: ast.Call) -> ast.expr:
    """A condition counted the other way round; what was absent, present."""
    if isinstance(node.func, ast.Name) and node.func.id == "absent":
        return deepcopy(node.args[0])
    absent = ast.Call(ast.Name("absent", ast.Load()), [node.args[0]], [])
    return replaced(node, args=[absent])


def swapped(node: ast.Call, first: int) -> ast.expr:
    """The call with this argument and the next in each other's place."""
    args = list(node.args)
    args[first], args[first + 1] = args[first + 1], args[first]
    return replaced(node, args=args)


def without(node: ast.Call, keyword: ast.keyword) -> ast.expr:
    """The call without this component's update."""
    return replaced(node, keywords=[each for each in node.keywords if each is not keyword])


def replaced(node: ast.expr, **fields: object) -> ast.expr:
    """A copy of the expression with other parts."""
    parts = {name: getattr(node, name) for name in node._fields} | fields
    return deepcopy(type(node)(**parts))

"""The model's text means the same on symbolic values: nothing in it asks one for its truth."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from types import ModuleType

import pytest

from poolproof_model import invariants, promises, state, system, transitions

BRANCHES = (
    ast.If,
    ast.IfExp,
    ast.BoolOp,
    ast.Match,
    ast.For,
    ast.While,
    ast.comprehension,
    ast.Assert,
    ast.Try,
)
ASKING = {"all", "any", "bool", "filter", "int", "len", "max", "min", "sorted", "sum"}


def branching(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.UnaryOp(op=ast.Not()):
                yield "not"
            case ast.Compare(ops=[_, _, *_]):
                yield "a chained comparison"
            case ast.Compare(ops=[ast.In() | ast.NotIn() | ast.Is() | ast.IsNot()]):
                yield "in, is"
            case ast.Call(func=ast.Name(id=name)) if name in ASKING:
                yield name
            case _ if isinstance(node, BRANCHES):
                yield type(node).__name__


@pytest.mark.parametrize("module", [transitions, invariants, promises, state])
def test_the_model_asks_no_value_for_its_truth(module: ModuleType) -> None:
    assert list(branching(inspect.getsource(module))) == []


@pytest.mark.parametrize("transition", system.TRANSITIONS, ids=lambda transition: transition.name)
def test_what_a_transition_needs_and_touches_asks_nothing_either(
    transition: system.Transition,
) -> None:
    for function in (transition.needs, transition.touches, transition.admits):
        assert list(branching(inspect.getsource(function))) == []


@pytest.mark.parametrize(
    "text",
    [
        "if x: pass",
        "y = 1 if x else 2",
        "x and y",
        "not x",
        "x in y",
        "x is None",
        "0 <= x < 3",
        "[x for x in y]",
        "for x in y: pass",
        "while x: pass",
        "assert x",
        "max(x, y)",
        "any(x)",
    ],
)
def test_each_way_to_ask_is_seen(text: str) -> None:
    assert list(branching(text))

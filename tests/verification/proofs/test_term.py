from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import z3

from poolproof_model.algebra import absent, choose, implies, one_if
from poolproof_verification.proofs.term import (
    BLOCK_SIZE,
    DIV,
    MOD,
    MUL,
    SET,
    BlockSize,
    FreeBlocks,
    Term,
    TermRow,
    formula,
    how_many,
)

X: Any = Term(z3.Int("x"))
Y: Any = Term(z3.Int("y"))
SIZE: Any = BlockSize(BLOCK_SIZE)
ROW = TermRow(z3.Const("row", SET))


@pytest.mark.parametrize(
    "ask",
    [
        lambda: bool(X),
        lambda: 1 if X == Y else 2,
        lambda: X == Y and X < Y,
        lambda: not (X < Y),
        lambda: 0 <= X < 3,
        lambda: X in (Y, X),
        lambda: max(X, Y),
        lambda: any([X == Y]),
        lambda: TermRow(z3.Const("other", SET)) == ROW or X == Y,
    ],
)
def test_a_symbolic_value_refuses_to_be_a_truth_value(ask: Callable[[], Any]) -> None:
    with pytest.raises(TypeError, match="no truth value"):
        ask()


@pytest.mark.parametrize("value", [X, SIZE, ROW])
def test_what_compares_symbolically_has_no_hash(value: Any) -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(value)


@pytest.mark.parametrize("x", range(-2, 3))
@pytest.mark.parametrize("y", range(-2, 3))
@pytest.mark.parametrize(
    "text",
    [
        lambda x, y: x == y,
        lambda x, y: x != y,
        lambda x, y: x < y,
        lambda x, y: x <= y,
        lambda x, y: x > y,
        lambda x, y: x >= y,
        lambda x, y: x + y + 1,
        lambda x, y: 1 + x - y,
        lambda x, y: 1 - x,
        lambda x, y: -x,
        lambda x, y: (x < y) & (y < 2),
        lambda x, y: True & (x < y),
        lambda x, y: (x < y) | (y == 0),
        lambda x, y: False | (x < y),
        lambda x, y: absent(x < y),
        lambda x, y: implies(x < y, x == 0),
        lambda x, y: choose(x < y, x, 7),
        lambda x, y: one_if(x == y),
    ],
)
def test_every_operator_means_what_python_means(
    text: Callable[[Any, Any], Any], x: int, y: int
) -> None:
    symbolic = text(Term(z3.IntVal(x)), Term(z3.IntVal(y)))
    assert str(z3.simplify(formula(symbolic))) == str(text(x, y))


def test_the_block_size_turns_python_s_operators_into_functions() -> None:
    assert (X // SIZE).term.eq(DIV(X.term))
    assert (X % SIZE).term.eq(MOD(X.term))
    assert (X * SIZE).term.eq(MUL(X.term))
    assert (SIZE * X).term.eq(MUL(X.term))
    assert (7 // SIZE).term.eq(DIV(z3.IntVal(7)))


@pytest.mark.parametrize("text", [lambda: X // Y, lambda: X % Y, lambda: X * Y, lambda: SIZE // X])
def test_any_other_product_or_quotient_is_refused(text: Callable[[], Any]) -> None:
    with pytest.raises(TypeError, match="unsupported operand"):
        text()


def test_a_row_changes_one_member_at_a_time() -> None:
    row = ROW.emptied().with_member(1, True).with_member(2, True).with_member(1, False)
    members = [z3.is_true(z3.simplify(row.contains(name).term)) for name in range(3)]
    assert members == [False, False, True]


def test_only_the_free_blocks_of_the_state_before_are_counted() -> None:
    free = FreeBlocks(z3.Const("free", SET))
    assert "count(free" in str(how_many(free))
    with pytest.raises(TypeError, match="only the free blocks"):
        how_many(lambda block: free(block) & (block == 1))

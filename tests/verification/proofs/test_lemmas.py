from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any

import pytest
import z3

from poolproof_verification.proofs.goals import Lemma
from poolproof_verification.proofs.lemmas import (
    ARITHMETIC,
    CHANGE,
    COUNTING,
    DIVISION,
    LEMMAS,
    MORE_BLOCKS,
    NATURAL,
    NOBODY,
    ONE,
    ONE_FEWER,
    PIGEONHOLE,
    SOMEBODY,
    TWO,
    WITNESS,
    A,
    k,
    n,
    s,
)
from poolproof_verification.proofs.solve import discharge, in_order, prove_all
from poolproof_verification.proofs.term import BLOCK_SIZE, COUNT, DIV, INTEGER, MOD, MUL, SET

TIMEOUT = 5000
SMALL = range(4)  # sets of these, counted below these


def proved(*lemmas: Lemma) -> set[Lemma]:
    results = list(prove_all(lemmas, (), partial(discharge, timeout=TIMEOUT)))
    failed = {result.obligation.clause for result in results if not result.proved}
    return {lemma for lemma in in_order(lemmas) if lemma.name not in failed}


def test_every_lemma_is_proved() -> None:
    assert proved(*LEMMAS) == set(LEMMAS)


@pytest.mark.parametrize("lemma", LEMMAS, ids=lambda lemma: lemma.name)
def test_what_is_proved_by_induction_has_a_base_and_a_step(lemma: Lemma) -> None:
    steps = [each.name.rpartition(": ")[2] for each in lemma.obligations()]
    assert steps in (["base", "step"], ["arithmetic"], ["direct"])
    if steps == ["base", "step"]:
        base, step = lemma.obligations()
        assert len(step.hypotheses) == len(base.hypotheses) + 2


FALSE = [
    replace(NATURAL, statement=COUNT(A, n) > 0),
    replace(CHANGE, statement=COUNT(z3.Store(A, s, True), n) == COUNT(A, n) + 1),
    replace(NOBODY, statement=COUNT(z3.K(INTEGER, z3.BoolVal(True)), n) == 0),
    replace(ONE, statement=z3.Implies(A[s], COUNT(A, n) >= 1)),
    replace(TWO, statement=z3.substitute(TWO.statement, (z3.IntVal(2), z3.IntVal(3)))),
    replace(SOMEBODY, statement=z3.Implies(COUNT(A, n) > 1, A[WITNESS(A, n) - 1])),
    replace(DIVISION, statement=MUL(DIV(n)) == n, variables=(n,), triggers=(DIV(n),)),
    replace(MORE_BLOCKS, statement=MUL(n) < MUL(k)),
    replace(ONE_FEWER, statement=COUNT(A, n) == COUNT(A, n) - k),
    replace(PIGEONHOLE, statement=COUNT(A, n) < 0),
]


@pytest.mark.parametrize("lemma", FALSE, ids=lambda lemma: lemma.name)
def test_a_false_statement_is_not_proved(lemma: Lemma) -> None:
    assert lemma not in proved(*lemma.uses, lemma)


def test_what_is_proved_and_what_is_used_come_from_one_statement() -> None:
    other = replace(NATURAL, statement=COUNT(A, n) > 7)
    base, step = other.obligations()
    assert "> 7" in str(other.hypothesis())
    assert "count(A, 0) > 7" in str(base.goal)
    assert "count(A, n + 1) > 7" in str(step.goal)


# --- the lemmas in use hold of plain counting, so together they are no contradiction --------------


def meanings() -> tuple[tuple[Any, Any], ...]:
    members, end = z3.Var(0, SET), z3.Var(1, INTEGER)
    number = z3.Var(0, INTEGER)
    count = z3.Sum([z3.If(z3.And(members[x], x < end), 1, 0) for x in SMALL])
    greatest: Any = z3.IntVal(-1)
    for x in SMALL:
        greatest = z3.If(z3.And(members[x], x < end), x, greatest)
    return (
        (COUNT, count),
        (WITNESS, greatest),
        (DIV, number / BLOCK_SIZE),
        (MOD, number % BLOCK_SIZE),
        (MUL, number * BLOCK_SIZE),
    )


def values_of(variable: Any) -> list[Any]:
    if variable.sort() == SET:
        empty = z3.K(INTEGER, z3.BoolVal(False))
        some = z3.Store(z3.Store(empty, 0, True), 3, True)
        return [empty, some, z3.Store(some, 1, True)]
    if variable.sort() == z3.BoolSort():
        return [z3.BoolVal(False), z3.BoolVal(True)]
    return [z3.IntVal(x) for x in SMALL]


@pytest.mark.parametrize("lemma", COUNTING + ARITHMETIC, ids=lambda lemma: lemma.name)
def test_a_lemma_holds_of_small_sets_and_numbers(lemma: Lemma) -> None:
    statement = z3.substitute_funs(lemma.statement, *meanings())
    for values in product(*map(values_of, lemma.variables)):
        given = [*zip(lemma.variables, values, strict=True), (BLOCK_SIZE, z3.IntVal(3))]
        assert z3.is_true(z3.simplify(z3.substitute(statement, *given))), (lemma.name, values)

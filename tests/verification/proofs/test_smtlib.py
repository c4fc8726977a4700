from __future__ import annotations

import re
from functools import cache

import z3
from tests.verification.proofs.by_hand import obligation

from poolproof_model.invariants import INVARIANTS
from poolproof_model.system import TRANSITIONS
from poolproof_verification.proofs.cases import every_obligation
from poolproof_verification.proofs.goals import Obligation
from poolproof_verification.proofs.smtlib import assertions, text_of


@cache
def texts() -> dict[Obligation, str]:
    return {each: text_of(each) for each in every_obligation(TRANSITIONS, INVARIANTS)}


def commands(text: str) -> list[str]:
    """The first word of each outermost list."""
    found, depth = [], 0
    signs = re.findall(r"\|[^|]*\||;.*|[()]|[^\s()|;]+", text)
    for sign, following in zip(signs, [*signs[1:], ""], strict=True):
        if sign == "(" and depth == 0:
            found.append(following)
        depth += {"(": 1, ")": -1}.get(sign, 0)
    assert depth == 0
    return found


def test_a_text_read_back_is_the_same_text() -> None:
    for each, text in texts().items():
        read = z3.parse_smt2_string(text)
        written = [formula for _, formula in assertions(each)]
        assert len(written) == len(each.hypotheses) + len(each.lemmas) + 1
        told = [formula.sexpr() for formula in read]
        assert told == [formula.sexpr() for formula in written], each.name


def test_a_text_has_no_options_and_asks_once() -> None:
    for text in texts().values():
        first, *middle, last = commands(text)
        assert (first, last) == ("set-logic", "check-sat")
        assert set(middle) <= {"declare-fun", "assert"}
        assert "lambda" not in text


def test_the_same_obligation_is_the_same_text() -> None:
    z3.Ints("terms that shift the numbers of all later terms")
    assert [text_of(each) for each in every_obligation(TRANSITIONS, INVARIANTS)] == [
        *texts().values()
    ]


def test_names_with_spaces_are_quoted_and_sets_are_constant_arrays() -> None:
    text = "".join(texts().values())
    assert "(declare-fun |given sequence| () Int)" in text
    assert "((as const (Array Int Bool)) false)" in text


def test_a_function_named_in_a_trigger_only_is_declared() -> None:
    x = z3.Int("x")
    f, g = (z3.Function(name, z3.IntSort(), z3.IntSort()) for name in "fg")
    hinted = z3.ForAll([x], f(x) > 0, patterns=[z3.MultiPattern(f(x), g(x))])
    positive = obligation("f(0) is positive", "", f(0) > 0, (("positive", hinted),))
    assert "(declare-fun g (Int) Int)" in text_of(positive)
    assert len(z3.parse_smt2_string(text_of(positive))) == 2

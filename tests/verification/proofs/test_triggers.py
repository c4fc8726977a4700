from __future__ import annotations

import z3

from poolproof_model.invariants import INVARIANTS
from poolproof_verification.proofs.claims import holds_in, variables_of
from poolproof_verification.proofs.symbols import any_state, constants
from poolproof_verification.proofs.term import MUL, formula
from poolproof_verification.proofs.triggers import triggers

INTEGER = z3.IntSort()
F = z3.Function("f", INTEGER, INTEGER)
G = z3.Function("g", INTEGER, INTEGER, INTEGER)
x, y = z3.Ints("x y")


def found(variables: list[z3.ArithRef], body: z3.BoolRef) -> set[str]:
    return {str(trigger) for trigger in triggers(variables, body)}


def test_the_least_terms_with_all_variables_are_triggers() -> None:
    assert found([x], F(F(x)) == G(x, 1)) == {"f(x)", "g(x, 1)"}
    assert found([x, y], z3.And(F(x) > 0, G(F(x), y) > 0, F(G(F(x), y)) > 0)) == {"g(f(x), y)"}


def test_arithmetic_and_the_functions_of_lemmas_are_no_triggers() -> None:
    assert found([x], z3.And(F(x + 1) > MUL(x), G(1, x) > 0)) == {"g(1, x)"}


def test_terms_that_have_all_variables_together_are_one_trigger() -> None:
    (together,) = triggers([x, y], F(x) == F(y) + 1)
    assert str(together).startswith("MultiPattern") or together.num_args() == 2


def test_where_no_term_has_the_variables_the_solver_is_left_to_itself() -> None:
    assert triggers([x, y], F(x) > y) == []


def test_every_invariant_of_the_model_has_triggers() -> None:
    for invariant in INVARIANTS:
        values = constants(variables_of(invariant), "each")
        body = formula(holds_in(any_state(), invariant, values))
        assert triggers([value.term for value in values.values()], body), invariant

from __future__ import annotations

import json
from typing import Any

import pytest

from poolproof_model.system import FORK
from poolproof_verification.counterexample import Counterexample
from poolproof_verification.proofs.model_mutants import MUTANTS, ModelMutant, mutant_named
from poolproof_verification.proofs.model_mutants_judge import (
    Fate,
    Matrix,
    judge,
    matrix,
)
from poolproof_verification.proofs.unproved import Refutation


def passes(told: Counterexample, **wrong: object) -> bool:
    """The counterexample's test passes; `wrong`: transitions to put in for the model's."""
    scope: dict[str, Any] = {}
    exec(told.test(), scope)
    scope |= wrong
    try:
        scope[next(name for name in scope if name.startswith("test_"))]()
    except AssertionError:
        return False
    return True


@pytest.mark.parametrize("mutant", MUTANTS[3::8], ids=lambda mutant: mutant.name)
def test_a_mutant_loses_a_proof_and_fails_the_test_that_the_model_passes(
    mutant: ModelMutant,
) -> None:
    fate = judge(mutant)
    assert fate.lost
    assert fate.refuted
    for told in (fate.refutation.operations, fate.refutation.step):
        if told:
            assert passes(told)
            assert not passes(told, **{mutant.transition.name.upper(): mutant.transition})


@pytest.mark.parametrize(
    "wrong",
    ["fork asks for a block it does not take", "append changes the length of other sequences"],
)
def test_what_the_executed_footprint_hides_is_refuted(wrong: str) -> None:
    assert judge(mutant_named(wrong)).refuted


def test_the_smallest_step_stands_beside_the_operations() -> None:
    fate = judge(mutant_named("append writes into shared blocks"))
    step = fate.refutation.step
    assert step is not None
    assert (step.total, len(step.steps)) == (1, 2)
    assert step.steps[0].operation == "start = filled(1, {'A': ((0,), 1), 'B': ((0,), 1)})"
    assert json.loads(json.dumps(fate.as_json()))["step"]["schema"] == 1


def test_a_right_transition_survives_and_is_a_fault() -> None:
    survivor = judge(ModelMutant("nothing is wrong", FORK))
    assert not survivor.refuted
    faults = Matrix((), (survivor,)).faults()
    assert faults[0] == "nothing is wrong: nothing concrete refutes it"
    assert faults[1] == "nothing is wrong: every proof still holds"


def test_a_lost_proof_alone_refutes_nothing() -> None:
    fate = Fate(MUTANTS[0], ("allocate preserves counts",), Refutation(None, None))
    assert not fate.refuted
    assert "not refuted" in str(fate)
    assert fate in Matrix((), (fate,)).survivors


def test_an_obligation_that_no_mutant_loses_needs_a_reason() -> None:
    right = matrix([mutant_named("fork does not count")])
    assert "fork preserves counts" not in right.idle
    assert "fork preserves counts" in right.obligations
    assert any("fork preserves holders: no mutant loses it" in each for each in right.faults())
    assert not any("the initial state has counts" in each for each in right.faults())


def test_a_reason_for_what_some_mutant_loses_is_a_fault() -> None:
    lost = Fate(MUTANTS[0], ("the initial state has counts",), Refutation(None, None))
    faults = Matrix(("the initial state has counts",), (lost,)).faults()
    assert any(each.startswith("the initial state has: a reason is given") for each in faults)

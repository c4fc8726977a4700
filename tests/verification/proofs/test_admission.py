from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from poolproof_model.invariants import INVARIANTS
from poolproof_model.system import ALLOCATE, RELEASE, TRANSITIONS, Refusal
from poolproof_verification.proofs.admission import (
    admission_break,
    admission_counterexample,
)
from poolproof_verification.proofs.prove import prove
from poolproof_verification.verdict import Outcome


def test_the_right_model_admits_as_it_promises() -> None:
    assert admission_break(TRANSITIONS, TRANSITIONS, INVARIANTS) is None


STRICT = replace(
    ALLOCATE,
    requirements=(
        (Refusal.NEGATIVE, lambda state, length: length > 0),
        *ALLOCATE.requirements[1:],
    ),
)


def test_a_guard_too_strong_loses_the_proof_and_is_refuted() -> None:
    judgement = prove("allocate", transitions=(STRICT, *TRANSITIONS[1:]))
    (verdict,) = (each for each in judgement.verdicts if each.law == "admission")
    assert verdict.outcome is Outcome.REFUTED
    assert "allocate admits exactly what it promises to" in verdict.detail


def test_a_guard_too_strong_is_found_with_the_shortest_operations() -> None:
    found = admission_break((STRICT, *TRANSITIONS[1:]), (STRICT,), INVARIANTS)
    assert found is not None
    told = admission_counterexample(found)
    assert told.operations() == "allocate(sequence='A', length=0, prompt=Prompt(first=10))"
    assert (told.steps[-1].expected, told.steps[-1].observed) == ("admitted", "refused")
    scope: dict[str, Any] = {}
    exec(told.test(), scope)
    test = next(value for name, value in scope.items() if name.startswith("test_"))
    test()  # the model itself is right
    scope["ALLOCATE"] = STRICT
    with pytest.raises(AssertionError):
        test()


def test_a_transition_that_admits_too_much_is_found() -> None:
    careless = replace(RELEASE, requirements=())
    found = admission_break((*TRANSITIONS[:3], careless), (careless,), INVARIANTS)
    assert found is not None
    assert found.claim.clause == "admitted wrongly"

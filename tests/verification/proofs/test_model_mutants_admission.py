from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from poolproof_model.execute import refusal
from poolproof_model.invariants import INVARIANTS
from poolproof_model.system import ALLOCATE, RELEASE, TRANSITIONS, Refusal, Transition
from poolproof_verification.proofs.induction import pools
from poolproof_verification.proofs.model_mutants_admission import (
    RULES,
    admission_break,
    admission_counterexample,
)
from poolproof_verification.proofs.runs import asked


@pytest.mark.parametrize("transition", TRANSITIONS, ids=lambda transition: transition.name)
def test_a_rule_and_the_model_agree_on_every_small_state(transition: Transition) -> None:
    for pool in list(pools())[::7]:
        for _, arguments in asked((transition,), ("A", "B"), 0):
            given = {name: value for name, value in arguments.items() if name != "prompt"}
            given.pop("token", None)
            admits = refusal(pool, transition, arguments) is None
            assert admits == RULES[transition.name](pool, **given), (pool, arguments)


def test_the_right_model_admits_as_the_rules_say() -> None:
    assert admission_break(TRANSITIONS, TRANSITIONS, INVARIANTS) is None


def test_a_guard_too_strong_is_found_with_the_shortest_operations() -> None:
    strict = replace(
        ALLOCATE,
        requirements=((Refusal.NEGATIVE, lambda state, length: length > 0),),
    )
    found = admission_break((strict, *TRANSITIONS[1:]), (strict,), INVARIANTS)
    assert found is not None
    told = admission_counterexample(found)
    assert told.operations() == "allocate(sequence='A', length=0, prompt=Prompt(first=10))"
    assert (told.steps[-1].expected, told.steps[-1].observed) == ("admitted", "refused")
    scope: dict[str, Any] = {}
    exec(told.test(), scope)
    test = next(value for name, value in scope.items() if name.startswith("test_"))
    test()  # the model itself is right
    scope["ALLOCATE"] = strict
    with pytest.raises(AssertionError):
        test()


def test_a_transition_that_admits_too_much_is_found() -> None:
    careless = replace(RELEASE, requirements=())
    found = admission_break((*TRANSITIONS[:3], careless), (careless,), INVARIANTS)
    assert found is not None
    assert found.claim.clause == "admitted wrongly"

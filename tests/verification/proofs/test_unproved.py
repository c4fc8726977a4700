from __future__ import annotations

import json

import pytest

from poolproof_model.execute import empty_pool
from poolproof_model.invariants import INVARIANTS
from poolproof_model.state import State
from poolproof_model.system import RELEASE, Clause, Transition
from poolproof_verification.proofs import obligations, starting
from poolproof_verification.proofs.claims import claims_of
from poolproof_verification.proofs.model_mutants import mutant_named
from poolproof_verification.proofs.prove import prove, results_of
from poolproof_verification.proofs.unproved import (
    NONE_IN_SCOPE,
    Refutation,
    refutations,
    refuted_claims,
)
from poolproof_verification.verdict import Outcome, overall


def refuted(
    transition: Transition, transitions: tuple[Transition, ...], name: str
) -> Refutation | None:
    claims = tuple(claim for claim in claims_of(transition, INVARIANTS) if claim.name == name)
    assert claims
    return refuted_claims(claims, transitions, INVARIANTS).get(name)


def test_there_are_a_step_and_operations_in_one_form() -> None:
    mutant = mutant_named("append copies without counting down")
    found = refuted(mutant.transition, mutant.transitions, "append preserves counts")
    assert found is not None
    assert found.step is not None
    assert found.operations is not None
    assert found.statement.startswith("broken from the empty pool: not true that append preserves")
    told = json.loads(json.dumps(found.as_json()))
    assert told["step"].keys() == told["operations"].keys()


def test_that_there_are_no_operations_in_scope_is_said() -> None:
    # A block with two holders is out of reach when nothing can be forked.
    stray = mutant_named("release frees at a count of one")
    unforked = tuple(each for each in stray.transitions if each.name != "fork")
    found = refuted(stray.transition, unforked, "release preserves partition")
    assert found is not None
    assert found.step is not None
    assert found.operations is None
    assert found.statement.startswith("not inductive: ")
    assert found.statement.endswith(NONE_IN_SCOPE)


def test_a_step_alone_leaves_the_law_unknown_and_is_told() -> None:
    stray = mutant_named("release frees at a count of one")
    unforked = tuple(each for each in stray.transitions if each.name != "fork")
    judgement = prove("release preserves partition", transitions=unforked)
    assert overall(judgement.verdicts) is Outcome.UNKNOWN
    assert NONE_IN_SCOPE in judgement.verdicts[0].detail
    assert [each.steps[0].operation[:14] for each in judgement.counterexamples] == [
        "start = filled"
    ]


def test_of_a_claim_that_holds_nothing_is_found() -> None:
    assert refuted(RELEASE, (RELEASE,), "release preserves partition") is None


def test_a_wrong_initial_state_is_refuted_from_sizes_and_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def sleepy(state: State) -> State:
        return state  # nothing is forgotten

    initiation = obligations.initiation
    monkeypatch.setattr(
        obligations, "initiation", lambda invariants: initiation(invariants, sleepy)
    )
    find = starting.start_counterexample
    monkeypatch.setattr(
        "poolproof_verification.proofs.unproved.start_counterexample",
        lambda clauses: find(clauses, sleepy),
    )
    results = list(results_of("the initial state"))
    found = refutations(results)["the initial state has no_live_sequence"]
    assert found.operations is not None
    assert found.operations.breach_of("promises").startswith("no live sequence does not hold at")


def test_the_test_of_a_wrong_initial_state_passes_on_the_right_one() -> None:
    def full(state: State) -> State:
        return (
            empty_pool(state.total, state.block_size)
            .state()
            .__class__(**{**vars(state), "free": lambda block: False})
        )

    clauses: tuple[Clause, ...] = INVARIANTS
    found = starting.start_counterexample(clauses, full)
    assert found is not None
    scope: dict[str, object] = {}
    exec(found.test(), scope)
    test = next(value for name, value in scope.items() if name.startswith("test_"))
    assert callable(test)
    test()
    scope["initial"] = full
    with pytest.raises(AssertionError):
        test()

from __future__ import annotations

from poolproof_model.execute import broken
from poolproof_model.invariants import INVARIANTS
from poolproof_model.system import RELEASE, Transition
from poolproof_verification.proofs.claims import Claim, claims_of
from poolproof_verification.proofs.induction import (
    filled,
    pools,
    smallest_step,
    step_counterexample,
)
from poolproof_verification.proofs.model_mutants import mutant_named

SHARED = mutant_named("append writes into shared blocks")


def claim_of(transition: Transition, name: str) -> Claim:
    return next(claim for claim in claims_of(transition, INVARIANTS) if claim.name == name)


def test_every_state_that_is_tried_has_the_invariants() -> None:
    assert not [pool for pool in pools() if any(broken(pool))]


def test_smaller_states_come_first() -> None:
    sizes = [
        (pool.total, len(pool.tables), sum(table.length for table in pool.tables.values()))
        for pool in pools()
    ]
    assert sizes == sorted(sizes)


def test_a_filled_pool_reads_what_its_sequences_were_given() -> None:
    pool = filled(2, {"A": ((1, 0), 3)})
    assert pool.tables["A"].history == (102, 103, 100)
    assert (pool.counts, sorted(pool.free)) == ({0: 1, 1: 1}, [])


def test_the_smallest_step_is_found_with_what_it_breaks() -> None:
    claim = claim_of(SHARED.transition, "append: others keep their contents")
    found = smallest_step(claim)
    assert found is not None
    told = step_counterexample(found)
    assert told.total == 1
    assert told.operations() == (
        "start = filled(1, {'A': ((0,), 1), 'B': ((0,), 1)}); append(sequence='A', token=10)"
    )
    assert told.breach_of("contents").endswith("at other 'B', block 0, offset 1")
    assert str(told.steps[1].shown).startswith("free [] | A [0] 2 tokens; B [0] 1 token")


def test_a_right_transition_has_no_such_step() -> None:
    assert smallest_step(claim_of(RELEASE, "release preserves partition")) is None


def test_what_changes_outside_the_footprint_is_shown() -> None:
    stray = mutant_named("release changes length outside its footprint")
    found = smallest_step(claim_of(stray.transition, "release preserves lengths"))
    assert found is not None
    before, after = step_counterexample(found).steps
    assert "B [] 0 tokens" in str(before.shown)
    assert "B [] 1 token" in str(after.shown)

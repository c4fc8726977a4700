from __future__ import annotations

from dataclasses import replace

from poolproof_model.invariants import INVARIANTS
from poolproof_model.system import FORK, RELEASE, TRANSITIONS, Refusal
from poolproof_model.transitions import fork
from poolproof_verification.proofs.claims import claims_of
from poolproof_verification.proofs.model_mutants import mutant_named
from poolproof_verification.proofs.runs import STRANGER, never_fires, runs
from poolproof_verification.proofs.search import breaches, find_breaks, first_breaks

UNCOUNTED = mutant_named("fork does not count")


def shortest_of(clause: str) -> str:
    claims = [
        claim for claim in claims_of(UNCOUNTED.transition, INVARIANTS) if claim.clause == clause
    ]
    return "".join(map(str, find_breaks(claims, UNCOUNTED.transitions, INVARIANTS).values()))


def test_the_shortest_operations_that_break_a_clause_are_found() -> None:
    assert shortest_of("counts") == (
        "counts does not hold at block 0 after "
        "allocate(sequence='A', length=1, prompt=Prompt(first=10)); fork(parent='A', child='B')"
    )


def test_a_clause_that_is_kept_is_not_broken() -> None:
    assert shortest_of("lengths") == ""


def test_the_right_model_breaks_nothing_in_the_smaller_scope() -> None:
    for run in runs(TRANSITIONS, INVARIANTS, ("A", "B")):
        last = run.operations[-1]
        if len(run.operations) <= 3:
            assert breaches(run.before, last.transition, last.arguments, last.blocks) == []


def test_effects_outside_the_footprint_are_seen() -> None:
    stray = replace(
        FORK,
        effect=lambda state, choice, parent, child: replace(
            fork(state, choice, parent, child), free=lambda block: block < 0
        ),
    )
    claims = list(claims_of(stray, INVARIANTS))
    found = find_breaks(claims, (*TRANSITIONS[:1], stray), INVARIANTS)
    assert "fork changes free inside its footprint only" in found


def test_a_transition_that_never_fires_is_named() -> None:
    never = replace(
        RELEASE,
        name="never",
        requirements=((Refusal.UNKNOWN, lambda state, sequence: state.length(sequence) < 0),),
    )
    assert never_fires((*TRANSITIONS, never), INVARIANTS) == ("never",)
    assert never_fires(TRANSITIONS, INVARIANTS) == ()


def test_the_last_step_of_a_break_breaches_the_wrong_model_and_not_the_right_one() -> None:
    claims = claims_of(UNCOUNTED.transition, INVARIANTS)
    run = find_breaks(claims, UNCOUNTED.transitions, INVARIANTS)["fork preserves counts"].run
    last = run.operations[-1]
    assert breaches(run.before, last.transition, last.arguments, last.blocks) != []
    assert breaches(run.before, FORK, last.arguments, last.blocks) == []


def test_the_first_breaks_are_those_of_the_shortest_run() -> None:
    claims = tuple(claims_of(UNCOUNTED.transition, INVARIANTS))
    found = first_breaks(claims, UNCOUNTED.transitions, INVARIANTS)
    assert {len(each.run.operations) for each in found} == {2}
    assert first_breaks(claims_of(FORK, INVARIANTS), TRANSITIONS[:2], INVARIANTS) == ()


def test_a_name_that_no_run_uses_is_tried() -> None:
    careless = mutant_named("fork overwrites a live child")
    claims = [
        claim for claim in claims_of(careless.transition, INVARIANTS) if claim.clause == "lengths"
    ]
    (found,) = find_breaks(claims, careless.transitions, INVARIANTS).values()
    assert found.values == {"sequence": STRANGER}


def test_a_text_that_fails_is_broken_and_told() -> None:
    failing = replace(FORK, effect=lambda state, choice, parent, child: state.nothing)
    claims = list(claims_of(failing, INVARIANTS))
    found = first_breaks(claims, (*TRANSITIONS[:1], failing), INVARIANTS)
    assert len(found) == len(claims)
    assert found[0].fault.startswith("the model's text fails: AttributeError")


def test_a_guard_that_fails_is_broken_and_told() -> None:
    failing = replace(FORK, needs=lambda state: state.nothing)
    claims = list(claims_of(failing, INVARIANTS))
    found = first_breaks(claims, (*TRANSITIONS[:1], failing), INVARIANTS)
    assert "AttributeError" in str(found[0])


def test_a_refused_step_breaches_nothing() -> None:
    last = find_breaks(
        claims_of(UNCOUNTED.transition, INVARIANTS), UNCOUNTED.transitions, INVARIANTS
    )["fork preserves counts"].run
    given = {"parent": "A", "child": "A"}
    assert breaches(last.before, UNCOUNTED.transition, given, ()) == []
    assert breaches(last.before, UNCOUNTED.transition, {"parent": "A", "child": "B"}, (2,)) == []

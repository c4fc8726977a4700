"""A transition takes every block it asks for: who asks for more is refused where it could go on."""

from __future__ import annotations

from poolproof_model.algebra import absent, implies, within
from poolproof_model.system import Clause, Transition
from poolproof_verification.proofs.claims import Claim, claims_of


def takes_what_it_asks_for(transition: Transition) -> Claim:
    """None of the blocks it chooses is free afterwards."""
    return Claim(
        f"{transition.name} takes every block it asks for",
        "Who asks for more blocks than it takes is refused where it could go on.",
        "refusals",
        transition,
        "admission",
        {"index": "Index"},
        lambda step, values: implies(
            within(values["index"], step.needed),
            absent(step.after.free(step.choice.block(values["index"]))),
        ),
    )


def judged_claims(transition: Transition, invariants: tuple[Clause, ...]) -> tuple[Claim, ...]:
    """Everything that mutants of this transition are judged by, each claim once."""
    claims = {claim.name: claim for claim in claims_of(transition, invariants)}
    exact = takes_what_it_asks_for(transition)
    return tuple({**claims, exact.name: exact}.values())

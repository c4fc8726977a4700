"""What is behind an obligation without a proof: operations that break it, a step, or neither.

The operations start from the empty pool; the step from a state that has the invariants, and need
not be reachable. Where there is a step and no operations, that is said.

Does not cover: the footprint of a text that cannot be run; obligations that are no claim about one
step (lawful choices, loops, lemmas) remain without either.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from poolproof_model.invariants import INVARIANTS
from poolproof_model.system import TRANSITIONS, Clause, Transition
from poolproof_verification.counterexample import Counterexample
from poolproof_verification.proofs.admission import admission_break, admission_counterexample
from poolproof_verification.proofs.claims import Claim, admission_name, claims_of
from poolproof_verification.proofs.induction import smallest_step, step_counterexample
from poolproof_verification.proofs.refutation import counterexample_of
from poolproof_verification.proofs.runs import BLOCK_SIZE, SCOPES, TOTAL
from poolproof_verification.proofs.search import find_breaks
from poolproof_verification.proofs.solve import Result
from poolproof_verification.proofs.starting import start_clauses, start_counterexample

NONE_IN_SCOPE = (
    f"no operations from the empty pool break it within {TOTAL} blocks of {BLOCK_SIZE} slots, "
    f"{len(SCOPES[-1][0])} sequences and {SCOPES[-1][1]} steps tried"
)


@dataclass(frozen=True)
class Refutation:
    """The concrete counterexamples to a claim, where there are any."""

    operations: Counterexample | None  # the shortest from the empty pool
    step: Counterexample | None  # the smallest from a state in which the invariants hold

    @property
    def found(self) -> Counterexample | None:
        """One of them: operations before a step."""
        return self.operations or self.step

    @property
    def statement(self) -> str:
        """What there is, and what there is not, in a sentence."""
        if self.operations:
            return f"broken from the empty pool: {self.operations.line()}"
        if self.step:
            return f"not inductive: {self.step.line()}; {NONE_IN_SCOPE}"
        return f"nothing concrete: {NONE_IN_SCOPE}"

    def as_json(self) -> dict[str, Any]:
        """Plain data for the report, each counterexample in the form of all others."""
        return {
            "operations": self.operations and self.operations.as_json(),
            "step": self.step and self.step.as_json(),
            "statement": self.statement,
        }


def refutations(
    results: Iterable[Result],
    transitions: tuple[Transition, ...] = TRANSITIONS,
    invariants: tuple[Clause, ...] = INVARIANTS,
) -> dict[str, Refutation]:
    """Both counterexamples to each obligation that was tried and has no proof, by its name."""
    failed = [result for result in results if result.tried and not result.proved]
    names = {result.name for result in failed}
    claims = (claim for each in transitions for claim in claims_of(each, invariants))
    unproved = tuple(claim for claim in claims if claim.name in names)
    return {
        **dict(refuted_starts(failed, invariants)),
        **refuted_claims(unproved, transitions, invariants),
        **dict(refuted_admissions(names, transitions, invariants)),
    }


def refuted_claims(
    claims: tuple[Claim, ...],
    transitions: tuple[Transition, ...],
    invariants: tuple[Clause, ...],
) -> dict[str, Refutation]:
    """For each claim what breaks it; steps for one claim a law where operations do."""
    breaks = find_breaks(claims, transitions, invariants) if claims else {}
    found: dict[str, Refutation] = {}
    told: set[tuple[str, str]] = set()
    for claim in claims:
        run = breaks.get(claim.name)
        about = claim.transition.name, claim.law
        step = None if run and about in told else smallest_step(claim, invariants)
        told |= {about} if step else set()
        found[claim.name] = Refutation(
            counterexample_of(run) if run else None, step_counterexample(step) if step else None
        )
    return {name: each for name, each in found.items() if each.found}


def refuted_admissions(
    names: set[str], transitions: tuple[Transition, ...], invariants: tuple[Clause, ...]
) -> Iterator[tuple[str, Refutation]]:
    """The transitions that refuse or admit what they should not."""
    for transition in transitions:
        name = admission_name(transition)
        found = admission_break(transitions, (transition,), invariants) if name in names else None
        if found:
            yield name, Refutation(admission_counterexample(found), None)


def refuted_starts(
    failed: Iterable[Result], invariants: tuple[Clause, ...]
) -> Iterator[tuple[str, Refutation]]:
    """The obligations of the initial state that it breaks."""
    clauses = {clause.__name__: clause for clause in start_clauses(invariants)}
    for result in failed:
        if result.obligation.transition == "initial":
            found = start_counterexample((clauses[result.obligation.clause],))
            if found:
                yield result.name, Refutation(found, None)

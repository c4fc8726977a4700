"""What becomes of a mutant of the model: the obligations it loses, and what refutes it.

A mutant is refuted only by concrete operations, or a concrete step from a state in which every
invariant holds, replayed on the executed model. A lost proof alone refutes nothing.

Does not cover: mutants that nobody thought of; `mechanical` makes some of those.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from poolproof_model.invariants import INVARIANTS
from poolproof_model.system import Transition
from poolproof_verification.counterexample import Counterexample
from poolproof_verification.proofs.admission import (
    admission_break,
    admission_counterexample,
)
from poolproof_verification.proofs.claims import Claim, claims_of
from poolproof_verification.proofs.induction import (
    NAMES,
    NUMBERS,
    smallest_step,
    step_counterexample,
)
from poolproof_verification.proofs.model_mutants import MUTANTS, ModelMutant
from poolproof_verification.proofs.prove import results_of
from poolproof_verification.proofs.refutation import counterexample_of
from poolproof_verification.proofs.search import first_breaks
from poolproof_verification.proofs.unproved import Refutation

TIMEOUT = 10_000  # milliseconds an obligation
EFFORT = 250_000  # the solver's own units: several times what the hardest proof of the model needs


@dataclass(frozen=True)
class Fate:
    """One mutant: the obligations that lose their proof, and the concrete refutation."""

    mutant: ModelMutant
    lost: tuple[str, ...]
    refutation: Refutation

    @property
    def refuted(self) -> bool:
        """A concrete counterexample was found."""
        return self.refutation.found is not None

    def __str__(self) -> str:
        """One line for a log."""
        lost = f"loses {len(self.lost)} of its proofs"
        found = self.refutation.found
        how = f"refuted: {found.line()}" if found else "not refuted: nothing concrete breaks it"
        return f"{self.mutant.wrong}: {lost}, {how}"

    def as_json(self) -> dict[str, Any]:
        """Plain data for the report."""
        return {
            "mutant": self.mutant.name,
            "wrong": self.mutant.wrong,
            "lost": list(self.lost),
            "refuted": self.refuted,
            **self.refutation.as_json(),
        }


def judge(mutant: ModelMutant, timeout: int = TIMEOUT, seed: int = 0) -> Fate:
    """Try to prove the mutant, and look for what breaks it."""
    results = results_of(None, timeout, seed, (mutant.transition,), effort=EFFORT)
    lost = tuple(result.name for result in results if not result.proved)
    claims = tuple(claims_of(mutant.transition, INVARIANTS))
    operations, broken = shortest(claims, mutant.transitions, (mutant.transition,))
    suspects = broken if operations else (claim for claim in claims if claim.name in lost)
    return Fate(mutant, lost, Refutation(operations, first_step(suspects, bool(operations))))


def shortest(
    claims: Iterable[Claim], transitions: tuple[Transition, ...], judged: Iterable[Transition]
) -> tuple[Counterexample | None, tuple[Claim, ...]]:
    """The shortest operations that break a claim, or are admitted or refused wrongly.

    With the claims that they break.
    """
    breaks = first_breaks(claims, transitions, INVARIANTS)
    if breaks:
        return counterexample_of(breaks[0]), tuple(found.claim for found in breaks)
    refused = admission_break(transitions, judged, INVARIANTS)
    return (admission_counterexample(refused), ()) if refused else (None, ())


def first_step(claims: Iterable[Claim], refuted: bool) -> Counterexample | None:
    """The smallest step that breaks the first of the claims that any step breaks.

    What is refuted already is not looked for among further names.
    """
    for claim in claims:
        for names in (NAMES,) if refuted else (NAMES, NUMBERS):
            found = smallest_step(claim, INVARIANTS, names)
            if found:
                return step_counterexample(found)
    return None


@dataclass(frozen=True)
class Matrix:
    """Mutants against obligations: which mutant loses which proof."""

    obligations: tuple[str, ...]  # of the right model, lemmas apart, in order
    fates: tuple[Fate, ...]

    @property
    def idle(self) -> tuple[str, ...]:
        """The obligations that no mutant loses."""
        lost = {name for fate in self.fates for name in fate.lost}
        return tuple(name for name in self.obligations if name not in lost)

    @property
    def survivors(self) -> tuple[Fate, ...]:
        """The mutants that nothing concrete refutes."""
        return tuple(fate for fate in self.fates if not fate.refuted)

    @property
    def unnoticed(self) -> tuple[Fate, ...]:
        """The mutants of which everything is still proved."""
        return tuple(fate for fate in self.fates if not fate.lost)

    def faults(self) -> tuple[str, ...]:
        """What is wrong with the catalogue, the proofs, or the reasons given: each a line."""
        wrong = "a reason is given, and a mutant loses it or it is no obligation"
        return (
            *(f"{fate.mutant.wrong}: nothing concrete refutes it" for fate in self.survivors),
            *(f"{fate.mutant.wrong}: every proof still holds" for fate in self.unnoticed),
            *(f"{name}: no mutant loses it, and no reason is given" for name in self.unexplained),
            *(f"{name}: {wrong}" for name in self.overexplained),
        )

    @property
    def unexplained(self) -> tuple[str, ...]:
        """Idle obligations without a reason."""
        return tuple(name for name in self.idle if not reason_for(name))

    @property
    def overexplained(self) -> tuple[str, ...]:
        """Reasons for what some mutant loses, or for what is no obligation."""
        idle = set(self.idle)

        def fits(part: str) -> bool:
            about = {name for name in self.obligations if part in name}
            return bool(about) and about <= idle

        return tuple(part for part in REASONS if not fits(part))

    def as_json(self) -> dict[str, Any]:
        """Plain data for the report."""
        return {
            "obligations": list(self.obligations),
            "mutants": [fate.as_json() for fate in self.fates],
            "idle": {name: reason_for(name) for name in self.idle},
            "faults": list(self.faults()),
        }


def matrix(
    mutants: Iterable[ModelMutant] = MUTANTS,
    timeout: int = TIMEOUT,
    seed: int = 0,
    progress: Callable[[str], None] = lambda line: None,
) -> Matrix:
    """Judge these mutants; `progress` gets a line for each."""
    right = results_of(None, timeout, seed, effort=EFFORT)
    names = (each.name for each in right if not each.name.startswith("lemma "))
    fates = []
    for mutant in mutants:
        fate = judge(mutant, timeout, seed)
        progress(str(fate))
        fates.append(fate)
    return Matrix(tuple(names), tuple(fates))


# Why an obligation stays though no mutant of a transition loses it, by a part of its name.
REASONS = {
    "the initial state has": "it is about the initial state, whose own mutants are mechanical",
    "has a lawful choice where enough blocks are free": (
        "it holds of any number asked for: it ties the count of free blocks to choices of them"
    ),
    "has no lawful choice elsewhere": (
        "it holds of any number asked for: it ties the count of free blocks to choices of them"
    ),
    "loop over blocks: base": "before the first pass nothing has changed, whatever the effect",
    "every block is free when no sequence is live": "it follows from the invariants alone",
}


def reason_for(name: str) -> str:
    """Why an obligation that no mutant loses stays, or nothing."""
    return next((reason for part, reason in REASONS.items() if part in name), "")

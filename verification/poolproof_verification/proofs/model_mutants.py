"""The catalogue of mutants of the model: proofs that still go through would prove nothing.

Each is one transition with something wrong, which must lose a proof and be refuted by concrete
operations. Invariants alone notice half of them; it takes the promises to see a transition that
does nothing, or the wrong thing consistently.

Does not cover: mutants that nobody thought of; `mechanical` makes some of those.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches

from poolproof_model.system import TRANSITIONS, Transition
from poolproof_verification.proofs import (
    model_mutants_allocate,
    model_mutants_append,
    model_mutants_fork,
    model_mutants_release,
    model_mutants_stray,
)
from poolproof_verification.verdict import CouldNotRun


@dataclass(frozen=True)
class ModelMutant:
    """A transition with something wrong."""

    wrong: str  # what, in a sentence
    transition: Transition

    @property
    def name(self) -> str:
        """The sentence as one word."""
        return self.wrong.replace(" ", "_")

    @property
    def transitions(self) -> tuple[Transition, ...]:
        """The model's list with this transition in place of the right one."""
        return tuple(
            self.transition if each.name == self.transition.name else each for each in TRANSITIONS
        )


PARTS = (
    model_mutants_allocate,
    model_mutants_fork,
    model_mutants_append,
    model_mutants_release,
    model_mutants_stray,
)
MUTANTS = tuple(
    ModelMutant(wrong, transition) for part in PARTS for wrong, transition in part.WRONG.items()
)


def mutant_named(name: str) -> ModelMutant:
    """The mutant with this name or sentence. CouldNotRun: there is none."""
    for mutant in MUTANTS:
        if name in (mutant.name, mutant.wrong):
            return mutant
    near = get_close_matches(name, [mutant.name for mutant in MUTANTS], 3, 0)
    raise CouldNotRun(
        f"no mutant of the model is called {name!r}; {', '.join(near)} and others are, "
        "which --mutants lists"
    )

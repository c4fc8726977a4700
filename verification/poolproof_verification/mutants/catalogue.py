"""The seeded bugs: each is wrong in one way that a maintainer could plausibly get wrong.

Left out, as the map of free blocks has no order that could be wrong: a list of free blocks that is
not kept in order.
"""

from __future__ import annotations

from poolproof_verification.mutants import (
    admission,
    answers,
    field,
    free_blocks,
    releasing,
    sharing,
    unbounded,
)
from poolproof_verification.mutants.patches import Mutant
from poolproof_verification.verdict import CouldNotRun

MUTANTS: tuple[Mutant, ...] = (
    *sharing.MUTANTS,
    *releasing.MUTANTS,
    *admission.MUTANTS,
    *free_blocks.MUTANTS,
    *answers.MUTANTS,
    *field.MUTANTS,
    *unbounded.MUTANTS,
)


def mutant_named(name: str) -> Mutant:
    """The mutant of this name; CouldNotRun where there is none."""
    for mutant in MUTANTS:
        if mutant.name == name:
            return mutant
    raise CouldNotRun(f"no mutant is called {name!r}; there are {[m.name for m in MUTANTS]}")

"""A canary for the proofs: one mutant of the catalogue, which they must notice.

Does not cover: the mutants not drawn; `poolproof prove --mutants` judges them all.
"""

from __future__ import annotations

import random

from poolproof_verification.proofs.model_mutants import MUTANTS, ModelMutant
from poolproof_verification.proofs.model_mutants_judge import TIMEOUT, judge
from poolproof_verification.proofs.prove import METHOD
from poolproof_verification.verdict import Canary

BUGS = MUTANTS  # any of the catalogue will do


def canary(seed: int = 0) -> Canary:
    """One of the bugs, drawn by the seed, and whether the proofs notice it."""
    return released(random.Random(seed).choice(BUGS))


def released(bug: ModelMutant, timeout: int = TIMEOUT) -> Canary:
    """The bug must lose a proof, and break something on concrete states."""
    fate = judge(bug, timeout)
    if not fate.lost:
        return Canary(METHOD, bug.wrong, False, "every obligation is still proved of the model")
    found = fate.refutation.found
    if not found:
        names = ", ".join(fate.lost)
        return Canary(METHOD, bug.wrong, False, f"no concrete operations break {names}")
    return Canary(METHOD, bug.wrong, True, found.line())

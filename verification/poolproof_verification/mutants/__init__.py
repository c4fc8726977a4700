"""Seeded bugs of the manager, as exact patches of its source: what the checks must find."""

from poolproof_verification.mutants.catalogue import MUTANTS, mutant_named
from poolproof_verification.mutants.patches import Mutant, StalePatch, load

__all__ = ["MUTANTS", "Mutant", "StalePatch", "load", "mutant_named"]

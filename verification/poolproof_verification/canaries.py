"""A seeded bug for every method, drawn by the seed: a method that lets it live proves nothing."""

from __future__ import annotations

import random

from poolproof_verification.mutants.catalogue import MUTANTS, mutant_named
from poolproof_verification.mutants.patches import Mutant, load
from poolproof_verification.targets import ClassTarget
from poolproof_verification.verdict import Canary

FUZZ_EXAMPLES = 300
OF_ASKING = "leak_and_double_count_cancel"  # no operation shows it, so none of those drawn fits


def draw(seed: int) -> Mutant:
    """The seed's bug, of those that every method can find."""
    fit = [mutant for mutant in MUTANTS if mutant.canary]
    return random.Random(seed).choice(fit)


def target_of(mutant: Mutant) -> ClassTarget:
    """The manager with the bug in it."""
    return ClassTarget(mutant.name, load(mutant))


def release(method: str, seed: int) -> Canary:
    """Let the method judge its bug."""
    if method == "prove":
        from poolproof_verification.proofs import canary

        return canary(seed)
    if method in ("metamorphic", "injected"):
        from poolproof_verification import injected, metamorphic

        draws = {"metamorphic": metamorphic.canary, "injected": injected.canary}
        return draws[method](seed)
    if method == "asking":
        from poolproof_verification import asking

        return asking.canary(mutant_named(OF_ASKING))
    mutant = draw(seed)
    if method == "contracts":
        from poolproof_verification.contracts import canary as contract_canary

        return contract_canary(mutant)
    how = explored(mutant) if method == "explore" else fuzzed(mutant, seed)
    return Canary(method, mutant.wrong, how is not None, how or "no counterexample found")


def explored(mutant: Mutant) -> str | None:
    """The counterexample that exploration finds, in a line."""
    from poolproof_verification.explore import counterexamples, explore_scopes

    target = target_of(mutant)
    found = counterexamples(target, explore_scopes(target))
    return found[0].line() if found else None


def fuzzed(mutant: Mutant, seed: int) -> str | None:
    """The counterexample that random operations find, in a line."""
    from poolproof_verification.fuzz import counterexamples, search

    found = counterexamples(search(target_of(mutant), seed, examples=FUZZ_EXAMPLES))
    return found[0].line() if found else None

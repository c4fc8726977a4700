"""A goal that says several things at once, split: one obligation each, and one that they suffice.

A solver that searches for all of a conjunction together may lose its way where each part is easy.

Does not cover: whether the parts make the whole; the last case asks the solver that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import z3

from poolproof_model.system import Clause, Transition
from poolproof_verification.proofs.goals import Obligation
from poolproof_verification.proofs.lemmas import LEMMAS
from poolproof_verification.proofs.obligations import obligations
from poolproof_verification.proofs.solve import in_order


def every_obligation(
    transitions: Iterable[Transition], invariants: tuple[Clause, ...]
) -> tuple[Obligation, ...]:
    """Those of all lemmas, then those of the model."""
    of_lemmas = (each for lemma in LEMMAS for each in lemma.obligations())
    return with_lemmas((*of_lemmas, *obligations(transitions, invariants)))


def with_lemmas(selected: Sequence[Obligation]) -> tuple[Obligation, ...]:
    """These obligations after those of the lemmas they rest on, each once."""
    needed = in_order(lemma for each in selected for lemma in each.lemmas)
    found = {each.name: each for lemma in needed for each in lemma.obligations()}
    return (*found.values(), *(each for each in selected if each.name not in found))


def cases_of(obligation: Obligation) -> tuple[Obligation, ...]:
    """One obligation for each part of the goal, and the last: that the parts make the goal.

    With all of them the obligation is discharged. There are none where the goal has a single part.
    """
    if not z3.is_and(obligation.goal):
        return ()
    parts = obligation.goal.children()
    separate = tuple(
        replace(obligation, name=f"{obligation.name} (part {number} of {len(parts)})", goal=part)
        for number, part in enumerate(parts, 1)
    )
    together = replace(
        obligation,
        name=f"{obligation.name} (from its {len(parts)} parts)",
        hypotheses=tuple((f"part {number}", part) for number, part in enumerate(parts, 1)),
        lemmas=(),
    )
    return (*separate, together)

"""A proof found by luck is no proof to build on: every obligation, under many seeds.

Does not cover: other versions of the solver; their releases differ by more than a seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from poolproof_verification.proofs.goals import Lemma, Obligation
from poolproof_verification.proofs.lemmas import LEMMAS
from poolproof_verification.proofs.solve import Result, discharge, prove_all
from poolproof_verification.verdict import CouldNotRun


@dataclass(frozen=True)
class Stability:
    """What became of all obligations under all seeds."""

    seeds: int
    tried: int  # obligations times seeds, those of lemmas included
    unproved: tuple[tuple[int, Result], ...]  # under which seed
    slowest: tuple[int, Result]

    @property
    def held(self) -> bool:
        """Every obligation was proved under every seed."""
        return not self.unproved

    def __str__(self) -> str:
        """One line for a log."""
        seed, result = self.slowest
        held = self.tried - len(self.unproved)
        return (
            f"{held} of {self.tried} proved of the model under {self.seeds} seeds; "
            f"slowest: {result.name} ({result.milliseconds:.0f} ms, seed {seed})"
        )


def stable(
    selected: Sequence[Obligation],
    seeds: int = 10,
    timeout: int = 10_000,
    lemmas: Iterable[Lemma] = LEMMAS,
    progress: Callable[[str], None] = lambda line: None,
) -> Stability:
    """Discharge the lemmas and the obligations under seeds 0 .. seeds - 1."""
    if seeds < 1:
        raise CouldNotRun(f"at least 1 seed is needed, {seeds} are asked for")
    needed = (*lemmas, *(lemma for each in selected for lemma in each.lemmas))
    found: list[tuple[int, Result]] = []
    for seed in range(seeds):
        ask = partial(discharge, timeout=timeout, seed=seed)
        results = list(prove_all(needed, selected, ask))
        progress(f"seed {seed}: {sum(each.proved for each in results)} of {len(results)} held")
        found += [(seed, result) for result in results]
    if not found:
        raise CouldNotRun("there is no obligation to repeat under other seeds")
    unproved = tuple(each for each in found if not each[1].proved)
    slowest = max(found, key=lambda each: each[1].milliseconds)
    return Stability(seeds, len(found), unproved, slowest)

"""What becomes of the mechanical mutants: refuted by concrete steps, or proved and explained.

A mutant that nothing concrete breaks, and of which some obligation has no proof, is open: neither
refuted nor equivalent, and a fault. So is a survivor without an explanation, and an explanation for
a mutant that is refuted or no longer made.

Does not cover: mutants of two changes; texts other than `transitions.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from poolproof_model.invariants import INVARIANTS
from poolproof_verification.counterexample import Counterexample
from poolproof_verification.proofs.claims import claims_of
from poolproof_verification.proofs.mechanical import TextMutant, text_mutants
from poolproof_verification.proofs.model_mutants_judge import EFFORT, TIMEOUT, first_step, shortest
from poolproof_verification.proofs.obligations import initiation
from poolproof_verification.proofs.prove import results_of
from poolproof_verification.proofs.solve import discharge, prove_all
from poolproof_verification.proofs.starting import Begin, start_clauses, start_counterexample
from poolproof_verification.verdict import CouldNotRun

NOT_LIVE = "a sequence that is not live has some length or other: nothing asks for it"
LIVE_ONLY = "a live sequence is one of the run's, as the invariant `lengths` says"
# Survivors by name, and why each is the same model in other words.
EQUIVALENT: dict[str, str] = {
    "initial:2:drop table_length": NOT_LIVE,
    "initial:2:drop length": NOT_LIVE,
    "initial:7:one more": NOT_LIVE,
    "initial:7:one less": NOT_LIVE,
    "initial:8:one more": NOT_LIVE,
    "initial:8:one less": NOT_LIVE,
    "parent_is_live:2:drop the left operand": LIVE_ONLY,
    "sequence_is_live:2:drop the left operand": LIVE_ONLY,
    "append:11:drop the left operand": (
        "where no block is taken, the target is the last block, which the sequence alone holds: "
        "held, counted once and not free it is already"
    ),
    "release:9:drop table_length": NOT_LIVE,
    "release:9:drop length": NOT_LIVE,
    "release:14:one more": NOT_LIVE,
    "release:14:one less": NOT_LIVE,
    "release:15:one more": NOT_LIVE,
    "release:15:one less": NOT_LIVE,
}


@dataclass(frozen=True)
class TextFate:
    """One mechanical mutant: what refutes it, or else what is no longer proved of it."""

    mutant: TextMutant
    counterexample: Counterexample | None
    unproved: tuple[str, ...] = ()  # looked at only where nothing concrete refutes it

    @property
    def refuted(self) -> bool:
        """A concrete counterexample was found."""
        return self.counterexample is not None

    @property
    def survives(self) -> bool:
        """Nothing breaks it, and all of it is proved."""
        return not self.refuted and not self.unproved

    def __str__(self) -> str:
        """One line for a log."""
        if self.counterexample:
            return f"{self.mutant.wrong}: refuted: {self.counterexample.line()}"
        if self.unproved:
            return f"{self.mutant.wrong}: open: not proved: {', '.join(self.unproved)}"
        reason = EQUIVALENT.get(self.mutant.name, "not explained")
        return f"{self.mutant.wrong}: survives, all of it proved of the model: {reason}"


@dataclass(frozen=True)
class TextReport:
    """All that were judged."""

    fates: tuple[TextFate, ...]

    @property
    def survivors(self) -> tuple[TextFate, ...]:
        """Those that nothing breaks and that are proved as the model is."""
        return tuple(fate for fate in self.fates if fate.survives)

    def faults(self) -> tuple[str, ...]:
        """What is wrong with the proofs or with the explanations: each a line."""
        surviving = [fate.mutant.name for fate in self.survivors]
        judged = {fate.mutant.name for fate in self.fates}
        made = {mutant.name for mutant in text_mutants()}
        idle = judged - set(surviving)
        unexplained = [name for name in surviving if name not in EQUIVALENT]
        unneeded = [name for name in EQUIVALENT if name in idle or name not in made]
        return (
            *(str(fate) for fate in self.fates if not fate.refuted and fate.unproved),
            *(f"{name}: survives without explanation" for name in unexplained),
            *(f"{name}: explained, and refuted or not made" for name in unneeded),
        )

    def as_json(self) -> dict[str, Any]:
        """Plain data for the report."""
        return {
            "judged": len(self.fates),
            "refuted": sum(fate.refuted for fate in self.fates),
            "survivors": {f.mutant.name: EQUIVALENT.get(f.mutant.name, "") for f in self.survivors},
            "faults": list(self.faults()),
        }


def judge_text(
    mutants: Iterable[TextMutant] | None = None,
    timeout: int = TIMEOUT,
    seed: int = 0,
    progress: Callable[[str], None] = lambda line: None,
) -> TextReport:
    """Judge these mutants, or all; `progress` gets a line for each."""
    fates = []
    for mutant in text_mutants() if mutants is None else mutants:
        fate = fate_of(mutant, timeout, seed)
        progress(str(fate))
        fates.append(fate)
    return TextReport(tuple(fates))


def fate_of(mutant: TextMutant, timeout: int = TIMEOUT, seed: int = 0) -> TextFate:
    """Look for what breaks it; where nothing does, try to prove all of it."""
    if mutant.function == "initial":
        start = start_counterexample(start_clauses(), begin_of(mutant))
        return TextFate(mutant, start, () if start else start_unproved(mutant, timeout, seed))
    affected = mutant.affected
    if not affected:
        return TextFate(mutant, None, (f"no transition uses {mutant.function}",))
    claims = [claim for each in affected for claim in claims_of(each, INVARIANTS)]
    found, _ = shortest(claims, mutant.transitions, affected)
    if found:
        return TextFate(mutant, found)
    try:
        results = results_of(None, timeout, seed, affected, effort=EFFORT)
        unproved = tuple(result.name for result in results if not result.proved)
    except CouldNotRun as error:
        unproved = (str(error),)
    step = first_step((claim for claim in claims if claim.name in unproved), False)
    return TextFate(mutant, step, unproved)


def start_unproved(mutant: TextMutant, timeout: int, seed: int) -> tuple[str, ...]:
    """What is not proved of the initial state that the changed text makes."""
    about = tuple(initiation(INVARIANTS, begin_of(mutant)))
    lemmas = (lemma for each in about for lemma in each.lemmas)
    ask = partial(discharge, timeout=timeout, seed=seed, effort=EFFORT)
    results = prove_all(lemmas, about, ask)
    return tuple(result.name for result in results if not result.proved)


def begin_of(mutant: TextMutant) -> Begin:
    """The changed text's own initial state."""
    begin: Begin = mutant.module().__dict__["initial"]
    return begin

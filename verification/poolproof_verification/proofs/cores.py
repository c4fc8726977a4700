"""Which hypotheses and lemmas each proof needs.

A core is found by taking assumptions away one by one for as long as the proof still goes through,
so it is not the only one there may be.

Does not cover: idle parts of one hypothesis, or of a transition's effect.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import z3

from poolproof_verification.proofs.goals import Formula, Obligation
from poolproof_verification.proofs.solve import SETTINGS

# How long to look for a proof that does without some assumption, in the solver's own count of its
# work: unlike milliseconds, that is the same on every machine, and so are the cores.
EFFORT = 200_000
Assumed = tuple[tuple[str, Formula], ...]


@dataclass(frozen=True)
class Core:
    """What one proof needs of what it was given."""

    obligation: Obligation
    proved: bool
    used: Assumed
    milliseconds: float  # CPU

    def __str__(self) -> str:
        """One line for a log."""
        if not self.proved:
            return f"{self.obligation.name}: unknown (not proved)"
        return f"{self.obligation.name}: {', '.join(name for name, _ in self.used) or 'nothing'}"


def assumed_by(obligation: Obligation) -> Assumed:
    """The hypotheses and the lemmas, by name."""
    lemmas = ((f"lemma {lemma.name}", lemma.hypothesis()) for lemma in obligation.lemmas)
    return (*obligation.hypotheses, *lemmas)


def core_of(obligation: Obligation, timeout: int, seed: int = 0) -> Core:
    """A core from which the solver proves the goal, and without any part of which it does not."""
    started = time.process_time()
    given = assumed_by(obligation)
    kept = narrowed(obligation, given, timeout, seed)
    proved = kept is not None
    used = reduced(obligation, kept, seed) if kept is not None else ()
    return Core(obligation, proved, used, 1000 * (time.process_time() - started))


def narrowed(obligation: Obligation, given: Assumed, timeout: int, seed: int) -> Assumed | None:
    """The solver's own unsat core, or all of it where that alone finds no proof; None: no proof."""
    solver = solver_with((), timeout, seed)
    solver.set(unsat_core=True)
    marks = {f"assumption {number}": each for number, each in enumerate(given)}
    for mark, (_, formula) in marks.items():
        solver.assert_and_track(formula, mark)
    solver.add(z3.Not(obligation.goal))
    if solver.check() == z3.unsat:
        core = {str(mark).strip("|") for mark in solver.unsat_core()}
        found = tuple(each for mark, each in marks.items() if mark in core)
        if follows(obligation, found, timeout, seed):
            return found
    return given if follows(obligation, given, timeout, seed) else None


def reduced(obligation: Obligation, kept: Assumed, seed: int) -> Assumed:
    """Without what the proof does without. What comes last is tried first: instances, lemmas."""
    for each in reversed(kept):
        fewer = tuple(other for other in kept if other is not each)
        if follows(obligation, fewer, 0, seed, EFFORT):
            kept = fewer
    return kept


def follows(
    obligation: Obligation, assumed: Assumed, timeout: int, seed: int, effort: int = 0
) -> bool:
    """The solver proves the goal from these alone; 0: no limit on milliseconds, or on effort."""
    solver = solver_with(assumed, timeout, seed)
    solver.set(rlimit=effort)
    solver.add(z3.Not(obligation.goal))
    return bool(solver.check() == z3.unsat)


def solver_with(assumed: Assumed, timeout: int, seed: int) -> z3.Solver:
    """A solver that knows these formulas, set as it is for proofs."""
    solver = z3.SimpleSolver()
    solver.set(random_seed=seed, **SETTINGS)
    if timeout:
        solver.set(timeout=timeout)
    solver.add(*(formula for _, formula in assumed))
    return solver

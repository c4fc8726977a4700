"""One obligation, one answer: proved, or not proved and why. Anything but `unsat` is not proved.

The solver uses a hypothesis about all values only at terms that its triggers find. Its other way,
to guess values from candidate models, is off: without a proof it runs until the timeout, where this
gives up at once; and it was once seen to call the lemmas, which hold of plain counting, a
contradiction.

Does not cover: mistakes of the solver's own; `confirm` asks a second solver.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import contextmanager
from ctypes import ArgumentError
from dataclasses import dataclass

import z3

from poolproof_verification.proofs.goals import Lemma, Obligation
from poolproof_verification.verdict import CouldNotRun

Ask = Callable[[Obligation, Container[Lemma]], "Result"]  # by whichever solver
SETTINGS = {"auto_config": False, "mbqi": False}


@dataclass(frozen=True)
class Result:
    """What became of one obligation."""

    obligation: Obligation
    proved: bool
    reason: str  # why it is not proved
    milliseconds: float  # CPU
    tried: bool = True

    @property
    def name(self) -> str:
        """The obligation's name."""
        return self.obligation.name

    def __str__(self) -> str:
        """One line for a log."""
        spent = f"{self.milliseconds:.0f} ms"
        if self.proved:
            return f"{self.name}: held (proved of the model, {spent})"
        return f"{self.name}: unknown (not proved: {self.reason}, {spent})"


def discharge(
    obligation: Obligation, proved: Container[Lemma], timeout: int, seed: int = 0, effort: int = 0
) -> Result:
    """Try to prove it within `timeout` milliseconds, from lemmas that are `proved` already.

    An obligation that rests on any other lemma is not even tried. `effort`: in the solver's own
    count of its work; 0: no limit.
    """
    if untried := rests_on_unproved(obligation, proved):
        return untried
    started = time.process_time()
    solver = solver_for(obligation, timeout, seed)
    solver.set(rlimit=effort)
    solver.add(z3.Not(obligation.goal))
    answer = solver.check()
    spent = 1000 * (time.process_time() - started)
    if answer == z3.unsat:
        return Result(obligation, True, "", spent)
    return Result(obligation, False, reason(answer, solver, effort), spent)


@contextmanager
def interruptible() -> Iterator[None]:
    """Ctrl-C is one, too, where it comes as an error in the arguments of a call of z3's."""
    try:
        yield
    except ArgumentError as error:
        if "KeyboardInterrupt" not in str(error):
            raise
        raise KeyboardInterrupt from None


def rests_on_unproved(obligation: Obligation, proved: Container[Lemma]) -> Result | None:
    """The result where it is not even tried, for a lemma that is not proved."""
    for lemma in obligation.lemmas:
        if lemma not in proved:
            why = f"it rests on the lemma {lemma.name!r}, which is not proved"
            return Result(obligation, False, why, 0.0, tried=False)
    return None


def solver_for(obligation: Obligation, timeout: int, seed: int) -> z3.Solver:
    """A solver that knows the hypotheses and the lemmas."""
    solver = z3.SimpleSolver()
    solver.set(timeout=timeout, random_seed=seed, **SETTINGS)
    for _, hypothesis in obligation.hypotheses:
        solver.add(hypothesis)
    for lemma in obligation.lemmas:
        solver.add(lemma.hypothesis())
    return solver


def reason(answer: z3.CheckSatResult, solver: z3.Solver, effort: int) -> str:
    """Why there is no proof, in the words of an engineer."""
    if answer == z3.sat:
        return "the hypotheses allow the contrary"
    words = solver.reason_unknown()
    if words in ("timeout", "canceled", "max. resource limit exceeded"):
        return "too much work" if effort else "out of time"
    return "no proof found"


def prove_all(
    lemmas: Iterable[Lemma], obligations: Iterable[Obligation], ask: Ask
) -> Iterator[Result]:
    """Each result as it is found: the lemmas and those they use, then what may rest on them."""
    proved: set[Lemma] = set()
    for lemma in in_order(lemmas):
        results = [ask(each, proved) for each in lemma.obligations()]
        if results and all(result.proved for result in results):
            proved.add(lemma)
        yield from results
    for obligation in obligations:
        yield ask(obligation, proved)


def in_order(lemmas: Iterable[Lemma], above: tuple[Lemma, ...] = ()) -> tuple[Lemma, ...]:
    """These lemmas and all they use, each after those it uses, each once.

    CouldNotRun: one rests on itself. `above`: those that rest on these.
    """
    found: dict[Lemma, None] = {}
    for lemma in lemmas:
        if lemma in above:
            raise CouldNotRun(f"the lemma {lemma.name!r} rests on itself")
        found |= dict.fromkeys((*in_order(lemma.uses, (*above, lemma)), lemma))
    return tuple(found)

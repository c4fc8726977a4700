"""The whole verification suite: every method that fits the target, each beside its canary."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from importlib.util import find_spec

from poolproof_verification import canaries
from poolproof_verification.targets import SHIPPED, find_target
from poolproof_verification.verdict import (
    Canary,
    CouldNotRun,
    Judgement,
    Outcome,
    Verdict,
    overall,
)

FUZZ_EXAMPLES = 800
CONTRACT_SECONDS = 180  # CPU; a ceiling for slow machines, a third is usual
# Longest first: two at a time.
METHODS = ("explore", "contracts", "fuzz", "prove", "metamorphic", "injected", "asking")
FOREIGN = (
    "explore",
    "fuzz",
    "metamorphic",
    "injected",
)  # the proofs concern the model, the contracts and what is asked the shipped manager
NEEDED = {"prove": "z3", "contracts": "crosshair", "fuzz": "hypothesis"}


@dataclass(frozen=True)
class Report:
    """What the suite found of one target."""

    target: str
    seed: int
    judgements: tuple[Judgement, ...]
    canaries: tuple[Canary, ...]
    seconds: float  # wall

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """Every verdict of every method."""
        return tuple(verdict for judgement in self.judgements for verdict in judgement.verdicts)

    @property
    def outcome(self) -> Outcome:
        """Held only if everything held and every method caught its canary."""
        outcomes = {overall(judgement.verdicts) for judgement in self.judgements}
        if Outcome.REFUTED in outcomes:
            return Outcome.REFUTED
        trusted = all(canary.refuted for canary in self.canaries)
        return Outcome.HELD if outcomes == {Outcome.HELD} and trusted else Outcome.UNKNOWN


def judge(method: str, target: str, seed: int) -> Judgement:
    """One method's judgement of the target."""
    if method == "prove":
        from poolproof_verification.proofs import prove

        return prove(seed=seed)
    if method == "contracts":
        from poolproof_verification.contracts import check

        return check(budget=CONTRACT_SECONDS, seed=seed)
    if method == "asking":
        from poolproof_verification import asking

        return asking.check()
    if method == "explore":
        from poolproof_verification.explore import explore

        return explore(find_target(target))
    if method == "metamorphic":
        from poolproof_verification import metamorphic

        return metamorphic.check(find_target(target), seed)
    if method == "injected":
        from poolproof_verification import injected

        return injected.check(find_target(target), seed)
    from poolproof_verification.fuzz import fuzz

    return fuzz(find_target(target), seed, examples=FUZZ_EXAMPLES)


def check_extras(methods: tuple[str, ...]) -> None:
    """Each method's checker is installed."""
    for method in methods:
        module = NEEDED.get(method)
        if module and find_spec(module) is None:
            raise ModuleNotFoundError(f"No module named {module!r}", name=module)


def verify(target: str, seed: int, progress: Callable[[str], None] = lambda line: None) -> Report:
    """Run everything that fits the target, two methods at a time, each in a process of its own."""
    find_target(target)  # so that a wrong name is told before anything runs
    methods = METHODS if target == SHIPPED else FOREIGN
    check_extras(methods)
    started = time.perf_counter()
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=2, mp_context=context) as pool:
        judging = {method: pool.submit(judge, method, target, seed) for method in methods}
        drawing = {method: pool.submit(canaries.release, method, seed) for method in methods}
        judgements = tuple(collect(method, judging[method], progress) for method in methods)
        drawn = tuple(drawing[method].result() for method in methods)
    for canary in drawn:
        told = "refuted" if canary.refuted else "ESCAPED"
        progress(f"canary of {canary.method} ({canary.bug}): {told}")
    return Report(target, seed, judgements, drawn, time.perf_counter() - started)


def collect(method: str, running: Future[Judgement], progress: Callable[[str], None]) -> Judgement:
    """Wait for a method, and say how it ended."""
    judgement = running.result()
    if not judgement.verdicts:
        raise CouldNotRun(f"{method} found nothing to check")
    outcome = overall(judgement.verdicts).value
    progress(f"{method}: {outcome} ({judgement.seconds:.1f} CPU s)")
    return judgement

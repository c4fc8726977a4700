"""The whole verification suite: every method that fits the target, each beside its canary.

Does not cover: what the methods leave out, as each says of itself.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import NamedTuple

from poolproof_verification import canaries
from poolproof_verification.reports.report import Report, command_of
from poolproof_verification.signals import noted
from poolproof_verification.targets import SHIPPED, find_target
from poolproof_verification.verdict import INTERRUPTED, Canary, CouldNotRun, Judgement, overall
from poolproof_verification.workers import judged

FUZZ_EXAMPLES = 800
CONTRACT_SECONDS = 180  # CPU; a ceiling for slow machines, a third is usual
WORKERS = 2
# Longest first.
METHODS = ("explore", "contracts", "fuzz", "prove", "metamorphic", "injected", "asking")
# Of any other target: proofs concern the model, contracts and what is asked the shipped manager.
FOREIGN = ("explore", "fuzz", "metamorphic", "injected")
CRASHED = "its process ended without an answer"  # as where the target ends it
NEEDED = {"prove": "z3", "contracts": "crosshair", "fuzz": "hypothesis"}


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


class Work(NamedTuple):
    """A method's judgement of the target, or of a seeded bug."""

    method: str
    target: str
    seed: int
    canary: bool = False

    def label(self) -> str:
        """What its progress is shown as."""
        return f"seeded bug of {self.method}" if self.canary else self.method


def carry_out(work: Work) -> Judgement | Canary:
    """In a process of its own, or in this one."""
    if work.canary:
        return canaries.release(work.method, work.seed)
    return judge(work.method, work.target, work.seed)


def verify(target: str, seed: int, progress: Callable[[str], None] = lambda line: None) -> Report:
    """Run everything that fits the target, two methods at a time, each in a process of its own.

    After Ctrl-C, or SIGTERM, the report has what was found by then, and says so.
    """
    find_target(target)  # so that a wrong name is told before anything runs
    methods = METHODS if target == SHIPPED else FOREIGN
    check_extras(methods)
    started = time.perf_counter()
    works = [Work(method, target, seed, canary) for canary in (False, True) for method in methods]
    found: dict[Work, Judgement | Canary] = {}
    with noted() as interrupts:
        answers = judged(carry_out, works, math.inf, WORKERS, interrupts, Work.label)
        for index, answer in answers:
            if interrupts() and isinstance(answer, Judgement) and not answer.verdicts:
                continue  # the interrupt came before it had judged anything
            found[works[index]] = answer or crashed(works[index])
            progress(told(works[index], found[works[index]]))
        ended_early = bool(interrupts()) and len(found) < len(works)
    judgements = [found.get(work) or not_judged(work.method) for work in works[: len(methods)]]
    return Report(
        target=target,
        seed=seed,
        judgements=tuple(each for each in judgements if isinstance(each, Judgement)),
        canaries=tuple(each for each in map(found.get, works) if isinstance(each, Canary)),
        seconds=time.perf_counter() - started,
        command=command_of("verify", target=target, seed=seed),
        interrupted=ended_early,
    )


def told(work: Work, answer: Judgement | Canary) -> str:
    """How it ended, in a line; CouldNotRun: there was nothing to check."""
    if isinstance(answer, Canary):
        fate = "found" if answer.refuted else "ESCAPED"
        return f"{answer.method}: seeded bug {fate}: {answer.bug}"
    if CRASHED in answer.notes:
        return f"{work.method}: unknown: {CRASHED}"
    if not answer.verdicts:
        raise CouldNotRun(f"{work.method} found nothing to check")
    outcome = overall(answer.verdicts).value
    return f"{work.method}: {outcome} ({answer.seconds:.1f} CPU s)"


def crashed(work: Work) -> Judgement | Canary:
    """What is known of work whose process ended without an answer: nothing, so it never passes."""
    if work.canary:
        return Canary(work.method, "a seeded bug", False, CRASHED)
    return not_judged(work.method, CRASHED)


def not_judged(method: str, why: str = INTERRUPTED) -> Judgement:
    """What is known by a method that did not come to its end: nothing."""
    return Judgement(method, (), 0.0, "anything: it had not ended", (why,))

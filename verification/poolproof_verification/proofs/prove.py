"""Proves the model: every obligation discharged, for any number of blocks, names and slots.

Does not cover: the code (exploration, contracts and fuzzing look at that); what `trusted` lists.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from poolproof_model.invariants import INVARIANTS
from poolproof_model.system import TRANSITIONS, Clause, Transition
from poolproof_verification.counterexample import Counterexample
from poolproof_verification.judging import unfinished
from poolproof_verification.laws import LAWS
from poolproof_verification.progress import at
from poolproof_verification.proofs.goals import Lemma, Obligation
from poolproof_verification.proofs.lemmas import LEMMAS
from poolproof_verification.proofs.matrix import grids, words_of
from poolproof_verification.proofs.obligations import obligations
from poolproof_verification.proofs.runs import never_fires
from poolproof_verification.proofs.solve import Result, discharge, interruptible, prove_all
from poolproof_verification.proofs.unproved import Refutation, refutations
from poolproof_verification.verdict import CouldNotRun, Evidence, Judgement, Outcome, Verdict
from poolproof_verification.words import plural

METHOD = "prove"
TIMEOUT = 10_000  # milliseconds an obligation
SCOPE = "any number of blocks, sequences, table lengths and block sizes"
NOT_COVERED = "that the code does what the model says; what `prove --trusted` lists"


def prove(
    only: str | None = None,
    timeout: int = TIMEOUT,
    seed: int = 0,
    transitions: tuple[Transition, ...] = TRANSITIONS,
    invariants: tuple[Clause, ...] = INVARIANTS,
    progress: Callable[[str], None] = lambda line: None,
) -> Judgement:
    """Discharge the obligations whose name has `only` in it, with the lemmas they rest on.

    One that is not proved is refuted where concrete operations break it, else unknown. `progress`
    gets a line for each. After Ctrl-C, what is known by then. CouldNotRun: nothing has such a name.
    """
    started = time.process_time()
    results: list[Result] = []
    try:
        with interruptible():
            for result in results_of(only, timeout, seed, transitions, invariants):
                progress(str(result))
                results.append(result)
                held = sum(each.proved for each in results)
                at(f"{plural(len(results), 'obligation')}, {held} held")
            refuted = refutations(results, transitions, invariants)
    except KeyboardInterrupt:
        return unfinished(judgement(results, {}, started, transitions, invariants))
    return judgement(results, refuted, started, transitions, invariants)


def judgement(
    results: list[Result],
    refuted: dict[str, Refutation],
    started: float,
    transitions: tuple[Transition, ...] = TRANSITIONS,
    invariants: tuple[Clause, ...] = INVARIANTS,
) -> Judgement:
    """What these results and refutations amount to. `started`: in CPU seconds."""
    silent = never_fires(transitions, invariants)
    broken = {name for name, each in refuted.items() if each.operations}
    slowest = [max(results, key=lambda result: result.milliseconds)] if results else []
    return Judgement(
        method=METHOD,
        verdicts=tuple(verdicts(results, refuted, silent)),
        seconds=time.process_time() - started,
        not_covered=NOT_COVERED,
        notes=tuple(notes(results, refuted)),
        counterexamples=tuple(distinct(refuted.values())),
        timings=tuple(f"slowest: {result}" for result in slowest),
        grids=grids(results, broken, transitions, invariants),
    )


def results_of(
    only: str | None = None,
    timeout: int = TIMEOUT,
    seed: int = 0,
    transitions: tuple[Transition, ...] = TRANSITIONS,
    invariants: tuple[Clause, ...] = INVARIANTS,
    effort: int = 0,
) -> Iterator[Result]:
    """Each result as it is found: first the lemmas that are needed, then the obligations.

    `effort`: in the solver's own count of its work, which is the same on any machine; 0: no limit.
    """
    selected, lemmas = selection(only, transitions, invariants)
    needed = (*lemmas, *(lemma for each in selected for lemma in each.lemmas))
    ask = partial(discharge, timeout=timeout, seed=seed, effort=effort)
    return prove_all(needed, selected, ask)


def selection(
    only: str | None = None,
    transitions: tuple[Transition, ...] = TRANSITIONS,
    invariants: tuple[Clause, ...] = INVARIANTS,
) -> tuple[tuple[Obligation, ...], tuple[Lemma, ...]]:
    """The obligations, and the lemmas, with `only` in their names, or in their names in words.

    CouldNotRun: there are none.
    """
    if only == "":
        raise CouldNotRun("part of a name is needed to select obligations, not an empty one")

    def named(obligation: Obligation) -> bool:
        told = f"{obligation.name}\n{words_of(obligation)}"
        return only is None or only.lower() in told.lower()

    selected = tuple(filter(named, obligations(transitions, invariants)))
    lemmas = tuple(lemma for lemma in LEMMAS if any(map(named, lemma.obligations())))
    if not selected and not lemmas:
        raise CouldNotRun(
            f"no obligation has {only!r} in its name; without it, prove lists them all"
        )
    return selected, lemmas


def verdicts(
    results: list[Result], refuted: dict[str, Refutation], silent: tuple[str, ...]
) -> Iterator[Verdict]:
    """One verdict for each law that some obligation belongs to.

    It is refuted by operations from the empty pool; by a step alone it is not proved.
    """
    for law in LAWS:
        about = [result for result in results if result.obligation.law == law]
        if not about:
            continue
        reached = [refuted[each.name].operations for each in about if each.name in refuted]
        found = [each for each in reached if each]
        faults = [
            *(each.line() for each in found),
            *without_proof(about, refuted),
            *vacuous(about, silent),
        ]
        outcome, evidence = (
            (Outcome.REFUTED, Evidence.CASES)
            if found
            else (Outcome.UNKNOWN, Evidence.NONE)
            if faults
            else (Outcome.HELD, Evidence.PROVED)
        )
        yield Verdict(
            method=METHOD,
            law=law,
            outcome=outcome,
            evidence=evidence,
            count=len(about),
            unit="obligations",
            scope=SCOPE,
            detail="; ".join(faults),
            counterexample=found[0] if found else None,
        )


def without_proof(results: Iterable[Result], refuted: dict[str, Refutation]) -> Iterator[str]:
    """What is neither proved nor broken by operations, and why."""
    results = tuple(results)
    for why, count in Counter(each.reason for each in results if not each.tried).items():
        yield f"not proved: {plural(count, 'obligation')}: {why}"
    for result in filter(lambda each: each.tried, results):
        known = refuted.get(result.name)
        if not result.proved and not (known and known.operations):
            why = known.statement if known else result.reason
            yield f"not proved: {result.name} ({why})"


def vacuous(results: Iterable[Result], silent: tuple[str, ...]) -> Iterator[str]:
    """Transitions that never fire: their proofs say nothing."""
    judged = {result.obligation.transition for result in results}
    for name in silent:
        if name in judged:
            yield f"{name} never fires in any state searched: what is proved of the model is idle"


def notes(results: list[Result], refuted: dict[str, Refutation]) -> Iterator[str]:
    """How much was proved, and what breaks what was not."""
    proved = sum(result.proved for result in results)
    yield f"{proved} of {len(results)} obligations proved of the model, those of lemmas included"
    for result in results:
        if result.name in refuted:
            yield f"{result.name}: {refuted[result.name].statement}"
        elif not result.proved and result.tried:
            yield f"{result.name}: unknown: {result.reason}"


def distinct(refuted: Iterable[Refutation]) -> Iterator[Counterexample]:
    """Operations and steps, one for each law and list of calls, operations and short ones first."""
    found = [each.operations for each in refuted if each.operations]
    found.sort(key=lambda each: len(each.steps))
    told = set()
    for each in (*found, *(each.step for each in refuted if each.step)):
        fault = each.law, each.operations()
        if fault not in told:
            told.add(fault)
            yield each

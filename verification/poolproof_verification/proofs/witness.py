"""Proofs that are not vacuous: in a concrete state their hypotheses hold, and a step is taken.

For each transition the executed model reaches a state from the empty pool, preferably one in which
several sequences share a last block that is not full, from which the transition fires. Under the
interpretation that this state is, every hypothesis and every lemma of the transition's obligations
is valid, so that they contradict neither each other nor the model.

Does not cover: states other than the one shown. A lemma is judged for sets up to the size in sight;
for all sizes it has its own obligations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import z3

from poolproof_model.execute import NO_TABLE, Members, Pool, broken, empty_pool, is_lawful, refusal
from poolproof_model.invariants import INVARIANTS
from poolproof_model.system import TRANSITIONS, Clause, Transition
from poolproof_verification.operations import view_of
from poolproof_verification.proofs.claims import parameters_of
from poolproof_verification.proofs.goals import Formula, Lemma, Obligation
from poolproof_verification.proofs.interpretation import (
    Interpretation,
    interpretation,
    is_satisfiable,
    is_valid,
    set_of,
)
from poolproof_verification.proofs.lemmas import LEMMAS
from poolproof_verification.proofs.loops import COUNTS, DONE, FREE
from poolproof_verification.proofs.obligations import obligations
from poolproof_verification.proofs.runs import BLOCK_SIZE, TOTAL, Run, runs
from poolproof_verification.proofs.term import INTEGER
from poolproof_verification.words import plural

NAMES = ("A", "B", "C")
TRIED = 1500  # steps looked at for a state of interest


@dataclass(frozen=True)
class Witness:
    """One transition's state of interest, and what was found of its hypotheses there."""

    transition: str
    state: str
    step: str  # what fires, or nothing where no step is taken
    hypotheses: int
    lemmas: int
    faults: tuple[str, ...]  # what is false or unknown there, or why there is no such state

    def __str__(self) -> str:
        """One line for a log."""
        if self.faults:
            return f"{self.transition}: no witness: {'; '.join(self.faults)}"
        told = f"{self.hypotheses} hypotheses and {plural(self.lemmas, 'lemma')} hold in "
        told += f"[{self.state}]"
        return f"{self.transition}: {told}" + (f", where {self.step} fires" if self.step else "")


def witnesses(
    transitions: tuple[Transition, ...] = TRANSITIONS, invariants: tuple[Clause, ...] = INVARIANTS
) -> Iterator[Witness]:
    """A witness for each transition, and one for what is proved of no transition."""
    everything = tuple(obligations(transitions, invariants))
    resting = [each for each in everything if each.transition in ("", "initial")]
    yield without_step(resting)
    chosen = of_interest(transitions, invariants)
    for transition in transitions:
        about = [each for each in everything if each.transition == transition.name]
        if transition.name in chosen:
            yield with_step(chosen[transition.name], about, invariants)
        else:
            fault = f"it does not fire in any of {TRIED:,} steps searched"
            yield Witness(transition.name, "", "", 0, 0, (fault,))


def without_step(about: Iterable[Obligation]) -> Witness:
    """The empty pool, for what is proved of the initial state and of all states."""
    pool = empty_pool(TOTAL, BLOCK_SIZE)
    meaning = interpretation(pool.state(), len(NAMES), {}, {}, ())
    return judged("initially", str(view_of(pool)), "", about, (meaning,), ())


def lemma_witness(lemmas: Iterable[Lemma] = LEMMAS) -> Witness:
    """For each step of a lemma's proof: sets and numbers for which all it assumes is true."""
    steps = [step for lemma in lemmas for step in lemma.obligations()]
    pool = empty_pool(TOTAL, BLOCK_SIZE)
    meaning = interpretation(pool.state(), len(NAMES), {}, {}, ())
    faults = tuple(
        f"{step.name}: nothing satisfies all its hypotheses"
        for step in steps
        if not is_satisfiable([meaning.of(formula) for _, formula in step.hypotheses])
    )
    hypotheses = sum(len(step.hypotheses) for step in steps)
    return Witness("lemmas", "some sets and numbers", "", hypotheses, 0, faults)


def of_interest(
    transitions: tuple[Transition, ...], invariants: tuple[Clause, ...]
) -> dict[str, Run]:
    """For each transition that fires, the most interesting run that ends in it."""
    best: dict[str, Run] = {}
    for run in islice(runs(transitions, invariants, NAMES), TRIED):
        name = run.operations[-1].transition.name
        if name not in best or interest(run) > interest(best[name]):
            best[name] = run
    return best


def interest(run: Run) -> tuple[int, ...]:
    """More of this is more interesting: a partial shared last block, and that the step is about it.

    After that: blocks taken, blocks of the table it is about, sequences; and fewer operations.
    """
    pool, step = run.before, run.operations[-1]
    source = pool.tables.get(step.arguments[step.transition.source], NO_TABLE)
    partial = [
        table
        for table in pool.tables.values()
        if table.length % pool.block_size and pool.counts[table.blocks[-1]] > 1
    ]
    about = bool(partial), source in partial, len(step.blocks), len(source.blocks)
    return *map(int, about), len(pool.tables), -len(run.operations)


def with_step(run: Run, about: list[Obligation], invariants: tuple[Clause, ...]) -> Witness:
    """The run's last step, in the state before it."""
    operation, kinds = run.operations[-1], parameters_of(run.operations[-1].transition)
    given = {name: numbered(value) for name, value in operation.arguments.items()}
    state = in_numbers(run.before).state()
    meaning = interpretation(state, len(NAMES), given, kinds, operation.blocks)
    looping = tuple(moments(run, meaning))
    shown = str(operation)
    faults = tuple(not_taken(run, invariants))
    return judged(
        operation.transition.name, str(view_of(run.before)), shown, about, looping, faults
    )


def numbered(value: Any) -> Any:
    """A name as the solver's number; any other argument as it is."""
    return NAMES.index(value) if value in NAMES else value


def in_numbers(pool: Pool) -> Pool:
    """The same pool, but for numbers as names."""
    return replace(
        pool,
        tables={numbered(name): table for name, table in pool.tables.items()},
        holders={block: Members(map(numbered, holders)) for block, holders in pool.holders.items()},
    )


def not_taken(run: Run, invariants: tuple[Clause, ...]) -> Iterator[str]:
    """What the executed model has against this state, or this step."""
    operation = run.operations[-1]
    step = run.before, operation.transition, operation.arguments
    if refusal(*step) is not None or not is_lawful(*step, operation.blocks):
        yield "the executed model refuses the step"
    for clause, where in (*broken(run.before, invariants), *broken(run.after, invariants)):
        yield f"{clause} does not hold at {where}"


def moments(run: Run, meaning: Interpretation) -> Iterator[Interpretation]:
    """A loop over blocks, before its first pass and after its last."""
    yield meaning.also(at_pass(0, run.before))
    table = run.before.tables.get(run.step.arguments[run.step.transition.source])
    passes = len(run.operations[-1].blocks) or (len(table.blocks) if table else 0)
    yield meaning.also(at_pass(passes, run.after))


def at_pass(done: int, pool: Pool) -> Iterator[tuple[Formula, Formula]]:
    """Passes done, and the counts and free blocks by then."""
    counts = z3.K(INTEGER, z3.IntVal(0))
    for block, count in pool.counts.items():
        counts = z3.Store(counts, block, count)
    yield from ((DONE, z3.IntVal(done)), (COUNTS, counts), (FREE, set_of(pool.free)))


def length(faults: list[str]) -> int:
    """How many there are."""
    return len(faults)


def judged(
    name: str,
    state: str,
    step: str,
    about: Iterable[Obligation],
    meanings: tuple[Interpretation, ...],
    faults: tuple[str, ...],
) -> Witness:
    """Every distinct hypothesis and lemma of these obligations, judged in this state.

    Where there are several moments, one obligation's hypotheses hold in one of them, all together.
    """
    known: dict[tuple[int, int], bool] = {}
    lemmas: dict[Lemma, bool] = {}
    found = list(faults)

    def false_at(moment: int, obligation: Obligation) -> list[str]:
        wrong = []
        for named, formula in obligation.hypotheses:
            key = moment, formula.get_id()
            if key not in known:
                known[key] = is_valid(meanings[moment].of(formula))
            if not known[key]:
                wrong.append(f"{obligation.name}: its hypothesis {named!r} does not hold")
        return wrong

    for obligation in about:
        wrong = [false_at(moment, obligation) for moment in range(len(meanings))]
        found += sorted(wrong, key=length)[0]
        for lemma in obligation.lemmas:
            if lemma not in lemmas:
                lemmas[lemma] = is_valid(meanings[0].of_lemma(lemma))
    found += [f"the lemma {each.name!r} does not hold" for each, true in lemmas.items() if not true]
    hypotheses = len({formula for _, formula in known})
    return Witness(name, state, step, hypotheses, len(lemmas), tuple(dict.fromkeys(found)))

"""Concrete operations that break a claim, as few as possible: the executed model, breadth first.

An effect is looked at in full, outside its footprint too; a text that cannot be run is broken.

Does not cover: larger pools, more names, longer prompts, other choices than the lowest free blocks.
What it does not find may still be broken; it refutes, and never proves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice, product
from typing import Any

from poolproof_model.execute import Blocks, Pool, is_lawful, refusal_in
from poolproof_model.invariants import INVARIANTS
from poolproof_model.system import Clause, Transition
from poolproof_verification.proofs.claims import Claim, Kinds, claims_of
from poolproof_verification.proofs.runs import (
    BLOCK_SIZE,
    FAILURES,
    SCOPES,
    STRANGER,
    TOTAL,
    Names,
    Operation,
    Run,
    runs,
)


@dataclass(frozen=True)
class Break:
    """A claim that the last operation of a run breaks, and the values for which it does."""

    claim: Claim
    values: dict[str, Any]
    run: Run
    failure: str = ""  # the error, where the model's text cannot be run

    @property
    def fault(self) -> str:
        """What does not hold, and where."""
        if self.failure:
            return f"the model's text fails: {self.failure}"
        where = ", ".join(f"{name} {value!r}" for name, value in self.values.items())
        words = f"{self.claim.clause.replace('_', ' ')} does not hold"
        return f"{words} at {where}" if where else words

    def __str__(self) -> str:
        """One line: what is broken, where, after what."""
        return f"{self.fault} after {'; '.join(map(str, self.run.operations))}"


def find_breaks(
    claims: Iterable[Claim], transitions: Iterable[Transition], invariants: tuple[Clause, ...]
) -> dict[str, Break]:
    """For each claim that can be broken in scope, by its name, the shortest run that does."""
    transitions, wanted = tuple(transitions), {claim.name: claim for claim in claims}
    found: dict[str, Break] = {}
    for names, limit in SCOPES:
        for run in islice(runs(transitions, invariants, names), limit):
            missing = [claim for name, claim in wanted.items() if name not in found]
            if not missing:
                return found
            found |= {each.claim.name: each for each in breaks_of(run, missing, names)}
    return found


def first_breaks(
    claims: Iterable[Claim], transitions: Iterable[Transition], invariants: tuple[Clause, ...]
) -> tuple[Break, ...]:
    """What the first run in scope that breaks any of the claims breaks."""
    transitions, claims = tuple(transitions), tuple(claims)
    for names, limit in SCOPES:
        for run in islice(runs(transitions, invariants, names), limit):
            found = tuple(breaks_of(run, claims, names))
            if found:
                return found
    return ()


def breaks_of(run: Run, claims: Iterable[Claim], names: Names) -> Iterator[Break]:
    """The claims about its transition that the run's last operation breaks."""
    step, last = run.step, run.operations[-1]
    for claim in claims:
        if claim.transition.name == step.transition.name:
            if last.failure:
                yield Break(claim, {}, run, last.failure)
                continue
            for values in values_of(claim.variables, names):
                try:
                    if claim.holds(step, values):
                        continue
                    yield Break(claim, values, run)
                except FAILURES as error:
                    yield Break(claim, {}, run, f"{type(error).__name__}: {error}")
                break


def values_of(variables: Kinds, names: Names) -> Iterator[dict[str, Any]]:
    """Every value the variables can have in scope."""
    ranges: dict[str, Iterable[Any]] = {
        "Sequence": (*names, STRANGER),
        "Block": (*range(TOTAL), -1, TOTAL),  # the last two belong to no pool
        "Index": range(TOTAL),
        "Offset": range(BLOCK_SIZE),
    }
    slots = range(TOTAL * BLOCK_SIZE)
    for values in product(*(ranges.get(kind, slots) for kind in variables.values())):
        yield dict(zip(variables, values, strict=True))


def breaches(
    pool: Pool,
    transition: Transition,
    arguments: dict[str, Any],
    blocks: Blocks,
    invariants: tuple[Clause, ...] = INVARIANTS,
) -> list[str]:
    """What this one step breaks, in words: for a counterexample's test.

    A step that is refused, or takes other blocks than it may, breaks nothing.
    """
    names = tuple(dict.fromkeys((*pool.tables, *SCOPES[-1][0])))
    run = Run((Operation(transition, arguments, blocks),), pool, names)
    with suppress(*FAILURES):
        refused = refusal_in(run.step.before, transition, arguments)
        if refused or not is_lawful(pool, transition, arguments, blocks):
            return []
    claims = claims_of(transition, invariants)
    return [str(each) for each in breaks_of(run, claims, names)]

"""Random lives of a pool, drawn beside the model alone, and the shortest that still breaks a law.

A life is a few operations on a fresh manager. What may come next is a menu, and the model says what
each of its operations would take.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from poolproof_model.execute import Pool
from poolproof_verification.automaton import Automaton, State, named
from poolproof_verification.draws import NAMES, Shape, draw, plan, small
from poolproof_verification.minimize import smaller_arguments
from poolproof_verification.operations import Operation, live_in, wrong_type
from poolproof_verification.oracle import Oracle
from poolproof_verification.scopes import UNKNOWN_NAME
from poolproof_verification.visibility import Traits, start_of
from poolproof_verification.words import plural

LONGEST = 24  # operations
Operations = tuple[Operation, ...]


@dataclass(frozen=True)
class Life:
    """Operations on a fresh manager of this size."""

    total: int
    block_size: int
    operations: Operations

    def then(self, *operations: Operation) -> Life:
        """The same life with more at its end."""
        return replace(self, operations=(*self.operations, *operations))

    def __str__(self) -> str:
        """The operations as code, and where they are made."""
        calls = "; ".join(map(str, self.operations)) or "nothing"
        return f"{calls} (on a pool of {plural(self.total, 'block')} of {self.block_size})"


class Lives:
    """Draws one life after the other; the same seed draws the same ones."""

    def __init__(self, traits: Traits, seed: int) -> None:
        """`traits`: what the manager can do and leaves undefined."""
        self.traits, self.random = traits, Random(f"lives {seed}")
        self.automata: dict[tuple[int, int], Automaton] = {}

    def draw(self, longest: int = LONGEST) -> Life:
        """The next life, of up to so many operations."""
        shape = small(self.random)
        size = shape.total, shape.block_size
        automaton = self.automata.setdefault(size, Automaton(*size, self.traits))
        return Life(*size, tuple(self.operations(automaton, shape, longest)))

    def operations(self, automaton: Automaton, shape: Shape, longest: int) -> Iterator[Operation]:
        """Operations that the model accepts or has reason to refuse; no undefined ones."""
        planned, state = plan(self.random, shape, self.traits), automaton.start
        order: list[str] = []
        for _ in range(self.random.randint(1, longest)):
            code = draw(self.random.random, planned, state)
            if code is None:
                continue
            new = unused(order, shape.names)
            operation = Operation(code[0], tuple(named(code[1:], order, new)))
            if wrong_type(operation):
                yield operation
                continue
            edge = state.edges.get(code) or automaton.edge(state, code)
            if edge.reason not in self.traits.undefined:
                yield operation
            if isinstance(edge.after, State):
                state = edge.after
                order = [order[slot] if slot >= 0 else new for slot in edge.slots]


def unused(live: list[Any], names: int = len(NAMES)) -> str:
    """The first of so many names that is not live."""
    return next((name for name in NAMES[:names] if name not in live), UNKNOWN_NAME)


def pool_after(traits: Traits, life: Life) -> Pool | None:
    """The model's state at the end; None where an operation is left undefined on the way."""
    oracle = Oracle(traits=traits)
    pool = start_of(life.total, life.block_size, traits, contents=False)
    for operation in life.operations:
        reason = oracle.refused(pool, operation)
        if reason in traits.undefined:
            return None
        if reason is None:
            pool = after(oracle, pool, operation)
    return pool


def after(oracle: Oracle, pool: Pool, operation: Operation) -> Pool:
    """The model's state after an accepted operation."""
    return oracle.carry_out(pool, operation, lambda sequence, position: None)[0]


def menu(traits: Traits, pool: Pool, new: str) -> list[Operation]:
    """What may come next: something with each live sequence, or with the new name."""
    size, live = pool.block_size, live_in(pool)
    numbers = sorted({0, 1, size, 2 * size + 1, 3 * size})
    found = [Operation("allocate", (new, number)) for number in numbers]
    for name in live:
        found += [Operation("append", (name,)), Operation("release", (name,))]
        found += [Operation("fork", (name, new))]
        found += [Operation("grow", (name, number)) for number in numbers]
    found.append(Operation("release_all"))
    oracle = Oracle(traits=traits)
    return [
        each
        for each in found
        if each.name in traits.operations and oracle.refused(pool, each) is None
    ]


def shortest(life: Life, breaks: Callable[[Life], object]) -> Life:
    """A life that breaks the law, of which nothing can be left out or made smaller."""
    improved: Life | None = life
    while improved is not None:
        life = improved
        improved = next(filter(breaks, smaller(life)), None)
    return life


def smaller(life: Life) -> Iterator[Life]:
    """The same with fewer operations, smaller numbers or a smaller pool; the boldest first."""
    operations = life.operations
    for width in (8, 4, 2, 1):
        for start in range(len(operations) - width, -1, -1):
            yield replace(life, operations=operations[:start] + operations[start + width :])
    for index, operation in enumerate(operations):
        for less in smaller_arguments(operation):
            yield replace(life, operations=(*operations[:index], less, *operations[index + 1 :]))
    yield from (replace(life, total=total) for total in range(life.total))
    yield from (replace(life, block_size=size) for size in range(1, life.block_size))

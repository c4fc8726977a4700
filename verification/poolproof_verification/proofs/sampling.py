"""Random concrete steps, from states with random values wherever the description does not care.

The description does not care about entries beyond a table, about slots that nobody reads, about the
length of what is not live. The executed model has defaults there; a text that relied on them would
be right when run and wrong when proved.

Does not cover: pools larger than `LARGEST`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from random import Random
from typing import Any

from poolproof_model.execute import NO_TABLE, Pool, chosen, empty_pool, needed, refusal
from poolproof_model.execute import step as executed
from poolproof_model.state import State
from poolproof_model.system import Transition
from poolproof_verification.proofs.claims import COMPONENTS, Step, kinds_of, parameters_of
from poolproof_verification.proofs.interpretation import OUTSIDE, ranges_of
from poolproof_verification.verdict import CouldNotRun

SMALLEST, LARGEST = (3, 1), (6, 3)  # blocks, slots in a block
NAMES = 4  # sequences are 0 .. NAMES - 1
STEPS_IN_A_ROW = 25  # from one empty pool
DRAWS = 4  # steps, of which the one is taken whose kind was seen least so far
ATTEMPTS = 1000  # draws of a transition and its arguments until one is admitted
VALUES = range(-3, 12)


@dataclass(frozen=True)
class Sample:
    """One concrete step. `step` starts in the state with the random values, `pool` has none."""

    step: Step
    pool: Pool
    blocks: tuple[int, ...]
    after: Pool  # as the executed model has it

    def __str__(self) -> str:
        """The step as code, and where."""
        given = ", ".join(f"{name}={value!r}" for name, value in self.step.arguments.items())
        name = self.step.transition.name
        return f"{name}({given}) taking {list(self.blocks)} in {self.pool}"


@dataclass(frozen=True)
class Drawn:
    """A prompt of random tokens, the same at each call."""

    tokens: tuple[int, ...]

    def __call__(self, position: int) -> int:
        """The token at this position."""
        return self.tokens[position] if 0 <= position < len(self.tokens) else OUTSIDE


def samples(transitions: tuple[Transition, ...], steps: int, random: Random) -> Iterator[Sample]:
    """So many random steps, in runs from the empty pools of random sizes."""
    pool, taken = empty_pool(*SMALLEST), Counter[Hashable]()
    for number in range(steps):
        if number % STEPS_IN_A_ROW == 0:
            total, block_size = map(random.randint, SMALLEST, LARGEST)
            pool = empty_pool(total, block_size)
        few = [sampled(pool, transitions, random) for _ in range(DRAWS)]
        sample = min(few, key=lambda sample: taken[kind_of(sample)])
        taken[kind_of(sample)] += 1
        yield sample
        pool = sample.after


def kind_of(sample: Sample) -> Hashable:
    """What makes a step special: whether it takes blocks, fills up, concerns shared blocks."""
    pool, transition = sample.pool, sample.step.transition
    table = pool.tables.get(sample.step.arguments[transition.source], NO_TABLE)
    shared = any(pool.counts[block] > 1 for block in table.blocks)
    return transition.name, bool(sample.blocks), table.length % pool.block_size == 0, shared


def sampled(pool: Pool, transitions: tuple[Transition, ...], random: Random) -> Sample:
    """A random admitted step from the pool, taking random free blocks."""
    for _ in range(ATTEMPTS):
        transition = random.choice(transitions)
        kinds = parameters_of(transition)
        arguments = {name: drawn(kind, pool, random) for name, kind in kinds.items()}
        if refusal(pool, transition, arguments) is None:
            count = max(0, needed(pool, transition, arguments))
            blocks = tuple(random.sample(sorted(pool.free), count))
            step = Step(transition, careless(pool, random), arguments, chosen(blocks))
            return Sample(step, pool, blocks, executed(pool, transition, arguments, blocks))
    raise CouldNotRun(f"none of {ATTEMPTS:,} random operations is admitted in {pool}")


def drawn(kind: str, pool: Pool, random: Random) -> Any:
    """A random argument of this kind; a prompt fills the pool."""
    if kind.startswith("Callable"):
        return Drawn(tuple(random.choices(range(100, 1000), k=pool.total * pool.block_size)))
    return random.randrange(NAMES if kind == "Sequence" else 7)


def careless(pool: Pool, random: Random) -> State:
    """The pool's state, with random values wherever the description does not care."""
    state, ranges = pool.state(), ranges_of(pool.state(), NAMES)

    def known(sequence: int) -> bool:
        return 0 <= sequence < NAMES

    changed = {}
    for component in COMPONENTS:
        if component.name in CARES:
            within = [ranges[kind] for kind in kinds_of(component.type)]
            changed[component.name] = partly_random(state, component.name, within, random)
    return replace(state, is_sequence=known, **changed)


def partly_random(
    state: State, component: str, ranges: list[range], random: Random
) -> Callable[..., Any]:
    """The component, with random values in these ranges where nobody cares for it."""
    function, cares = getattr(state, component), CARES[component]
    values = {
        point: random.choice(VALUES)
        for point in product(*ranges)
        if not cares(state, *point) or function(*point) is None
    }
    elsewhere = random.choice(VALUES)

    def value(*point: Any) -> Any:
        here = all(each in range_ for each, range_ in zip(point, ranges, strict=True))
        return values[point] if point in values else function(*point) if here else elsewhere

    return value


def is_entry(state: State, sequence: int, index: int) -> bool:
    """The index is one of the sequence's table."""
    return bool(state.live(sequence)) and 0 <= index < state.table_length(sequence)


def is_token(state: State, sequence: int, position: int) -> bool:
    """The position is one of the sequence's tokens."""
    return bool(state.live(sequence)) and 0 <= position < state.length(sequence)


def is_read(state: State, block: int, offset: int) -> bool:
    """Some sequence has a token in this slot."""
    return 0 <= offset < state.block_size and any(
        state.holds(sequence, block)
        and is_token(state, sequence, state.index_of(sequence, block) * state.block_size + offset)
        for sequence in range(NAMES)
    )


# Where a component's value matters; of a component that is not listed, everywhere.
CARES: dict[str, Callable[..., Any]] = {
    "table_length": lambda state, sequence: state.live(sequence),
    "length": lambda state, sequence: state.live(sequence),
    "block_at": is_entry,
    "index_of": lambda state, sequence, block: state.holds(sequence, block),
    "content": is_read,
    "history": is_token,
}


def cared_for(state: State, component: str, *point: Any) -> bool:
    """The component's value at this point matters in this state."""
    return component not in CARES or bool(CARES[component](state, *point))

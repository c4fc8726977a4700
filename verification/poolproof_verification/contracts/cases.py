"""Small concrete values for a contract function's parameters, as its own `pre:` admits them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import product
from random import Random

from poolproof_verification.contracts.frame import Layout

Arguments = dict[str, int | bool | tuple[int, int, bool]]
Cases = Callable[[Callable[..., bool], Random], Iterator[Arguments]]

BLOCK_SIZES = (1, 2, 3, 4)
MOST_OTHERS = 2  # other holders of a block
SMALL: dict[str, Sequence[int]] = {
    "n_tokens": range(-2, 10),
    "call": range(8),
    "fork": (False, True),
    "long_run": (1, 2, 3),
    "slack": (-1, 0, 2),
}


class NoContract(ValueError):
    """The function has no precondition of its own: nothing would be checked."""


def precondition(function: Callable[..., bool]) -> Callable[[Arguments], bool]:
    """The function's own `pre:`, as a test of its arguments. Raises NoContract."""
    lines = [line.strip() for line in (function.__doc__ or "").splitlines()]
    found = [line.removeprefix("pre:").strip() for line in lines if line.startswith("pre:")]
    if len(found) != 1:
        raise NoContract(f"{function.__name__} has {len(found)} lines `pre:`, not one")
    code = compile(found[0], f"<pre of {function.__name__}>", "eval")
    return lambda arguments: bool(eval(code, function.__globals__, dict(arguments)))


def small_cases(layouts: tuple[Layout, ...]) -> Cases:
    """Cases of a contract that speaks of these layouts, in random order without repetition."""

    def cases(function: Callable[..., bool], random: Random) -> Iterator[Arguments]:
        parameters = inspect.signature(function).parameters
        admits = precondition(function)
        states = small_states(layouts, "length" in parameters)
        names = [name for name in SMALL if name in parameters]
        values = list(product(*(SMALL[name] for name in names)))
        for number in shuffled(len(states) * len(values), random):
            extra = values[number % len(values)]
            arguments = states[number // len(values)] | dict(zip(names, extra, strict=True))
            if admits(arguments):
                yield arguments

    return cases


def shuffled(count: int, random: Random) -> Iterator[int]:
    """The numbers below `count` in random order; as costly as those that are asked for."""
    moved: dict[int, int] = {}
    for last in range(count - 1, -1, -1):
        at = random.randrange(last + 1)
        yield moved.get(at, at)
        moved[at] = moved.get(last, last)


@cache
def small_states(layouts: tuple[Layout, ...], with_table: bool) -> list[Arguments]:
    """The parameters that say in which state the operation takes place; not all are valid."""
    return [
        {"layout": index, **state}
        for index, layout in enumerate(layouts)
        for state in states_of(layout, with_table)
    ]


def states_of(layout: Layout, with_table: bool) -> Iterator[Arguments]:
    """Small states with this layout."""
    total = len(layout.free_map)
    for block_size, lowest, others in product(BLOCK_SIZES, range(total + 1), holders(layout)):
        state: Arguments = {"block_size": block_size, "lowest": lowest}
        state |= {f"held{block}": count for block, count in enumerate(others)}
        if not with_table:
            yield state
            continue
        slots = len(layout.blocks) * block_size
        for length in range(max(0, slots - block_size), slots + 1):
            for limit, forked in product(range(length, slots + 1), (False, True)):
                yield {**state, "length": length, "limit": limit, "forked": forked}


def holders(layout: Layout) -> Iterator[tuple[int, ...]]:
    """How many other sequences hold each block."""
    counts = {
        **dict.fromkeys(layout.blocks, range(MOST_OTHERS + 1)),
        **dict.fromkeys(layout.elsewhere, range(1, MOST_OTHERS + 1)),
        **dict.fromkeys(layout.free, range(1)),
    }
    return product(*(counts[block] for block in range(len(layout.free_map))))

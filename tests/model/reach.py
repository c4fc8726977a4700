"""Every step of small pools, contents included, as the executed model takes it.

States count as one where all tables and all tokens given are the same: what a slot contains that
nobody reads makes no difference to come. Every step is kept, whether its state was known or not.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from itertools import permutations, product
from random import Random
from typing import Any

from poolproof_model.execute import Blocks, Pool, empty_pool, needed, refusal, step
from poolproof_model.state import State
from poolproof_model.system import (
    ALLOCATE,
    APPEND,
    FORK,
    RELEASE,
    Clause,
    Transition,
    names_of,
)

STRANGER = "a name no run uses"
TOO_MANY = 10_000  # states; a faulty transition may reach new ones without end
Policy = Callable[[Blocks, int], Iterable[Blocks]]  # from the free blocks, the choices to try


@dataclass(frozen=True)
class Step:
    """One admitted transition with a lawful choice of blocks."""

    before: Pool
    transition: Transition
    arguments: dict[str, Any]
    blocks: Blocks
    after: Pool

    def __repr__(self) -> str:
        return f"{self.transition.name} {self.arguments} takes {self.blocks} in {self.before}"


@dataclass(frozen=True)
class Scope:
    """How small the pool is, what is tried in it, and which free blocks are taken."""

    total: int
    block_size: int
    names: str
    lengths: tuple[int, ...]  # of a prompt
    policy: Policy


def lowest(free: Blocks, count: int) -> tuple[Blocks, ...]:
    return (free[:count],)


def highest(free: Blocks, count: int) -> tuple[Blocks, ...]:
    return (free[::-1][:count],)


def random(free: Blocks, count: int) -> tuple[Blocks, ...]:
    """The same for the same question, so that an exploration is the same every time."""
    return (tuple(Random(f"{free} {count}").sample(free, count)),)


def every(free: Blocks, count: int) -> Iterator[Blocks]:
    return permutations(free, count)


SCOPES = {
    "lowest": Scope(3, 2, "ab", (2, 3), lowest),
    "highest": Scope(3, 2, "ab", (2, 3), highest),
    "random": Scope(3, 2, "ab", (2, 3), random),
    "every choice": Scope(2, 2, "ab", (0, 1, 2, 3), every),
    "blocks of one slot": Scope(3, 1, "ab", (1, 3), highest),
    "three sequences": Scope(2, 2, "abc", (3,), lowest),
}


def token(sequence: str, position: int) -> str:
    """What a sequence is given at a position: no two sequences are given the same."""
    return f"{sequence}{position}"


def attempts(scope: Scope, pool: Pool) -> Iterator[tuple[Transition, dict[str, Any]]]:
    """Everything that is tried in a state, whether it is admitted or not."""
    for name in scope.names:
        length = pool.tables[name].length if name in pool.tables else 0
        prompt = partial(token, name)
        for tokens in scope.lengths:
            yield ALLOCATE, {"sequence": name, "length": tokens, "prompt": prompt}
        yield APPEND, {"sequence": name, "token": token(name, length)}
        yield RELEASE, {"sequence": name}
        for child in scope.names:
            yield FORK, {"parent": name, "child": child}


def steps_from(scope: Scope, pool: Pool) -> Iterator[Step]:
    """Every step from a state, with each choice that the policy makes."""
    for transition, arguments in attempts(scope, pool):
        if refusal(pool, transition, arguments) is None:
            count = needed(pool, transition, arguments)
            for blocks in scope.policy(tuple(sorted(pool.free)), count):
                after = step(pool, transition, arguments, blocks)
                yield Step(pool, transition, arguments, blocks, after)


@cache
def explore(scope: Scope) -> tuple[tuple[Pool, ...], tuple[Step, ...]]:
    """Every reachable state, breadth first from the initial one, and every step between them."""
    start = empty_pool(scope.total, scope.block_size)
    seen, states, steps = {shown(start)}, [start], []
    for pool in states:
        assert len(states) < TOO_MANY, f"no small pool has so many states: {pool}"
        for taken in steps_from(scope, pool):
            steps.append(taken)
            if shown(taken.after) not in seen:
                seen.add(shown(taken.after))
                states.append(taken.after)
    return tuple(states), tuple(steps)


def shown(pool: Pool) -> Hashable:
    """What makes two states different."""
    return pool.free, frozenset(pool.tables.items())


# --- clauses, evaluated ---------------------------------------------------------------------------


def ranges(pool: Pool, names: str) -> dict[str, Iterable[Any]]:
    """The values a variable takes, by its name: all that mean something, and some that do not."""
    sequences, slots = (*names, STRANGER), pool.total * pool.block_size
    return {
        "sequence": sequences,
        "other": sequences,
        "block": range(-1, pool.total + 1),
        "index": range(-1, pool.total + 1),
        "position": range(-1, slots + 1),
        "offset": range(-1, pool.block_size + 1),
    }


def failures(
    clauses: Iterable[Clause], given: dict[str, Any], pool: Pool, names: str
) -> Iterator[str]:
    """Each clause that does not hold, as often as there are values for which it does not."""
    values = ranges(pool, names) | {name: (value,) for name, value in given.items()}
    for clause in clauses:
        for combination in product(*(values[name] for name in names_of(clause))):
            if not clause(*combination):
                yield clause.__name__


def wrong(pool: Pool, clauses: Iterable[Clause], names: str) -> list[str]:
    """The clauses about one state that do not hold in it."""
    return list(dict.fromkeys(failures(clauses, {"state": pool.state()}, pool, names)))


def broken_by(taken: Step, after: State, clauses: Iterable[Clause], names: str) -> Iterator[str]:
    """The clauses about two states that do not hold from the step's state to this one."""
    given = {
        "before": taken.before.state(),
        "after": after,
        "acting": taken.arguments[taken.transition.acting],
        **taken.arguments,
    }
    return failures(clauses, given, taken.before, names)

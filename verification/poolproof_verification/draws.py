"""What a random run does: the size of its pool, its operations and their weights, and each call.

Everything is drawn from one `random.Random`, in an order that depends on the model's states alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from poolproof_model.system import Refusal
from poolproof_verification.automaton import NEW, SLOTS, Code, Slot, State
from poolproof_verification.visibility import Traits

NAMES = "ABCDEFGHIJKLMNOPQRSTUVWXY"  # and not that of which nobody has heard
STRANGE: tuple[object, ...] = (True, "1", 1.5, None, [], b"")
LARGE_ONE_IN = 12  # runs, of which one has a large pool
HOLES_ONE_IN = 4  # runs, of which one has a pool with many holes
USUAL_GROWTH = 24  # tokens at most: the model makes as many appends of it
LONG_ONE_IN = 8  # growths in large pools, of which one may be longer
SIZES = ((0, 1), (1, 2), (2, 1), (3, 1), (3, 2), (4, 2), (4, 3), (5, 1), (6, 2), (6, 2), (8, 4))
LARGE_SIZES = ((20, 1), (24, 2), (24, 16), (32, 1), (40, 1), (40, 4), (80, 1), (300, 1))
WEIGHTS = (1, 1, 2, 4, 8)


@dataclass(frozen=True)
class Shape:
    """How large a run's pool is, how many sequences it may have, and how long they get."""

    total: int
    block_size: int
    names: int
    tokens: int

    @property
    def is_large(self) -> bool:
        """More blocks than any of the small pools has."""
        return self.total > SIZES[-1][0]

    def __str__(self) -> str:
        """The shape in words."""
        return (
            f"{self.total} blocks of {self.block_size}, {self.names} names, "
            f"up to {self.tokens} tokens"
        )


STANDARD = Shape(6, 2, 4, 8)
HOLES = Shape(40, 1, 6, 40)  # many blocks are taken at once, among those that sequences hold


def shape_of(random: Random, number: int) -> Shape:
    """The pool of the run of this number: mostly small, at times large or full of holes."""
    if number % LARGE_ONE_IN == LARGE_ONE_IN - 1:
        return large(random)
    return HOLES if number % HOLES_ONE_IN == HOLES_ONE_IN - 2 else small(random)


def small(random: Random) -> Shape:
    """A pool of up to 8 blocks; few sizes, so that their states are met again."""
    return Shape(*random.choice(SIZES), random.randint(2, 5), random.randint(2, 9))


def large(random: Random) -> Shape:
    """A pool of up to 300 blocks, so that many are taken at once and tables get long."""
    total, block_size = random.choice(LARGE_SIZES)
    return Shape(total, block_size, random.choice((4, 8, 11, 25)), total * block_size)


@dataclass(frozen=True)
class Plan:
    """What one run may do."""

    shape: Shape
    operations: tuple[str, ...]  # each as often as it weighs
    misuse: float  # how many of the calls have arguments that make no sense
    strange: bool  # among them arguments of the wrong type
    steps: int

    @property
    def releases(self) -> bool:
        """A sequence may end to make room for more."""
        return "release" in self.operations


def plan(random: Random, shape: Shape, traits: Traits) -> Plan:
    """A random part of the operations, with random weights."""
    operations: list[str] = ["allocate"] * random.choice(WEIGHTS)
    for name in ("fork", "append", "grow", "release"):
        if name in traits.operations and random.random() < 0.85:
            operations += [name] * random.choice(WEIGHTS)
    if "release_all" in traits.operations and random.random() < 0.2:
        operations.append("release_all")
    misuse = random.choice((0.0, 0.02, 0.1))
    strange = Refusal.WRONG_TYPE not in traits.undefined
    steps = max(40, 5 * shape.names) if shape.is_large else random.choice((20, 60, 200))
    return Plan(shape, tuple(operations), misuse, strange, steps)


def draw(random: Callable[[], float], planned: Plan, state: State) -> Code | None:
    """The next call in this state, with slots for names; None where it would lead too far."""
    name = planned.operations[int(random() * len(planned.operations))]
    live, shape = len(state.lengths), planned.shape
    if random() < planned.misuse:
        return draw_misuse(random, planned, name, live)
    if name == "release_all":
        return (name,)
    if not live:
        return "allocate", NEW, tokens_to_take(random, shape, state, 0)
    slot = SLOTS[int(random() * live)]
    length = state.lengths[slot.number]
    if name in ("allocate", "fork"):
        if live >= shape.names:
            return ("release", slot) if planned.releases else None
        if name == "fork":
            return name, slot, NEW
        return name, NEW, tokens_to_take(random, shape, state, 0)
    if name == "release":
        return name, slot
    if length >= shape.tokens:
        return ("release", slot) if planned.releases else None
    if name == "append":
        return name, slot
    tokens = tokens_to_take(random, shape, state, length)
    longer = shape.is_large and random() * LONG_ONE_IN < 1
    return name, slot, tokens if longer else min(tokens, USUAL_GROWTH)


def tokens_to_take(random: Callable[[], float], shape: Shape, state: State, length: int) -> int:
    """How many tokens to ask for: few, as many as there is room for, or now and then too many."""
    room = state.num_free * shape.block_size
    limit = shape.tokens - length
    kind = random()
    if kind < 0.45:
        limit = min(limit, room, 2 * shape.block_size + 1)
    elif kind < 0.8:
        limit = min(limit, room)
    elif kind < 0.94:
        return min(limit, room)
    else:
        limit = min(limit, room + 2)
    return int(random() * (limit + 1))


def draw_misuse(random: Callable[[], float], planned: Plan, name: str, live: int) -> Code | None:
    """A call with a name or a number that makes no sense, or that makes sense by chance."""

    def any_slot() -> Slot:
        return SLOTS[int(random() * live)] if live and random() < 0.6 else NEW

    if planned.strange and random() < 0.3:
        return draw_strange(random, name, any_slot)
    if name == "release_all":
        return (name,)
    if name == "fork":
        return name, any_slot(), any_slot()
    if name in ("append", "release"):
        return name, any_slot()
    numbers = (-1, -5, 0, 1, planned.shape.total * planned.shape.block_size + 1, 10**30)
    return name, any_slot(), numbers[int(random() * len(numbers))]


def draw_strange(
    random: Callable[[], float], name: str, any_slot: Callable[[], Slot]
) -> Code | None:
    """A call with a number that is no integer, or a name that is not hashable."""
    if name in ("allocate", "grow"):
        return name, any_slot(), STRANGE[int(random() * len(STRANGE))]
    if name == "fork":
        return (name, any_slot(), []) if random() < 0.5 else (name, [], any_slot())
    return (name, []) if name != "release_all" else None

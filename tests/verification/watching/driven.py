"""Watched managers, some of them wrong, and random calls as a server might make them."""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator
from contextlib import suppress
from typing import Any

from poolproof_verification.mutants import MUTANTS
from poolproof_verification.mutants.patches import load
from poolproof_verification.operations import Operation
from poolproof_verification.textbook import Textbook
from poolproof_verification.watching import Fault, Watched, watch

REFUSALS = (ValueError, KeyError, MemoryError, TypeError)
COMMON = ("allocate", "fork", "append", "append", "grow", "release")


def calls(seed: int, count: int, *, absurd: bool = False) -> Iterator[Operation]:
    """So many operations on four names, all drawn from the seed."""
    draw = random.Random(seed)
    for number in range(count):
        name = draw.choice((*COMMON, "release_all") if number % 20 == 0 else COMMON)
        first, second, tokens = draw.choice("ABCD"), draw.choice("ABCD"), draw.randint(-1, 7)
        if absurd and number % 15 == 0:
            yield Operation(draw.choice(("allocate", "grow")), (first, draw.choice((None, 1.5))))
        elif name == "fork":
            yield Operation(name, (first, second))
        elif name in ("allocate", "grow"):
            yield Operation(name, (first, tokens))
        else:
            yield Operation(name, () if name == "release_all" else (first,))


def drive(manager: Any, operations: Iterator[Operation]) -> None:
    """Call them all; what is refused is refused."""
    for name, arguments in operations:
        with suppress(*REFUSALS):
            getattr(manager, name)(*arguments)


def watched(manager: Any, every: int = 10**9) -> tuple[Watched, list[Fault]]:
    """The manager, and a list that its faults are put into."""
    found: list[Fault] = []
    return watch(manager, on_fault=found.append, every=every), found


class Leaks(Textbook):
    """A release forgets to give the last block back."""

    def release(self, name: Hashable) -> list[int]:
        freed = super().release(name)
        for block in freed[-1:]:
            self.free.remove(block)
        return freed


class FreesTwice(Textbook):
    """A release gives blocks back that another sequence holds."""

    def release(self, name: Hashable) -> list[int]:
        blocks = self.seqs[name]["blocks"]
        freed = super().release(name)
        self.free = sorted([*self.free, *(block for block in blocks if block in self.ref)])
        return freed


def mutant(name: str, total: int = 4) -> Any:
    """The shipped manager with this bug, in a pool of blocks of two slots."""
    (found,) = (each for each in MUTANTS if each.name == name)
    return load(found)(total, 2)

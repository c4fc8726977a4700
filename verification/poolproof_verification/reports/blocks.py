"""How a block looks in a state: free, held, shared, or not as it should be."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from itertools import chain, count
from typing import Any

from poolproof_verification.reports.plain_words import visible
from poolproof_verification.words import plural, times

LONGEST_NAME = 24  # characters
MOST_OWNERS = 3  # named; how many more there are is said


class Kind(Enum):
    """What a block is in the pool."""

    FREE = "free"
    HELD = "held"
    SHARED = "shared"
    LOST = "lost"
    FREE_WHILE_HELD = "free while held"
    FREE_TWICE = "free twice"
    MISCOUNTED = "counted wrongly"
    STRAY = "not of the pool"
    UNTOLD = "held by no table"  # whether it is free, the manager does not say
    RESERVED = "reserved"


FAULTS = (Kind.LOST, Kind.FREE_WHILE_HELD, Kind.FREE_TWICE, Kind.MISCOUNTED, Kind.STRAY)


@dataclass(frozen=True)
class Look:
    """One block in one state."""

    kind: Kind
    owners: tuple[str, ...]  # the sequences whose tables have it
    count: int | None  # its reference count, None where none is shown

    @staticmethod
    def of(
        *,
        in_pool: bool,
        reserved: bool,
        free: int | None,
        owners: tuple[str, ...],
        count: int | None,
    ) -> Look:
        """What the block is; `free`: how often it is listed, None where no list is shown."""
        right = count is None or count == len(owners)
        if not in_pool:
            kind = Kind.STRAY
        elif reserved and not (free or owners or count):
            kind = Kind.RESERVED
        elif free and owners:
            kind = Kind.FREE_WHILE_HELD
        elif free and free > 1:
            kind = Kind.FREE_TWICE
        elif free == 0 and not owners:
            kind = Kind.LOST
        elif not right:
            kind = Kind.MISCOUNTED
        elif owners:
            kind = Kind.HELD if len(owners) == 1 else Kind.SHARED
        else:
            kind = Kind.UNTOLD if free is None else Kind.FREE
        return Look(kind, owners, count)

    @property
    def gravity(self) -> int:
        """What is worse has a smaller one."""
        return FAULTS.index(self.kind) if self.kind in FAULTS else len(FAULTS)

    @property
    def counted(self) -> int | None:
        """The count where it says more than the owners do."""
        return None if self.count in (None, 0, 1) and self.agrees else self.count

    @property
    def agrees(self) -> bool:
        """The count, if any is shown, is the number of owners."""
        return self.count is None or self.count == len(self.owners)

    def holders(self, between: str = " ") -> str:
        """The owners, the first ones by name."""
        more = len(self.owners) - MOST_OWNERS
        return between.join(self.owners[:MOST_OWNERS]) + (f" +{more}" if more > 0 else "")

    def words(self) -> str:
        """What the block is, in a sentence's end."""
        by = self.holders(" and ")
        told = {
            Kind.FREE_WHILE_HELD: f"free while held by {by}",
            Kind.HELD: f"held by {by}",
            Kind.SHARED: f"shared by {by}",
            Kind.MISCOUNTED: f"held by {by}" if by else "held by no table",
        }.get(self.kind, self.kind.value)
        if self.agrees:
            return told
        return f"{told}, {f'counted {times(self.count)}' if self.count else 'not counted'}"


@dataclass(frozen=True)
class Block:
    """A block as it is drawn, or neighbours that look the same."""

    first: int
    last: int
    look: Look
    differs: bool = False  # from the other picture

    def __len__(self) -> int:
        """How many blocks."""
        return self.last - self.first + 1

    @property
    def kind(self) -> Kind:
        """What each of them is."""
        return self.look.kind

    def number(self) -> str:
        """The block's number, or the first and the last."""
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"

    def label(self) -> str:
        """What is written into it: whose it is, or what it is, and a count that says more."""
        look = self.look
        holders = look.holders()
        if self.kind in (Kind.HELD, Kind.SHARED, Kind.MISCOUNTED):
            told = holders or "no table"
        else:
            told = self.kind.value if not holders else f"{self.kind.value} {holders}"
        if len(self) > 1:
            told = f"{told} ({plural(len(self), 'block')})"
        return told if look.counted is None else f"{told} x{look.counted}"


@dataclass(frozen=True)
class Names:
    """The sequences' names as they are drawn: short, and no two the same."""

    given: dict[Any, str] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)

    def named(self, name: Any) -> str:
        """The name; numbered where another one, shortened, reads the same."""
        if name not in self.given:
            short = visible(name if isinstance(name, str) else repr(name), LONGEST_NAME)
            numbered = (f"{short} ({number})" for number in count(2))
            told = next(each for each in chain([short], numbered) if each not in self.taken)
            self.given[name] = told
            self.taken.add(told)
        return self.given[name]

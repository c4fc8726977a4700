"""A run told by other names: a manager must not care what its sequences are called.

The run is repeated on a fresh manager under names which sort and hash otherwise; where the target
takes them also under integers, tuples and names of several kinds, false ones among them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from poolproof_verification.lives import Life, pool_after
from poolproof_verification.minimize import renamed
from poolproof_verification.operations import Accepted, Operation, names_in
from poolproof_verification.seen import live_through, outcome_of, state_of
from poolproof_verification.targets import ClassTarget, KnownTarget


class Alike:
    """A name that hashes like all others of its kind."""

    def __init__(self, number: int) -> None:
        """`number`: which it is."""
        self.number = number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Alike) and other.number == self.number

    def __hash__(self) -> int:
        return 0

    def __repr__(self) -> str:
        return f"Alike({self.number})"


Kind = Callable[[int], Hashable]  # the name with this number
STRINGS = "strings that sort the other way"
SEVERAL = "names of several kinds"
ODD_ONES: tuple[Hashable, ...] = (None, "", 0, (), "A", 1.5, b"", frozenset())
KINDS: dict[str, Kind] = {
    STRINGS: lambda number: f"sequence {99 - number}",
    "integers": lambda number: -number,  # 0 is false, and -1 and -2 hash alike
    "tuples": lambda number: tuple(range(number)),
    "names that all hash alike": Alike,
    SEVERAL: lambda number: ODD_ONES[number] if number < len(ODD_ONES) else (number,),
    "numbers and their texts": lambda number: number // 2 if number % 2 else str(number // 2),
}
PROBE = 5  # the number of a name that shows whether a target takes names of its kind


def kinds_for(target: KnownTarget) -> dict[str, Kind]:
    """The kinds of names that the target takes; an adapter is promised strings."""
    if not isinstance(target, ClassTarget):
        return {STRINGS: KINDS[STRINGS]}
    return {words: kind for words, kind in KINDS.items() if takes(target, kind(PROBE))}


def takes(target: KnownTarget, name: Hashable) -> bool:
    """A fresh manager allocates a sequence of this name."""
    probe = Life(2, 1, (Operation("allocate", (name, 1)),))
    return isinstance(live_through(target, probe)[0].response, Accepted)


def told_by_names(target: KnownTarget, life: Life, kind: Kind) -> str:
    """The first difference that other names make; nothing where there is none."""
    if pool_after(target.traits, life) is None:
        return ""
    names: dict[str, Any] = {
        name: kind(number) for number, name in enumerate(names_in(life.operations))
    }
    other = Life(life.total, life.block_size, renamed(life.operations, names))
    back = {new: old for old, new in names.items()}
    numbered = target.traits.any_free_block
    pairs = zip(live_through(target, life), live_through(target, other), strict=True)
    for one, two in pairs:
        if outcome_of(one, numbered) != outcome_of(two, numbered, back):
            return (
                f"{one.operation} answers {one.response}, yet under other names {two.operation} "
                f"answers {two.response}"
            )
        if state_of(one.shown, numbered) != state_of(two.shown, numbered, back):
            return (
                f"{one.operation} leads to {one.shown}, yet under other names {two.operation} "
                f"leads to {two.shown}"
            )
    return ""

"""Numbers and names in sentences."""

from __future__ import annotations

from collections.abc import Hashable, Sequence


def plural(count: int, word: str) -> str:
    """1 block, 2 blocks."""
    return f"{count:,} {word}" if count == 1 else f"{count:,} {word}s"


def times(count: int) -> str:
    """Once, twice, 3 times."""
    return {1: "once", 2: "twice"}.get(count, f"{count:,} times")


def still_held(owners: Sequence[Hashable]) -> str:
    """Who holds a block: nobody, one or several."""
    if not owners:
        return "no table holds it"
    verb = "holds" if len(owners) == 1 else "hold"
    return f"{' and '.join(map(repr, owners))} still {verb} it"

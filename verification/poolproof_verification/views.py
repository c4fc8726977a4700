"""A state as shown becomes plain JSON data and comes back the same; a copy shares nothing with it.

Does not cover: views that are none, which their reader tells first.
"""

from __future__ import annotations

from typing import Any

from poolproof_verification.operations import View
from poolproof_verification.plain import from_plain, to_plain

Shown = View | str  # a state, or why none is shown


def to_data(shown: Shown) -> Any:
    """The state as JSON data: free blocks, counts and tables in the order in which they came."""
    if isinstance(shown, str):
        return shown
    free = [int(block) for block in shown.free] if isinstance(shown.free, list) else int(shown.free)
    counts = shown.ref and [[int(block), int(count)] for block, count in shown.ref.items()]
    return {
        "free": free,
        "counts": None if shown.ref is None else counts or [],
        "tables": [
            {
                "name": to_plain(name, number),
                "blocks": [int(block) for block in table["blocks"]],
                "tokens": int(table["len"]),
            }
            for number, (name, table) in enumerate(shown.seqs.items())
        ],
    }


def from_data(data: Any) -> Shown:
    """The state that became this data; ValueError or TypeError where none does."""
    if isinstance(data, str):
        return data
    counts = data["counts"]
    return View(
        free=data["free"],
        ref=None if counts is None else dict(counts),
        seqs={
            from_plain(table["name"]): {"blocks": table["blocks"], "len": table["tokens"]}
            for table in data["tables"]
        },
    )


def kept(shown: Shown) -> Shown:
    """A copy of plain values, whatever the manager that showed it does next."""
    return from_data(to_data(shown))

"""Where the manager's state parts from the model's, in words, the gravest first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from poolproof_verification.operations import View
from poolproof_verification.reports.blocks import Look, Names
from poolproof_verification.reports.plain_words import visible
from poolproof_verification.views import Shown
from poolproof_verification.words import plural


def differences(
    shown: Shown, model: Shown, ours: dict[int, Look], theirs: dict[int, Look], names: Names
) -> Iterator[str]:
    """Where the states part: blocks, the gravest first, then tables, then what else there is."""
    if isinstance(shown, str) or isinstance(model, str):
        return
    parted = [number for number, look in ours.items() if look != theirs[number]]
    for number in sorted(parted, key=lambda each: (ours[each].gravity, each)):
        yield f"block {number} is {ours[number].words()}; in the model {theirs[number].words()}"
    for name in dict.fromkeys((*model.seqs, *shown.seqs)):
        tables = (shown.seqs.get(name), model.seqs.get(name))
        if tables[0] != tables[1]:
            told = [table_words(table) for table in tables]
            yield f"sequence {names.named(name)} has {told[0]}; in the model {told[1]}"
    yield from other_differences(shown, model, bool(parted))


def other_differences(shown: View, model: View, told: bool) -> Iterator[str]:
    """What no block and no table shows: only a number of free blocks, their order, zero counts."""
    if isinstance(shown.free, int) and shown.free != model.free:
        yield f"{plural(shown.free, 'block')} said to be free; in the model {model.free}"
    elif shown.free != model.free and not told:
        yield f"the free blocks are {visible(shown.free)}; in the model {visible(model.free)}"
    if shown.ref != model.ref and not told:
        yield f"the counts are {visible(shown.ref)}; in the model {visible(model.ref)}"


def table_words(table: dict[str, Any] | None) -> str:
    """A table's blocks and tokens."""
    if table is None:
        return "no table"
    return f"{visible(table['blocks'], 120)} with {plural(table['len'], 'token')}"

"""A look at the whole state: do the manager's books agree with one another, and with ours?

Does not cover: what blocks contain, hidden state, and which operation since the last look it was.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from typing import NamedTuple

from poolproof_verification.adapters.adapter import Adapter, UnreadableView
from poolproof_verification.audit import Breach, audit, owners_of
from poolproof_verification.operations import View
from poolproof_verification.visibility import integers, malformed_tables
from poolproof_verification.watching.books import Books
from poolproof_verification.watching.fault import Kind
from poolproof_verification.words import error_told, told

BLOCK = re.compile(r"block (-?\d+) ")


class Complaint(NamedTuple):
    """Something is wrong; it becomes a fault together with the operation."""

    law: str
    kind: Kind
    words: str
    block: int | None = None
    owners: tuple[Hashable, ...] = ()
    numbers: bool = False  # the number of free blocks gives it away


class FullPass(NamedTuple):
    """What was seen."""

    complaints: list[Complaint]  # that are new
    view: View | None  # None where the manager shows nothing
    known: set[object]  # what is wrong from now on


def looked(
    adapter: Adapter, books: Books | None, block_size: int, total: int, known: set[object]
) -> FullPass:
    """Look at everything; `known`: what was wrong before, which is not told again."""
    try:
        view = adapter.view()
        problem = unusable(view)
    except Exception as error:
        problem = str(error) if isinstance(error, UnreadableView) else error_told(error)
    if problem:
        words = f"the manager does not show its state: {problem}"
        told = [] if words in known else [Complaint("questions", Kind.VIEW, words)]
        return FullPass(told, None, {words})
    wrong = {
        complaint.block if complaint.block is not None else complaint.words: complaint
        for complaint in contradictions(view, total, block_size, adapter.reserved)
    }
    new = [complaint for key, complaint in wrong.items() if key not in known]
    changed = [] if books is None else differences(view, books)
    return FullPass([*new, *changed], view, set(wrong))


def unusable(view: View) -> str:
    """Why nothing can be made of what is shown."""
    if not (isinstance(view.free, int) or integers(view.free)):
        return f"the free blocks are {view.free!r}"
    return malformed_tables(view.seqs)


def contradictions(
    view: View, total: int, block_size: int, reserved: frozenset[int]
) -> Iterator[Complaint]:
    """What the manager's own books contradict one another in."""
    owners = owners_of(view)
    for breach in audit(view, total, block_size, reserved):
        found = BLOCK.match(breach.words)
        if found is None:
            yield of_no_block(view, breach, total - len(reserved), len(owners))
            continue
        block = int(found[1])
        holding = owners.get(block, [])
        kind = kind_of(view, block, len(holding))
        yield Complaint(breach.law, kind, breach.words, block, tuple(dict.fromkeys(holding)))


def kind_of(view: View, block: int, held: int) -> Kind:
    """What has become of the block."""
    times = view.free.count(block) if isinstance(view.free, list) else 0
    count = held if view.ref is None else view.ref.get(block, 0)
    if not times and not held:
        return Kind.LEAK
    return Kind.DOUBLE_COUNT if times or count > held else Kind.MISSING_COUNT


def of_no_block(view: View, breach: Breach, total: int, held: int) -> Complaint:
    """What is wrong with a number or a table."""
    if breach.law != "partition" or not isinstance(view.free, int):
        owners = tuple(name for name in view.seqs if breach.words.startswith(f"{told(name)} "))
        return Complaint(breach.law, Kind.TABLE, breach.words, owners=owners)
    kind = Kind.LEAK if view.free + held < total else Kind.DOUBLE_COUNT
    return Complaint(breach.law, kind, breach.words, numbers=True)


def differences(view: View, books: Books) -> Iterator[Complaint]:
    """Tables and lengths that are others than the operations made them."""
    for name in dict.fromkeys((*books.tables, *view.seqs)):
        entry, shown = books.tables.get(name), view.seqs.get(name)
        if entry is None or shown is None:
            words = "live: no operation made it" if entry is None else "gone: it was not released"
            yield Complaint("tables", Kind.TABLE, f"{told(name)} is {words}", owners=(name,))
        elif (entry.blocks, entry.length) != (shown["blocks"], shown["len"]):
            words = f"{told(name)} has the wrong table: {shown['blocks']} for {shown['len']} tokens"
            words += f", where the books have {entry.blocks} for {entry.length}"
            yield Complaint("tables", Kind.TABLE, words, owners=(name,))

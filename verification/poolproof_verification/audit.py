"""What is wrong with a state as shown, in an engineer's words, law by law.

`audit` needs no model: it asks whether the books agree with one another. `differences` compares
them with the model's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from typing import NamedTuple

from poolproof_verification.operations import View
from poolproof_verification.words import plural, still_held, times, told


class Breach(NamedTuple):
    """One law broken, in words."""

    law: str  # a key of LAWS
    words: str
    question: str = ""  # which, if the breach shows only when the manager is asked
    asserted: str = ""  # lines of a test that fail because of it, where state and result do not


# The most harmful first: which breach of several is the headline.
SEVERITY = (
    "partition", "contents", "release", "counts", "choices", "refusals", "results", "tables",
    "lengths", "can", "questions", "self-check",
)  # fmt: skip


def worst_first(breaches: list[Breach]) -> list[Breach]:
    """The breaches in the order of the harm they do."""
    return sorted(breaches, key=lambda breach: SEVERITY.index(breach.law))


def owners_of(view: View) -> dict[int, list[Hashable]]:
    """Which tables have each block, one entry for each time it is listed."""
    owners: dict[int, list[Hashable]] = {}
    for name, table in view.seqs.items():
        for block in table["blocks"]:
            owners.setdefault(block, []).append(name)
    return owners


def audit(
    view: View, total: int, block_size: int, reserved: frozenset[int] = frozenset()
) -> list[Breach]:
    """Each way in which the shown books contradict one another."""
    try:
        blocks = audit_blocks(view, total, reserved)
        return [*blocks, *audit_tables(view, total, block_size)]
    except TypeError as error:
        return [Breach("questions", f"the state shown is none: {error}: {told(view)}")]


def audit_blocks(view: View, total: int, reserved: frozenset[int]) -> Iterator[Breach]:
    """Blocks lost, free while held, listed twice, or counted wrongly."""
    owners, counts = owners_of(view), view.ref
    listed = view.free if isinstance(view.free, list) else None
    free = set(listed or ())
    for block in sorted(free | set(counts or ()) | set(owners) | set(range(total))):
        names = owners.get(block, [])
        count = len(names) if counts is None else counts.get(block, 0)
        held = still_held(names)
        if not 0 <= block < total:
            yield Breach("partition", f"block {block} is none of the pool's {total}")
        elif block in reserved:
            if block in free or names or (counts and block in counts):
                state = "free" if block in free else held
                yield Breach("partition", f"block {block} is reserved, yet {state}")
        elif block in free and (names or count):
            counted = "" if names else f", yet it is counted {times(count)}"
            yield Breach("partition", f"block {block} is free while {held}{counted}")
        elif listed is not None and block not in free and not names:
            counted = f"counted {times(count)}" if count else "not counted"
            counted = "" if counts is None else f", {counted}"
            yield Breach("partition", f"block {block} is lost: not free, {held}{counted}")
        elif count != len(names):
            yield Breach("counts", f"block {block} is counted {times(count)}, yet {held}")
    for block, number in sorted(Counter(listed or ()).items()):
        if number > 1:
            yield Breach("partition", f"block {block} is listed as free {times(number)}")
    if isinstance(view.free, int):
        yield from audit_number(view.free, len(owners), total - len(reserved))


def audit_number(free: int, held: int, total: int) -> Iterator[Breach]:
    """Where only the number of free blocks is shown: all blocks are free or held."""
    if free + held != total:
        verb = "is" if free == 1 else "are"
        sums = f"of {plural(total, 'block')}, {free} {verb} free and {held} in tables"
        fate = "lost" if free + held < total else "counted as free though held"
        yield Breach("partition", f"{sums}: {abs(total - free - held)} {fate}")


def audit_tables(view: View, total: int, block_size: int) -> Iterator[Breach]:
    """Tables that list a block twice or do not fit the sequence's length."""
    for name, table in view.seqs.items():
        blocks, length = table["blocks"], table["len"]
        for block, number in sorted(Counter(blocks).items()):
            if number > 1:
                yield Breach("tables", f"{told(name)} lists block {block} more than once: {blocks}")
        if length < 0 or len(blocks) != -(-length // block_size):
            fit = f"{plural(len(blocks), 'block')} of {block_size} for {plural(length, 'token')}"
            yield Breach("lengths", f"{told(name)} has {fit}")
    if isinstance(view.free, list) and view.free != sorted(view.free):
        yield Breach("questions", f"the free blocks are not in order: {view.free}")


def misplaced(before: View, shown: View, model: View) -> Iterator[Breach]:
    """Blocks that returned to the pool too soon, or not at all."""
    if not (isinstance(before.free, list) and isinstance(shown.free, list)):
        yield from misplaced_number(before, shown, model)
        return
    assert isinstance(model.free, list)
    holders, was_free, is_free = owners_of(model), set(before.free), set(shown.free)
    for block in sorted(is_free - was_free - set(model.free)):
        held = still_held(holders.get(block, []))
        yield Breach("release", f"block {block} returned to the pool while {held}")
    for block in sorted(set(model.free) - was_free - is_free):
        words = f"block {block} did not return to the pool, though its last holder let go"
        yield Breach("release", words)


def misplaced_number(before: View, shown: View, model: View) -> Iterator[Breach]:
    """The same where only the number of free blocks is shown."""
    if not (isinstance(before.free, int) and isinstance(shown.free, int)):
        return
    assert isinstance(model.free, int)
    due, seen = max(0, model.free - before.free), shown.free - before.free
    if due and seen < due:
        yield Breach("release", f"{max(0, seen)} of {plural(due, 'block')} returned to the pool")
    if seen > due:
        words = f"{plural(seen, 'block')} returned to the pool, where the last holders of {due} "
        yield Breach("release", f"{words}let go")


def differences(shown: View, model: View) -> Iterator[Breach]:
    """Where tables and lengths are not the model's; free blocks and counts follow from them."""
    for name in [*model.seqs, *(name for name in shown.seqs if name not in model.seqs)]:
        ours, theirs = model.seqs.get(name), shown.seqs.get(name)
        if ours is None or theirs is None:
            state = "live, but not in the model" if ours is None else "gone, but live in the model"
            yield Breach("tables", f"{told(name)} is {state}")
        elif ours["blocks"] != theirs["blocks"]:
            have = f"{theirs['blocks']} where the model has {ours['blocks']}"
            yield Breach("tables", f"{told(name)} has the table {have}")
        elif ours["len"] != theirs["len"]:
            have = f"{plural(theirs['len'], 'token')} where the model has {ours['len']}"
            yield Breach("lengths", f"{told(name)} has {have}")

"""A state as a picture: which blocks are free, held, shared or lost, and how full each table is.

Plain data, of manager and model side by side; how it is drawn is the formats' affair. Of a large
pool only what tells something is kept, and how much is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby, islice
from typing import Any

from poolproof_verification.counterexample import Counterexample, Step
from poolproof_verification.operations import View
from poolproof_verification.reports.blocks import FAULTS, Block, Kind, Look, Names
from poolproof_verification.reports.differences import differences
from poolproof_verification.reports.plain_words import visible
from poolproof_verification.views import Shown
from poolproof_verification.words import plural

MOST_BLOCKS = 64  # drawn in one picture
MOST_TABLES = 24
MOST_CELLS = 32  # of one table
ALIKE = 5  # so many neighbours that look the same are drawn as one


@dataclass(frozen=True)
class Pool:
    """What is known of the pool before anything happens."""

    total: int
    block_size: int
    usable: frozenset[int] | None = None  # all but the reserved ones, where that is known
    reserved: frozenset[int] = frozenset()
    names: Names = field(default_factory=Names, compare=False)  # the same in every picture

    def has(self, number: int) -> bool:
        """The block is one of the pool's."""
        return 0 <= number < self.total


@dataclass(frozen=True)
class Table:
    """One sequence's blocks in logical order."""

    name: str
    blocks: tuple[int, ...]  # those drawn
    tokens: int
    block_size: int
    left_out: int = 0  # blocks between the first and the last ones, not drawn
    differs: bool = False

    @property
    def cells(self) -> Iterator[tuple[int, int]]:
        """Each block drawn, and how many of its slots contain a token."""
        for index, block in enumerate(self.blocks):
            last = self.left_out and index >= len(self.blocks) // 2
            ahead = (index + (self.left_out if last else 0)) * self.block_size
            yield block, min(self.block_size, max(0, self.tokens - ahead))

    @property
    def slack(self) -> int:
        """Allocated slots that contain no token; negative where tokens have no slot."""
        return (len(self.blocks) + self.left_out) * self.block_size - self.tokens

    def words(self) -> str:
        """The tokens, and how they fill the blocks."""
        told = plural(self.tokens, "token")
        if not self.blocks:
            return f"no block, {told}"
        if self.slack < 0:
            return f"{told}, {self.slack * -1:,} without a slot"
        return f"{told}, {self.slack:,} slack" if self.slack else told


@dataclass(frozen=True)
class Picture:
    """One state, ready to be drawn."""

    blocks: tuple[Block, ...]
    tables: tuple[Table, ...]
    account: str  # the pool's blocks by kind, which shows a gap
    blocks_left_out: int = 0
    tables_left_out: int = 0


@dataclass(frozen=True)
class Scene:
    """What manager and model show after the same operations; where one shows nothing, why."""

    manager: Picture | str
    model: Picture | str
    same: bool
    differences: tuple[str, ...]  # in words, the gravest first; none where one shows nothing


def pool_of(counterexample: Counterexample) -> Pool:
    """The counterexample's pool."""
    start = counterexample.start
    listed = isinstance(start, View) and isinstance(start.free, list)
    usable = frozenset(start.free) if listed else None  # type: ignore[union-attr, arg-type]
    reserved = frozenset(counterexample.reserved)  # these are not counted in the total
    whole = counterexample.total + len(reserved)
    return Pool(whole, counterexample.block_size, usable, reserved)


def scene_after(step: Step, pool: Pool) -> Scene:
    """The two states after the step."""
    return scene_of(step.shown, step.model, pool)


def scene_of(shown: Shown, model: Shown, pool: Pool) -> Scene:
    """The two states side by side."""
    views = [each for each in (shown, model) if isinstance(each, View)]
    numbers = sorted(mentioned(views, pool))
    ours = looks_in(shown, numbers, pool)
    if shown == model:
        picture = drawn(shown, model, ours, set(), pool)
        return Scene(picture, picture, True, ())
    theirs = looks_in(model, numbers, pool)
    both = len(views) == 2
    parted = {number for number in numbers if both and ours[number] != theirs[number]}
    return Scene(
        manager=drawn(shown, model, ours, parted, pool),
        model=drawn(model, shown, theirs, parted, pool),
        same=False,
        differences=tuple(differences(shown, model, ours, theirs, pool.names)),
    )


# --- blocks ---------------------------------------------------------------------------------------


def mentioned(views: Iterable[View], pool: Pool) -> set[int]:
    """Every block that one of the states says something of, and every usable one."""
    numbers = {*(pool.usable or ()), *pool.reserved}
    for view in views:
        numbers.update(view.free if isinstance(view.free, list) else (), view.ref or ())
        for table in view.seqs.values():
            numbers.update(table["blocks"])
    return numbers


def looks_in(shown: Shown, numbers: list[int], pool: Pool) -> dict[int, Look]:
    """How each of these blocks looks in this state; none does where no state is shown."""
    if isinstance(shown, str):
        return {}
    owners: dict[int, dict[str, None]] = {}
    for name, table in shown.seqs.items():
        for block in table["blocks"]:
            owners.setdefault(block, {})[pool.names.named(name)] = None
    listed = Counter(shown.free) if isinstance(shown.free, list) else None
    plain = Look(Kind.FREE, (), None if shown.ref is None else 0)
    special = {*owners, *(shown.ref or ())}
    looks = {}
    for number in numbers:  # almost all are free in a large pool
        if listed and listed[number] == 1 and number not in special and pool.has(number):
            looks[number] = plain
            continue
        looks[number] = Look.of(
            in_pool=pool.has(number),
            reserved=number in pool.reserved
            or (pool.usable is not None and number not in pool.usable),
            free=None if listed is None else listed[number],
            owners=tuple(owners.get(number, ())),
            count=None if shown.ref is None else shown.ref.get(number, 0),
        )
    return looks


def silent(view: View, pool: Pool) -> Look:
    """How a block looks of which nothing is said."""
    kind = Kind.LOST if pool.usable is None else Kind.RESERVED
    count = None if view.ref is None else 0
    return Look(kind if isinstance(view.free, list) else Kind.UNTOLD, (), count)


def in_order(looks: dict[int, Look], view: View, parted: set[int], pool: Pool) -> Iterator[Block]:
    """Neighbours that look the same, from the first to the last, and those nobody speaks of."""

    def alike(item: tuple[int, int]) -> tuple[Look, bool, int]:
        """The same for the blocks of a run, whose numbers grow as their places do."""
        place, number = item
        return looks[number], number in parted, number - place

    following = 0
    for (look, differs, _), group in groupby(enumerate(looks), key=alike):
        run = [number for _, number in group]
        if pool.has(run[0]):
            if run[0] > following:
                yield Block(following, run[0] - 1, silent(view, pool))
            following = run[-1] + 1
        yield Block(run[0], run[-1], look, differs)
    if following < pool.total:
        yield Block(following, pool.total - 1, silent(view, pool))


def apart(runs: Iterable[Block]) -> Iterator[Block]:
    """The same; but few neighbours as single blocks."""
    for run in runs:
        if len(run) >= ALIKE:
            yield run
        else:
            numbers = range(run.first, run.last + 1)
            yield from (Block(each, each, run.look, run.differs) for each in numbers)


def shortened(blocks: list[Block], most: int = MOST_BLOCKS) -> tuple[Block, ...]:
    """At most so many, in order: those that tell something rather than the first."""
    telling = sorted(blocks, key=lambda block: not (block.differs or block.kind in FAULTS))
    return tuple(sorted(telling[:most], key=lambda block: block.first))


def account_of(blocks: Iterable[Block], view: View, total: int) -> str:
    """The pool's blocks by kind: `3 blocks: 1 free, 1 held, 1 lost`."""
    numbers = dict.fromkeys(Kind, 0)
    for block in blocks:
        numbers[block.kind] += len(block)
    told = [f"{count:,} {kind.value}" for kind, count in numbers.items() if count]
    if isinstance(view.free, int):
        told.append(f"{view.free:,} said to be free, not which")
    return f"{plural(total, 'block')}: {', '.join(told) or 'nothing'}"


# --- tables, and the whole ------------------------------------------------------------------------


def drawn(
    shown: Shown, other: Shown, looks: dict[int, Look], parted: set[int], pool: Pool
) -> Picture | str:
    """One of the two states as a picture."""
    if isinstance(shown, str):
        return visible(shown)
    blocks = list(apart(in_order(looks, shown, parted, pool)))
    kept = shortened(blocks)
    others = shown.seqs if isinstance(other, str) else other.seqs
    tables = [
        table_of(name, table, pool, others.get(name) != table)
        for name, table in sorted_tables(shown, others)
    ]
    return Picture(
        blocks=kept,
        tables=tuple(tables),
        account=account_of(blocks, shown, pool.total),
        blocks_left_out=sum(map(len, blocks)) - sum(map(len, kept)),
        tables_left_out=len(shown.seqs) - len(tables),
    )


def sorted_tables(view: View, others: dict[Any, Any]) -> Iterator[tuple[Any, dict[str, Any]]]:
    """The tables as they come, or of too many those that differ rather than the first."""
    chosen = list(view.seqs.items())
    if len(chosen) > MOST_TABLES:
        chosen.sort(key=lambda item: others.get(item[0]) == item[1])
    return islice(iter(chosen), MOST_TABLES)


def table_of(name: Any, table: dict[str, Any], pool: Pool, differs: bool) -> Table:
    """One table, with the middle of a long one left out."""
    blocks = table["blocks"]
    left_out = max(0, len(blocks) - MOST_CELLS)
    half = MOST_CELLS // 2
    kept = (*blocks[:half], *blocks[-half:]) if left_out else tuple(blocks)
    told = pool.names.named(name)
    return Table(told, kept, table["len"], pool.block_size, left_out, differs)

"""One run told by another: other names, or two operations the other way round, change nothing.

Names: a run is repeated on a fresh manager under other names, which sort and hash otherwise; where
the target takes them also under integers, tuples and names of several kinds, false ones among them.
Outcomes, results and every state must be the same up to the names.

Order: two operations follow a run in either order on two fresh managers. They are accepted, name no
sequence in common, and take and free no block in either order; or both are releases. Each must have
the same outcome and result (two releases together the same freed blocks), and both orders lead to
the same state. Which ones these are, the model says; it says nothing of what they must lead to.

Where any free block may be taken, blocks count as the same that stand at the same places.

Does not cover: what is wrong in both runs alike; questions; more than two operations swapped; names
whose hash changes from one process to the next in more than the one order that it has here.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from functools import partial
from itertools import islice
from typing import Any

from poolproof_model.execute import Pool
from poolproof_verification.lives import (
    Life,
    Lives,
    after,
    menu,
    pool_after,
    shortest,
    unused,
)
from poolproof_verification.minimize import renamed
from poolproof_verification.mutants import Mutant, load
from poolproof_verification.operations import Accepted, Operation, live_in, names_in
from poolproof_verification.oracle import Oracle
from poolproof_verification.seen import (
    NeverEnds,
    Seen,
    Tally,
    live_through,
    outcome_of,
    state_of,
)
from poolproof_verification.targets import ClassTarget, KnownTarget
from poolproof_verification.verdict import Canary, CouldNotRun, Judgement
from poolproof_verification.visibility import Traits

METHOD = "metamorphic"
LAWS = ("names", "order")
RUNS = 150
PAIRS = 4  # that are swapped at the end of a run
UNIT = "pairs of runs"
SCOPE = "random runs of up to 24 operations on pools of up to 8 blocks, each told by another"
NOT_COVERED = "what is wrong in both runs alike; questions; larger pools"


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


# --- other names ----------------------------------------------------------------------------------


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


# --- another order --------------------------------------------------------------------------------

Pair = tuple[Operation, Operation]


def may_be_swapped(traits: Traits, pool: Pool, pair: Pair) -> bool:
    """Both orders are accepted, no sequence is named twice, and no block is taken or freed.

    Two releases may free blocks.
    """
    one, two = pair
    if set(names_in((one,))) & set(names_in((two,))) or not (one.arguments and two.arguments):
        return False
    release = one.name == two.name == "release"
    oracle = Oracle(traits=traits)
    for order in ((one, two), (two, one)):
        state = pool
        for operation in order:
            if oracle.refused(state, operation) is not None:
                return False
            state = after(oracle, state, operation)
            if state.free != pool.free and not release:
                return False
    return True


def pairs_after(lives: Lives, life: Life) -> list[Pair]:
    """A few pairs of operations that may be swapped at the end of the life."""
    pool = pool_after(lives.traits, life)
    if pool is None:
        return []
    live = live_in(pool)
    first = unused(live)
    second = unused([*live, first])
    found = [
        (one, two)
        for one in menu(lives.traits, pool, first)
        for two in menu(lives.traits, pool, second)
    ]
    lives.random.shuffle(found)
    return list(islice((p for p in found if may_be_swapped(lives.traits, pool, p)), PAIRS))


def told_by_order(target: KnownTarget, life: Life, pair: Pair) -> str:
    """What the order of the two makes different; nothing where there is nothing."""
    pool = pool_after(target.traits, life)
    if pool is None or not may_be_swapped(target.traits, pool, pair):
        return ""
    one, two = pair
    seen = live_through(target, life.then(one, two))[-2:]
    swapped = live_through(target, life.then(two, one))[-2:]
    numbered = target.traits.any_free_block
    ends = [state_of(each[-1].shown, numbered) for each in (seen, swapped)]
    if ends[0] != ends[1]:
        return f"{one}; {two} leads to {seen[-1].shown}, yet {two}; {one} to {swapped[-1].shown}"
    if results(seen, numbered) != results(swapped[::-1], numbered):
        answers = " and ".join(str(each.response) for each in seen)
        others = " and ".join(str(each.response) for each in swapped[::-1])
        return f"{one} and {two} answer {answers} in this order, yet {others} in the other"
    return ""


def results(seen: list[Seen], numbered: bool) -> Any:
    """What both operations return; of two releases all the freed blocks together."""
    values = [each.response.value for each in seen if isinstance(each.response, Accepted)]
    lists = len(values) == 2 and all(type(value) is list for value in values)
    if seen[0].operation.name == seen[1].operation.name == "release" and lists:
        freed = values[0] + values[1]
        return len(freed) if numbered else sorted(freed, key=str)
    return [outcome_of(each, numbered) for each in seen]


# --- the judgement --------------------------------------------------------------------------------


class Search:
    """Random lives, each judged by the laws that are not broken yet."""

    def __init__(self, target: KnownTarget, seed: int) -> None:
        """Nothing is judged yet."""
        self.target, self.lives, self.tally = target, Lives(target.traits, seed), Tally()
        self.kinds = kinds_for(target)

    def run(self) -> None:
        """One more life; NeverEnds."""
        life = self.lives.draw()
        try:
            for words in self.kinds:
                self.judge("names", life, partial(told_by_names, kind=self.kinds[words]), words)
            for pair in pairs_after(self.lives, life):
                self.judge("order", life, partial(told_by_order, pair=pair), "")
        except CouldNotRun:  # no pool of this size is made
            return

    def judge(
        self, law: str, life: Life, told: Callable[[KnownTarget, Life], str], by: str
    ) -> None:
        """Keep the shortest life that breaks the law so, if this one does."""
        if law in self.tally.broken:
            return
        self.tally.judged(law)
        told_of = partial(told, self.target)
        if told_of(life):
            least = shortest(life, told_of)
            self.tally.broken[law] = "; ".join(
                filter(None, (f"{told_of(least)}: after {least}", by))
            )


def check(target: KnownTarget, seed: int, runs: int = RUNS) -> Judgement:
    """Judge so many random lives by both laws."""
    started, tally, notes = time.process_time(), Tally(), []
    try:
        search = Search(target, seed)
        tally, notes = search.tally, [f"the names: {', '.join(search.kinds)}"]
        for _ in range(runs):
            search.run()
    except NeverEnds as error:
        tally.ended = str(error)
    judged = [law for law in LAWS if law in tally.counts or law == "names"]
    verdicts = tally.verdicts(METHOD, dict.fromkeys(judged, UNIT), SCOPE)
    notes += [f"not judged: {law}: nothing to judge" for law in LAWS if law not in judged]
    return Judgement(METHOD, verdicts, time.process_time() - started, NOT_COVERED, tuple(notes))


# The names that other searches use begin with A to L, so they never come upon it.
BUG = Mutant(
    "late_names_get_one_block",
    "a sequence whose name sorts behind M gets one block, however many its tokens need",
    "names",
    "block_manager.py",
    "if count == 1 else",
    'if count == 1 or str(name) > "M" else',
)


def canary(seed: int) -> Canary:
    """Hunt the seeded bug."""
    search = Search(ClassTarget(BUG.name, load(BUG)), seed)
    for _ in range(RUNS):
        search.run()
        if search.tally.broken:
            break
    found = search.tally.broken.get(BUG.law, "")
    return Canary(METHOD, BUG.wrong, bool(found), found or "no difference found")

"""Two operations told the other way round: where the order may not matter it must not.

They are accepted, name no sequence in common, and take and free no block in either order; or both
are releases. Which ones these are, the model says; it says nothing of what they must lead to.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

from poolproof_model.execute import Pool
from poolproof_verification.lives import Life, Lives, after, menu, pool_after, unused
from poolproof_verification.operations import Accepted, Operation, live_in, names_in
from poolproof_verification.oracle import Oracle
from poolproof_verification.seen import Seen, live_through, outcome_of, state_of
from poolproof_verification.targets import KnownTarget
from poolproof_verification.visibility import Traits

PAIRS = 4  # that are swapped at the end of a run
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
        return f"{one}; {two}, or the other way round: {parting(seen, swapped[::-1], numbered)}"
    return ""


def parting(seen: list[Seen], swapped: list[Seen], numbered: bool) -> str:
    """The first of the operations that went otherwise, and how, if not by what it answers."""
    pairs = list(zip(seen, swapped, strict=True))
    differ = (
        pair for pair in pairs if outcome_of(pair[0], numbered) != outcome_of(pair[1], numbered)
    )
    here, there = next(differ, pairs[-1])
    if str(here.response) != str(there.response):
        return f"{here.operation} answers {here.response}, or {there.response}"
    ways = (f"from {each.before} to {each.shown}" for each in (here, there))
    return f"{here.operation} answers {here.response} either way, and leads {', or '.join(ways)}"


def results(seen: list[Seen], numbered: bool) -> Any:
    """What both operations return; of two releases all the freed blocks together."""
    values = [each.response.value for each in seen if isinstance(each.response, Accepted)]
    lists = len(values) == 2 and all(type(value) is list for value in values)
    if seen[0].operation.name == seen[1].operation.name == "release" and lists:
        freed = values[0] + values[1]
        return len(freed) if numbered else sorted(freed, key=str)
    return [outcome_of(each, numbered) for each in seen]

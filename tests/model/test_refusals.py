from __future__ import annotations

from typing import Any

import pytest
from tests.model.by_hand import TWO_SHARING, pool_of, prompt_of
from tests.model.reach import SCOPES, attempts, explore

from poolproof_model.execute import Pool, needed, refusal
from poolproof_model.system import ALLOCATE, APPEND, FORK, RELEASE, Refusal, Transition, call

# Blocks of 4: A and B share block 0, each has one token in a block of its own; 3, 4 are free.
POOL = pool_of(5, 4, **TWO_SHARING)
# Blocks of 4: A and B share block 0, which is not full; no block is free.
FULL = pool_of(1, 4, A=((0,), "ab"), B=((0,), "ab"))


def allocated(name: str, length: int) -> dict[str, Any]:
    return {"sequence": name, "length": length, "prompt": prompt_of("")}


REFUSED: tuple[tuple[Pool, Transition, dict[str, Any], Refusal | None], ...] = (
    (POOL, ALLOCATE, allocated("A", -1), Refusal.NEGATIVE),  # the name is in use, too
    (POOL, ALLOCATE, allocated("C", -1), Refusal.NEGATIVE),
    (POOL, ALLOCATE, allocated("A", 99), Refusal.EXISTS),  # there are too few blocks, too
    (POOL, ALLOCATE, allocated("C", 9), Refusal.OUT_OF_BLOCKS),
    (POOL, ALLOCATE, allocated("C", 8), None),
    (FULL, ALLOCATE, allocated("C", 1), Refusal.OUT_OF_BLOCKS),
    (FULL, ALLOCATE, allocated("C", 0), None),
    (POOL, FORK, {"parent": "C", "child": "A"}, Refusal.UNKNOWN),  # the child's name is in use, too
    (POOL, FORK, {"parent": "C", "child": "C"}, Refusal.UNKNOWN),
    (POOL, FORK, {"parent": "A", "child": "B"}, Refusal.EXISTS),
    (POOL, FORK, {"parent": "A", "child": "A"}, Refusal.EXISTS),
    (FULL, FORK, {"parent": "A", "child": "C"}, None),
    (FULL, APPEND, {"sequence": "C", "token": "z"}, Refusal.UNKNOWN),
    (FULL, APPEND, {"sequence": "A", "token": "z"}, Refusal.OUT_OF_BLOCKS),  # for the copy
    (POOL, APPEND, {"sequence": "A", "token": "z"}, None),
    (POOL, RELEASE, {"sequence": "C"}, Refusal.UNKNOWN),
    (POOL, RELEASE, {"sequence": "A"}, None),
)


@pytest.mark.parametrize(("pool", "transition", "arguments", "reason"), REFUSED)
def test_a_refusal_names_the_first_reason(
    pool: Pool, transition: Transition, arguments: dict[str, Any], reason: Refusal | None
) -> None:
    assert refusal(pool, transition, arguments) is reason


def blocks_wanted(pool: Pool, transition: Transition, arguments: dict[str, Any]) -> int:
    """How many blocks it takes, counted on the tables."""
    if transition is ALLOCATE:
        length: int = arguments["length"]
        return -(-length // pool.block_size)
    if transition is not APPEND:
        return 0
    table = pool.tables[arguments["sequence"]]
    full = table.length == len(table.blocks) * pool.block_size
    sharing = [each for each in pool.tables.values() if table.blocks[-1:] == each.blocks[-1:]]
    return 1 if full or len(sharing) > 1 else 0


def why_not(pool: Pool, transition: Transition, arguments: dict[str, Any]) -> Refusal | None:
    """Why it must be refused, told from the tables."""
    old, new = {
        ALLOCATE.name: ((), ("sequence",)),
        FORK.name: (("parent",), ("child",)),
        APPEND.name: (("sequence",), ()),
        RELEASE.name: (("sequence",), ()),
    }[transition.name]
    if any(arguments[name] not in pool.tables for name in old):
        return Refusal.UNKNOWN
    if any(arguments[name] in pool.tables for name in new):
        return Refusal.EXISTS
    enough = blocks_wanted(pool, transition, arguments) <= len(pool.free)
    return None if enough else Refusal.OUT_OF_BLOCKS


@pytest.mark.parametrize("scope", SCOPES)
def test_everywhere_exactly_what_cannot_be_done_is_refused(scope: str) -> None:
    states, _ = explore(SCOPES[scope])
    for pool in states:
        for transition, arguments in attempts(SCOPES[scope], pool):
            reason = refusal(pool, transition, arguments)
            assert reason is why_not(pool, transition, arguments), (pool, transition, arguments)
            promised = call(transition.admits, {"state": pool.state(), **arguments})
            assert promised == (reason is None), (pool, transition, arguments)
            if reason is None:
                wanted = blocks_wanted(pool, transition, arguments)
                assert needed(pool, transition, arguments) == wanted

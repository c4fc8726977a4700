"""The oracle says what the manager does: refusals in their order, results, states."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from poolproof import BlockManager, OutOfBlocks, SequenceExists, UnknownSequence
from poolproof_model.execute import Pool, empty_pool
from poolproof_model.operations import steps
from poolproof_model.system import Refusal
from poolproof_verification.operations import OPERATIONS, Operation, view_of, wrong_type
from poolproof_verification.oracle import (
    Oracle,
    UnlawfulChoice,
    carry_out,
    key_of,
    lowest,
    picks_seen,
)

ERRORS = {
    Refusal.WRONG_TYPE: TypeError,
    Refusal.NEGATIVE: ValueError,
    Refusal.UNKNOWN: UnknownSequence,
    Refusal.EXISTS: SequenceExists,
    Refusal.OUT_OF_BLOCKS: OutOfBlocks,
}


def call(name: str, *arguments: Any) -> Operation:
    return Operation(name, arguments)


def after(total: int, block_size: int, *operations: Operation) -> Pool:
    pool = empty_pool(total, block_size)
    for operation in operations:
        pool, _ = carry_out(pool, operation)
    return pool


def drawn(random_numbers: random.Random) -> Operation:
    name = random_numbers.choice(OPERATIONS[:5] * 12 + OPERATIONS[5:])
    names = random_numbers.choices("ABCDE", k=2)
    if name == "fork":
        return call(name, *names)
    if name in ("allocate", "grow"):
        return call(name, names[0], random_numbers.choice((-1, 0, 1, 2, 3, 4, 7, True, "1")))
    return call(name, *names[:1] if name != "release_all" else ())


@pytest.mark.parametrize("seed", range(8))
def test_the_oracle_and_the_manager_agree_on_random_operations(seed: int) -> None:
    random_numbers = random.Random(seed)
    total, block_size = random_numbers.randint(0, 9), random_numbers.randint(1, 4)
    pool, manager, oracle = empty_pool(total, block_size), BlockManager(total, block_size), Oracle()
    seen: Counter[Refusal | None] = Counter()
    for _ in range(400):
        operation = drawn(random_numbers)
        refused = oracle.refused(pool, operation)
        seen[refused] += 1
        method = getattr(manager, operation.name)
        if refused is None:
            pool, result = carry_out(pool, operation)
            assert method(*operation.arguments) == result, operation
        else:
            with pytest.raises(Exception) as caught:
                method(*operation.arguments)
            assert type(caught.value) is ERRORS[refused], operation
        assert view_of(pool) == (manager.free, manager.ref, manager.seqs), operation
    assert set(seen) == {None, *Refusal}


FULL = (call("allocate", "A", 2), call("fork", "A", "B"))


@pytest.mark.parametrize(
    ("operation", "reason"),
    [
        (call("allocate", "A", "9"), Refusal.WRONG_TYPE),
        (call("allocate", [], -1), Refusal.WRONG_TYPE),
        (call("allocate", "A", -1), Refusal.NEGATIVE),
        (call("allocate", "A", 9), Refusal.EXISTS),
        (call("allocate", "C", 9), Refusal.OUT_OF_BLOCKS),
        (call("fork", "Z", []), Refusal.WRONG_TYPE),
        (call("fork", "Z", "A"), Refusal.UNKNOWN),
        (call("fork", "A", "B"), Refusal.EXISTS),
        (call("append", []), Refusal.WRONG_TYPE),
        (call("append", "Z"), Refusal.UNKNOWN),
        (call("append", "A"), Refusal.OUT_OF_BLOCKS),
        (call("grow", "Z", True), Refusal.WRONG_TYPE),
        (call("grow", "Z", -1), Refusal.NEGATIVE),
        (call("grow", "Z", 9), Refusal.UNKNOWN),
        (call("grow", "A", 9), Refusal.OUT_OF_BLOCKS),
        (call("release", {}), Refusal.WRONG_TYPE),
        (call("release", "Z"), Refusal.UNKNOWN),
        (call("release_all"), None),
        (call("grow", "A", 0), None),
    ],
    ids=str,
)
def test_of_several_reasons_the_first_is_told(operation: Operation, reason: Refusal | None) -> None:
    pool, manager = after(1, 3, *FULL), BlockManager(1, 3)
    for each in FULL:
        getattr(manager, each.name)(*each.arguments)
    assert Oracle().refused(pool, operation) is reason
    if reason is not None:
        with pytest.raises(ERRORS[reason]) as caught:
            getattr(manager, operation.name)(*operation.arguments)
        assert type(caught.value) is ERRORS[reason]


def test_numbers_are_integers_and_no_bools_and_names_hash() -> None:
    assert wrong_type(call("allocate", "A", True))
    assert wrong_type(call("grow", "A", 1.0))
    assert wrong_type(call("fork", "A", {}))
    assert wrong_type(call("release", ("A", [])))
    assert not wrong_type(call("fork", ("a", "tuple"), None))


def test_room_is_remembered_and_right() -> None:
    oracle = Oracle()
    pool = after(3, 2, call("allocate", "A", 3), call("fork", "A", "B"))
    assert oracle.appends(pool, "A") == 1  # one block is free, and the copy takes it
    assert oracle.appends(pool, "A") == 1
    assert oracle.appends(after(3, 2, call("allocate", "A", 1)), "A") == 5
    assert oracle.appends(after(3, 2, call("allocate", "A", 3)), "A") == 3


def test_a_huge_growth_is_refused_at_once() -> None:
    pool = after(3, 2, call("allocate", "A", 1))
    assert Oracle().refused(pool, call("grow", "A", 10**30)) is Refusal.OUT_OF_BLOCKS
    assert Oracle().refused(pool, call("grow", "A", 5)) is None


def test_lawful_picks_are_carried_out_in_their_order() -> None:
    pool, result = carry_out(empty_pool(4, 2), call("allocate", "A", 3), (3, 1))
    assert result == [3, 1]
    assert pool.tables["A"].blocks == (3, 1)
    assert sorted(pool.free) == [0, 2]


@pytest.mark.parametrize(
    ("picks", "words"),
    [
        ((0,), "took [0], where [0, 1, 2, 3] were free"),
        ((2, 2), "took [2, 2]"),
        ((1, 9), "took [1, 9]"),
        ((0, 1, 2), "took [2] beyond what it needs"),
    ],
    ids=str,
)
def test_unlawful_picks_are_told(picks: tuple[int, ...], words: str) -> None:
    with pytest.raises(UnlawfulChoice) as caught:
        carry_out(empty_pool(4, 2), call("allocate", "A", 3), picks)
    assert words in str(caught.value)


def test_a_held_block_is_no_lawful_pick() -> None:
    pool = after(4, 2, call("allocate", "A", 2))
    with pytest.raises(UnlawfulChoice, match="took \\[0\\]"):
        carry_out(pool, call("allocate", "B", 1), (0,))


def test_picks_are_read_off_the_table_afterwards() -> None:
    pool = after(4, 2, call("allocate", "A", 3), call("fork", "A", "B"))
    assert picks_seen(pool, call("append", "B"), [0, 3]) == (3,)
    assert picks_seen(pool, call("grow", "B", 2), [0, 3, 2]) == (3, 2)
    assert picks_seen(pool, call("allocate", "C", 2), [2]) == (2,)
    assert picks_seen(pool, call("release", "A"), []) == ()


def test_grow_is_its_appends_and_tells_blocks_and_copy() -> None:
    pool = after(5, 2, call("allocate", "A", 1), call("fork", "A", "B"))
    grown, result = carry_out(pool, call("grow", "B", 4))
    assert result == ([2, 3], (0, 1))
    for _ in range(4):
        pool, _ = carry_out(pool, call("append", "B"))
    assert key_of(pool) == key_of(grown)


def test_release_all_is_every_release() -> None:
    pool = after(5, 2, call("allocate", "A", 3), call("fork", "A", "B"), call("append", "B"))
    assert [arguments["sequence"] for _, arguments in steps(pool, *call("release_all"))] == [
        "A",
        "B",
    ]
    emptied, result = carry_out(pool, call("release_all"))
    assert result == [0, 1, 2]
    assert key_of(emptied) == key_of(empty_pool(5, 2))


def test_the_lowest_blocks_come_in_order() -> None:
    pool = after(4, 1, call("allocate", "A", 1))
    assert lowest(pool, 2) == (1, 2)
    assert lowest(pool, 0) == ()

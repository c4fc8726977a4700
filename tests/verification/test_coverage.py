"""Each goal is reached by an operation that an engineer would give as its example, and no other."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from poolproof_model.system import ALLOCATE, APPEND, FORK, RELEASE, TRANSITIONS, Refusal
from poolproof_verification.coverage import (
    AGAIN,
    GOALS,
    Names,
    Reached,
    goals_of,
    possible,
    reasons_of,
)
from poolproof_verification.operations import OPERATIONS, Operation
from poolproof_verification.oracle import Oracle, carry_out
from poolproof_verification.visibility import EVERYTHING, Traits, start_of

EAGER = Traits(copies_at_fork=True)
ALL = possible(EVERYTHING, (1, 2))
SIZES = {"allocate": (1,), "grow": (1,)}


def operations_in(line: str) -> list[Operation]:
    """`allocate A 3; append A` as operations."""
    found = []
    for each in line.split("; "):
        name, *words = each.split()
        arguments: list[Any] = [
            int(word) if index in SIZES.get(name, ()) else word for index, word in enumerate(words)
        ]
        found.append(Operation(name, tuple(arguments)))
    return found


def reached_by(line: str, traits: Traits = EVERYTHING) -> Reached:
    """What the last of these operations reaches, in a pool of 3 blocks of 2."""
    oracle, pool = Oracle(traits=traits), start_of(3, 2, traits, contents=False)
    *setting, last = operations_in(line)
    for operation in setting:
        assert oracle.refused(pool, operation) is None, operation
        pool, _ = carry_out(pool, operation, copies_at_fork=traits.copies_at_fork)
    reason = oracle.refused(pool, last)
    if reason is not None:
        return goals_of(pool, last, reason, pool)
    after, _ = carry_out(pool, last, copies_at_fork=traits.copies_at_fork)
    return goals_of(pool, last, None, after)


EXAMPLES = {
    "allocate A 0": ["of no token"],
    "allocate A 6; allocate B 0": ["of no token", "of no token where no block is free"],
    "allocate A 2": ["to the end of a block"],
    "allocate A 1": ["to the middle of a block"],
    "allocate A 3": ["to the middle of a block", "of several blocks"],
    "allocate A 4; allocate B 2": ["to the end of a block", "of the last free block"],
    "allocate A 0; fork A B": ["of an empty sequence"],
    "allocate A 2; fork A B": ["of a full last block"],
    "allocate A 1; fork A B": ["of a partly filled last block"],
    "allocate A 3; fork A B": ["of a partly filled last block", "of several blocks"],
    "allocate A 2; fork A B; fork B C": [
        "of a full last block", "of a block that is shared already",
    ],
    "allocate A 0; append A": ["to an empty sequence"],
    "allocate A 2; append A": ["at a boundary"],
    "allocate A 2; fork A B; append B": ["at a boundary", "after a full shared block"],
    "allocate A 4; append A": ["at a boundary", "of the last free block"],
    "allocate A 1; append A": ["in place", "to a last slot"],
    "allocate A 5; append A": ["in place", "in place where no block is free", "to a last slot"],
    "allocate A 2; fork A B; append B; append B": [
        "in place", "in place after shared blocks", "to a last slot",
    ],
    "allocate A 1; fork A B; append A": ["to a last slot", "with a copy"],
    "allocate A 1; fork A B; fork A C; append C": [
        "to a last slot", "with a copy of a block held by three or more",
    ],
    "allocate A 3; fork A B; append B": [
        "to a last slot", "with a copy", "with a copy to the last free block",
    ],
    "allocate A 1; grow A 0": ["by no token"],
    "allocate A 6; grow A 0": ["by no token", "by no token where no block is free"],
    "allocate A 0; grow A 1": ["from an empty sequence"],
    "allocate A 1; grow A 1": ["within the last block", "to the end of a block"],
    "allocate A 1; grow A 5": [
        "to the end of a block", "over several blocks", "to the last free block",
    ],
    "allocate A 1; fork A B; grow B 1": ["to the end of a block", "with a copy"],
    "allocate A 1; fork A B; grow B 2": [
        "to the last free block", "with a copy and further blocks",
    ],
    "allocate A 0; release A": ["of an empty sequence", "of the only sequence"],
    "allocate A 2; allocate B 2; release A": ["of blocks that nobody else holds"],
    "allocate A 2; fork A B; release A": ["of shared blocks alone"],
    "allocate A 3; fork A B; append B; release B": [
        "of shared blocks and others", "where no block was free",
    ],
    "allocate A 2; fork A B; fork B C; release A": [
        "of shared blocks alone", "of a block held by three or more",
    ],
    "release_all": ["of no sequence"],
    "allocate A 1; allocate B 1; release_all": ["of several sequences"],
    "allocate A 6; fork A B; release_all": [
        "of several sequences", "of shared blocks", "where no block was free",
    ],
    "allocate A -1": ["refused: a negative number of tokens"],
    "allocate A 0; allocate A -1": [
        "refused: a negative number of tokens", "refused for two reasons, first: a negative number",
    ],
    "allocate A 0; allocate A 1": ["refused: the name is in use"],
    "allocate A 0; allocate A 9": [
        "refused: the name is in use", "refused for two reasons, first: the name is in use",
    ],
    "allocate A 9": ["refused: too few free blocks"],
    "allocate A 2; allocate B 5": ["refused: too few free blocks", "refused for want of one block"],
    "allocate A 6; allocate B 3": [
        "refused: too few free blocks", "refused where no block is free",
    ],
    "fork A B": ["refused: no such sequence"],
    "allocate B 0; fork A B": [
        "refused: no such sequence", "refused for two reasons, first: no such sequence",
    ],
    "allocate A 0; allocate B 0; fork A B": ["refused: the name is in use"],
    "allocate A 0; fork A A": ["refused: the name is in use", "refused into itself"],
    "append A": ["refused: no such sequence"],
    "allocate A 6; append A": ["refused: too few free blocks", "refused at a boundary"],
    "allocate A 5; fork A B; append B": [
        "refused: too few free blocks", "refused for want of a copy",
    ],
    "allocate A 0; grow A -1": ["refused: a negative number of tokens"],
    "grow A -1": [
        "refused: a negative number of tokens", "refused for two reasons, first: a negative number",
    ],
    "grow A 1": ["refused: no such sequence"],
    "allocate A 6; grow A 1": ["refused: too few free blocks"],
    "allocate A 5; grow A 2": [
        "refused: too few free blocks", "refused though one token has room",
    ],
    "allocate A 5; fork A B; grow B 1": [
        "refused: too few free blocks", "refused for want of a copy",
    ],
    "release A": ["refused: no such sequence"],
}  # fmt: skip


@pytest.mark.parametrize("line", EXAMPLES)
def test_an_operation_reaches_its_goals_and_no_others(line: str) -> None:
    name = operations_in(line)[-1].name
    found = set(reached_by(line)) - {"fork where no block is free"}
    assert found == {f"{name} {words}" for words in EXAMPLES[line]}


def test_every_goal_has_an_example() -> None:
    shown = {goal for line in EXAMPLES for goal in reached_by(line)}
    shown |= set(reached_by("allocate A 6; fork A B"))
    by_type = {each for each in ALL if each.endswith(Refusal.WRONG_TYPE.value)}
    assert set(ALL) == shown | by_type | set(AGAIN.values())
    assert len(by_type) == len(OPERATIONS) - 1


def test_a_fork_that_copies_at_once_has_cases_of_its_own() -> None:
    partly, copy = "fork of a partly filled last block", "fork with a copy"
    assert reached_by("allocate A 1; fork A B", EAGER) == (partly, copy)
    last = reached_by("allocate A 3; fork A B", EAGER)
    assert {copy, "fork with a copy to the last free block"} < set(last)
    assert reached_by("allocate A 5; fork A B", EAGER) == ("fork refused: too few free blocks",)


def test_no_two_goals_have_one_name() -> None:
    both = [f"{name} {each.words}" for (name, _), goals in GOALS.items() for each in goals]
    assert not [words for words, number in Counter(both).items() if number > 1]


def test_each_guard_of_the_model_is_a_goal() -> None:
    for transition in TRANSITIONS:
        for reason, _ in transition.requirements:
            assert f"{transition.name} refused: {reason.value}" in ALL
    assert [Refusal.OUT_OF_BLOCKS in reasons_of(each) for each in (ALLOCATE, APPEND)] == [True] * 2
    assert [Refusal.OUT_OF_BLOCKS in reasons_of(each) for each in (FORK, RELEASE)] == [False] * 2
    assert {name for name, _ in GOALS} == set(OPERATIONS)


def test_only_what_the_traits_allow_is_asked_for() -> None:
    no_fork = possible(Traits(operations=frozenset({"allocate", "append", "release"})), (2,))
    assert not [each for each in no_fork if "fork" in each or "share" in each or "copy" in each]
    trusting = possible(Traits(undefined=frozenset(Refusal) - {Refusal.OUT_OF_BLOCKS}), (2,))
    refused = {each for each in trusting if "refused: " in each}
    assert refused == {
        f"{name} refused: {Refusal.OUT_OF_BLOCKS.value}" for name in ("allocate", "append", "grow")
    }
    assert "fork with a copy" in set(possible(EAGER, (2,))) - set(ALL)
    assert not [each for each in possible(EAGER, (2,)) if each.startswith("append with a copy")]
    single = possible(EVERYTHING, (1,))
    assert not [each for each in single if "copy" in each or "in place" in each]
    assert set(single) < set(ALL)
    for_good = possible(Traits(operations=frozenset({"allocate", "append"})), (2,))
    assert not set(AGAIN.values()) & set(for_good)


def test_a_name_that_was_released_is_used_again() -> None:
    names = Names()

    def follow(name: str, *arguments: Any) -> Reached:
        return names.follow(Operation(name, arguments), ("A", "B"))

    assert follow("allocate", "A", 1) == follow("fork", "A", "B") == follow("release", "A") == ()
    assert follow("allocate", "A", 1) == ("allocate of a name that was released",)
    assert follow("fork", "A", "B") == follow("release_all") == ()
    assert follow("fork", "A", "B") == ("fork of a name that was released",)
    assert follow("append", "A") == follow("grow", "B", 1) == ()

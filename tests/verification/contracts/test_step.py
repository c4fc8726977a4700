"""A step knows which laws it keeps, and names those that it breaks."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from poolproof import BlockManager
from poolproof.block_table import BlockTable
from poolproof_model.system import Refusal
from poolproof_verification.contracts.frame import NAME, NEW, THREE, Frame, Layout
from poolproof_verification.contracts.step import Step, attempt, keeps
from poolproof_verification.contracts.subject import under_test
from poolproof_verification.operations import Operation


def layout(*blocks: int) -> Layout:
    return next(one for one in THREE if one.blocks == blocks and not one.elsewhere)


def alone(*blocks: int, length: int, limit: int) -> Frame:
    """Blocks of two slots, held by one sequence."""
    return Frame(layout(*blocks), 2, 0, (0, 0, 0), length, limit, False)


def step_of(frame: Frame, name: str, *arguments: object) -> Step:
    steps: list[Step] = []
    with under_test(BlockManager, steps.append):
        assert keeps(frame, name, *arguments)
    return steps[0]


def take_one_less(manager: BlockManager) -> None:
    manager._pool.num_free -= 1


def mark_as_free(manager: BlockManager) -> None:
    manager._pool.free_map[1] = 1


def start_too_high(manager: BlockManager) -> None:
    manager._pool.lowest = 3


def lengthen_the_map(manager: BlockManager) -> None:
    manager._pool.free_map.append(1)


def lengthen_the_counts(manager: BlockManager) -> None:
    manager._pool.extra.append(0)


def count_once_more(manager: BlockManager) -> None:
    manager._pool.extra[1] += 1


def raise_the_limit(manager: BlockManager) -> None:
    manager._sequences[NAME].limit += 1


def forget_a_token(manager: BlockManager) -> None:
    manager._sequences[NAME].length -= 2
    manager._sequences[NAME].limit -= 2


def take_another_block(manager: BlockManager) -> None:
    manager._sequences[NAME].blocks[1] = 2


def add_a_sequence(manager: BlockManager) -> None:
    manager._sequences["stranger"] = BlockTable([], 0, 0, False)


@pytest.mark.parametrize(
    ("damage", "laws"),
    [
        (take_one_less, {"partition"}),
        (mark_as_free, {"partition"}),
        (start_too_high, {"partition"}),
        (lengthen_the_map, {"partition"}),
        (lengthen_the_counts, {"counts"}),
        (count_once_more, {"counts"}),
        (raise_the_limit, {"lengths"}),
        (forget_a_token, {"results", "lengths"}),
        (take_another_block, {"choices", "partition", "counts"}),
        (add_a_sequence, {"results"}),
    ],
)
def test_damage_breaks_its_laws(damage: Callable[[BlockManager], None], laws: set[str]) -> None:
    step = step_of(alone(0, length=2, limit=2), "append", NAME)  # takes block 1
    assert step.broken() == []
    damage(step.manager)
    assert not step.kept()
    assert set(step.broken()) == laws


def test_a_refused_operation_must_leave_everything() -> None:
    step = step_of(alone(0, 1, 2, length=6, limit=6), "append", NAME)
    assert step.answer is Refusal.OUT_OF_BLOCKS
    step.manager._sequences[NAME].length += 1
    assert "refusals" in step.broken()


def test_parent_and_child_must_not_share_a_list() -> None:
    step = step_of(alone(0, length=1, limit=2), "fork", NAME, NEW)
    step.manager._sequences[NEW].blocks = step.manager._sequences[NAME].blocks
    assert step.broken() == ["results"]


def test_a_promise_must_come_true() -> None:
    step = step_of(alone(0, length=1, limit=2), "append", NAME)
    lied = Step(step.frame, step.operation, False, step.answer, step.manager, step.expected)
    assert lied.broken() == ["can"]
    assert "can_append had said False" in str(lied)


def test_a_step_says_what_was_expected_and_what_was_seen() -> None:
    words = str(step_of(alone(0, 1, 2, length=6, limit=6), "append", NAME))
    assert "append('a') from: block size 2, table [0, 1, 2], 6 token(s)" in words
    assert "expected a refusal (too few free blocks)" in words


def test_an_error_that_is_no_refusal_is_raised() -> None:
    with pytest.raises(TypeError):
        attempt(BlockManager(1, 1), Operation("allocate", ("a", "many")))

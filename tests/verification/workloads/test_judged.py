"""The judged manager serves a workload like any other, and stops at the first disagreement."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from poolproof import BlockManager, OutOfBlocks
from poolproof_verification.targets import ClassTarget, find_target
from poolproof_verification.workloads import Request, run, simulate
from poolproof_verification.workloads.judged import Disagreement, JudgedManager

SHIPPED = find_target("poolproof")


def judged(blocks: int, block_size: int) -> JudgedManager:
    return JudgedManager(blocks, block_size, SHIPPED)


@pytest.mark.parametrize(("blocks", "samples"), [(None, 1), (60, 2), (12, 3)], ids=str)
def test_the_figures_are_those_of_the_manager_alone(
    small_csv: Path, blocks: int | None, samples: int
) -> None:
    options: dict[str, Any] = {"block_size": 8, "blocks": blocks, "samples": samples}
    assert run(small_csv, **options, make_manager=judged) == run(small_csv, **options)


def test_every_operation_is_judged(small: tuple[Request, ...]) -> None:
    manager = judged(200, 4)
    figures = simulate(iter(small), manager, 2, 200)
    assert manager.operations == manager.lockstep.operations
    assert manager.operations > figures.requests + figures.finished
    assert manager.lockstep.pool.tables == {}


def test_operations_return_what_the_manager_returns() -> None:
    manager, alone = judged(6, 2), BlockManager(6, 2)
    for each in (manager, alone):
        assert each.allocate(1, 3) == [0, 1]
        assert each.fork(1, 2) == [0, 1]
        assert each.append(2) is True
        assert (each.length(2), each.last_block(2), each.num_free) == (4, 2, 3)
        assert each.usage_of(2).slack_slots == 0
        assert each.release(1) == [1]


def test_a_full_pool_refuses_as_the_manager_does() -> None:
    manager = judged(2, 2)
    manager.allocate(1, 3)
    with pytest.raises(OutOfBlocks) as caught:
        manager.allocate(2, 1)
    assert (caught.value.asked, caught.value.free) == (1, 0)


class Wrong(BlockManager):  # type: ignore[misc]  # final for users, not for this test
    """It forgets that the last block may be shared."""

    def append(self, name: Any) -> bool:
        return super().append(name) and False


def test_a_disagreement_says_where_and_what_and_shows_both_states() -> None:
    manager = JudgedManager(6, 2, ClassTarget("poolproof", Wrong))
    manager.allocate(1, 3)
    manager.fork(1, 2)
    with pytest.raises(Disagreement) as caught:
        manager.append(2)
    assert str(caught.value).splitlines() == [
        "operation 3, append(2):",
        "  results: append(2) returned False, where True is right",
        "before free [2, 3, 4, 5] | 1 [0, 1] 3 tokens; 2 [0, 1] 3 tokens | counts {0: 2, 1: 2}",
        "manager free [3, 4, 5] | 1 [0, 1] 3 tokens; 2 [0, 2] 4 tokens | counts {0: 2, 1: 1, 2: 1}",
    ]


def test_a_workload_ends_at_the_disagreement(small_csv: Path) -> None:
    def wrong(blocks: int, block_size: int) -> JudgedManager:
        return JudgedManager(blocks, block_size, ClassTarget("poolproof", Wrong))

    with pytest.raises(Disagreement, match=r"^operation \d+, append\("):
        run(small_csv, block_size=8, samples=2, make_manager=wrong)


def test_states_that_a_workload_has_left_are_not_kept() -> None:
    manager = JudgedManager(4, 2, find_target("poolproof"))
    manager.allocate(0, 1)
    for _ in range(3):
        manager.append(0)
    assert manager.lockstep.oracle.successors == {}

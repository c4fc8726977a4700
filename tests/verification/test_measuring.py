"""The figures of usage are counted anew, slot by slot, and every wrong one is told."""

from __future__ import annotations

from unittest.mock import patch

import pytest

from poolproof import BlockManager, Usage
from poolproof_model.execute import FreeBlocks, Pool, Table
from poolproof_verification.measuring import cases, disagreements, figures
from poolproof_verification.mutants import load, mutant_named


def test_the_shipped_manager_gives_the_right_figures() -> None:
    assert list(disagreements(BlockManager)) == []
    assert sum(len(answers) for _, answers in cases()) > 50


def test_33_tokens_in_blocks_of_16_leave_15_of_48_slots() -> None:
    tables = {"A": Table((0, 1, 2), 33), "B": Table((0, 1), 32)}
    right = figures(Pool(10, 16, FreeBlocks(range(3, 10))), tables)  # type: ignore[arg-type]
    assert right["allocated_slots"] == 48
    assert right["filled_slots"] == 33
    assert right["slack_share_of_allocated_slots"] == 0.3125
    assert (right["logical_blocks"], right["physical_blocks"], right["saved_blocks"]) == (5, 3, 2)
    assert right["saved_share_of_logical_blocks"] == 0.4


@pytest.mark.parametrize("name", ["usage_counts_each_holder", "usage_adds_up_holders"])
def test_a_wrong_figure_is_told_with_the_right_one(name: str) -> None:
    found = list(disagreements(load(mutant_named(name))))
    assert found and all("is right, in" in words for words in found)


def test_an_unknown_sequence_has_no_usage() -> None:
    nothing = Usage(0, 0, 0, 0, 0)
    with patch.object(BlockManager, "usage_of", lambda manager, name: nothing):
        assert any("usage_of('Z') gives Usage(" in words for words in disagreements(BlockManager))


def test_an_error_is_told_with_the_state() -> None:
    def failing(manager: BlockManager) -> Usage:
        raise ZeroDivisionError

    with patch.object(BlockManager, "usage", failing):
        words = next(disagreements(BlockManager))
    assert words.startswith("asking for the usage fails: ZeroDivisionError, in 4 blocks of 2")


def test_asking_must_change_nothing() -> None:
    real = BlockManager.usage

    def scribble(manager: BlockManager) -> Usage:
        manager._pool.lowest = 9
        return real(manager)

    with patch.object(BlockManager, "usage", scribble):
        assert next(disagreements(BlockManager)).startswith("asking changes the state")

"""The contract functions speak of the class they are given, and leave no trace of it."""

from __future__ import annotations

import pytest

from poolproof import BlockManager, block_pool
from poolproof_verification.contracts.frame import NAME, THREE, Frame
from poolproof_verification.contracts.subject import SUBJECT, check_fields, under_test
from poolproof_verification.mutants import load, mutant_named
from poolproof_verification.textbook import Textbook
from poolproof_verification.verdict import CouldNotRun


def test_the_class_and_the_constants_are_restored() -> None:
    before = dict(vars(block_pool))
    buggy = load(mutant_named("release_frees_nothing"))
    with under_test(BlockManager):
        SUBJECT.set_windows(2, 3, -1)
        constants = block_pool.WINDOW_FROM, block_pool.LONG_RUN, block_pool.WINDOW_SLACK
        assert constants == (2, 3, -1)
        with under_test(buggy):
            assert SUBJECT.manager is buggy
        assert SUBJECT.manager is BlockManager
    assert vars(block_pool) == before


def test_a_built_manager_is_in_the_state_of_the_frame() -> None:
    layout = next(one for one in THREE if (one.blocks, one.elsewhere) == ((1,), (0,)))
    manager = SUBJECT.build(Frame(layout, 4, 2, (1, 2, 0), 3, 3, True))
    assert manager.ref == {0: 1, 1: 3}
    assert manager.free == [2]
    assert (manager.table(NAME), manager.length(NAME), manager.block_size) == ([1], 3, 4)


def test_building_leaves_the_layout_alone() -> None:
    layout = THREE[0]
    SUBJECT.build(Frame(layout, 4, 0, (0, 0, 0))).allocate("b", 12)
    assert list(layout.free_map) == [1, 1, 1]


def test_a_class_with_other_fields_is_not_judged() -> None:
    with pytest.raises(CouldNotRun, match=r"not of poolproof_verification\.textbook\.Textbook"):
        check_fields(Textbook)  # type: ignore[arg-type]  # a foreign class, which is the point


def test_the_shipped_class_has_the_fields_that_a_frame_fills_in() -> None:
    check_fields(BlockManager)

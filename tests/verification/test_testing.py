"""A test case for users of pytest passes on a right manager, and fails with a counterexample."""

from __future__ import annotations

import unittest
from collections.abc import Hashable
from typing import Any

import pytest
from hypothesis import Phase, settings

from poolproof import BlockManager
from poolproof_verification.adapters.example import Example
from poolproof_verification.testing import testcase
from poolproof_verification.textbook import Textbook
from poolproof_verification.verdict import CouldNotRun

QUICK = settings(
    max_examples=25, derandomize=True, database=None, deadline=None, phases=[Phase.generate]
)


def result_of(target: object) -> unittest.TestResult:
    case = testcase(target)  # type: ignore[arg-type]  # of any kind
    case.settings = QUICK  # type: ignore[attr-defined]  # Hypothesis'
    result = unittest.TestResult()
    case("runTest").run(result)
    return result


@pytest.mark.parametrize("target", [BlockManager, Example, Example()], ids=["class", "made", "it"])
def test_a_right_manager_passes(target: object) -> None:
    result = result_of(target)
    assert result.wasSuccessful(), result.failures + result.errors
    assert result.testsRun == 1


class Leaks(Textbook):
    def release(self, name: Hashable) -> list[int]:
        freed = super().release(name)
        self.free = self.free[1:]
        return freed


def test_a_faulty_manager_fails_with_the_shortest_operations() -> None:
    ((_, words),) = (found := result_of(Leaks)).failures + found.errors
    assert "broken in step" in words
    assert "test_testing:Leaks" in words


def test_hypothesis_neither_shrinks_what_is_short_nor_tells_its_own_steps() -> None:
    made = []

    class Counted(Leaks):
        def __init__(self, num_blocks: int, block_size: int) -> None:
            super().__init__(num_blocks, block_size)
            made.append(num_blocks)

    case: Any = testcase(Counted)
    assert {Phase.shrink, Phase.explain} <= set(case.settings.phases)
    case.settings = settings(  # a server's
        case.settings, database=None, derandomize=True, print_blob=True
    )
    with pytest.raises(AssertionError) as told:
        case("runTest").runTest()
    assert getattr(told.value, "__notes__", []) == []
    first = len(made)
    with pytest.raises(AssertionError):  # the counterexample is known
        case("runTest").runTest()
    assert len(made) - first < 10
    assert case.runTest.is_hypothesis_test


def test_what_is_no_target_could_not_run() -> None:
    with pytest.raises(CouldNotRun, match="builtins:int"):
        testcase(int)

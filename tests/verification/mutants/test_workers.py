"""Tasks are judged side by side, and one that does not end or kills its process is told."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from poolproof_verification.mutants.workers import judged


@pytest.fixture(autouse=True)
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    """A child finds this module, however pytest was started."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[3]))


def squared(number: int) -> int:
    """A judge that misbehaves at some numbers."""
    if number == 3:
        while True:
            time.sleep(60)
    if number == 4:
        os._exit(1)
    if number == 5:
        raise ValueError("five")
    return number * number


def test_every_task_is_answered_whatever_becomes_of_the_others() -> None:
    tasks = [1, 3, 2, 4, 6]
    answers = dict(judged(squared, tasks, limit=5.0))
    assert answers == {0: 1, 1: None, 2: 4, 3: None, 4: 36}


def test_an_error_of_the_judge_is_no_answer() -> None:
    with pytest.raises(ValueError, match="five"):
        list(judged(squared, [1, 5], limit=60.0))


def test_without_workers_everything_happens_here() -> None:
    assert list(judged(squared, [2, 1], limit=0.0, workers=0)) == [(0, 4), (1, 1)]
    assert list(judged(squared, [], limit=1.0)) == []

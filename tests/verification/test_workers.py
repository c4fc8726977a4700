"""Tasks are judged side by side, and one that does not end or kills its process is told."""

from __future__ import annotations

import multiprocessing
import os
import time
from pathlib import Path

import pytest

from poolproof_verification import workers
from poolproof_verification.progress import Stage, at, heard_by
from poolproof_verification.workers import judged


@pytest.fixture(autouse=True)
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    """A child finds this module, however pytest was started."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2]))


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


def told_and_interrupted(number: int) -> str:
    """A judge that tells how far it is, and what it has when it is interrupted, if it has."""
    try:
        at(f"task {number}", 0.5)
        time.sleep(60)
    except KeyboardInterrupt:
        if number == 2:
            time.sleep(60)
        return f"what there is of {number}"
    return "all"


def test_progress_is_passed_on_and_an_interrupt_leaves_what_there_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(workers, "GRACE", 2.0)
    told: list[Stage] = []

    def interrupts() -> int:
        return len({stage.label for stage in told}) // 2  # once both have begun

    with heard_by(told.append):
        answers = dict(
            judged(
                told_and_interrupted, [1, 2, 3], 60.0, interrupts=interrupts, label="task {}".format
            )
        )
    assert answers == {0: "what there is of 1"}
    assert Stage("task 2", 0.5, "task 2") in told
    assert Stage("", label="task 1", over=True) in told
    assert not multiprocessing.active_children()

"""The page has room for any failures; what is not drawn is counted."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.verification.reports import made

from poolproof_verification.counterexample import Counterexample
from poolproof_verification.operations import View
from poolproof_verification.reports.blocks import Kind
from poolproof_verification.reports.html import render
from poolproof_verification.reports.html_failure import failures_of
from poolproof_verification.reports.html_room import LAST, size, smaller
from poolproof_verification.reports.picture import Picture, Pool, scene_of

BLOCKS, TABLES, BLOCK_SIZE = 2000, 60, 8
HELD = 30  # blocks of a table


def large_state(lost: bool) -> View:
    """Sixty long tables in a large pool, which has lost its last block or has not."""
    tables: dict[Any, Any] = {
        f"request <{number}>": {
            "blocks": list(range(number * HELD, (number + 1) * HELD)),
            "len": HELD * BLOCK_SIZE - 3,
        }
        for number in range(TABLES)
    }
    free = list(range(TABLES * HELD, BLOCKS - lost))
    return View(free, dict.fromkeys(range(TABLES * HELD), 1), tables)


def large(number: int, steps: int) -> Counterexample:
    """A failure whose every state is large, and parts from the model's."""
    found = made.counterexample(f"block {number} is lost", steps=steps)
    drawn = [
        replace(each, shown=large_state(True), model=large_state(False)) for each in found.steps
    ]
    return replace(
        found, total=BLOCKS, block_size=BLOCK_SIZE, steps=tuple(drawn), start=large_state(False)
    )


def large_picture() -> Picture:
    state = large_state(True)
    pool = Pool(BLOCKS, BLOCK_SIZE, frozenset(range(BLOCKS)))
    picture = scene_of(state, large_state(False), pool).manager
    assert isinstance(picture, Picture)
    return picture


@pytest.mark.parametrize(
    ("failures", "steps"), [(1, 40), pytest.param(50, 3, marks=pytest.mark.night)]
)
def test_a_page_of_large_pools_is_small_enough_to_be_opened(failures: int, steps: int) -> None:
    found = tuple(large(number, steps) for number in range(failures))
    page = render(made.report(made.judgement(found=found)))
    assert len(page.encode()) < 8_000_000


@pytest.mark.parametrize("room", [20, 66, 300])
def test_a_smaller_picture_keeps_what_is_wrong_and_counts_what_is_left_out(room: int) -> None:
    picture = large_picture()
    made_smaller = smaller(picture, room)
    assert isinstance(made_smaller, Picture)
    assert size(made_smaller) <= room < size(picture)
    assert made_smaller.blocks[-1].kind is Kind.LOST
    assert sum(map(len, made_smaller.blocks)) + made_smaller.blocks_left_out == BLOCKS
    assert len(made_smaller.tables) + made_smaller.tables_left_out == TABLES
    for table in made_smaller.tables:
        assert (len(table.blocks) + table.left_out, table.slack) == (HELD, 3)


def test_the_state_before_is_drawn_where_no_step_shows_it() -> None:
    (failure,) = failures_of(made.report(made.judgement(found=(large(0, 40),))))
    assert [each.number for each in failure.steps if each.before] == [1]
    last = failure.steps[-1].after.manager
    assert isinstance(last, Picture)
    assert size(last) > 100 * LAST


def test_small_pictures_are_drawn_whole() -> None:
    for failure in failures_of(made.many(50)):
        assert all(each.before for each in failure.steps)

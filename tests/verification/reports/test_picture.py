"""A picture says of each block what it is, and where manager and model part."""

from __future__ import annotations

from typing import Any

import pytest

from poolproof_verification.audit import Breach
from poolproof_verification.exchange import Finding
from poolproof_verification.findings import Trace
from poolproof_verification.operations import Operation, View
from poolproof_verification.reports.blocks import Kind
from poolproof_verification.reports.picture import (
    MOST_BLOCKS,
    MOST_CELLS,
    MOST_TABLES,
    Picture,
    Pool,
    Scene,
    pool_of,
    scene_after,
    scene_of,
)
from poolproof_verification.story import tell
from poolproof_verification.targets import find_target

FOUR = Pool(4, 2, frozenset(range(4)))


def table(*blocks: int, tokens: int = 1) -> dict[str, Any]:
    return {"blocks": list(blocks), "len": tokens}


def drawn(view: View, pool: Pool = FOUR) -> Picture:
    picture = scene_of(view, view, pool).manager
    assert isinstance(picture, Picture)
    return picture


def kinds(view: View, pool: Pool = FOUR) -> list[Kind]:
    return [block.kind for block in drawn(view, pool).blocks]


def test_blocks_are_free_held_or_shared() -> None:
    view = View([3], {0: 2, 1: 1, 2: 1}, {"A": table(0, 1), "B": table(0, 2)})
    assert kinds(view) == [Kind.SHARED, Kind.HELD, Kind.HELD, Kind.FREE]
    assert [block.label() for block in drawn(view).blocks] == ["A B x2", "A", "B", "free"]


@pytest.mark.parametrize(
    ("view", "kind"),
    [
        (View([1, 2, 3], {}, {}), Kind.LOST),
        (View([1, 2, 3], {0: 1}, {}), Kind.LOST),
        (View([0, 1, 2, 3], {0: 1}, {"A": table(0)}), Kind.FREE_WHILE_HELD),
        (View([0, 0, 1, 2, 3], {}, {}), Kind.FREE_TWICE),
        (View([1, 2, 3], {0: 2}, {"A": table(0)}), Kind.MISCOUNTED),
        (View([0, 1, 2, 3], {0: 1}, {}), Kind.MISCOUNTED),
    ],
)
def test_what_is_wrong_with_a_block_is_its_kind(view: View, kind: Kind) -> None:
    assert kinds(view) == [kind, Kind.FREE, Kind.FREE, Kind.FREE]


def test_a_block_outside_of_the_pool_is_drawn_too() -> None:
    view = View([0, 1, 2, 3], None, {"A": table(-1, 9)})
    assert kinds(view) == [Kind.STRAY, *[Kind.FREE] * 4, Kind.STRAY]


def test_blocks_outside_of_the_pool_are_no_neighbours() -> None:
    picture = drawn(View([0, 1, 2, 3], None, {"A": table(100, 200)}))
    assert [block.number() for block in picture.blocks][4:] == ["100", "200"]


def test_no_counts_are_no_wrong_counts() -> None:
    assert kinds(View([1, 2, 3], None, {"A": table(0)}))[0] is Kind.HELD


def test_where_only_the_number_of_free_blocks_is_known_no_block_is_called_free_or_lost() -> None:
    picture = drawn(View(2, None, {"A": table(0)}))
    assert [block.kind for block in picture.blocks] == [Kind.HELD, *[Kind.UNTOLD] * 3]
    assert picture.account == ("4 blocks: 1 held, 3 held by no table, 2 said to be free, not which")


def test_a_reserved_block_is_not_lost_unless_a_table_takes_it() -> None:
    pool = Pool(4, 2, frozenset({1, 2, 3}))
    assert kinds(View([1, 2, 3], {}, {}), pool)[0] is Kind.RESERVED
    assert kinds(View([1, 2, 3], {0: 1}, {"A": table(0)}), pool)[0] is Kind.HELD
    assert kinds(View([2, 3], {}, {}), pool)[:2] == [Kind.RESERVED, Kind.LOST]


def test_many_neighbours_that_look_the_same_are_one() -> None:
    pool = Pool(10**9, 16)
    picture = drawn(View(3, None, {"A": table(5)}), pool)
    assert [block.number() for block in picture.blocks] == ["0-4", "5", "6-999999999"]
    assert picture.account.startswith("1,000,000,000 blocks: 1 held, 999,999,999 held by no")


def test_of_a_large_pool_the_blocks_that_tell_something_are_kept() -> None:
    pool = Pool(1000, 1, frozenset(range(1000)))
    odd = {str(block): table(block) for block in range(1, 997, 2)}
    free = [*range(0, 998, 2), 997, 998]  # 999 is lost
    picture = drawn(View(free, None, odd), pool)
    assert len(picture.blocks) == MOST_BLOCKS
    assert picture.blocks[-1].kind is Kind.LOST
    assert sum(map(len, picture.blocks)) + picture.blocks_left_out == 1000
    assert (len(picture.tables), picture.tables_left_out) == (MOST_TABLES, 498 - MOST_TABLES)


def test_a_long_table_keeps_its_ends_and_its_slack() -> None:
    (long,) = drawn(View([], None, {"A": table(*range(100), tokens=1590)}), Pool(100, 16)).tables
    assert (len(long.blocks), long.left_out, long.slack) == (MOST_CELLS, 100 - MOST_CELLS, 10)
    assert next(long.cells) == (0, 16)
    assert list(long.cells)[-1] == (99, 6)


@pytest.mark.parametrize(
    ("tokens", "cells", "words"),
    [
        (4, [(0, 2), (1, 2)], "4 tokens"),
        (3, [(0, 2), (1, 1)], "3 tokens, 1 slack"),
        (-1, [(0, 0), (1, 0)], "-1 tokens, 5 slack"),
        (6, [(0, 2), (1, 2)], "6 tokens, 2 without a slot"),
    ],
)
def test_slack_is_what_the_tokens_leave(
    tokens: int, cells: list[tuple[int, int]], words: str
) -> None:
    (one,) = drawn(View([2, 3], None, {"A": table(0, 1, tokens=tokens)})).tables
    assert (list(one.cells), one.words()) == (cells, words)


def test_the_gravest_difference_comes_first() -> None:
    shown = View([1, 3], {0: 1}, {"A": table(0)})
    model = View([3], {0: 2, 1: 1, 2: 1}, {"A": table(0, 1), "B": table(0, 2)})
    scene = scene_of(shown, model, FOUR)
    assert scene.differences == (
        "block 2 is lost; in the model held by B",
        "block 0 is held by A; in the model shared by A and B",
        "block 1 is free; in the model held by A",
        "sequence A has [0] with 1 token; in the model [0, 1] with 1 token",
        "sequence B has no table; in the model [0, 2] with 1 token",
    )
    assert isinstance(scene.manager, Picture)
    assert [block.differs for block in scene.manager.blocks] == [True, True, True, False]


@pytest.mark.parametrize(
    ("shown", "model", "words"),
    [
        (View(1, None, {}), View(2, None, {}), "1 block said to be free; in the model 2"),
        (
            View([1, 0], None, {}),
            View([0, 1], None, {}),
            "the free blocks are [1, 0]; in the model [0, 1]",
        ),
        (View([], {0: 0}, {}), View([], {}, {}), "the counts are {0: 0}; in the model {}"),
    ],
)
def test_states_that_differ_never_look_the_same(shown: View, model: View, words: str) -> None:
    assert scene_of(shown, model, FOUR).differences == (words,)


def test_where_no_state_is_shown_the_reason_stands_in_its_place() -> None:
    scene = scene_of("it shows \x1b[31mnone", View([0], None, {}), Pool(1, 1))
    assert scene == Scene("it shows \\x1b[31mnone", scene.model, False, ())
    assert isinstance(scene.model, Picture)


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (("chatcmpl-3f2e" * 3 + "-1", "chatcmpl-9921" * 3 + "-1"), None),
        (("a" * 50, "a" * 51), ["aaaaaaaaaa...aaaaaaaaaa", "aaaaaaaaaa...aaaaaaaaaa (2)"]),
        ((1, "1", "1 (2)"), ["1", "1 (2)", "1 (2) (2)"]),
    ],
)
def test_owners_whose_names_read_alike_are_counted_apart(
    names: tuple[Any, ...], told: list[str] | None
) -> None:
    view = View([1, 2, 3], {0: len(names)}, {name: table(0) for name in names})
    picture = drawn(view)
    assert picture.blocks[0].kind is Kind.SHARED
    shown = [each.name for each in picture.tables]
    assert len(set(shown)) == len(names)
    assert told is None or shown == told


def test_a_name_is_drawn_the_same_in_every_picture_of_a_pool() -> None:
    pool = Pool(4, 2, frozenset(range(4)))
    drawn(View([1, 2, 3], None, {1: table(0)}), pool)
    (later,) = drawn(View([1, 2, 3], None, {"1": table(0)}), pool).tables
    assert later.name == "1 (2)"


def test_blocks_are_the_pools_beside_those_that_are_reserved() -> None:
    target = find_target("poolproof_verification.adapters.example:Example")
    allocate = Operation("allocate", ("A", 3))
    broken = Finding(allocate, None, (Breach("partition", "told by hand"),))
    found = tell(target, Trace(2, 2, (allocate,), broken), found_by="hand")
    assert (found.total, found.reserved) == (2, (0,))
    picture = scene_after(found.steps[0], pool_of(found)).manager
    assert isinstance(picture, Picture)
    kinds = [block.look.kind for block in picture.blocks]
    assert kinds == [Kind.RESERVED, Kind.HELD, Kind.HELD]

"""A full state is valid exactly where the manager's own self-check finds nothing."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Any

import pytest

from poolproof_verification.contracts.full import (
    Fields,
    FullLayout,
    drawn,
    full_cases,
    full_frame,
    full_layouts,
    is_valid_full,
)
from poolproof_verification.contracts.night_contracts import (
    THREE,
    THREE_TAKING,
    TWO,
    TWO_TAKING,
    three_append,
)
from poolproof_verification.contracts.subject import SUBJECT

ALL = (TWO, TWO_TAKING, THREE, THREE_TAKING)


def test_there_is_one_layout_for_each_choice_of_tables() -> None:
    own, other = 1 + 4 + 4 * 3, 1 + 4 + 6
    assert len(TWO) == own * other
    assert len(THREE) == own * (5 + 5 * 4 // 2)  # two bystanders come in no order
    assert len({(each.layout.blocks, each.tables) for each in THREE}) == len(THREE)


@pytest.mark.parametrize("options", ALL, ids=len)
def test_every_block_is_in_a_table_or_free(options: tuple[FullLayout, ...]) -> None:
    for full in options:
        layout = full.layout
        assert sorted(layout.blocks + layout.elsewhere + layout.free) == [0, 1, 2, 3]
        held = [block for table in full.tables for block in table]
        assert [held.count(block) for block in range(4)] == list(full.others)
        assert [block for block in range(4) if layout.free_map[block]] == list(layout.free)


def changed(fields: Fields, random: Random) -> Fields:
    """The fields with some of them other than they were."""
    length, limit, forked = fields
    length += random.choice((-1, 0, 0, 0, 1))
    limit += random.choice((-1, 0, 0, 0, 1))
    return length, limit, forked is (random.random() < 0.8)


@pytest.mark.parametrize("options", ALL, ids=len)
def test_valid_states_are_those_in_which_the_self_check_finds_nothing(
    options: tuple[FullLayout, ...],
) -> None:
    random, seen = Random(0), set()
    for _ in range(1_500):
        values: dict[str, Any] = {**drawn(options, random)}
        layout, size, *tables = values.values()
        fields = [changed(each, random) for each in tables]
        valid = is_valid_full(options, layout, size, *fields)
        manager = SUBJECT.build(full_frame(options, layout, size, *fields))
        assert manager.check_invariants() == valid, (values, fields)
        seen.add(valid)
    assert seen == {True, False}


def test_no_layout_lies_outside_the_list() -> None:
    options = full_layouts(2, longest=0, bystanders=1, longest_other=0)
    fields = (0, 0, False), (0, 0, False)
    assert is_valid_full(options, 0, 1, *fields)
    assert not is_valid_full(options, -1, 1, *fields)
    assert not is_valid_full(options, len(options), 1, *fields)
    assert not is_valid_full(options, 0, 0, *fields)


def test_the_seed_decides_which_cases_come_and_none_comes_twice() -> None:
    def first(seed: int) -> list[object]:
        return list(islice(full_cases(THREE)(three_append, Random(seed)), 1_000))

    assert first(1) == first(1) != first(2)
    assert len(set(map(repr, first(1)))) == 1_000

"""States are kept as plain data, whatever shows them and whatever it does afterwards."""

from __future__ import annotations

import json
from typing import Any

import pytest

from poolproof_verification.operations import View
from poolproof_verification.views import Shown, from_data, kept, to_data

FULL = View([1, 2], {0: 2}, {"A": {"blocks": [0], "len": 3}, ("b", 1): {"blocks": [0], "len": 0}})
VIEWS = [
    FULL,
    View(3, None, {}),
    View([], {}, {}),
    View([9], {0: -1}, {"A": {"blocks": [], "len": -3}}),
    "shows no state: AttributeError",
]


@pytest.mark.parametrize("shown", VIEWS, ids=range(len(VIEWS)))
def test_a_state_comes_back_from_json_as_it_was(shown: Shown) -> None:
    text = json.dumps(to_data(shown))
    assert from_data(json.loads(text)) == shown
    assert str(from_data(json.loads(text))) == str(shown)


def test_what_is_kept_does_not_change_with_the_managers_own_lists() -> None:
    free: list[int] = [1]
    tables: dict[str, Any] = {"A": {"blocks": [0], "len": 1}}
    copy = kept(View(free, {0: 1}, tables))
    free.append(7)
    tables["A"]["blocks"].append(7)
    tables["B"] = {"blocks": [], "len": 0}
    assert copy == View([1], {0: 1}, {"A": {"blocks": [0], "len": 1}})


class Strange:
    def __repr__(self) -> str:
        return "a strange name"


class Number(int):
    def __repr__(self) -> str:
        return "a number that lies"


def test_names_and_numbers_of_the_managers_own_classes_become_plain() -> None:
    shown = View([Number(1)], None, {Strange(): {"blocks": [Number(0)], "len": Number(1)}})
    copy = kept(shown)
    assert isinstance(copy, View)
    assert str(copy) == "free [1] | a strange name [0] 1 token"
    assert type(copy.free[0] if isinstance(copy.free, list) else None) is int

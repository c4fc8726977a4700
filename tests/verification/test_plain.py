"""A value comes back from JSON as it was, whatever it was; what is no data keeps its words."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from poolproof_verification.plain import StandIn, from_plain, to_plain
from poolproof_verification.words import told


def there_and_back(value: object) -> Any:
    text = json.dumps(to_plain(value), allow_nan=False)
    text.encode("ascii")
    return from_plain(json.loads(text))


VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 10**30, -(10**30), 10**5000, 1.0, 1.5, -0.0, 1e300, math.inf,
    -math.inf, "", "A", "1", "\ud800", "\N{GREEK SMALL LETTER ALPHA}", [], [1, [True, None]],
    (), ("A", 1), [(1.0,), b"\x00\xff"], b"", {}, {"A": 1, ("B", 2): [3]}, {"tuple": []},
    {"stand_in": 1, "text": "x"},
)  # fmt: skip


@pytest.mark.parametrize("number", range(len(VALUES)))
def test_it_comes_back_the_same_and_of_the_same_types(number: int) -> None:
    value = VALUES[number]
    back = there_and_back(value)
    assert (back, type(back)) == (value, type(value))
    assert told(back) == told(value)


def test_not_a_number_comes_back() -> None:
    assert math.isnan(there_and_back(math.nan))


class Request:
    def __repr__(self) -> str:
        return "<Request 7>"


def test_what_is_no_data_is_replaced_by_a_name_of_its_own() -> None:
    back = there_and_back(Request())
    assert back == StandIn(0, "<Request 7>")
    assert repr(back) == "<Request 7>"
    assert from_plain(to_plain(Request(), 3)) != back
    assert there_and_back(back) == back


class Integer(int):
    pass


def test_a_class_derived_from_plain_data_is_none() -> None:
    assert isinstance(there_and_back(Integer(3)), StandIn)


@pytest.mark.parametrize("data", [{}, {"list": []}, {"bytes": "x"}, {"dict": [[[], 1]]}])
def test_what_no_value_became_is_refused(data: Any) -> None:
    with pytest.raises((ValueError, TypeError)):
        from_plain(data)

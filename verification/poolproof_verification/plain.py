"""A value becomes plain JSON data and comes back the same, of the same types throughout.

What JSON has not is an object with one key: `tuple`, `dict`, `bytes`, `float` (infinite or not a
number), `int` (too long to write in decimals). A value of any other kind is kept as words only: in
its place comes a stand-in, which is equal to itself alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from poolproof_verification.words import told

LONGEST_DECIMAL = 10**4000  # Python by itself reads and writes up to 4,300 digits


@dataclass(frozen=True)
class StandIn:
    """Takes the place of a value that is no plain data; the number tells it from others."""

    number: int
    text: str

    def __repr__(self) -> str:
        """As the value that it stands for."""
        return self.text


def to_plain(value: object, number: int = 0) -> Any:
    """The value as JSON data; `number` is its stand-in's, should it take one."""
    kind = type(value)
    if value is None or kind in (bool, str):
        return value
    if isinstance(value, StandIn):
        return {"stand_in": value.number, "text": value.text}
    if isinstance(value, int) and kind is int:
        return value if -LONGEST_DECIMAL < value < LONGEST_DECIMAL else {"int": hex(value)}
    if isinstance(value, float) and kind is float:
        return value if math.isfinite(value) else {"float": repr(value)}
    if isinstance(value, list | tuple) and kind in (list, tuple):
        members = [to_plain(each, number) for each in value]
        return members if kind is list else {"tuple": members}
    if isinstance(value, dict) and kind is dict:
        pairs = [[to_plain(each, number) for each in pair] for pair in value.items()]
        return {"dict": pairs}
    if isinstance(value, bytes) and kind is bytes:
        return {"bytes": value.hex()}
    return stand_in(value, number)


def stand_in(value: object, number: int) -> dict[str, Any]:
    """The value as words only."""
    return {"stand_in": number, "text": told(value)}


def comes_back(data: Any) -> bool:
    """What becomes of the data is equal each time: a number that is none is equal to nothing."""
    return not isinstance(data, dict) or bool(from_plain(data) == from_plain(data))


def from_plain(data: Any) -> Any:
    """The value that became this data; ValueError or TypeError where none does."""
    if isinstance(data, list):
        return list(map(from_plain, data))
    if not isinstance(data, dict):
        return data
    match data:
        case {"tuple": members}:
            return tuple(map(from_plain, members))
        case {"dict": pairs}:
            return {from_plain(key): from_plain(value) for key, value in pairs}
        case {"bytes": digits}:
            return bytes.fromhex(digits)
        case {"float": words}:
            return float(words)
        case {"int": digits}:
            return int(digits, 16)
        case {"stand_in": number, "text": text}:
            return StandIn(number, text)
    raise ValueError(f"no value is written as an object with the keys {sorted(data)}")

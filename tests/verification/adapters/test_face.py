"""Any adapter behind the lesson's interface: refusals raise, and what is hidden equals anything."""

from __future__ import annotations

from typing import Any

import pytest

from poolproof_verification.adapters.example import Example
from poolproof_verification.adapters.face import Anything, Face, Many, shown
from poolproof_verification.operations import HIDDEN, Failed
from poolproof_verification.targets import find_target


def test_operations_are_methods_and_what_is_not_told_equals_anything() -> None:
    face = Face(Example().make(3, 2))
    assert face.allocate("A", 3) == [3, 2]
    assert face.append("A") == "whatever"
    assert face.num_free == 1
    assert face.free == [1]
    assert face.free == [7]
    assert face.free != []
    assert face.ref == {}
    assert face.seqs == {"A": {"blocks": [3, 2], "len": 4}}
    assert repr(face.free) == "<1 free blocks>"


def test_a_refusal_raises_what_the_lesson_raises() -> None:
    face = Face(Example().make(1, 1))
    with pytest.raises(MemoryError, match="too few free blocks"):
        face.allocate("A", 2)
    shipped = Face(find_target("poolproof").make(1, 1))
    with pytest.raises(KeyError, match="no such sequence"):
        shipped.append("Z")
    with pytest.raises(ValueError, match="a negative number"):
        shipped.allocate("A", -1)
    assert shipped.can_allocate(1) is True


def test_a_failure_is_no_refusal() -> None:
    adapter: Any = Example().make(1, 1)
    adapter.call = lambda operation: Failed("half way")
    with pytest.raises(RuntimeError, match="half way"):
        Face(adapter).allocate("A", 1)


def test_only_what_is_hidden_equals_anything() -> None:
    assert shown([1]) == [1]
    assert shown(([1], HIDDEN)) == ([1], (0, 1))
    assert shown(([1], HIDDEN)) != ([2], (0, 1))
    assert Many(2) != 2
    assert Anything() == 7

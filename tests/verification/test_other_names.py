"""A target is told by the names that it takes."""

from __future__ import annotations

from typing import Any

from tests.verification.faulty_managers import Strict

from poolproof_verification.other_names import KINDS, kinds_for
from poolproof_verification.targets import ClassTarget, find_target

EXAMPLE = "poolproof_verification.adapters.example:Example"


def test_a_target_is_tried_under_the_names_that_it_takes() -> None:
    class OnlyStrings(Strict):
        def allocate(self, name: Any, n_tokens: int) -> list[int]:
            if not isinstance(name, str):
                raise TypeError("a name is a string")
            return super().allocate(name, n_tokens)

    strings = ["strings that sort the other way"]
    assert list(kinds_for(ClassTarget("strings", OnlyStrings))) == strings
    assert list(kinds_for(find_target(EXAMPLE))) == strings
    assert kinds_for(find_target("poolproof")) == KINDS

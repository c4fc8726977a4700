from __future__ import annotations

import pytest

from poolproof_model.system import FORK
from poolproof_verification.proofs.canary import BUGS, ModelBug, canary, released


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.wrong)
def test_a_seeded_bug_is_refuted_by_concrete_operations(bug: ModelBug) -> None:
    found = released(bug)
    assert found.refuted, found
    assert " after allocate(" in found.how


def test_a_right_transition_is_no_canary() -> None:
    escaped = released(ModelBug("nothing is wrong", FORK))
    assert not escaped.refuted
    assert escaped.how == "every obligation is still proved of the model"


def test_the_seed_draws_the_canary() -> None:
    assert canary(1) == canary(1)
    assert canary(1).bug != canary(2).bug

from __future__ import annotations

import pytest

from poolproof_model.system import FORK
from poolproof_verification.proofs.canary import BUGS, canary, released
from poolproof_verification.proofs.model_mutants import MUTANTS, ModelMutant


@pytest.mark.parametrize("bug", BUGS[::9], ids=lambda bug: bug.wrong)
def test_a_seeded_bug_is_refuted_by_concrete_operations(bug: ModelMutant) -> None:
    found = released(bug)
    assert found.refuted, found
    assert "(after " in found.how


def test_a_right_transition_is_no_canary() -> None:
    escaped = released(ModelMutant("nothing is wrong", FORK))
    assert not escaped.refuted
    assert escaped.how == "every obligation is still proved of the model"


def test_a_canary_is_one_of_the_catalogue() -> None:
    assert canary(1) == canary(1)
    assert canary(1).bug in {mutant.wrong for mutant in MUTANTS}
    assert canary(1).bug != canary(2).bug

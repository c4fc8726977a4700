from __future__ import annotations

import pytest

from poolproof_model.system import TRANSITIONS
from poolproof_verification.proofs.claims import COMPONENTS
from poolproof_verification.proofs.model_mutants import MUTANTS, mutant_named
from poolproof_verification.proofs.model_mutants_stray import WRONG as STRAYS
from poolproof_verification.verdict import CouldNotRun


def test_each_mutant_has_a_name_of_its_own_and_one_transition_that_differs() -> None:
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS)
    for mutant in MUTANTS:
        pairs = zip(mutant.transitions, TRANSITIONS, strict=True)
        assert [wrong.name for wrong, right in pairs if wrong is not right] == [
            mutant.transition.name
        ]


def test_there_are_at_least_thirty_beside_those_made_for_each_component() -> None:
    assert len(MUTANTS) - len(STRAYS) >= 30
    assert len(STRAYS) == len(TRANSITIONS) * (len(COMPONENTS) + 1)


@pytest.mark.parametrize("transition", TRANSITIONS, ids=lambda transition: transition.name)
def test_each_transition_is_there_doing_nothing(transition: object) -> None:
    assert mutant_named(f"{transition.name} does nothing")  # type: ignore[attr-defined]


def test_a_mutant_is_found_by_its_name_or_its_sentence() -> None:
    assert mutant_named("fork_does_not_count") is mutant_named("fork does not count")


def test_an_unknown_mutant_is_told_with_those_there_are() -> None:
    told = r"no mutant of the model is called 'x'; .*which --mutants lists"
    with pytest.raises(CouldNotRun, match=told):
        mutant_named("x")

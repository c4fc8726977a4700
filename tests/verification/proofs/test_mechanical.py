from __future__ import annotations

import pytest

from poolproof_model.execute import empty_pool
from poolproof_verification.proofs.mechanical import TextMutant, text_mutants, using


def named(name: str) -> TextMutant:
    return next(mutant for mutant in text_mutants() if mutant.name == name)


def test_names_are_unique_and_say_function_line_and_kind() -> None:
    names = [mutant.name for mutant in text_mutants()]
    assert len(set(names)) == len(names) > 200
    assert all(name.count(":") == 2 and name.split(":")[1].isdigit() for name in names)


@pytest.mark.parametrize(
    "kind",
    ["drop free", "one more", "one less", "swap arguments 1 and 2", "negate the condition"],
)
def test_every_kind_is_made(kind: str) -> None:
    assert any(mutant.name.split(":")[2].startswith(kind) for mutant in text_mutants())


def test_a_mutant_is_the_text_with_one_expression_changed() -> None:
    mutant = named("length_is_natural:2:>= to >")
    assert mutant.wrong == "length_is_natural:2:>= to >: length >= 0 became length > 0"
    guard = mutant.module().__dict__["length_is_natural"]
    assert [guard(empty_pool(1, 1).state(), length) for length in (0, 1)] == [False, True]


def test_the_transitions_of_a_mutant_are_made_of_its_text() -> None:
    mutant = named("length_is_natural:2:>= to >")
    (allocate,) = mutant.affected
    assert allocate.name == "allocate"
    assert allocate.requirements[0][1].__module__ == mutant.module().__name__


def test_a_helper_affects_all_that_use_it() -> None:
    assert {"append", "one_block_or_none", "copies_on_write"} <= using("at_boundary")
    mutant = next(each for each in text_mutants() if each.function == "sequence_is_live")
    assert [each.name for each in mutant.affected] == ["append", "release"]


def test_every_mutant_but_those_of_the_start_affects_a_transition() -> None:
    assert {each.function for each in text_mutants() if not each.affected} == {"initial"}

"""Every seeded bug applies to the source as it is, and enough of them suit every method."""

from __future__ import annotations

import pytest

from poolproof_verification.laws import LAWS
from poolproof_verification.mutants import MUTANTS, Mutant, load, mutant_named
from poolproof_verification.mutants.field import LEFT_OUT
from poolproof_verification.verdict import CouldNotRun


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_every_mutant_loads_and_makes_a_manager(mutant: Mutant) -> None:
    assert load(mutant)(3, 2).num_free == 3


def test_names_are_unique_and_fit_a_package() -> None:
    names = [mutant.name for mutant in MUTANTS]
    assert len(set(names)) == len(names)
    assert all(name.isidentifier() for name in names)


def test_enough_bugs_suit_every_method_and_some_need_large_values() -> None:
    assert sum(mutant.canary for mutant in MUTANTS) >= 8
    assert sum(mutant.unbounded for mutant in MUTANTS) >= 2
    assert not any(mutant.canary and mutant.unbounded for mutant in MUTANTS)


def test_each_says_in_a_sentence_what_is_wrong() -> None:
    for mutant in MUTANTS:
        assert len(mutant.wrong.split()) >= 5
        assert not mutant.wrong.endswith(".")


def test_there_are_many_and_each_breaks_a_law() -> None:
    assert len(MUTANTS) >= 40
    assert {mutant.law for mutant in MUTANTS} <= set(LAWS)
    assert len({mutant.law for mutant in MUTANTS}) >= 10


def test_faults_of_released_engines_are_told_with_what_cannot_be_expressed() -> None:
    seen = [mutant.seen for mutant in MUTANTS if mutant.seen]
    assert len(seen) >= 12
    assert all(engine_and_fault.count(":") for engine_and_fault in (*seen, *LEFT_OUT))
    assert not set(seen) & set(LEFT_OUT)


def test_a_bug_shows_where_it_is_said_to() -> None:
    manager = load(mutant_named("append_without_copy"))(3, 2)
    manager.allocate("a", 1)
    manager.fork("a", "b")
    assert manager.append("b") is False
    assert manager.table("a") == manager.table("b")


def test_an_unknown_name_is_told() -> None:
    with pytest.raises(CouldNotRun, match="no mutant is called 'none'"):
        mutant_named("none")

"""A contract is searched only if it runs a method that is not as in the shipped manager."""

from __future__ import annotations

import sys

import pytest

from poolproof import BlockManager
from poolproof_verification.mutants import MUTANTS, load, mutant_named
from poolproof_verification.mutants.changed import changed_code, reaching
from poolproof_verification.mutants.methods import sample


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("length_in_sixteen_bits", {"append"}),
        ("count_saturates", {"fork"}),
        ("reset_keeps_counts", {"release_all"}),
        ("long_prompt_admitted", {"allocate", "allocate_by_windows"}),
        ("usage_adds_up_holders", set()),
    ],
)
def test_only_contracts_that_run_the_changed_method_are_left(name: str, expected: set[str]) -> None:
    found = {contract.name for contract in reaching(load(mutant_named(name)), sample)}
    assert found - {"refused_unknown", "refused_negatives"} == expected


def test_nothing_has_changed_in_the_shipped_manager() -> None:
    assert list(changed_code(BlockManager)) == []
    assert list(reaching(BlockManager, sample)) == []
    assert sys.getprofile() is None


def test_a_bug_of_the_manager_or_the_pool_changes_the_method_that_it_is_in() -> None:
    files = ("block_manager.py", "block_pool.py")
    for mutant in MUTANTS:
        names = {code.co_name for code in changed_code(load(mutant))}
        # A property is no function, and its method is looked for by its own name.
        if mutant.file in files and "seqs" not in mutant.wrong:
            assert len(names) == 1, mutant.name

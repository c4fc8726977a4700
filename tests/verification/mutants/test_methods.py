"""Every method finds a bug that is there, tells how, and finds nothing in the shipped manager."""

from __future__ import annotations

import pytest

from poolproof import BlockManager
from poolproof_verification.contracts.catalogue import CONTRACTS
from poolproof_verification.mutants import load, methods, mutant_named
from poolproof_verification.mutants.methods import (
    METHODS,
    asked,
    driven,
    explored,
    hunt,
    sample,
    swept,
)
from poolproof_verification.scopes import Scope


@pytest.mark.parametrize("method", ["explore", "random", "machine", "contracts"])
def test_four_methods_find_a_bug_with_a_short_counterexample(method: str) -> None:
    found = hunt(method, load(mutant_named("fork_shares_list")), 0, 5.0)
    assert found is not None
    assert 1 <= found.length <= 4
    assert found.seconds < 5.0
    assert found.words


@pytest.mark.parametrize("name", ["lost_block_escapes", "usage_adds_up_holders"])
def test_asking_finds_what_no_operation_shows(name: str) -> None:
    manager = load(mutant_named(name))
    assert asked(manager) is not None
    assert driven(manager, 0, 0.1) is None


@pytest.mark.parametrize("method", list(METHODS))
def test_no_method_finds_anything_in_the_shipped_manager(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(methods, "SMALL_SCOPES", (Scope(2, 2, 1, 2),))
    monkeypatch.setattr(methods, "CONTRACT_SECONDS", 0.05)
    assert hunt(method, BlockManager, 0, 0.5) is None


def test_a_random_search_is_the_same_for_the_same_seed() -> None:
    manager = load(mutant_named("copy_sets_count"))
    found, again = (driven(manager, 3, 10.0) for _ in range(2))
    assert found is not None and again is not None
    assert (found.length, found.words) == (again.length, again.words)


def test_a_trace_is_minimised_only_where_its_length_matters() -> None:
    manager = load(mutant_named("release_frees_early"))
    short, long = explored(manager), explored(manager, shorten=False)
    assert short is not None and long is not None
    assert short.length <= long.length


def test_the_contracts_small_cases_are_always_the_same() -> None:
    assert sample(CONTRACTS[0]) is sample(CONTRACTS[0])
    assert all(len(sample(contract)) >= 1_000 for contract in CONTRACTS)


def test_a_case_that_does_not_end_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(manager: BlockManager) -> list[int]:
        while True:
            pass

    monkeypatch.setattr(methods, "CASE_SECONDS", 0.05)
    monkeypatch.setattr(BlockManager, "release_all", endless)
    (contract,) = [each for each in CONTRACTS if each.name == "release_all"]
    assert swept(contract, BlockManager).endswith("does not end")


def test_a_bug_beyond_a_large_number_is_refuted_by_the_search_of_a_contract() -> None:
    found = hunt("contracts", load(mutant_named("count_saturates")), 0, 10.0)
    assert found is not None
    assert (found.length, found.words.startswith("fork(")) == (1, True)

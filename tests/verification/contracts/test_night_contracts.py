"""The contracts of the night see what happens to tables that an operation does not name."""

from __future__ import annotations

import pytest

from poolproof import BlockManager
from poolproof_verification.contracts import judge, night_contracts
from poolproof_verification.contracts.catalogue import CONTRACTS, Contract
from poolproof_verification.contracts.frame import NAME
from poolproof_verification.contracts.full import full_frame
from poolproof_verification.contracts.night_catalogue import NIGHT
from poolproof_verification.contracts.night_contracts import TWO
from poolproof_verification.contracts.step import Step, keeps
from poolproof_verification.contracts.subject import under_test
from poolproof_verification.contracts.sweep import SAMPLE, sweep
from poolproof_verification.mutants import load, mutant_named

UNSEEN_BY_DAY = ("every_holder_moves", "release_all_skips_one")


def named(name: str) -> Contract:
    return next(contract for contract in NIGHT.contracts if contract.name == name)


@pytest.mark.parametrize("contract", NIGHT.contracts, ids=lambda contract: contract.name)
def test_every_contract_agrees_with_the_model_in_enough_cases(contract: Contract) -> None:
    swept = sweep(contract, BlockManager, 1)
    assert contract.least_cases <= swept.cases <= SAMPLE
    assert swept.compared == swept.cases
    assert (swept.broken, swept.disagreement) == (None, "")


@pytest.mark.parametrize("bug", UNSEEN_BY_DAY)
def test_a_bug_that_one_table_in_full_does_not_show_is_refuted(bug: str) -> None:
    manager = load(mutant_named(bug))
    assert [each.name for each in CONTRACTS if sweep(each, manager, 0).broken] == []
    about = [contract for contract in NIGHT.contracts if bug in contract.bugs]
    assert len(about) == 2
    assert all(sweep(contract, manager, 0).broken for contract in about)


@pytest.mark.night
@pytest.mark.parametrize("contract", NIGHT.contracts, ids=lambda contract: contract.name)
def test_every_seeded_bug_of_a_contract_is_refuted(contract: Contract) -> None:
    assert list(judge.doubts_of_bugs(contract)) == []


def test_a_contract_of_the_night_has_a_canary() -> None:
    found = judge.searched(named("three_append"), BlockManager, 10.0, canary=True)
    assert found.state == "POST_FAIL"


def test_it_is_a_breach_to_touch_a_bystander() -> None:
    steps: list[Step] = []
    full = next(each for each in TWO if (each.layout.blocks, each.tables) == ((0,), ((1,),)))
    frame = full_frame(TWO, TWO.index(full), 4, (2, 2, False), (3, 3, False))
    with under_test(BlockManager, steps.append):
        assert keeps(frame, "append", NAME)
    (step,) = steps
    assert step.broken() == []
    assert "Bystander(name='other', blocks=(1,), length=3" in str(step)
    step.manager._sequences["other"].length += 1
    step.manager._sequences["other"].limit += 1
    assert step.broken() == ["results"]


def test_windows_are_lowered_so_far_that_four_blocks_have_some() -> None:
    buggy = load(mutant_named("window_stays_free"))
    for name in ("two_allocate", "three_allocate", "two_grow", "three_grow"):
        assert sweep(named(name), buggy, 0).broken is not None
    assert night_contracts.WINDOWS[0] == 2

"""The sweep notices a contract that expects, or lets pass, what the model does not."""

from __future__ import annotations

import pytest

from poolproof import BlockManager
from poolproof_verification.contracts import expected, step
from poolproof_verification.contracts.catalogue import CONTRACTS, Contract
from poolproof_verification.contracts.expected import Expected
from poolproof_verification.contracts.frame import NAME, THREE, Frame
from poolproof_verification.contracts.sweep import SAMPLE, model_of, sweep
from poolproof_verification.mutants import load, mutant_named


def named(name: str) -> Contract:
    return next(contract for contract in CONTRACTS if contract.name == name)


@pytest.mark.parametrize("contract", CONTRACTS, ids=lambda contract: contract.name)
def test_every_contract_agrees_with_the_model_in_enough_cases(contract: Contract) -> None:
    swept = sweep(contract, BlockManager, 1)
    assert contract.least_cases <= swept.cases <= SAMPLE
    assert swept.compared == swept.cases
    assert (swept.broken, swept.disagreement) == (None, "")


def test_the_other_holders_are_sequences_of_the_model() -> None:
    layout = next(one for one in THREE if (one.blocks, one.elsewhere) == ((2, 0), (1,)))
    pool = model_of(Frame(layout, 4, 0, (0, 3, 1), 7, 7, True))
    assert pool.counts == {0: 1, 1: 3, 2: 2}
    assert len(pool.tables) == 1 + 3 + 1
    assert (pool.tables[NAME].blocks, pool.tables[NAME].length) == ((2, 0), 7)
    assert not pool.free


def test_a_wrong_expectation_is_no_second_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    def never_copies(frame: Frame, name: str) -> Expected:
        right = expected.append(frame, name)
        return right._replace(answer=False) if right.answer is True else right

    monkeypatch.setitem(expected.EXPECTED, "append", never_copies)
    swept = sweep(named("append"), BlockManager, 0)
    assert "the contract expects False where the model says True" in swept.disagreement


def test_a_wrong_table_in_the_expectation_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def keeps_the_table(frame: Frame, name: str) -> Expected:
        right = expected.release(frame, name)
        return right._replace(tables=(expected.unchanged(frame),))

    monkeypatch.setitem(expected.EXPECTED, "release", keeps_the_table)
    assert "the contract expects tables" in sweep(named("release"), BlockManager, 0).disagreement


def test_a_contract_that_lets_everything_pass_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(step.Step, "kept", lambda step: True)
    buggy = load(mutant_named("release_frees_nothing"))
    assert "the contract lets pass release('a')" in sweep(named("release"), buggy, 0).disagreement


def test_a_bug_of_the_manager_is_told_from_one_of_the_contract() -> None:
    swept = sweep(named("release"), load(mutant_named("release_frees_nothing")), 0)
    assert swept.disagreement == ""
    assert swept.broken is not None
    assert "partition" in swept.broken.laws


def test_a_promise_that_does_not_come_true_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(step.Step, "promise_is_right", lambda step: True)
    buggy = load(mutant_named("question_off_by_one"))
    assert "lets pass the promise" in sweep(named("allocate"), buggy, 0).disagreement

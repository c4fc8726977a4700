"""Every method's seeded bug is drawn by the seed, judged by that method, and told if it escapes."""

from __future__ import annotations

import pytest

from poolproof import BlockManager
from poolproof_verification import canaries, contracts, proofs
from poolproof_verification.explore import explore_scopes
from poolproof_verification.mutants import MUTANTS, Mutant, mutant_named
from poolproof_verification.scopes import Scope
from poolproof_verification.targets import ClassTarget
from poolproof_verification.verdict import Canary

TINY = Scope(total=3, sequences=2, block_size=2, tokens=4)
TOLD = Canary("elsewhere", "a bug", True, "told by the method itself")


def test_a_seed_draws_its_bug_and_other_seeds_draw_others() -> None:
    assert canaries.draw(5) is canaries.draw(5)
    drawn = {canaries.draw(seed).name for seed in range(60)}
    fit = {mutant.name for mutant in MUTANTS if mutant.canary}
    assert drawn <= fit
    assert len(drawn) > len(fit) // 2 > 2


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exploration of one tiny scope."""

    def explore_tiny(target: ClassTarget) -> object:
        return explore_scopes(target, (TINY,))

    monkeypatch.setattr("poolproof_verification.explore.explore_scopes", explore_tiny)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.usefixtures("tiny")
def test_exploration_refutes_its_canary_with_a_counterexample(seed: int) -> None:
    canary = canaries.release("explore", seed)
    assert (canary.method, canary.bug) == ("explore", canaries.draw(seed).wrong)
    assert canary.refuted
    assert "(after allocate(" in canary.how


def test_random_operations_refute_their_canary(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(canaries, "FUZZ_EXAMPLES", 40)
    canary = canaries.release("fuzz", 1)
    assert canary.refuted


def test_the_same_seed_finds_the_same_by_random_operations(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        canaries, "FUZZ_EXAMPLES", 1
    )  # so few that another seed tells another story
    for seed in (1, 3, 7):
        canary = canaries.release("fuzz", seed)
        assert canary.refuted
        assert canaries.release("fuzz", seed) == canary


@pytest.mark.parametrize("method", ["explore", "fuzz"])
@pytest.mark.usefixtures("tiny")
def test_a_bug_that_is_none_is_told_to_have_escaped(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(canaries, "FUZZ_EXAMPLES", 5)
    monkeypatch.setattr(canaries, "load", lambda mutant: BlockManager)
    canary = canaries.release(method, 0)
    assert not canary.refuted
    assert canary.how == "no counterexample found"


def test_what_is_asked_is_tried_with_a_bug_that_no_operation_shows() -> None:
    canary = canaries.release("asking", 2)
    assert (canary.method, canary.refuted) == ("asking", True)
    assert canary.bug == mutant_named(canaries.OF_ASKING).wrong
    assert canary.how.startswith("violations() says [('counts'")


def test_proofs_and_contracts_release_a_bug_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[object] = []

    def told(what: int | Mutant) -> Canary:
        given.append(what)
        return TOLD

    monkeypatch.setattr(proofs, "canary", told, raising=False)
    monkeypatch.setattr(contracts, "canary", told)
    assert canaries.release("prove", 3) is TOLD
    assert canaries.release("contracts", 3) is TOLD
    assert given == [3, canaries.draw(3)]

"""Other names and another order are seen to make a difference where they do."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import pytest
from tests.verification.faulty_managers import Strict

from poolproof_verification.limits import limited_to
from poolproof_verification.metamorphic import LAWS, canary, check
from poolproof_verification.targets import ClassTarget, find_target
from poolproof_verification.verdict import Outcome, Verdict

EXAMPLE = "poolproof_verification.adapters.example:Example"


def judged(manager_class: type, runs: int = 60) -> dict[str, Verdict]:
    judgement = check(ClassTarget(manager_class.__name__, manager_class), 0, runs)
    return {verdict.law: verdict for verdict in judgement.verdicts}


@pytest.mark.parametrize("name", ["poolproof", "textbook", EXAMPLE])
def test_a_manager_that_is_indifferent_to_names_and_order_holds(name: str) -> None:
    judgement = check(find_target(name), 1, runs=30)
    assert [each.law for each in judgement.verdicts] == list(LAWS)
    assert all(each.outcome is Outcome.HELD and each.count > 20 for each in judgement.verdicts)


def test_the_same_seed_says_the_same() -> None:
    one, other = (check(ClassTarget("x", FavoursEarlyNames), 5, runs=20) for _ in range(2))
    assert one.verdicts == other.verdicts


class FavoursEarlyNames(Strict):
    def release_all(self) -> list[int]:
        """The sequence whose name sorts last is forgotten where there are several."""
        names = sorted(self.seqs, key=str)
        kept = names[-1:] if len(names) > 1 else []
        return sorted(b for n in names if n not in kept for b in self.release(n))


class FalseNamesAreNone(Strict):
    def release(self, name: Hashable) -> list[int]:
        return super().release(name) if name else []


class NeedsNamesThatSort(Strict):
    def release_all(self) -> list[int]:
        names: list[Any] = sorted(self.seqs)
        return sorted(block for name in names for block in self.release(name))


class GoesByTheHash(Strict):
    def append(self, name: Hashable) -> bool:
        if any(hash(each) == hash(name) and each != name for each in self.seqs):
            raise KeyError(name)
        return super().append(name)


class TakesNumbersForTexts(Strict):
    def allocate(self, name: Hashable, n_tokens: int) -> list[int]:
        if any(str(each) == str(name) for each in self.seqs):
            raise ValueError(name)
        return super().allocate(name, n_tokens)


BY_NAMES: list[tuple[type, str]] = [
    (FavoursEarlyNames, "strings that sort the other way"),
    (FalseNamesAreNone, "integers"),
    (NeedsNamesThatSort, "names that all hash alike"),
    (GoesByTheHash, "names that all hash alike"),
    (TakesNumbersForTexts, "numbers and their texts"),
]


@pytest.mark.parametrize(
    ("manager", "kind"), BY_NAMES, ids=lambda each: getattr(each, "__name__", "")
)
def test_a_manager_that_goes_by_names_is_told_with_the_kind(manager: type, kind: str) -> None:
    found = judged(manager)["names"]
    assert found.outcome is Outcome.REFUTED
    assert "under other names" in found.detail
    assert found.detail.endswith(kind)


def test_a_difference_by_names_is_told_by_the_shortest_life() -> None:
    found = judged(FalseNamesAreNone)["names"].detail
    assert "yet under other names release(0) answers []: " in found
    assert "after release('A') (on a pool of 0 blocks of 1)" in found


# --- order ----------------------------------------------------------------------------------------


class RemembersTheLast(Strict):
    last: Hashable = -1.5  # nobody's name

    def append(self, name: Hashable) -> bool:
        self.last = name
        return super().append(name)

    def fork(self, parent: Hashable, child: Hashable) -> list[int]:
        blocks = super().fork(parent, child)
        if self.last not in (-1.5, parent):
            self.seqs[child]["len"] += 1
        return blocks


class FreesTheLastFirst(Strict):
    def release(self, name: Hashable) -> list[int]:
        last = [*self.seqs][-1:]
        freed = super().release(name)
        if name not in last:
            self.free = [block for block in self.free if block not in freed]
        return freed


class TellsOfTheLast(Strict):
    forked = False

    def fork(self, parent: Hashable, child: Hashable) -> list[int]:
        self.forked = True
        return super().fork(parent, child)

    def append(self, name: Hashable) -> bool:
        copied, self.forked = super().append(name) or self.forked, False
        return copied


@pytest.mark.parametrize("manager", [RemembersTheLast, FreesTheLastFirst, TellsOfTheLast])
def test_a_manager_that_goes_by_the_order_is_told(manager: type) -> None:
    found = judged(manager)
    assert found["order"].outcome is Outcome.REFUTED
    assert found["names"].outcome is Outcome.HELD
    assert "after " in found["order"].detail


def test_a_call_that_does_not_end_leaves_everything_unknown() -> None:
    class Endless(Strict):
        def fork(self, parent: Hashable, child: Hashable) -> list[int]:
            while True:
                pass

    with limited_to(0.05):
        found = judged(Endless)
    assert found and {each.outcome for each in found.values()} == {Outcome.UNKNOWN}
    assert "not ended after" in found["names"].detail


@pytest.mark.parametrize("seed", range(3))
def test_the_canary_is_refuted(seed: int) -> None:
    found = canary(seed)
    assert found.refuted and "under other names" in found.how

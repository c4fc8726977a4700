"""The example adapter holds, and the same manager with a seeded bug is refuted in its own words."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from poolproof_verification.adapters.example import (
    Example,
    ExampleAdapter,
    LastInFirstOut,
)
from poolproof_verification.counterexample import Counterexample
from poolproof_verification.explore import counterexamples, explore_scopes
from poolproof_verification.fuzz import counterexamples as fuzzed
from poolproof_verification.fuzz import search
from poolproof_verification.scopes import Scope
from poolproof_verification.targets import AdapterTarget, find_target
from poolproof_verification.visibility import judged_in_part, not_judged

NAME = "poolproof_verification.adapters.example:Example"
SMALL = (Scope(3, 2, 2, 4), Scope(2, 2, 1, 2))


class Leaks(LastInFirstOut):
    """A request of several blocks gives one too few back."""

    def drop(self, request: int) -> None:
        table = self.tables.pop(request, [])
        self.stack.extend(table[:-1] if len(table) > 1 else table)


class FirstInFirstOut(LastInFirstOut):
    """Takes other free blocks than most."""

    def hold(self, request: int, tokens: int) -> list[int] | None:
        self.stack.reverse()
        held = super().hold(request, tokens)
        self.stack.reverse()
        return held


class HandsOutTwice(LastInFirstOut):
    """With one request running, the next gets a block that stays on the stack."""

    def hold(self, request: int, tokens: int) -> list[int] | None:
        held = super().hold(request, tokens)
        if held and len(self.tables) > 1:
            self.stack.insert(0, held[-1])
        return held


class TakesBeforeItRefuses(LastInFirstOut):
    """A refused request keeps the blocks it found."""

    def hold(self, request: int, tokens: int) -> list[int] | None:
        held = super().hold(request, tokens)
        if held is None:
            self.stack.clear()
        return held


def target(manager_class: type[LastInFirstOut]) -> AdapterTarget:
    class Made(Example):
        def make(self, total: int, block_size: int) -> ExampleAdapter:
            return ExampleAdapter(manager_class(total + 1, block_size))

    return AdapterTarget("seeded", Made())


def explored(judged: AdapterTarget) -> list[Counterexample]:
    return counterexamples(judged, explore_scopes(judged, SMALL))


def drawn(judged: AdapterTarget) -> list[Counterexample]:
    return fuzzed(search(judged, seed=0, examples=60))


class ByChance(LastInFirstOut):
    """Takes whichever free blocks it happens to, so that no run repeats another."""

    chance = Random(0)

    def hold(self, request: int, tokens: int) -> list[int] | None:
        self.chance.shuffle(self.stack)
        return super().hold(request, tokens)


class ByChanceAndLeaks(ByChance, Leaks):
    """And keeps a block of each request of several."""


@pytest.mark.parametrize("method", [explored, drawn])
def test_a_manager_that_takes_blocks_by_chance_is_followed(
    method: Callable[[AdapterTarget], list[Counterexample]],
) -> None:
    assert method(target(ByChance)) == []
    (worst, *_) = method(target(ByChanceAndLeaks))
    assert "free and 0 in tables: 1 lost" in worst.headline


@pytest.mark.parametrize("method", [explored, drawn])
def test_a_right_manager_that_shows_little_has_no_fault(
    method: Callable[[AdapterTarget], list[Counterexample]],
) -> None:
    found = find_target(NAME)
    assert isinstance(found, AdapterTarget)
    assert method(found) == []


@pytest.mark.parametrize("method", [explored, drawn])
@pytest.mark.parametrize(
    ("manager_class", "words", "operations"),
    [
        (Leaks, "free and 0 in tables: 1 lost", 2),
        (HandsOutTwice, "free and 1 in tables: 1 counted as free though held", 2),
        (TakesBeforeItRefuses, "free and 0 in tables: 1 lost", 1),
    ],
)
def test_a_seeded_bug_is_refuted_minimally(
    manager_class: type[LastInFirstOut],
    words: str,
    operations: int,
    method: Callable[[AdapterTarget], list[Counterexample]],
) -> None:
    worst = method(target(manager_class))[0]
    assert worst.law == "partition"
    assert words in worst.headline
    assert len(worst.steps) == operations


def test_what_is_not_shown_is_not_judged_and_that_is_told() -> None:
    traits = find_target(NAME).traits
    assert set(not_judged(traits)) == {"counts", "can", "self-check"}
    assert set(judged_in_part(traits)) == {"partition", "choices", "refusals"}
    assert "a negative number of tokens" in judged_in_part(traits)["refusals"]


def test_the_counterexample_of_an_adapter_runs_as_a_test(monkeypatch: pytest.MonkeyPatch) -> None:
    (found, *_) = explored(target(Leaks))
    assert found.import_line == "from poolproof_verification.targets import find_target"
    source = found.test().replace(found.import_line, "")
    right = ((LastInFirstOut, True), (FirstInFirstOut, True))
    for manager_class, passes in ((Leaks, False), *right):
        names: dict[str, Any] = {"find_target": lambda name, each=manager_class: target(each)}
        exec(compile(source, "<test>", "exec"), names)
        test = next(value for name, value in names.items() if name.startswith("test_"))
        if passes:
            test()
        else:
            with pytest.raises(AssertionError):
                test()

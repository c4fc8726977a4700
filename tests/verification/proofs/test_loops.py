from __future__ import annotations

from typing import Any

import pytest
import z3

from poolproof_model.system import TRANSITIONS
from poolproof_verification.proofs import loops
from poolproof_verification.proofs.loops import LOOPS, Pass, over_choice, over_table
from poolproof_verification.proofs.prove import results_of


def unproved(name: str) -> set[str]:
    results = list(results_of(f"{name}'s loop", timeout=500))
    cases = {result.name.rpartition(" ")[2] for result in results if not result.proved}
    own = [result for result in results if result.obligation.clause == "loop"]
    assert len(own) == 3
    return cases


def test_every_loop_is_that_of_a_transition() -> None:
    assert set(LOOPS) <= {transition.name for transition in TRANSITIONS}


@pytest.mark.parametrize("name", LOOPS)
def test_each_loop_amounts_to_its_effect(name: str) -> None:
    assert unproved(name) == set()


def counted_only(counts: Any, free: Any, block: Any) -> tuple[Any, Any]:
    return z3.Store(counts, block, counts[block] - 1), free


def freed_at_one(counts: Any, free: Any, block: Any) -> tuple[Any, Any]:
    fewer = counts[block] - 1
    return z3.Store(counts, block, fewer), z3.If(fewer <= 1, z3.Store(free, block, True), free)


@pytest.mark.parametrize("run", [counted_only, freed_at_one, loops.share])
def test_another_loop_does_not_amount_to_release(
    run: Pass, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(LOOPS, "release", over_table("release", "sequence", run))
    assert unproved("release") == {"step"}


def test_a_loop_that_leaves_blocks_free_does_not_amount_to_allocate(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(LOOPS, "allocate", over_choice("choices", loops.share))
    assert unproved("allocate") == {"step"}

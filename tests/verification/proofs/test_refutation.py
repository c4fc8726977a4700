from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from poolproof_model.invariants import INVARIANTS
from poolproof_verification.proofs.claims import claims_of
from poolproof_verification.proofs.model_mutants import mutant_named
from poolproof_verification.proofs.refutation import counterexample_of
from poolproof_verification.proofs.runs import BLOCK_SIZE, TOTAL
from poolproof_verification.proofs.search import find_breaks
from poolproof_verification.reports.story_text import story
from poolproof_verification.verdict import CouldNotRun

UNCOUNTED = mutant_named("fork does not count")


def test_a_counterexample_tells_the_steps_and_is_a_test() -> None:
    claims = claims_of(UNCOUNTED.transition, INVARIANTS)
    breaks = find_breaks(claims, UNCOUNTED.transitions, INVARIANTS)
    told = counterexample_of(breaks["fork preserves counts"])
    assert told.law == "counts"
    assert told.breach_of("counts") == "counts does not hold at block 0"
    assert "allocate(sequence='A', length=1, prompt=Prompt(first=10))" in story(told)
    assert (told.total, told.block_size) == (TOTAL, BLOCK_SIZE)
    scope: dict[str, Any] = {}
    exec(told.test(), scope)
    scope[next(name for name in scope if name.startswith("test_"))]()  # the real fork is right


def test_what_a_replay_does_not_break_is_no_counterexample() -> None:
    claims = claims_of(UNCOUNTED.transition, INVARIANTS)
    found = find_breaks(claims, UNCOUNTED.transitions, INVARIANTS)["fork preserves counts"]
    held = replace(found, claim=replace(found.claim, holds=lambda step, values: True))
    with pytest.raises(CouldNotRun, match="replayed, nothing breaks: counts does not hold"):
        counterexample_of(held)

from __future__ import annotations

from typing import Any

from poolproof_model.invariants import INVARIANTS
from poolproof_verification.proofs.claims import claims_of
from poolproof_verification.proofs.model_mutants import mutant_named
from poolproof_verification.proofs.refutation import counterexample_of
from poolproof_verification.proofs.runs import BLOCK_SIZE, TOTAL
from poolproof_verification.proofs.search import find_breaks

UNCOUNTED = mutant_named("fork does not count")


def test_a_counterexample_tells_the_steps_and_is_a_test() -> None:
    claims = claims_of(UNCOUNTED.transition, INVARIANTS)
    breaks = find_breaks(claims, UNCOUNTED.transitions, INVARIANTS)
    told = counterexample_of(breaks["fork preserves counts"])
    assert told.law == "counts"
    assert told.breach_of("counts") == "counts does not hold at block 0"
    assert "allocate(sequence='A', length=1, prompt=Prompt(first=10))" in told.text()
    assert (told.total, told.block_size) == (TOTAL, BLOCK_SIZE)
    scope: dict[str, Any] = {}
    exec(told.test(), scope)
    scope[next(name for name in scope if name.startswith("test_"))]()  # the real fork is right

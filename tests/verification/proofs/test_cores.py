from __future__ import annotations

from dataclasses import replace

import z3
from tests.verification.proofs.by_hand import obligation

from poolproof_verification.proofs.cores import Core, core_of
from poolproof_verification.proofs.lemmas import NATURAL, A
from poolproof_verification.proofs.term import COUNT

TIMEOUT = 10_000
X, Y = z3.Ints("x y")
CHAIN = obligation(
    "y is above 3", "", Y > 3, (("x is above 3", X > 3), ("y is above x", Y > X), ("idle", X > 1))
)


def names(core: Core) -> list[str]:
    return [name for name, _ in core.used]


def test_a_core_is_what_the_proof_needs() -> None:
    core = core_of(CHAIN, TIMEOUT)
    assert core.proved
    assert names(core) == ["x is above 3", "y is above x"]
    assert str(core) == "y is above 3: x is above 3, y is above x"


def test_a_lemma_is_in_the_core_where_it_is_needed() -> None:
    counted = obligation("counted", "", COUNT(A, 7) >= 0, CHAIN.hypotheses, (NATURAL,))
    assert names(core_of(counted, TIMEOUT)) == ["lemma count is natural"]


def test_what_is_not_proved_has_no_core() -> None:
    core = core_of(replace(CHAIN, goal=Y > 9), TIMEOUT)
    assert (core.proved, core.used) == (False, ())
    assert str(core) == "y is above 3: unknown (not proved)"

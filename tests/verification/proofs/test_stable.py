from __future__ import annotations

import pytest
import z3
from tests.verification.proofs.by_hand import obligation

from poolproof_model.invariants import INVARIANTS
from poolproof_model.system import RELEASE
from poolproof_verification.proofs.lemmas import NATURAL
from poolproof_verification.proofs.obligations import obligations
from poolproof_verification.proofs.stable import stable
from poolproof_verification.verdict import CouldNotRun

X = z3.Int("x")
TRUE = obligation("x has a successor", "", X + 1 > X)
OPEN = obligation("x is positive", "", X > 0)


def test_release_is_proved_under_every_seed() -> None:
    lines: list[str] = []
    selected = tuple(obligations((RELEASE,), INVARIANTS))
    found = stable(selected, seeds=3, progress=lines.append)
    assert found.held
    assert found.unproved == ()
    assert [line.partition(":")[0] for line in lines] == ["seed 0", "seed 1", "seed 2"]
    assert found.tried % 3 == 0
    assert found.tried > 3 * len(selected)
    assert str(found).startswith(f"{found.tried} of {found.tried} proved of the model under 3")
    assert found.slowest[1].name in str(found)


def test_one_that_is_not_proved_under_every_seed_fails() -> None:
    found = stable((TRUE, OPEN), seeds=2, lemmas=())
    assert not found.held
    assert [(seed, result.name) for seed, result in found.unproved] == [
        (0, "x is positive"),
        (1, "x is positive"),
    ]
    assert str(found).startswith("2 of 4 proved of the model under 2 seeds; slowest: ")


def test_lemmas_are_repeated_too() -> None:
    assert stable((TRUE,), seeds=2, lemmas=(NATURAL,)).tried == 2 * 3


def test_no_seed_or_no_obligation_is_an_error() -> None:
    with pytest.raises(CouldNotRun, match="at least 1 seed is needed, 0 are asked for"):
        stable((TRUE,), seeds=0)
    with pytest.raises(CouldNotRun, match="there is no obligation to repeat"):
        stable((), lemmas=())

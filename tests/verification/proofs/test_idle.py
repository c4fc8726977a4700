from __future__ import annotations

from functools import cache

import pytest
import z3
from tests.verification.proofs.by_hand import obligation

from poolproof_model.invariants import INVARIANTS
from poolproof_model.system import TRANSITIONS
from poolproof_verification.proofs.cases import every_obligation
from poolproof_verification.proofs.cores import Core, core_of, follows
from poolproof_verification.proofs.idle import EXPLAINED, idle, unexplained
from poolproof_verification.verdict import CouldNotRun

TIMEOUT = 10_000
X, Y = z3.Ints("x y")
CHAIN = obligation(
    "y is above 3", "", Y > 3, (("x is above 3", X > 3), ("y is above x", Y > X), ("idle", X > 1))
)


@cache
def cores() -> tuple[Core, ...]:
    return tuple(core_of(each, TIMEOUT) for each in every_obligation(TRANSITIONS, INVARIANTS))


@pytest.mark.night
def test_every_obligation_follows_from_its_core_alone() -> None:
    for core in cores():
        assert core.proved, core.obligation.name
        assert follows(core.obligation, core.used, TIMEOUT, 0), core.obligation.name


def test_every_idle_assumption_is_explained_and_no_other() -> None:
    assert unexplained(idle(cores())) == ()


def test_an_idle_assumption_without_explanation_is_a_fault() -> None:
    found = idle((core_of(CHAIN, TIMEOUT),))
    assert found == ("idle",)
    assert unexplained(found, {}) == ("no proof needs idle, and nothing explains why",)
    fewer = {name: why for name, why in EXPLAINED.items() if name != "sizes 0"}
    assert unexplained(idle(cores()), fewer) == (
        "no proof needs sizes 0, and nothing explains why",
    )


def test_an_explanation_of_what_is_needed_is_a_fault() -> None:
    (fault,) = unexplained(("idle",), {"idle": "", "partition": "nobody knows"})
    assert fault.startswith("partition is explained as idle, but some proof needs it")


def test_an_instance_in_sight_counts_as_its_invariant() -> None:
    near = (("above", X > 3), ("above in sight 0", X > 2))
    core = core_of(obligation("x", "", X > 2, near), TIMEOUT)
    assert len(core.used) == 1
    assert idle((core,)) == ()


def test_one_name_of_two_formulas_is_told_by_where_it_stands() -> None:
    one = obligation("one", "", X > 2, (("guard", X > 3),), transition="fork")
    other = obligation("other", "", X == X, (("guard", X > 4),), transition="release")
    found = idle(core_of(each, TIMEOUT) for each in (one, other))
    assert found == ("guard of release",)


def test_without_assumptions_nothing_is_judged() -> None:
    with pytest.raises(CouldNotRun, match="no assumption can be idle"):
        idle(())

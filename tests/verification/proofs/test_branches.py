from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache

import pytest
import z3

from poolproof_model.system import RELEASE, TRANSITIONS
from poolproof_verification.proofs.branches import (
    EXPLAINED,
    Branch,
    branches,
    parts,
    replaced,
    unneeded_explanations,
)
from poolproof_verification.proofs.claims import COMPONENTS


@cache
def all_branches() -> tuple[Branch, ...]:
    return tuple(branches())


def test_every_component_of_every_transition_is_taken_apart() -> None:
    found = {(branch.transition, branch.component) for branch in all_branches()}
    names = {component.name for component in COMPONENTS}
    assert found == {(transition.name, name) for transition in TRANSITIONS for name in names}
    assert len(all_branches()) > 150


def test_every_branch_is_noticed_or_explained() -> None:
    assert [str(branch) for branch in all_branches() if not branch.settled] == []


def test_what_is_explained_is_one_branch_that_nothing_notices() -> None:
    unnoticed = Counter(branch.name for branch in all_branches() if not branch.noticed_by)
    assert unnoticed == Counter(list(EXPLAINED))


def test_an_explanation_of_what_is_noticed_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(unneeded_explanations(all_branches())) == []
    noticed = next(branch.name for branch in all_branches() if branch.noticed_by)
    for name in (noticed, "release, nothing: 0"):
        monkeypatch.setitem(EXPLAINED, name, "no reason")
        told = list(unneeded_explanations(all_branches()))
        assert told == [f"{name}: explained, and noticed or no branch"]
        monkeypatch.delitem(EXPLAINED, name)


def test_a_branch_that_no_promise_speaks_of_is_listed() -> None:
    found = {each.name: each for each in branches((replace(RELEASE, promises=()),))}
    idle = found["release, live, operand 1: False"]
    assert not idle.settled
    assert str(idle).endswith("no obligation notices: NOT EXPLAINED")


def test_each_occurrence_is_a_branch_of_its_own() -> None:
    a, b, x = z3.Bool("a"), z3.Bool("b"), z3.Int("x")
    value = z3.If(a, x, z3.If(b, x, 1) + x)
    assert [str(part) for _, part in parts(value)][1:] == ["x", "If(b, x, 1) + x", "x", "1"]
    places = [place for place, part in parts(value) if z3.eq(part, x)]
    changed = [str(replaced(value, place, z3.Int("u"))) for place in places]
    assert changed == ["If(a, u, If(b, x, 1) + x)", "If(a, x, If(b, u, 1) + x)"]

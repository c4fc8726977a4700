from __future__ import annotations

import pytest

from poolproof_verification.proofs import mechanical_judge
from poolproof_verification.proofs.mechanical import text_mutants
from poolproof_verification.proofs.mechanical_judge import (
    EQUIVALENT,
    TextFate,
    TextReport,
    fate_of,
    judge_text,
)


def fate_named(name: str) -> TextFate:
    return fate_of(next(mutant for mutant in text_mutants() if mutant.name == name))


def test_a_sample_is_refuted_or_explained() -> None:
    report = judge_text(text_mutants()[::23])
    assert report.faults() == ()
    assert sum(fate.refuted for fate in report.fates) > 5


@pytest.mark.night
@pytest.mark.parametrize(
    "name",
    [
        "initial:2:drop live",  # live sequences without a block break no invariant
        "length_is_natural:2:>= to >",  # a guard too strong loses no proof
        "allocate:14:one more",  # needs a choice that goes on after the blocks it takes
        "release:14:swap arguments 2 and 3",  # needs a sequence that is called 0
    ],
)
def test_what_is_hard_to_see_is_refuted(name: str) -> None:
    fate = fate_named(name)
    assert fate.counterexample is not None
    compile(fate.counterexample.test(), name, "exec")


@pytest.mark.night
@pytest.mark.parametrize("name", list(EQUIVALENT)[::4])
def test_an_explained_survivor_is_proved_of_the_model(name: str) -> None:
    assert fate_named(name).survives


def test_a_survivor_without_explanation_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "append:11:drop the left operand"
    report = TextReport((fate_named(name),))
    assert report.faults() == ()
    monkeypatch.delitem(mechanical_judge.EQUIVALENT, name)
    assert report.faults() == (f"{name}: survives without explanation",)


def test_an_explanation_of_what_is_refuted_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "fork:6:drop reference_count"
    report = TextReport((fate_named(name),))
    monkeypatch.setitem(mechanical_judge.EQUIVALENT, name, "no reason")
    assert report.faults() == (f"{name}: explained, and refuted or not made",)


def test_an_explanation_of_what_is_not_made_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(mechanical_judge.EQUIVALENT, "gone", "no reason")
    assert "gone: explained, and refuted or not made" in TextReport(()).faults()


def test_what_is_neither_refuted_nor_proved_is_a_fault() -> None:
    open_ = TextFate(text_mutants()[0], None, ("fork preserves counts",))
    assert not open_.survives
    assert "open: not proved: fork preserves counts" in TextReport((open_,)).faults()[0]

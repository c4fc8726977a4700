"""Each mechanical mutant is noticed by some method, or has to be explained."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest

from poolproof_verification.mutants import mechanical_judge
from poolproof_verification.mutants.equivalent import EQUIVALENT
from poolproof_verification.mutants.mechanical import by_name
from poolproof_verification.mutants.mechanical_judge import (
    HANGS,
    PACKAGE,
    REFUTED,
    SURVIVES,
    Fate,
    MechanicalReport,
    fate,
    mechanical,
    outcome_of,
)
from poolproof_verification.mutants.patches import sources
from poolproof_verification.scopes import Scope


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not as long as a survivor is searched otherwise."""
    monkeypatch.setattr(mechanical_judge, "RUNS", 8)
    monkeypatch.setattr(mechanical_judge, "SMALL_SCOPES", (Scope(2, 2, 1, 2),))


def of_text(old: str, new: str, file: str = "block_pool.py") -> tuple[str, str, str]:
    """What becomes of the manager with this instead of that."""
    text = sources()[file]
    assert text.count(old) == 1
    return outcome_of(file, text.replace(old, new))


@pytest.mark.parametrize(
    ("name", "method"),
    [
        ("block_manager.py:BlockManager.release:12:delete", "random"),
        ("block_pool.py:BlockPool._take_pieces:11:one more (4)", "holes"),
        ("block_pool.py:BlockPool.let_go:6:one more", "holes"),
        ("violations.py:check_blocks:5:drop part 1", "asking"),
        ("usage.py:measure:12:one less", "asking"),
        ("block_manager.py:BlockManager.block_size:2:delete", "asking"),
        ("errors.py:SequenceExists.__init__:3:delete", "asking"),
    ],
)
def test_a_mutant_is_refuted_by_the_method_that_looks_at_it(name: str, method: str) -> None:
    found = fate(name)
    assert (found.outcome, found.method) == (REFUTED, method)
    assert found.words


def test_text_that_does_not_load_is_refuted_by_that() -> None:
    assert of_text("WINDOW_FROM = 16", "WINDOW_FROM = missing")[:2] == (REFUTED, "import")
    assert of_text("WINDOW_FROM = 16", "WINDOW_FROM = =")[2].startswith("SyntaxError: ")


def test_a_manager_that_cannot_be_made_is_refuted() -> None:
    assert of_text("self.total = total\n", "self.total = totals\n")[:2] == (REFUTED, "constructor")


def test_a_loop_without_end_is_told_as_such() -> None:
    loop = "            while True:\n                pass\n"
    assert of_text("            start += 1\n", loop)[:2] == (HANGS, "probe")


def test_a_changed_package_is_forgotten() -> None:
    of_text("WINDOW_FROM = 16", "WINDOW_FROM = 15")
    assert not [name for name in sys.modules if name.startswith(PACKAGE)]


def test_a_mutant_that_only_costs_time_survives() -> None:
    name = "block_pool.py:module:12:one more"
    found = fate(name)
    assert found.outcome == SURVIVES
    assert name in EQUIVALENT
    assert EQUIVALENT[name] in str(found)


def test_every_explanation_is_of_a_mutant_that_is_made() -> None:
    assert set(EQUIVALENT) <= set(by_name())
    assert all(len(reason.split()) > 4 for reason in EQUIVALENT.values())


def report(*fates: Fate) -> MechanicalReport:
    return MechanicalReport(fates)


def test_an_unexplained_survivor_and_an_idle_explanation_are_faults() -> None:
    explained = next(iter(EQUIVALENT))
    refuted = Fate(explained, explained, REFUTED, "random", "words")
    assert f"{explained}: explained, yet noticed" in report(refuted).faults()
    assert report(replace(refuted, outcome=SURVIVES)).faults() == ()
    survivor = Fate("new", "new: x became y", SURVIVES)
    assert report(survivor).faults() == ("new: x became y: escapes",)


def test_an_explanation_of_what_is_no_longer_made_is_a_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(mechanical_judge, "EQUIVALENT", {"gone": "for some reason or other"})
    assert report().faults() == ("gone: explained, yet not made",)


def test_the_report_counts_what_became_of_all() -> None:
    told: list[str] = []
    names = ("block_pool.py:BlockPool.let_go:6:delete", "block_pool.py:module:14:one less")
    found = mechanical([by_name()[name] for name in names], told.append, workers=0)
    assert [each.outcome for each in found.fates] == [REFUTED, SURVIVES]
    data = found.as_json()
    assert (data["judged"], data["refuted"], data["hangs"]) == (2, 1, 0)
    assert list(data["survivors"]) == [names[1]]
    assert len(told) == 2
    assert found.lines()[0].startswith("2 mechanical mutants: 1 refuted, 0 hang, 1 survive")

"""`poolproof mutants` hunts what is asked for, and is red if anything survives."""

from __future__ import annotations

import json

import pytest

from poolproof_verification import mutants_command
from poolproof_verification.mutants import mutant_named
from poolproof_verification.mutants.matrix import Cell, Matrix, Row
from poolproof_verification.mutants.mechanical_judge import SURVIVES, Fate, MechanicalReport
from poolproof_verification.mutants_command import judge, outcome_of, text_of
from poolproof_verification.verdict import CouldNotRun, Outcome


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, object]]:
    """What would be hunted: how many, and whether the shipped manager too."""
    seen: list[tuple[int, object]] = []

    def matrix(chosen: list[object], progress: object, control: bool) -> Matrix:
        seen.append((len(chosen), control))
        return Matrix((), (), None)

    def mechanical(made: list[object], progress: object) -> MechanicalReport:
        seen.append((len(made), None))
        return MechanicalReport(())

    monkeypatch.setattr(mutants_command, "matrix", matrix)
    monkeypatch.setattr(mutants_command, "mechanical", mechanical)
    return seen


def test_all_or_those_with_the_words_in_their_names(asked: list[tuple[int, object]]) -> None:
    judge()
    judge("fork_shares")
    judge(by_machine=True)
    judge("BlockPool.let_go", by_machine=True)
    (everything, control), some, machine, few = asked
    assert everything >= 40 and control is True
    assert some == (1, False)
    assert machine[0] > 800
    assert 0 < few[0] < 20


@pytest.mark.parametrize("by_machine", [False, True])
def test_a_name_that_none_has_is_told(by_machine: bool) -> None:
    with pytest.raises(CouldNotRun, match="--only nonsense: no mutant has that in its name"):
        judge("nonsense", by_machine)


def test_a_survivor_is_a_red_run_that_says_which() -> None:
    found = MechanicalReport((Fate("f:g:1:delete", "f:g:1:delete: x became pass", SURVIVES),))
    assert outcome_of(found) is Outcome.REFUTED
    assert text_of(found)[-2:] == ["f:g:1:delete: x became pass: escapes", "mutants: refuted"]
    assert json.dumps(found.as_json())


def test_the_text_tells_of_released_engines_and_of_what_is_not_expressed() -> None:
    bug = mutant_named("empty_release_fails")
    cells = (Cell("explore", 1, 1, 0.1, 2, "words"),)
    row = Row(bug.name, bug.law, bug.wrong, bug.unbounded, bug.seen, cells)
    found = Matrix(("explore",), (row,), None)
    text = "\n".join(text_of(found))
    assert outcome_of(found) is Outcome.HELD
    assert "never got a block raises (vLLM 18485" in text
    assert "not expressed: vLLM 55092" in text
    assert text.endswith("mutants: held")

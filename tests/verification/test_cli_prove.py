"""`poolproof prove` answers what a sceptic asks, and ends with the exit code of the answer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.verification.conftest import Run

from poolproof_model.invariants import INVARIANTS
from poolproof_model.system import TRANSITIONS
from poolproof_verification import prove_audit, prove_command, prove_solvers
from poolproof_verification.proofs import recheck
from poolproof_verification.proofs.model_mutants import mutant_named
from poolproof_verification.proofs.prove import results_of
from poolproof_verification.proofs.solve import Result
from poolproof_verification.sections import Section


def test_the_matrix_comes_first_then_every_obligation_by_name(run: Run) -> None:
    ended = run("prove")
    assert ended.code == 0
    head, *rows = ended.output.splitlines()
    assert head.split() == [invariant.__name__ for invariant in INVARIANTS]
    assert rows[0].startswith("initially  held ")
    assert "\n  release preserves reference counts: held, " in ended.output
    assert "budget: 10,000 ms an obligation; slowest: " in ended.output
    assert ended.output.rstrip().splitlines()[-1].startswith("all that was asked: held")


def test_a_part_of_a_name_selects(run: Run) -> None:
    ended = run("prove", "--only", "release")
    assert ended.code == 0
    assert "  release loses no block: held, " in ended.output
    assert "fork preserves" not in ended.output


def test_lemmas_alone_can_be_proved(run: Run) -> None:
    ended = run("prove", "--only", "lemma count of")
    assert ended.code == 0
    assert "prove: held" in ended.output


def test_a_name_of_nothing_could_not_run(run: Run) -> None:
    ended = run("prove", "--only", "relase")
    assert ended.code == 2
    assert ended.errors.startswith("poolproof: no obligation has 'relase' in its name")


def test_json_has_every_result_and_nothing_else_is_printed(run: Run) -> None:
    ended = run("prove", "--json")
    data = json.loads(ended.output)
    assert (ended.code, data["outcome"], data["complete"]) == (0, "held", True)
    assert {each["name"] for each in data["obligations"]} == {each.name for each in results_of()}


def test_what_is_trusted_is_listed_with_its_tests(run: Run) -> None:
    ended = run("prove", "--trusted")
    assert ended.code == 0
    assert "by construction in the model, tested on the code" in ended.output
    assert ended.output.count("relied on: ") == ended.output.count("tested by: ") > 8
    assert len(json.loads(run("prove", "--trusted", "--json").output)) > 8


def test_the_audit_adds_its_sections(run: Run) -> None:
    ended = run("prove", "--only", "lemma", "--audit")
    assert ended.code == 0
    for title in (
        "not vacuous",
        "nothing assumed in vain",
        "nothing idle",
        "the executed model is the proved one",
    ):
        assert any(
            line.startswith(title) and line.endswith(": held") for line in ended.output.splitlines()
        )


def test_several_seeds_are_tried(run: Run) -> None:
    ended = run("prove", "--only", "lemma", "--seeds", "3")
    assert ended.code == 0
    assert "stable: 3 seeds of the solver: held" in ended.output
    assert "66 of 66 proved of the model under 3 seeds; slowest: " in ended.output


@pytest.mark.parametrize("solver", ["cvc5", "both"])
def test_a_second_solver_is_asked(run: Run, solver: str) -> None:
    ended = run("prove", "--only", "release preserves counts", "--solver", solver)
    assert ended.code == 0
    assert ended.output.count("a second solver: cvc5 ") == (solver == "both")
    assert "  release preserves reference counts: held, " in ended.output


def test_a_solver_that_is_none_could_not_run(run: Run) -> None:
    ended = run("prove", "--solver", "nonsense")
    assert ended.code == 2
    assert "no solver is called 'nonsense'" in ended.errors


def test_exported_obligations_come_with_the_command_that_rechecks_them(
    run: Run, tmp_path: Path
) -> None:
    ended = run("prove", "--only", "release preserves counts", "--export", str(tmp_path / "smt"))
    assert ended.code == 0
    assert f"  python -m poolproof_verification.proofs.recheck {tmp_path / 'smt'}" in ended.output
    assert recheck.main([str(tmp_path / "smt"), "--solver", "both"]) == 0


def test_a_section_with_a_fault_is_not_held(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(timeout: int, tell: Any) -> Iterator[Section]:
        yield Section("a section", (), {}, ("something is idle",))

    monkeypatch.setattr(prove_audit, "sections", wrong)
    ended = run("prove", "--only", "lemma", "--audit")
    assert ended.code == 3
    assert "a section: unknown\n  WRONG: something is idle" in ended.output


def test_a_refuted_obligation_is_told_with_a_test(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    bug = mutant_named("release does nothing")

    def broken(only: str | None, timeout: int, seed: int) -> Iterator[Result]:
        return results_of(only, timeout, seed, bug.transitions)

    monkeypatch.setattr(prove_solvers, "results_of", broken)
    monkeypatch.setattr(prove_command, "TRANSITIONS", bug.transitions)
    ended = run("prove", "--only", "release ends the sequence")
    assert ended.code == 1
    assert "  release ends the sequence: refuted" in ended.output
    assert "  as a test:" in ended.output


def test_a_mutant_of_the_model_is_refuted(run: Run) -> None:
    ended = run("prove", "--mutant", "release_does_nothing")
    assert ended.code == 1
    assert ended.output.startswith("mutant: release does nothing\nloses the proofs of: ")
    assert "  as a test:" in ended.output


def test_a_mutant_that_is_none_could_not_run(run: Run) -> None:
    ended = run("prove", "--mutant", "nonsense")
    assert ended.code == 2
    assert "no mutant of the model is called 'nonsense'" in ended.errors


def test_an_interrupted_run_prints_what_it_has(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: Any) -> Iterator[Result]:
        for number, result in enumerate(results_of(*arguments)):
            if number == 30:
                raise KeyboardInterrupt
            yield result

    monkeypatch.setattr(prove_solvers, "results_of", interrupted)
    ended = run("prove")
    assert ended.code == 3
    assert ended.errors == "interrupted: this is what there is\n"
    assert ended.output.count(": held, ") > 25
    assert f"{TRANSITIONS[-1].name:<9}  -" in ended.output
    assert "interrupted: what is missing above is not known" in ended.output

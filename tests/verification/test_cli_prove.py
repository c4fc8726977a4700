"""`poolproof prove` answers what a sceptic asks, and ends with the exit code of the answer."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from ctypes import ArgumentError
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from tests.verification.conftest import Run

from poolproof_model.invariants import INVARIANTS
from poolproof_model.system import TRANSITIONS
from poolproof_verification import prove_audit, prove_command, prove_solvers
from poolproof_verification.proofs.model_mutants import mutant_named
from poolproof_verification.proofs.prove import results_of
from poolproof_verification.proofs.solve import Result
from poolproof_verification.proofs.unproved import refutations
from poolproof_verification.sections import Section, Stage
from poolproof_verification.verdict import CouldNotRun


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


@pytest.mark.night  # the pipeline runs the command itself
def test_the_audit_adds_its_sections(run: Run) -> None:
    ended = run("prove", "--audit")
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
    command = ended.output.partition("recheck them with\n")[2].splitlines()[0].strip()
    environment = {"PATH": "", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    told = subprocess.run(shlex.split(command), env=environment, capture_output=True, text=True)
    assert (told.returncode, told.stderr) == (0, "")
    assert told.stdout.splitlines()[-1].startswith("recheck: held, ")


def test_exported_obligations_are_rechecked(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "smt"
    assert run("prove", "--only", "lemma count of", "--export", str(folder)).code == 0
    ended = run("recheck", str(folder), "--solver", "both")
    assert ended.code == 0
    assert ended.output.splitlines()[-1].startswith("recheck: held, ")
    (folder / "manifest.json").unlink()
    ended = run("recheck", str(folder))
    assert (ended.code, ended.errors.count("\n")) == (2, 1)
    assert "manifest.json: No such file or directory" in ended.errors


def test_where_nothing_can_be_exported_nothing_is_proved(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("x")
    for folder in (".", "", "file", "file/smt", "/proc/none/smt"):
        ended = run("prove", "--export", folder)
        assert (ended.code, ended.output) == (2, ""), folder
        assert ended.errors.count("\n") == 1


def test_a_reader_who_leaves_early_is_no_verdict() -> None:
    command = [sys.executable, "-m", "poolproof_verification", "prove", "--only", "loop"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    reading, writing = os.pipe()
    os.close(reading)
    told = subprocess.run(command, env=environment, stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert told.returncode == 2
    assert told.stderr.decode() == "poolproof: nobody reads the output any more\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_output_that_cannot_be_written_is_told_in_a_line() -> None:
    command = [sys.executable, "-m", "poolproof_verification", "prove", "--only", "loop"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with open("/dev/full", "w") as full:
        told = subprocess.run(command, env=environment, stdout=full, stderr=subprocess.PIPE)
    assert told.returncode == 2
    assert told.stderr.decode().startswith("poolproof: the output cannot be written: No space")


def test_ctrl_c_inside_of_a_call_of_the_solver_s_is_one(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*arguments: Any) -> Iterator[Result]:
        yield from islice(results_of(*arguments), 30)
        raise ArgumentError("argument 1: KeyboardInterrupt: ")

    monkeypatch.setattr(prove_solvers, "results_of", interrupted)
    ended = run("prove")
    assert ended.code == 3
    assert ended.errors == "interrupted: this is what there is\n"


def test_a_section_with_a_fault_is_not_held(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(timeout: int) -> Iterator[Stage]:
        yield "a stage", lambda: Section("a section", (), {}, ("something is idle",))

    monkeypatch.setattr(prove_audit, "stages", wrong)
    ended = run("prove", "--audit")
    assert ended.code == 3
    assert "a section: unknown\n  NOT HELD: something is idle" in ended.output


def test_a_refuted_obligation_is_told_with_a_test(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    bug = mutant_named("release does nothing")

    def broken(only: str | None, timeout: int, seed: int) -> Iterator[Result]:
        return results_of(only, timeout, seed, bug.transitions)

    monkeypatch.setattr(prove_solvers, "results_of", broken)
    monkeypatch.setattr(
        prove_command, "refutations", lambda results: refutations(results, bug.transitions)
    )
    ended = run("prove", "--only", "release ends the sequence")
    assert ended.code == 1
    assert "  release ends the sequence: refuted" in ended.output
    assert "  as a test:" in ended.output


def test_a_mutant_of_the_model_is_refuted(run: Run) -> None:
    ended = run("prove", "--mutant", "release_does_nothing")
    assert ended.code == 1
    assert ended.output.startswith("mutant: release does nothing\n\nrelease: not true that ")
    assert "  as a test, which the model as it is passes:" in ended.output


def test_a_section_that_could_not_run_does_not_lose_the_rest(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(timeout: int) -> Iterator[Stage]:
        yield "first stage", fails
        yield "second stage", lambda: Section("second", ("all is well",), {})

    def fails() -> Section:
        raise CouldNotRun("there is no such thing")

    monkeypatch.setattr(prove_audit, "stages", wrong)
    ended = run("prove", "--audit")
    assert ended.code == 3
    assert "first stage: unknown\n  NOT HELD: there is no such thing" in ended.output
    assert "second: held\n  all is well" in ended.output
    assert ended.output.count(": held, ") > 100


def test_what_does_not_go_together_could_not_run(run: Run, tmp_path: Path) -> None:
    (tmp_path / "foreign").write_text("x")
    for given, said in {
        ("--only", "release", "--audit"): "--only selects obligations",
        ("--only", "release", "--mutants"): "--only selects obligations",
        ("--only", ""): "not an empty one",
        ("--solver", "cvc5", "--seeds", "2"): "--seeds repeats the proofs of z3",
        ("--seed", "1", "--seeds", "2"): "leave --seed out",
        ("--trusted", "--mutants"): "--trusted and --mutant are asked alone",
        ("--trusted", "--mutant", "release_does_nothing"): "are asked alone",
        ("--mutant", "release_does_nothing", "--only", "fork"): "are asked alone",
        ("--export", str(tmp_path)): "foreign is not of an earlier export",
    }.items():
        ended = run("prove", *given)
        assert (ended.code, ended.output) == (2, ""), given
        assert said in ended.errors
        assert ended.errors.count("\n") == 1


def test_an_obligation_is_selected_by_the_words_it_is_told_in(run: Run) -> None:
    ended = run("prove", "--only", "release preserves reference counts")
    assert ended.code == 0
    assert "invariants: 1 of 1 proved of the model" in ended.output


def test_ctrl_c_ends_a_run_with_what_there_is() -> None:
    command = [sys.executable, "-m", "poolproof_verification", "prove", "--seeds", "50"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    running = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert running.stderr is not None
    while "seed 0: " not in running.stderr.readline():  # by now the solver is at work
        assert running.poll() is None
    running.send_signal(signal.SIGINT)
    output, errors = running.communicate()
    assert running.returncode == 3, errors
    assert "interrupted: what is missing above is not known" in output
    assert "NOT HELD" not in output


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

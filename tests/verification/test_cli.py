"""Every command ends with the exit code of what it found; what cannot run says why in a line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.verification.conftest import Ended, Run

from poolproof_verification import contracts, suite, targets
from poolproof_verification.benchmark import Row
from poolproof_verification.benchmark_search import Rate
from poolproof_verification.explore import explore
from poolproof_verification.fuzz import fuzz
from poolproof_verification.reports.report import Report
from poolproof_verification.scopes import Scope
from poolproof_verification.targets import ClassTarget
from poolproof_verification.verdict import (
    Canary,
    CouldNotRun,
    Evidence,
    Judgement,
    Outcome,
    Verdict,
)

pytestmark = pytest.mark.usefixtures("import_path")
TINY = Scope(total=2, sequences=2, block_size=1, tokens=2)
DATA = Path(__file__).parent / "workloads" / "data"
TARGETED = ("explore", "fuzz", "verify")
WRITING = (*TARGETED, "mutants")
CODES = {Outcome.HELD: 0, Outcome.REFUTED: 1, Outcome.UNKNOWN: 3}


def judgement(method: str, outcome: Outcome) -> Judgement:
    verdict = Verdict(method, "counts", outcome, Evidence.SCOPE, 12, "cases", "scope", "detail")
    return Judgement(method, (verdict,), 0.5, "much", ("a note",), timings=("fast",))


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exploration of a tiny scope."""

    def explore_tiny(target: ClassTarget, **named: Any) -> Judgement:
        return explore(target, (TINY,), **named)

    monkeypatch.setattr("poolproof_verification.explore.explore", explore_tiny)


# --- usage ----------------------------------------------------------------------------------------


def test_help_lists_the_commands_and_the_exit_codes(run: Run) -> None:
    ended = run("--help")
    assert ended.code == 0
    for command in ("verify", "prove", "explore", "contracts", "fuzz", "bench", "workload"):
        assert f" {command} " in ended.output
    assert "0 held, 1 refuted, 2 could not run, 3 unknown" in " ".join(ended.output.split())


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("nonsense",),
        ("explore", "--nonsense"),
        ("explore", "extra"),
        ("fuzz", "--examples", "many"),
        ("fuzz", "--seed", "-1"),
        ("prove", "--timeout", "0"),
        ("workload",),
        ("workload", "file", "--block-size", "0"),
    ],
    ids=str,
)
def test_wrong_usage_could_not_run_and_is_no_traceback(run: Run, arguments: tuple[str]) -> None:
    ended = run(*arguments)
    assert ended.code == 2
    assert ended.errors.startswith("poolproof: ")
    assert "Traceback" not in ended.errors
    if arguments:  # without any, the help is shown
        assert len(ended.errors.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("explore", "--target", "nobody"), "unknown target 'nobody'"),
        (("verify", "--target", "no_such:Pool"), "no_such does not import"),
        (("fuzz", "--target", "json:JSONDecoder"), "target 'json:JSONDecoder': Class(num_blocks"),
        (("fuzz", "--examples", "5", "--seconds", "1"), "give --examples or --seconds, not both"),
        (("fuzz", "--examples", "0"), "must be positive"),
        (("fuzz", "--seconds", "nan"), "must be positive"),
        (("fuzz", "--seconds", "inf"), "must be positive, and have an end"),
        (("fuzz", "--nonsense"), ". See poolproof fuzz --help."),
        (("nonsense",), "See poolproof --help."),
        *(((command, "--target", ""), "unknown target ''") for command in TARGETED),
        *(((command, "--out", ""), "an empty name is no folder") for command in WRITING),
        (("fuzz", "--regressions", ""), "an empty name is no folder"),
        (("fuzz", "--target", "\x1b[31mred:X"), r"target '\x1b[31mred:X': \x1b[31mred does not"),
        (("fuzz", "--target", "x\ny:Z"), r"target 'x\ny:Z': x\ny does not import"),
        (("fuzz", "--target", "json:\x1b[3m"), r"module json has no \x1b[3m"),
        (("workload", "no-such-file.csv"), "no-such-file.csv"),
        (("workload", str(DATA / "small.csv"), "--format", "x"), "x"),
    ],
)
def test_bad_input_is_one_line(
    run: Run,
    arguments: tuple[str, ...],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)  # `verify` has a folder of its own, which may be there
    ended = run(*arguments)
    assert ended.code == 2
    (line,) = ended.errors.splitlines()
    assert line.startswith("poolproof: ")
    assert words in line


# --- what ends a run from outside -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (KeyboardInterrupt(), 3, "poolproof: interrupted; nothing is known"),
        (MemoryError(), 2, "poolproof: not enough memory for pools of this size"),
        (CouldNotRun("no pool"), 2, "poolproof: no pool"),
        (
            ModuleNotFoundError("No module named 'z3'", name="z3"),
            2,
            "poolproof: z3 is not installed; run: pip install 'poolproof[verify]'",
        ),
    ],
    ids=repr,
)
def test_an_end_from_outside_is_no_verdict(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, words: str
) -> None:
    def end(*arguments: Any, **named: Any) -> None:
        raise error

    monkeypatch.setattr("poolproof_verification.explore.explore", end)
    ended = run("explore")
    assert (ended.code, ended.output, ended.errors) == (code, "", f"{words}\n")


def test_a_fault_of_our_own_is_neither_held_nor_refuted(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("poolproof_verification.explore.explore", lambda target, progress: 1 / 0)
    ended = run("explore")
    assert ended.code == 2
    assert ended.errors.startswith("poolproof: internal error, please report it\n")
    assert "ZeroDivisionError" in ended.errors


# --- the methods ----------------------------------------------------------------------------------


@pytest.mark.parametrize("outcome", Outcome, ids=lambda outcome: outcome.value)
@pytest.mark.parametrize("method", ["explore", "fuzz", "contracts"])
def test_a_method_ends_with_the_code_of_its_outcome(
    run: Run, monkeypatch: pytest.MonkeyPatch, method: str, outcome: Outcome
) -> None:
    def judge(*arguments: Any, **named: Any) -> Judgement:
        return judgement(method, outcome)

    monkeypatch.setattr("poolproof_verification.explore.explore", judge)
    monkeypatch.setattr("poolproof_verification.fuzz.fuzz", judge)
    monkeypatch.setattr(contracts, "check", judge)
    ended = run(method)
    assert ended.code == CODES[outcome]
    words = f"counts: {outcome.value} (search of the code within the scope), 12 cases: detail"
    assert words in ended.output
    assert "a note" in ended.output
    assert f"{method}: {outcome.value}, 0.5 CPU s" in ended.output


def test_the_contracts_of_the_night_are_others(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[dict[str, Any]] = []

    def judge(**named: Any) -> Judgement:
        asked.append(named)
        return judgement("contracts", Outcome.HELD)

    monkeypatch.setattr(contracts, "check", judge)
    assert run("contracts", "--night", "--seed", "3").code == run("contracts").code == 0
    assert asked[0] == {"budget": contracts.SECONDS, "seed": 3, "form": contracts.NIGHT}
    assert "form" not in asked[1]


@pytest.mark.usefixtures("tiny")
def test_exploring_the_shipped_manager_holds(run: Run) -> None:
    ended = run("explore")
    assert ended.code == 0
    assert "partition: held (all states of the code within the scope)" in ended.output
    assert "explore: held" in ended.output
    assert ended.errors.startswith("2 blocks of 1, 2 sequences, up to 2 tokens: ")


@pytest.mark.usefixtures("tiny")
def test_exploring_the_textbook_refutes_it_with_a_test_to_paste(run: Run) -> None:
    ended = run("explore", "--target", "textbook")
    assert ended.code == 1
    assert ended.output.startswith("partition: block 0 is lost: not free, no table holds it")
    assert "    def test_block_0_is_lost() -> None:" in ended.output
    assert "explore: refuted" in ended.output


def test_a_seed_makes_fuzzing_repeat_itself(run: Run) -> None:
    first, again = (
        run("fuzz", "--target", "textbook", "--examples", "5", "--seed", "4") for _ in "12"
    )
    assert first.code == again.code == 1
    assert "seed 4: " in first.output

    def stable(ended: Ended) -> list[str]:
        return [line for line in ended.output.splitlines() if "CPU s" not in line]

    assert stable(first) == stable(again)


def test_fuzzing_the_shipped_manager_holds(run: Run) -> None:
    ended = run("fuzz", "--examples", "5")
    assert ended.code == 0
    assert "contents: held (cases searched)" in ended.output


# --- verify ---------------------------------------------------------------------------------------


def verified(target: str, seed: int, escaped: bool = False) -> Report:
    found = targets.find_target(target)
    judgements = (explore(found, (TINY,)), fuzz(found, seed, examples=10))
    canaries = (Canary("fuzz", "a bug", not escaped, "a line"),)
    return Report(target, seed, judgements, canaries, 1.0)


@pytest.mark.parametrize(
    ("target", "escaped", "code"),
    [("poolproof", False, 0), ("textbook", False, 1), ("poolproof", True, 3)],
)
def test_verify_prints_the_ledger_and_writes_the_report(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, target: str, escaped: bool, code: int
) -> None:
    def verify(target: str, seed: int, progress: Any) -> Report:
        return verified(target, seed, escaped)

    monkeypatch.setattr(suite, "verify", verify)
    ended = run("verify", "--target", target, "--seed", "3", "--out", str(tmp_path / "out"))
    assert ended.code == code
    assert f"trust ledger: {target}" in ended.output
    outcome = next(outcome for outcome, exit_code in CODES.items() if exit_code == code)
    assert ended.output.rstrip().endswith(f"{target}: {outcome.value}")
    data = json.loads((tmp_path / "out" / "report.json").read_text())
    assert (data["target"], data["seed"], data["outcome"]) == (target, 3, outcome.value)


def test_a_report_that_cannot_be_written_could_not_run(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(suite, "verify", lambda target, seed, progress: verified(target, seed))
    (tmp_path / "out").write_text("in the way")
    ended = run("verify", "--out", str(tmp_path / "out"))
    assert ended.code == 2
    assert ended.errors.splitlines()[-1].startswith("poolproof: cannot write ")


# --- bench ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("bar", "code", "word"), [(2.0, 0, "held"), (9.0, 1, "MISSED")])
def test_a_missed_bar_is_refuted(
    run: Run, monkeypatch: pytest.MonkeyPatch, bar: float, code: int, word: str
) -> None:
    rows = (Row("many forks", "block", manager=10.0, baseline=50.0, bar=bar),)
    monkeypatch.setattr("poolproof_verification.benchmark.run", lambda progress: rows)
    monkeypatch.setattr("poolproof_verification.benchmark_search.rates", lambda progress: ())
    ended = run("bench")
    assert ended.code == code
    assert all(words in ended.output for words in ("many forks", "5.00", word))


@pytest.mark.parametrize(("bar", "code", "word"), [(2000, 0, "held"), (9000, 1, "MISSED")])
def test_a_searcher_that_misses_its_bar_is_refuted_and_one_without_is_told(
    run: Run, monkeypatch: pytest.MonkeyPatch, bar: int, code: int, word: str
) -> None:
    found = Rate("driver", 123, 45, 5678.4, bar), Rate("machine", 6, 7, 89.0)
    monkeypatch.setattr("poolproof_verification.benchmark.run", lambda progress: ())
    monkeypatch.setattr("poolproof_verification.benchmark_search.rates", lambda progress: found)
    ended = run("bench")
    assert ended.code == code
    assert all(each in ended.output for each in ("driver", "123", "5,678", word, "machine", "89"))

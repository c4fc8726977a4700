"""A search says how much it searched, repeats itself from its seed, and refuses misuse."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections.abc import Hashable

import pytest
from tests.verification.faulty_managers import Strict

from poolproof import BlockManager
from poolproof_verification import fuzz as fuzz_module
from poolproof_verification.fuzz import ROUND, counterexamples, explored, fuzz, rounds, search
from poolproof_verification.laws import OF_CODE
from poolproof_verification.scopes import SMALL_SCOPES
from poolproof_verification.targets import ClassTarget
from poolproof_verification.textbook import Textbook
from poolproof_verification.verdict import CouldNotRun, Evidence, Outcome, overall

EXAMPLE = "poolproof_verification.adapters.example:Example"
POOLPROOF, TEXTBOOK = ClassTarget("poolproof", BlockManager), ClassTarget("textbook", Textbook)


@pytest.mark.parametrize(
    ("examples", "runs"),
    [(1, [1]), (ROUND, [ROUND]), (250, [100, 100, 50]), (None, [100] * 5)],
    ids=str,
)
def test_examples_are_spent_in_rounds_of_different_seeds(
    examples: int | None, runs: list[int]
) -> None:
    found = list(rounds(7, examples, None))
    assert [each for _, each in found] == runs
    assert found[0][0] == 7
    assert len({seed for seed, _ in found}) == len(found)


def test_two_seeds_have_no_round_in_common() -> None:
    first, second = (set(rounds(seed, 10_000, None)) for seed in (0, 1))
    assert not {seed for seed, _ in first} & {seed for seed, _ in second}


def test_seconds_are_of_the_processor_and_end_the_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([100.0, 100.0, 101.0, 102.4, 102.5, 103.0])
    monkeypatch.setattr("time.process_time", lambda: next(clock))
    assert [runs for _, runs in rounds(0, None, 2.5)] == [ROUND] * 3


@pytest.mark.parametrize(
    ("examples", "seconds", "words"),
    [
        (5, 1.0, "give --examples or --seconds, not both"),
        (0, None, "--examples and --seconds must be positive, and have an end"),
        (-1, None, "--examples and --seconds must be positive, and have an end"),
        (None, 0.0, "--examples and --seconds must be positive, and have an end"),
        (None, -2.0, "--examples and --seconds must be positive, and have an end"),
        (None, math.inf, "--examples and --seconds must be positive, and have an end"),
        (None, math.nan, "--examples and --seconds must be positive, and have an end"),
    ],
)
def test_misuse_could_not_run(examples: int | None, seconds: float | None, words: str) -> None:
    with pytest.raises(CouldNotRun) as caught:
        fuzz(TEXTBOOK, 0, examples, seconds)
    assert str(caught.value) == words


def test_a_right_manager_holds_every_law_in_so_many_cases() -> None:
    judgement = fuzz(POOLPROOF, 0, examples=20)
    assert overall(judgement.verdicts) is Outcome.HELD
    assert [verdict.law for verdict in judgement.verdicts] == list(OF_CODE)
    assert {verdict.evidence for verdict in judgement.verdicts} == {Evidence.CASES}
    counts = {verdict.law: verdict.count for verdict in judgement.verdicts}
    assert counts["results"] + counts["refusals"] == counts["partition"]
    assert 0 < counts["release"] < counts["results"]
    assert 0 < counts["questions"] == counts["self-check"]
    assert "every operation was accepted at times" in judgement.notes
    assert any(note.startswith("seed 0: ") for note in judgement.notes)


HASH_SEED_RUN = """
import json
from poolproof_verification.fuzz import fuzz
from poolproof_verification.scopes import SMALL_SCOPES
from poolproof_verification.targets import find_target
found = fuzz(find_target("textbook"), 7, examples=12)
print(json.dumps([each.as_json() for each in found.counterexamples]))
print(found.notes, [(each.law, each.count, each.detail) for each in found.verdicts])
"""


def test_two_processes_give_the_same_counterexamples_and_notes_byte_for_byte() -> None:
    outputs = {
        subprocess.run(
            [sys.executable, "-c", HASH_SEED_RUN],
            env={**os.environ, "PYTHONHASHSEED": seed, "CI": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
    assert b"allocate" in outputs.pop()


def test_what_differs_from_run_to_run_is_among_the_timings_alone() -> None:
    judgement = fuzz(POOLPROOF, 0, examples=2)
    assert any("a CPU second" in line for line in judgement.timings)
    assert not any("second" in line for line in judgement.notes)


class CopiesInSilence(Textbook):
    """Guarded, and right in every table and count; but nobody is told to copy."""

    def allocate(self, name: Hashable, n_tokens: int) -> list[int]:
        if n_tokens < 0 or name in self.seqs:
            raise ValueError("refused")
        return super().allocate(name, n_tokens)

    def fork(self, parent: Hashable, child: Hashable) -> list[int]:
        if parent in self.seqs and child in self.seqs:
            raise ValueError("refused")
        return super().fork(parent, child)

    def append(self, name: Hashable) -> bool:
        super().append(name)
        return False


def test_contents_are_judged_here() -> None:
    found = counterexamples(search(ClassTarget("silent", CopiesInSilence), 0, examples=100))
    silent = next(each for each in found if each.law == "contents")
    assert "no longer reads its token 0" in silent.headline
    *setting, last = [step.operation for step in silent.steps]
    assert setting == ["allocate('A', 1)", "fork('A', 'B')"]
    assert last in ("append('A')", "append('B')")
    assert silent.found_by == "fuzz"


def test_enough_faults_end_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz_module, "ROUND", 10)
    assert search(TEXTBOOK, 0, examples=1000, enough=1).runs < 30


class Never(Textbook):
    def __init__(self, num_blocks: int, block_size: int) -> None:
        if (num_blocks, block_size) != (2, 1):
            raise ValueError("only this size")
        super().__init__(num_blocks, block_size)


def test_a_target_of_which_no_pool_is_made_is_not_said_to_hold(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Never, "__init__", never)
    never_made = ClassTarget("never", Never)
    never_made.__dict__["interface"] = TEXTBOOK.interface
    assert overall(fuzz(never_made, 0, examples=3).verdicts) is Outcome.UNKNOWN


def never(self: Never, num_blocks: int, block_size: int) -> None:
    raise ValueError("no pool at all")


def test_small_pools_are_explored_first_and_their_faults_are_told_too() -> None:
    judgement = fuzz(POOLPROOF, 0, examples=1)
    assert [note.partition(":")[0] for note in judgement.notes[:5]] == list(map(str, SMALL_SCOPES))
    assert len(explored(TEXTBOOK)) == 1
    found = fuzz(TEXTBOOK, 0, examples=1).counterexamples
    lines = [each.operations() for each in found]
    assert "allocate('A', 1); allocate('A', 0)" in lines


def test_exploring_ends_where_its_part_of_the_seconds_is_spent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = iter(range(100))
    monkeypatch.setattr("time.process_time", lambda: next(clock))
    assert [each.scope for each in explored(POOLPROOF, seconds=8.0)] == list(SMALL_SCOPES[:2])


def test_a_scope_that_the_target_does_not_make_is_left_out() -> None:
    class Single(Strict):
        def __init__(self, num_blocks: int, block_size: int) -> None:
            if block_size != 1:
                raise ValueError("blocks of 1 only")
            super().__init__(num_blocks, block_size)

    told: list[str] = []
    found = explored(ClassTarget("single", Single), progress=told.append)
    made = [scope for scope in SMALL_SCOPES if scope.block_size == 1]
    assert [each.scope for each in found] == made
    left_out = [scope for scope in SMALL_SCOPES if f"{scope}: left out: " in "".join(told)]
    assert left_out == [scope for scope in SMALL_SCOPES if scope not in made]

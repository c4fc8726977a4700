"""A search says how much it searched, repeats itself from its seed, and refuses misuse."""

from __future__ import annotations

import json
import math
from collections.abc import Hashable
from itertools import islice

import pytest

from poolproof import BlockManager
from poolproof_verification import fuzz as fuzz_module
from poolproof_verification.fuzz import ROUND, counterexamples, fuzz, rounds, search
from poolproof_verification.laws import OF_CODE
from poolproof_verification.targets import ClassTarget
from poolproof_verification.textbook import Textbook
from poolproof_verification.verdict import CouldNotRun, Evidence, Outcome, overall

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
        (0, None, "--examples and --seconds must be positive"),
        (-1, None, "--examples and --seconds must be positive"),
        (None, 0.0, "--examples and --seconds must be positive"),
        (None, -2.0, "--examples and --seconds must be positive"),
        (None, math.nan, "--examples and --seconds must be positive"),
    ],
)
def test_misuse_could_not_run(examples: int | None, seconds: float | None, words: str) -> None:
    with pytest.raises(CouldNotRun) as caught:
        fuzz(TEXTBOOK, 0, examples, seconds)
    assert str(caught.value) == words


def test_seconds_without_end_go_on() -> None:
    assert len(list(islice(rounds(0, None, math.inf), 50))) == 50


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


def test_the_same_seed_gives_the_same_counterexamples_byte_for_byte() -> None:
    first, again = (fuzz(TEXTBOOK, 11, examples=15) for _ in range(2))
    for one, other in zip(first.counterexamples, again.counterexamples, strict=True):
        assert json.dumps(one.as_json()) == json.dumps(other.as_json())
    assert first.counterexamples
    assert first.notes == again.notes
    assert first.verdicts == again.verdicts


def test_what_differs_from_run_to_run_is_among_the_timings_alone() -> None:
    judgement = fuzz(POOLPROOF, 0, examples=2)
    assert any("a CPU second" in line for line in judgement.timings)
    assert not any("second" in line for line in judgement.notes)


def test_what_was_never_accepted_is_told() -> None:
    notes = fuzz(TEXTBOOK, 0, examples=10).notes
    assert any(note.startswith("never accepted: ") and "grow" in note for note in notes)


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
    monkeypatch.setattr(fuzz_module, "ENOUGH_FAULTS", 1)
    monkeypatch.setattr(fuzz_module, "ROUND", 10)
    told: list[str] = []
    record = search(TEXTBOOK, 0, examples=1000, progress=told.append)
    assert len(told) == 1
    assert record.runs < 30


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

"""Bad adapters are the normal case: each is told as what it is, and none of them passes."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest

from poolproof_model.system import Refusal
from poolproof_verification.adapters.example import Example, ExampleAdapter, LastInFirstOut
from poolproof_verification.driver import Driver
from poolproof_verification.explore import explore
from poolproof_verification.fuzz import fuzz
from poolproof_verification.injected import check as injected
from poolproof_verification.judging import judge
from poolproof_verification.laws import OF_CODE
from poolproof_verification.limits import limited_to
from poolproof_verification.operations import HIDDEN, Accepted, Operation, Refused, Response, View
from poolproof_verification.record import Record
from poolproof_verification.reports.story_text import story
from poolproof_verification.scopes import Scope
from poolproof_verification.targets import AdapterTarget
from poolproof_verification.verdict import CouldNotRun, Evidence, Judgement, Outcome
from poolproof_verification.visibility import Traits, blind_spots, not_judged

TINY = (Scope(2, 2, 1, 2),)


def target(
    adapter: type[ExampleAdapter] = ExampleAdapter, manager: type[LastInFirstOut] = LastInFirstOut
) -> AdapterTarget:
    class Made(Example):
        def make(self, total: int, block_size: int) -> ExampleAdapter:
            return adapter(manager(total + 1, block_size))

    return AdapterTarget("bad", Made())


def outcomes(judgement: Judgement) -> dict[str, Outcome]:
    return {verdict.law: verdict.outcome for verdict in judgement.verdicts}


def driven(bad: AdapterTarget, runs: int = 30) -> Record:
    driver = Driver(Record(bad), 0)
    for _ in range(runs):
        driver.run()
    return driver.record


class CrashesWhenLarge(LastInFirstOut):
    def __init__(self, num_blocks: int, block_size: int) -> None:
        if num_blocks > 4:
            raise IndexError("boom")
        super().__init__(num_blocks, block_size)


def test_a_constructor_that_crashes_is_a_fault_by_which_it_is_told() -> None:
    judgement = fuzz(target(manager=CrashesWhenLarge), 0, examples=3)
    (found,) = judgement.counterexamples
    assert "IndexError: boom" in found.headline
    assert found.steps[0].call == Operation("__init__")
    (explored,) = explore(target(manager=CrashesWhenLarge), (Scope(4, 1, 1, 1),)).counterexamples
    assert explored.headline == found.headline


class MakesNoLargeOnes(LastInFirstOut):
    def __init__(self, num_blocks: int, block_size: int) -> None:
        if num_blocks > 4:
            raise ValueError("three blocks at most")
        super().__init__(num_blocks, block_size)


def test_sizes_that_are_not_made_are_left_out_and_told() -> None:
    record = driven(target(manager=MakesNoLargeOnes))
    assert not len(record.faults)
    assert record.runs < 30 and min(total for total, _ in record.unmade) == 4
    notes = fuzz(target(manager=MakesNoLargeOnes), 0, examples=3).notes
    (left_out,) = [note for note in notes if note.startswith("left out, as no such pool is made")]
    assert ": 4 of 2, 4 of 3, 5 of 1, " in left_out


class HangsWhenRefused(ExampleAdapter):
    def agrees(self, expected: Refusal, response: Response) -> bool:
        while True:
            pass


def test_an_adapter_that_hangs_over_a_refusal_is_told_with_the_operation() -> None:
    with limited_to(0.05, 2.0):
        judgement = fuzz(target(HangsWhenRefused), 0, examples=2)
    assert judgement.counterexamples
    assert "of which agrees() says: not ended after" in judgement.counterexamples[0].headline


class Slow(ExampleAdapter):
    def call(self, operation: Operation) -> Response:
        time.sleep(0.01)  # so that a run takes longer than the limit, and no call does
        return super().call(operation)


def test_a_right_manager_that_is_slow_is_not_accused() -> None:
    with limited_to(5.0, 0.2):
        record = driven(target(Slow), runs=2)
    assert not len(record.faults)
    assert record.slow


class Agreeable(ExampleAdapter):
    undefined = frozenset[Refusal]()

    def call(self, operation: Operation) -> Response:
        name, *numbers = operation.arguments
        absurd = numbers and (type(numbers[0]) is not int or numbers[0] < 0)
        if absurd or (name in self.lengths) is (operation.name == "allocate"):
            return Accepted(HIDDEN)
        return super().call(operation)

    def agrees(self, expected: Refusal, response: Response) -> bool:
        return True


def test_the_driver_takes_no_acceptance_for_a_refusal_whatever_the_adapter_agrees_to() -> None:
    found = [trace.finding.worst.law for trace in driven(target(Agreeable)).faults.traces()]
    assert "refusals" in found


class LosesOnRelease(LastInFirstOut):
    def drop(self, request: int) -> None:
        self.stack.extend(self.tables.pop(request, [])[1:])


def test_a_release_is_judged_where_only_the_number_of_free_blocks_is_shown() -> None:
    found = outcomes(explore(target(manager=LosesOnRelease), TINY))
    assert found["release"] is Outcome.REFUTED


class TellsNothing(ExampleAdapter):
    def call(self, operation: Operation) -> Response:
        response = super().call(operation)
        return Accepted(HIDDEN) if isinstance(response, Accepted) else response


@pytest.mark.parametrize(
    "search", [lambda bad: explore(bad, TINY), lambda bad: fuzz(bad, 0, examples=2)]
)
def test_results_that_nobody_tells_are_not_judged(
    search: Callable[[AdapterTarget], Judgement],
) -> None:
    judgement = search(target(TellsNothing))
    assert "results" not in outcomes(judgement)
    assert "not judged: results: nothing came up by which to judge it" in judgement.notes


class TellsOneLetter(ExampleAdapter):
    def call(self, operation: Operation) -> Response:
        if len(operation.arguments[0]) > 1:
            return Refused(None, "a name is one letter")
        return super().call(operation)


class KeepsOnRefusal(LastInFirstOut):
    def hold(self, request: int, tokens: int) -> list[int] | None:
        held = super().hold(request, tokens)
        if held is None:
            self.stack.clear()
        return held


def test_a_shortage_is_judged_under_a_name_as_any_other() -> None:
    judgement = injected(target(TellsOneLetter, KeepsOnRefusal), 0, lives=10)
    assert outcomes(judgement)["shortage"] is Outcome.REFUTED


class RefusesToFill(ExampleAdapter):
    def call(self, operation: Operation) -> Response:
        if operation.name == "allocate" and len(self.lengths) > 1:
            return Refused(Refusal.OUT_OF_BLOCKS)
        return super().call(operation)


def test_a_shortage_that_cannot_be_made_is_not_counted() -> None:
    for verdict in injected(target(RefusesToFill), 0, lives=10).verdicts:
        assert verdict.count < injected(target(), 0, lives=10).verdicts[0].count


class Strange(str):
    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("compares with nothing")

    __hash__ = str.__hash__


def shows(change: Callable[[View], Any]) -> type[ExampleAdapter]:
    class Shows(ExampleAdapter):
        def view(self) -> View:
            shown: View = change(super().view())
            return shown

    return Shows


NAN: Any = float("nan")
VIEWS: dict[str, tuple[Callable[[View], Any], str]] = {
    "a generator": (lambda view: (each for each in view), "is no view"),
    "not a number": (lambda view: view._replace(free=NAN), "the free blocks are nan"),
    "an absurd number": (lambda view: view._replace(free=10**6000), "the free blocks are <int"),
    "a name that compares with nothing": (
        lambda view: view._replace(seqs={Strange(k): v for k, v in view.seqs.items()}),
        "is a str of a class of its own",
    ),
    "blocks in a tuple": (
        lambda view: view._replace(
            seqs={k: {"blocks": (*v["blocks"],), "len": v["len"]} for k, v in view.seqs.items()}
        ),
        "not a list of integers",
    ),
}


@pytest.mark.parametrize(("change", "words"), VIEWS.values(), ids=list(VIEWS))
def test_what_is_no_state_is_told_as_that(change: Callable[[View], Any], words: str) -> None:
    judgement = fuzz(target(shows(change)), 0, examples=2)
    assert judgement.counterexamples
    for found in judgement.counterexamples:
        assert found.law == "questions", found.headline
        assert words in found.headline
    assert story(judgement.counterexamples[0])


def test_a_reserved_block_that_is_none_could_not_run() -> None:
    class Reserves(ExampleAdapter):
        reserved = frozenset({0, 10**9})

    with pytest.raises(CouldNotRun, match="its reserved blocks have \\[1000000000\\]"):
        assert target(Reserves).traits


def every_kind_of_traits() -> list[Traits]:
    reasons = [frozenset[Refusal](), frozenset({Refusal.UNKNOWN}), frozenset(Refusal)]
    kinds = ["allocate", "append", "release"]
    operations = [frozenset(each) for size in (1, 2, 3) for each in combinations(kinds, size)]
    asked = [frozenset[str](), frozenset({"used"}), frozenset({"can_append", "violations"})]
    return [
        Traits(operations, questions, any_free, undefined=undefined, shows_counts=counts)
        for operations in operations
        for questions in asked
        for any_free in (True, False)
        for undefined in reasons
        for counts in (True, False)
    ]


def test_every_law_is_judged_or_named_as_not_judged() -> None:
    for traits in every_kind_of_traits():
        counts = dict.fromkeys(OF_CODE, 1) | dict.fromkeys(not_judged(traits), 0)
        judged = {each.law for each in judge("m", Evidence.CASES, "s", "u", counts, [])}
        notes = blind_spots(traits, counts)
        named = {note.split(": ")[1] for note in notes if note.startswith("not judged: ")}
        assert judged | named == set(OF_CODE), traits
        assert not judged & named, traits

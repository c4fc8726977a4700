"""A trace becomes a counterexample whose steps say what was expected, observed and shown."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import pytest

from poolproof import BlockManager
from poolproof_verification.adapters.lesson import LessonAdapter
from poolproof_verification.counterexample import Counterexample
from poolproof_verification.findings import Trace
from poolproof_verification.lockstep import FRESH, Lockstep
from poolproof_verification.operations import Operation, Response
from poolproof_verification.story import tell
from poolproof_verification.targets import AdapterTarget, ClassTarget
from poolproof_verification.textbook import Textbook


def call(name: str, *arguments: Any) -> Operation:
    return Operation(name, arguments)


def told(manager_class: type, *operations: Operation, name: str = "house") -> Counterexample:
    """The counterexample of these operations on a pool of two blocks of two slots."""
    target = ClassTarget(name, manager_class)
    lockstep = Lockstep(target, 2, 2)
    finding = None
    for operation in operations:
        finding = lockstep.do(operation, ("A", "B", "Z")).finding
    if not operations:
        finding = lockstep.ask(("Z",), FRESH).finding
    assert finding is not None
    return tell(target, Trace(2, 2, operations, finding), found_by="hand")


def test_each_step_has_its_expectation_and_both_states() -> None:
    example = told(Textbook, call("allocate", "A", 1), call("allocate", "A", 0))
    first, second = example.steps
    assert first.agrees
    assert (first.expected, first.observed) == ("[0]", "[0]")
    assert (second.expected, second.observed) == ("refused: the name is in use", "[]")
    assert str(second.shown) == "free [1] | A [] 0 tokens | counts {0: 1}"
    assert str(second.model) == "free [1] | A [0] 1 token | counts {0: 1}"
    assert example.headline == "block 0 is lost: not free, no table holds it, counted once"
    assert (example.law, example.found_by, example.total) == ("partition", "hand", 2)


def test_a_refusal_as_it_should_be_is_told_once() -> None:
    operations = (call("append", "Z"), call("allocate", "A", -1))
    example = told(Textbook, *operations)
    assert example.steps[0].expected == "refused: no such sequence: KeyError: 'Z'"
    assert example.steps[0].agrees


def run(example: Counterexample, manager_class: type) -> None:
    source = example.test().replace(example.import_line, "")
    names: dict[str, Any] = {example.class_name: manager_class}
    exec(compile(source, "<test>", "exec"), names)
    next(value for name, value in names.items() if name.startswith("test_"))()


def test_the_test_fails_on_the_target_and_passes_on_a_right_manager() -> None:
    example = told(Textbook, call("allocate", "A", 1), call("allocate", "A", 0))
    assert example.import_line == "from poolproof_verification.textbook import Textbook"
    with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
        run(example, Textbook)
    run(example, BlockManager)


class Liar(Textbook):
    def used(self) -> int:
        return 0

    def check_invariants(self) -> bool:
        return len(self.seqs) < 2


def test_the_question_that_is_answered_wrongly_is_in_the_test() -> None:
    example = told(Liar, call("allocate", "A", 1))
    assert example.headline == "used() answers 0, where 1 is right"
    assert "    assert manager.used() == 1\n" in example.test()
    with pytest.raises(AssertionError):
        run(example, Liar)
    run(example, BlockManager)


class Meddler(Textbook):
    def check_invariants(self) -> bool:
        self.free = self.free[1:]
        return True


def test_the_question_that_changes_the_state_is_named_and_in_the_test() -> None:
    example = told(Meddler)
    assert example.headline == (
        "check_invariants() changed the state: "
        "block 0 is lost: not free, no table holds it, not counted"
    )
    assert example.steps[0].operation == "Meddler(2, 2)"
    with pytest.raises(AssertionError):
        run(example, Meddler)
    run(example, BlockManager)


class Short(Textbook):
    def __init__(self, num_blocks: int, block_size: int) -> None:
        super().__init__(num_blocks, block_size)
        self.free = self.free[1:]


def test_a_manager_that_is_wrong_from_the_start_is_a_story_of_one_step() -> None:
    example = told(Short)
    (step,) = example.steps
    assert step.operation == "Short(2, 2)"
    assert (step.expected, step.observed) == ("an empty pool", "something else")
    assert (str(step.shown), str(step.model)) == (
        "free [1] | no sequence | counts {}",
        "free [0, 1] | no sequence | counts {}",
    )
    with pytest.raises(AssertionError):
        run(example, Short)
    run(example, BlockManager)


class HighestFirst(Textbook):
    def _take(self) -> int:
        if not self.free:
            raise MemoryError("none free")
        self.ref[self.free[-1]] = 1
        return self.free.pop()


def test_a_choice_that_is_not_the_lowest_is_set_against_the_lowest() -> None:
    example = told(HighestFirst, call("allocate", "A", 1))
    assert (example.law, example.steps[0].expected) == ("choices", "[0]")
    with pytest.raises(AssertionError):
        run(example, HighestFirst)
    run(example, BlockManager)


class OwnList(Textbook):
    def allocate(self, name: Hashable, n_tokens: int) -> list[int]:
        super().allocate(name, n_tokens)
        return self.seqs[name]["blocks"]


class OwnPart(OwnList):
    """It reads its tables up to their length, so what is appended does no harm."""

    def __init__(self, num_blocks: int, block_size: int) -> None:
        super().__init__(num_blocks, block_size)
        self.seqs: Any = Rows()


class Rows(dict[Hashable, dict[str, Any]]):
    def items(self) -> Any:
        return {
            name: {**row, "blocks": row["blocks"][: row["len"]]} for name, row in super().items()
        }.items()


@pytest.mark.parametrize("owner", [OwnList, OwnPart])
def test_the_test_writes_into_a_list_that_is_the_managers_own(owner: type) -> None:
    example = told(owner, call("allocate", "A", 1))
    assert "returned a list of the manager's own" in example.headline
    assert "returned[:] = [-99] * (len(returned) + 1)" in example.test()
    with pytest.raises(AssertionError):
        run(example, owner)
    run(example, BlockManager)


def test_the_users_own_name_of_a_class_is_the_one_in_the_test() -> None:
    operations = (call("allocate", "A", 1), call("allocate", "A", 0))
    example = told(Textbook, *operations, name="house.pools:Manager")
    assert example.import_line == "from house.pools import Manager"
    assert "    manager = Manager(2, 2)\n" in example.test()


class TellsItsCalls(LessonAdapter):
    """An adapter that keeps what it called, as those of engines do."""

    def __init__(self) -> None:
        target = ClassTarget("house", Textbook)
        super().__init__(Textbook(2, 2), target.interface)
        self.own_calls: list[str] = []

    def call(self, operation: Operation) -> Response:
        self.own_calls.append(f"pool.{operation}")
        return super().call(operation)


def test_the_calls_are_told_in_the_managers_own_words_too() -> None:
    class House:
        name = "house"

        def make(self, total: int, block_size: int) -> TellsItsCalls:
            return TellsItsCalls()

    target = AdapterTarget("house", House())
    operations = (call("allocate", "A", 1), call("allocate", "A", 0))
    lockstep = Lockstep(target, 2, 2)
    finding = [lockstep.do(operation).finding for operation in operations][-1]
    assert finding is not None
    example = tell(target, Trace(2, 2, operations, finding), found_by="hand")
    assert example.own_calls == ("pool.allocate('A', 1)", "pool.allocate('A', 0)")
    assert told(Textbook, *operations).own_calls == ()

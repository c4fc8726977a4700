"""Every kind of misbehaviour is found, under the right law, in words that say what is wrong."""

from __future__ import annotations

from typing import Any

import pytest
from tests.verification.faults import (
    A1,
    A2,
    A3,
    APPEND,
    APPEND_B,
    B1,
    FAULTS,
    FORK,
    FORK_C,
    LIES,
    RELEASE,
    call,
)
from tests.verification.faulty_managers import (
    CheckInvariantsLies,
    HighestFirst,
    LosesBlockAtTheStart,
    QuestionChangesState,
    RefusesWhatFits,
    SharesState,
    Strict,
    TakesHeldBlock,
    Unshowable,
    ViewIsJunk,
    ViewRaises,
)

from poolproof import BlockManager
from poolproof_model.system import Refusal
from poolproof_verification.adapters.adapter import UnreadableView
from poolproof_verification.adapters.lesson import LessonAdapter
from poolproof_verification.counterexample import Counterexample
from poolproof_verification.exchange import Exchange
from poolproof_verification.explore import counterexamples, explore_scopes
from poolproof_verification.fuzz import search
from poolproof_verification.laws import LAWS
from poolproof_verification.lockstep import FRESH, Lockstep, law_of
from poolproof_verification.operations import Accepted, FullView, Operation, Response
from poolproof_verification.scopes import Scope
from poolproof_verification.targets import ClassTarget

SCOPE = Scope(total=2, sequences=2, block_size=2, tokens=3)
FAULTY = dict.fromkeys([fault[0] for fault in FAULTS] + [lie[0] for lie in LIES])


def target(manager_class: type) -> ClassTarget:
    return ClassTarget(manager_class.__name__, manager_class)


def judged(manager_class: type, operations: list[Operation]) -> list[Exchange]:
    """The operations' exchanges, up to the first finding."""
    lockstep = Lockstep(target(manager_class), 2, 2)
    exchanges: list[Exchange] = []
    for operation in operations:
        exchanges.append(lockstep.do(operation, ("A", "B", "Z")))
        if exchanges[-1].finding:
            break
    return exchanges


@pytest.mark.parametrize(
    ("manager_class", "operations", "law", "words", "others"),
    FAULTS,
    ids=[fault[0].__name__ for fault in FAULTS],
)
def test_a_fault_lands_under_its_law_in_plain_words(
    manager_class: type, operations: list[Operation], law: str, words: str, others: set[str]
) -> None:
    found = judged(manager_class, operations)[-1].finding
    assert found is not None
    assert found.worst.law == law
    assert words in found.worst.words
    assert {breach.law for breach in found.breaches} - {law} == others


@pytest.mark.parametrize(
    ("manager_class", "operations", "law", "words", "question"),
    LIES,
    ids=[lie[0].__name__ for lie in LIES],
)
def test_a_lie_lands_under_its_law_with_the_question(
    manager_class: type, operations: list[Operation], law: str, words: str, question: str
) -> None:
    lockstep = Lockstep(target(manager_class), 2, 2)
    told = [finding for each in operations if (finding := lockstep.do(each).finding)]
    asked = lockstep.ask(("A", "Z"), operations[-1] if operations else FRESH).finding
    found = told[0] if told else asked
    assert found is not None
    assert (found.worst.law, found.worst.question) == (law, question)
    assert any(words in breach.words for breach in found.breaches)


def test_a_right_manager_breaks_nothing() -> None:
    everything = [A1, FORK, APPEND, APPEND_B, FORK_C, RELEASE, call("append", "Z")]
    assert not any(exchange.finding for exchange in judged(Strict, everything))
    assert not any(exchange.finding for exchange in judged(BlockManager, everything))


@pytest.mark.parametrize("manager_class", FAULTY, ids=lambda each: each.__name__)
def test_exploration_finds_the_fault_and_its_test_fails_on_that_manager_alone(
    manager_class: type,
) -> None:
    faulty = target(manager_class)
    found = counterexamples(faulty, explore_scopes(faulty, (SCOPE,)))
    assert found
    for each in found:
        with pytest.raises((AssertionError, Exception, SystemExit, pytest.fail.Exception)):
            run_test(each, manager_class)
        run_test(each, Strict)


def run_test(counterexample: Counterexample, manager_class: type) -> None:
    """Execute the counterexample's test with this class in the place of the imported one."""
    source = counterexample.test().replace(counterexample.import_line, "")
    names: dict[str, Any] = {counterexample.class_name: manager_class}
    exec(compile(source, "<test>", "exec"), names)
    next(value for name, value in names.items() if name.startswith("test_"))()


@pytest.mark.parametrize("manager_class", FAULTY, ids=lambda each: each.__name__)
def test_random_operations_end_in_findings_whatever_the_manager_does(manager_class: type) -> None:
    record = search(target(manager_class), seed=1, examples=8)
    assert record.total() or record.faults.traces()


@pytest.mark.parametrize(
    "junk",
    [None, "text", [None], [[0]], [0.0], [True], ["0"], {}, 7, [-1], [99], Unshowable()],
    ids=lambda junk: type(junk).__name__,
)
def test_a_view_of_junk_is_a_breach_and_no_error_of_ours(junk: object) -> None:
    faulty = type("Junk", (ViewIsJunk,), {"junk": junk})
    found = judged(faulty, [A1, APPEND])[-1].finding
    assert found is not None


def test_a_state_that_cannot_be_shown_is_told_from_a_changed_state() -> None:
    lockstep = Lockstep(target(ViewRaises), 2, 2)
    lockstep.do(A1)
    found = lockstep.do(call("append", "Z")).finding
    assert found is not None
    assert [breach.law for breach in found.breaches] == ["questions"]


def test_an_adapter_that_answers_junk_is_told_and_no_error_of_ours() -> None:
    class Junk(LessonAdapter):
        def call(self, operation: Operation) -> Any:
            return None

        def view(self) -> Any:
            return None

    class Made(ClassTarget):
        def make(self, total: int, block_size: int) -> LessonAdapter:
            return Junk(Strict(total, block_size), self.interface)

    lockstep = Lockstep(Made("junk", Strict), 2, 2)
    for operation in (A1, call("append", "Z")):
        found = lockstep.do(operation).finding
        assert found is not None
        assert found.breaches[-1].words == "the manager does not show its state: None is no view"


class AnyBlock(LessonAdapter):
    any_free_block = True


class Anywhere(ClassTarget):
    def make(self, total: int, block_size: int) -> LessonAdapter:
        return AnyBlock(self.manager(total, block_size), self.interface)


def test_any_free_block_is_lawful_where_the_lowest_is_not_promised() -> None:
    lockstep = Lockstep(Anywhere("highest first", HighestFirst), 4, 2)
    operations = [A3, FORK, APPEND, RELEASE, call("release", "B"), B1]
    assert not any(lockstep.do(operation, ("A", "B")).finding for operation in operations)
    assert lockstep.pool.tables["B"].blocks == (3,)


def test_a_held_block_is_unlawful_even_where_any_free_block_may_be_taken() -> None:
    lockstep = Lockstep(Anywhere("held", TakesHeldBlock), 4, 2)
    findings = [lockstep.do(each).finding for each in (A2, call("allocate", "B", 0), APPEND_B)]
    assert findings[-1] is not None
    words = [breach.words for breach in findings[-1].breaches if breach.law == "choices"]
    assert words == ["append('B') took [0], where [1, 2, 3] were free"]


def test_the_question_that_changes_the_state_is_named_when_asked_one_by_one() -> None:
    lockstep = Lockstep(target(QuestionChangesState), 2, 2)
    lockstep.do(A1)
    found = lockstep.ask(("A",), A1, one_by_one=True).finding
    assert found is not None
    assert found.worst.words.startswith("used() changed the state: block 1 is lost")
    assert found.worst.asserted == "manager.used()"


def test_a_manager_that_is_wrong_from_the_start_is_not_said_to_be_changed_by_questions() -> None:
    found = Lockstep(target(LosesBlockAtTheStart), 2, 2).ask(("A",), FRESH).finding
    assert found is not None
    assert found.kind == ("__init__", "", "partition")
    assert not any("asking" in breach.words for breach in found.breaches)


def test_instances_that_share_their_state_are_refuted() -> None:
    SharesState.everywhere.clear()
    found = counterexamples(target(SharesState), explore_scopes(target(SharesState), (SCOPE,)))
    SharesState.everywhere.clear()
    assert found


def test_a_refused_fit_blames_neither_the_tables_nor_the_counts() -> None:
    found = judged(RefusesWhatFits, [A3])[-1].finding
    assert found is not None
    assert [breach.law for breach in found.breaches] == ["refusals"]


def test_findings_of_one_question_are_one_fault_whatever_was_done_before() -> None:
    kinds = set()
    for operations in ([A1], [A1, APPEND], [A1, FORK]):
        found = judged(CheckInvariantsLies, operations)[-1].finding
        assert found is not None
        kinds.add(found.kind)
    assert kinds == {("check_invariants", "", "self-check")}


def test_a_refusal_for_a_reason_that_shares_its_error_is_accepted() -> None:
    exchange = judged(Strict, [call("allocate", "A", -1)])[-1]
    assert exchange.finding is None
    assert exchange.expected is Refusal.NEGATIVE
    assert str(exchange.response) == "refused: ValueError: refused"


def test_an_unreadable_view_is_shown_as_its_reason() -> None:
    class Silent(LessonAdapter):
        def view(self) -> FullView:
            raise UnreadableView("nothing to see")

        def ask(self, question: str, *arguments: Any) -> Response:
            return Accepted(None)

    class Made(ClassTarget):
        def make(self, total: int, block_size: int) -> LessonAdapter:
            return Silent(Strict(total, block_size), self.interface)

    exchange = Lockstep(Made("silent", Strict), 1, 1).ask((), FRESH)
    assert exchange.shown == "nothing to see"
    assert exchange.finding is not None


def test_every_law_has_its_name_and_every_invariant_its_law() -> None:
    invariants = ("partition", "counts", "lengths", "contents", "holders", "tables")
    assert {law_of(name) for name in invariants} <= set(LAWS)

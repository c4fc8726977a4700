"""Every kind of misbehaviour is found, under the right law, in words that say what is wrong."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import pytest

from poolproof import BlockManager
from poolproof_model.system import Refusal
from poolproof_verification.adapters.adapter import UnreadableView
from poolproof_verification.adapters.lesson import LessonAdapter
from poolproof_verification.counterexample import Counterexample
from poolproof_verification.explore import counterexamples, explore_scopes
from poolproof_verification.fuzz import search
from poolproof_verification.laws import LAWS
from poolproof_verification.lockstep import FRESH, Exchange, Lockstep, law_of
from poolproof_verification.operations import Accepted, Operation, Response, View
from poolproof_verification.scopes import Scope
from poolproof_verification.targets import ClassTarget
from poolproof_verification.textbook import Textbook

SCOPE = Scope(total=2, sequences=2, block_size=2, tokens=3)


class Strict(Textbook):
    """The lesson's manager with guards: right in everything. The faulty ones derive from it."""

    def allocate(self, name: Hashable, n_tokens: int) -> list[int]:
        if n_tokens < 0 or name in self.seqs:
            raise ValueError("refused")
        return super().allocate(name, n_tokens)

    def fork(self, parent: Hashable, child: Hashable) -> list[int]:
        if parent in self.seqs and child in self.seqs:
            raise ValueError("refused")
        return super().fork(parent, child)

    def can_append(self, name: Hashable) -> bool:
        if name not in self.seqs:
            return False
        sequence = self.seqs[name]
        fits = sequence["len"] % self.block_size != 0 and self.ref[sequence["blocks"][-1]] == 1
        return fits or bool(self.free)

    def violations(self) -> list[str]:
        return []


class LeaksOnRefusal(Strict):
    def allocate(self, name: Hashable, n_tokens: int) -> list[int]:
        try:
            return super().allocate(name, n_tokens)
        except MemoryError:
            if self.free:
                self.free.pop()
            raise


class FreesSharedBlock(Strict):
    def release(self, name: Hashable) -> list[int]:
        blocks = self.seqs.pop(name)["blocks"]
        for block in blocks:
            self.ref.pop(block, None)
        self.free = sorted({*self.free, *blocks})
        return sorted(blocks)


class NeverFrees(Strict):
    def release(self, name: Hashable) -> list[int]:
        for block in self.seqs.pop(name)["blocks"]:
            self.ref[block] -= 1
            if self.ref[block] == 0:
                del self.ref[block]
        return []


class CountsForkOnce(Strict):
    def fork(self, parent: Hashable, child: Hashable) -> list[int]:
        blocks = super().fork(parent, child)
        for block in blocks[-1:]:
            self.ref[block] -= 1
        return blocks


class CopiesInSilence(Strict):
    def append(self, name: Hashable) -> bool:
        super().append(name)
        return False


class ReportsCopyWithoutCopying(Strict):
    def append(self, name: Hashable) -> bool:
        sequence = self.seqs[name]
        if sequence["len"] % self.block_size and self.ref[sequence["blocks"][-1]] > 1:
            sequence["len"] += 1
            return True
        return super().append(name)


class WritesIntoSharedBlock(Strict):
    def append(self, name: Hashable) -> bool:
        ReportsCopyWithoutCopying.append(self, name)  # type: ignore[arg-type]  # the same state
        return False


class ReturnsItsOwnList(Strict):
    def allocate(self, name: Hashable, n_tokens: int) -> list[int]:
        super().allocate(name, n_tokens)
        return self.seqs[name]["blocks"]


class WrongResult(Strict):
    def release(self, name: Hashable) -> list[int]:
        return [*super().release(name), 7]


class TrueForOne(Strict):
    def release(self, name: Hashable) -> Any:
        return [bool(block) if block < 2 else block for block in super().release(name)]


class WrongRefusal(Strict):
    def append(self, name: Hashable) -> bool:
        if name not in self.seqs:
            raise MemoryError("no such sequence")
        return super().append(name)


class RefusesWhatFits(Strict):
    def allocate(self, name: Hashable, n_tokens: int) -> list[int]:
        if name not in self.seqs and n_tokens > self.block_size:
            raise MemoryError("too long")
        return super().allocate(name, n_tokens)


class RefusesAndTakes(Strict):
    def allocate(self, name: Hashable, n_tokens: int) -> list[int]:
        blocks = super().allocate(name, n_tokens)
        if n_tokens > self.block_size:
            raise MemoryError("too long")
        return blocks


class ChangesStateOnRefusal(Strict):
    def append(self, name: Hashable) -> bool:
        sequence = self.seqs[name]
        sequence["len"] += 1
        try:
            sequence["len"] -= 1
            return super().append(name)
        except MemoryError:
            sequence["len"] += 1
            raise


class HighestFirst(Strict):
    def _take(self) -> int:
        if not self.free:
            raise MemoryError("none free")
        block = self.free.pop()
        self.ref[block] = 1
        return block


class TakesHeldBlock(Strict):
    def append(self, name: Hashable) -> bool:
        held = [b for n, s in self.seqs.items() if n != name for b in s["blocks"]]
        sequence = self.seqs[name]
        if self.free and held and sequence["len"] % self.block_size == 0:
            sequence["blocks"].append(held[0])
            self.ref[held[0]] += 1
            sequence["len"] += 1
            return False
        return super().append(name)


class TooFewBlocks(Strict):
    def allocate(self, name: Hashable, n_tokens: int) -> list[int]:
        super().allocate(name, n_tokens)
        if n_tokens % self.block_size:
            block = self.seqs[name]["blocks"].pop()
            del self.ref[block]
            self.free = sorted([*self.free, block])
        return self.seqs[name]["blocks"].copy()


class TouchesAnotherTable(Strict):
    def release(self, name: Hashable) -> list[int]:
        freed = super().release(name)
        for sequence in self.seqs.values():
            sequence["blocks"].reverse()
        return freed


class ForgetsToken(Strict):
    def append(self, name: Hashable) -> bool:
        copied = super().append(name)
        if self.seqs[name]["len"] % self.block_size == 0:
            self.seqs[name]["len"] -= 1
        return copied


class CanAppendLies(Strict):
    def can_append(self, name: Hashable) -> bool:
        return True


class QuestionChangesState(Strict):
    def used(self) -> int:
        used = super().used()
        if self.seqs:
            self.free = self.free[:-1]
        return used


class CheckInvariantsLies(Strict):
    def check_invariants(self) -> bool:
        return not self.seqs


class InventsViolations(Strict):
    def violations(self) -> list[str]:
        return ["something"] if self.seqs else []


class CheckInvariantsRaises(Strict):
    def check_invariants(self) -> bool:
        raise RuntimeError("not today")


class Breaks(Strict):
    def fork(self, parent: Hashable, child: Hashable) -> list[int]:
        if self.seqs[parent]["len"]:
            raise RuntimeError("half way")
        return super().fork(parent, child)


class Exits(Strict):
    def release(self, name: Hashable) -> list[int]:
        raise SystemExit(0)


class Unshowable:
    """A result that can neither be shown, compared nor walked through."""

    def __repr__(self) -> str:
        raise RuntimeError("no text")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no comparison")

    __hash__ = None  # type: ignore[assignment]  # that is the point

    def __iter__(self) -> Any:
        raise RuntimeError("no walk")

    def __bool__(self) -> bool:
        raise RuntimeError("no truth")


class ReturnsUnshowable(Strict):
    def allocate(self, name: Hashable, n_tokens: int) -> Any:
        super().allocate(name, n_tokens)
        return Unshowable()


class ReturnsUnshowableItems(Strict):
    def allocate(self, name: Hashable, n_tokens: int) -> Any:
        return [Unshowable() for _ in super().allocate(name, n_tokens)]


class UnshowableError(Strict):
    def append(self, name: Hashable) -> bool:
        class Wordless(Exception):
            def __str__(self) -> str:
                raise RuntimeError("no words")

        raise Wordless


class LosesBlockAtTheStart(Strict):
    def __init__(self, num_blocks: int, block_size: int) -> None:
        super().__init__(num_blocks, block_size)
        self.free = self.free[1:]


class SharesState(Strict):
    """All instances have one and the same state."""

    everywhere: dict[Hashable, Any] = {}

    def __init__(self, num_blocks: int, block_size: int) -> None:
        super().__init__(num_blocks, block_size)
        self.seqs = self.everywhere


class ViewRaises(Strict):
    @property
    def free(self) -> Any:
        if self.shown:
            raise RuntimeError("no view")
        return self.blocks

    @free.setter
    def free(self, blocks: list[int]) -> None:
        self.blocks = blocks

    @property
    def shown(self) -> bool:
        return "append" not in self.__dict__ and bool(getattr(self, "seqs", None))


class ViewIsJunk(Strict):
    junk: Any = None

    def append(self, name: Hashable) -> bool:
        copied = super().append(name)
        self.seqs[name]["blocks"] = self.junk
        return copied


def call(name: str, *arguments: Any) -> Operation:
    return Operation(name, arguments)


A1, A2, A3, B1 = (call("allocate", n, k) for n, k in (("A", 1), ("A", 2), ("A", 3), ("B", 1)))
FORK, FORK_C = call("fork", "A", "B"), call("fork", "B", "C")
APPEND, APPEND_B, RELEASE = call("append", "A"), call("append", "B"), call("release", "A")

# class, operations, the law that is broken first and foremost, words of the headline, other laws
FAULTS: list[tuple[type, list[Operation], str, str, set[str]]] = [
    (LeaksOnRefusal, [call("allocate", "A", 9)], "partition", "block 1 is lost", {"refusals"}),
    (
        FreesSharedBlock,
        [A1, FORK, RELEASE],
        "partition",
        "block 0 is free while 'B' still holds it",
        {"release", "results"},
    ),
    (NeverFrees, [A1, RELEASE], "partition", "block 0 is lost", {"release", "results"}),
    (CountsForkOnce, [A1, FORK], "counts", "block 0 is counted once, yet 'A' and 'B' still", set()),
    (
        CopiesInSilence,
        [A1, FORK, APPEND_B],
        "contents",
        "'B' no longer reads its token 0: slot 0 of block 1 was overwritten or never copied",
        {"results"},
    ),
    (
        ReportsCopyWithoutCopying,
        [A1, FORK, APPEND_B],
        "tables",
        "'B' has the table [0] where the model has [1]",
        set(),
    ),
    (
        WritesIntoSharedBlock,
        [A1, FORK, APPEND_B, APPEND],
        "results",
        "append('B') returned False, where True is right",
        {"tables"},
    ),
    (
        ReturnsItsOwnList,
        [A1],
        "tables",
        "allocate('A', 1) returned a list of the manager's own",
        set(),
    ),
    (WrongResult, [A1, RELEASE], "results", "returned [0, 7], where [0] is right", set()),
    (TrueForOne, [A1, RELEASE], "results", "returned [False], where [0] is right", set()),
    (
        WrongRefusal,
        [call("append", "Z")],
        "refusals",
        "append('Z') must be refused (no such sequence), yet it answers: refused: "
        "too few free blocks: MemoryError: no such sequence",
        set(),
    ),
    (
        RefusesWhatFits,
        [A3],
        "refusals",
        "allocate('A', 3) must be accepted, yet it refused: too few free blocks: MemoryError",
        set(),
    ),
    (
        RefusesAndTakes,
        [A3],
        "refusals",
        "allocate('A', 3) must be accepted, yet it refused",
        {"tables"},
    ),
    (
        ChangesStateOnRefusal,
        [call("allocate", "A", 4), APPEND],
        "refusals",
        "append('A') was refused, yet changed the state",
        {"lengths"},
    ),
    (HighestFirst, [A1], "choices", "took [1], not the lowest of [0, 1]", set()),
    (
        TakesHeldBlock,
        [A2, call("allocate", "B", 0), APPEND_B],
        "contents",
        "'A' no longer reads its token 0",
        {"choices", "tables"},
    ),
    (TooFewBlocks, [A1], "results", "returned [], where [0] is right", {"lengths", "tables"}),
    (
        TouchesAnotherTable,
        [A3, call("allocate", "B", 0), call("release", "B")],
        "tables",
        "'A' has the table [1, 0] where the model has [0, 1]",
        set(),
    ),
    (ForgetsToken, [A1, APPEND], "lengths", "'A' has 1 token where the model has 2", set()),
    (Breaks, [A1, FORK], "refusals", "must be accepted, yet it failed: RuntimeError: half", set()),
    (Exits, [A1, RELEASE], "refusals", "must be accepted, yet it failed: SystemExit: 0", set()),
    (
        ReturnsUnshowable,
        [A1],
        "results",
        "allocate('A', 1) returned <Unshowable that cannot be shown>, where [0] is right",
        set(),
    ),
    (ReturnsUnshowableItems, [A1], "results", "where [0] is right", set()),
    (UnshowableError, [A1, APPEND], "refusals", "yet it failed: Wordless", set()),
    (ViewRaises, [A1], "questions", "does not show its state: RuntimeError: no view", set()),
]

# class, what is done before it is asked, the law, words of the headline, the question
LIES: list[tuple[type, list[Operation], str, str, str]] = [
    (
        CanAppendLies,
        [],
        "questions",
        "can_append('Z') answers True, where False is right",
        "can_append",
    ),
    (QuestionChangesState, [A1], "questions", "asking changed the state: block 1 is lost", "asking"),
    (
        CheckInvariantsLies,
        [A1],
        "self-check",
        "check_invariants() answers False, where True is right",
        "check_invariants",
    ),
    (
        InventsViolations,
        [A1],
        "self-check",
        "violations() answers ['something'], where [] is right",
        "violations",
    ),
    (
        CheckInvariantsRaises,
        [],
        "self-check",
        "check_invariants() answers failed: RuntimeError: not today, where True is right",
        "check_invariants",
    ),
    (LosesBlockAtTheStart, [], "partition", "block 0 is lost: not free, no table holds it", ""),
]

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
    assert not any(lockstep.do(operation).finding for operation in operations)
    found = lockstep.ask(("A", "Z"), operations[-1] if operations else FRESH).finding
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
        def view(self) -> View:
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

"""A watched manager answers and raises what the manager does; only the watching is added."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Hashable
from pathlib import Path
from typing import Any

import pytest
from tests.verification.watching.driven import REFUSALS, calls

from poolproof import BlockManager, OutOfBlocks
from poolproof_verification.adapters.example import Example, ExampleAdapter
from poolproof_verification.adapters.lesson import LessonAdapter
from poolproof_verification.lockstep import Lockstep
from poolproof_verification.operations import Accepted, Operation, Refused, Response
from poolproof_verification.targets import find_target
from poolproof_verification.textbook import Textbook
from poolproof_verification.verdict import CouldNotRun
from poolproof_verification.watching import Fault, Kind, watch, watch_adapter

ROOT = Path(__file__).parents[3]


def outcome(manager: Any, operation: Operation) -> tuple[object, ...]:
    """What the call returns, or what it raises."""
    try:
        value = getattr(manager, operation.name)(*operation.arguments)
    except REFUSALS as error:
        return type(error), str(error)
    return type(value), value


def test_answers_errors_and_state_are_those_of_the_manager_alone() -> None:
    alone, manager = BlockManager(6, 2), watch(BlockManager(6, 2), every=3)
    for operation in calls(1, 400, absurd=True):
        assert outcome(manager, operation) == outcome(alone, operation), operation
        assert (manager.free, manager.ref, manager.seqs) == (alone.free, alone.ref, alone.seqs)


def test_questions_and_attributes_are_the_managers() -> None:
    manager = watch(BlockManager(4, 2))
    manager.allocate("A", 3)
    assert (manager.num_free, manager.total, manager.block_size) == (2, 4, 2)
    assert manager.table("A") == manager.table("A") == [0, 1]
    assert manager.can_append("A")
    with pytest.raises(AttributeError):
        assert manager.defragment


def test_arguments_may_be_named() -> None:
    manager = watch(BlockManager(4, 2))
    assert manager.allocate(n_tokens=3, name="A") == [0, 1]
    assert manager.fork("A", child="B") == [0, 1]
    assert manager.append(name="A") is True
    assert manager.watcher.operations == 3
    with pytest.raises(TypeError):
        manager.allocate("C", tokens=3)
    with pytest.raises(TypeError):
        manager.append("A", "B")
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'n_tokens'"):
        manager.allocate("C")


def test_the_same_error_is_raised_with_its_own_traceback() -> None:
    manager = watch(BlockManager(1, 1))
    with pytest.raises(OutOfBlocks) as caught:
        manager.allocate("A", 2)
    assert caught.value.__context__ is None
    assert caught.traceback[-1].name == "take"


def test_a_manager_with_live_sequences_is_taken_over() -> None:
    manager = BlockManager(4, 2)
    manager.allocate("A", 3)
    manager.fork("A", "B")
    again = watch(manager)
    again.append("A")
    assert again.release("B") == [1]
    assert again.release("A") == [0, 2]
    assert len(again.watcher.faults) == 0


class Unsized:
    """It does not tell how large it is."""

    def __init__(self) -> None:
        self.inner = Textbook(3, 2)

    def __getattr__(self, name: str) -> Any:
        if name in ("total", "num_blocks", "block_size", "inner"):
            raise AttributeError(name)
        return getattr(self.inner, name)


def test_the_sizes_are_given_where_the_manager_does_not_tell_them() -> None:
    with pytest.raises(CouldNotRun, match="does not tell its total: give it"):
        watch(Unsized())
    manager = watch(Unsized(), total=3, block_size=2)
    assert manager.allocate("A", 3) == [0, 1]
    with pytest.raises(CouldNotRun, match="every must be at least 1, not 0"):
        watch(Textbook(3, 2), every=0)


def test_names_that_are_no_strings_are_followed_too() -> None:
    manager = watch(BlockManager(4, 1))
    key = object()
    manager.allocate(key, 1)
    manager.fork(key, (1, "B"))
    manager.append((1, "B"))
    manager.release(key)
    assert len(manager.watcher.faults) == 0


class Nameless:
    """Its words are not to be had."""

    def __repr__(self) -> str:
        raise RuntimeError("no words")


def test_a_name_without_words_does_not_stop_the_server() -> None:
    found: list[Fault] = []
    manager = watch(Textbook(4, 1), on_fault=found.append)
    key = Nameless()
    manager.allocate(key, 1)
    manager.allocate(key, 0)
    assert found


# --- adapters -------------------------------------------------------------------------------------


class Forgetful(ExampleAdapter):
    """Dropping a request keeps one of its blocks."""

    def call(self, operation: Operation) -> Response:
        response = super().call(operation)
        if operation.name == "release":
            self.manager.stack.pop()
        return response


def test_an_adapter_is_watched_whatever_it_shows() -> None:
    found: list[Fault] = []
    adapter = watch_adapter(Example().make(4, 2), 4, 2, on_fault=found.append)
    assert isinstance(adapter.call(Operation("allocate", ("A", 3))), Accepted)
    assert isinstance(adapter.call(Operation("grow", ("A", 9))), Refused)
    for _ in range(3):
        adapter.call(Operation("append", ("A",)))
    adapter.call(Operation("release", ("A",)))
    assert found == []
    assert adapter.view().free == 4
    assert adapter.operations == ExampleAdapter.operations


class SaysWhyInWords(ExampleAdapter):
    """Its refusals have no `Refusal` for a reason."""

    def call(self, operation: Operation) -> Response:
        response = super().call(operation)
        why: Any = "too few"
        return Refused(why) if isinstance(response, Refused) else response


def test_a_refusal_whose_reason_is_none_is_told_as_the_adapters(tmp_path: Path) -> None:
    found: list[Fault] = []
    log = tmp_path / "log"
    says = SaysWhyInWords(Example().make(4, 2).manager)
    adapter = watch_adapter(says, 4, 2, on_fault=found.append, log=log)
    adapter.call(Operation("allocate", ("A", 99)))
    assert adapter.watcher.log is not None
    adapter.watcher.log.end("over")
    assert "a refusal whose reason is 'too few', which is no Refusal" in str(found[0])
    assert len(log.read_text().splitlines()) == 4  # watched, operation, fault, end


def test_what_is_no_adapter_is_not_watched() -> None:
    no_adapter: Any = object()
    with pytest.raises(CouldNotRun, match=r"^adapter object lacks operations$"):
        watch_adapter(no_adapter, 4, 2)


def test_a_leak_behind_an_adapter_that_shows_a_number_only_is_one() -> None:
    found: list[Fault] = []
    forgetful = Forgetful(Example().make(4, 2).manager)
    adapter = watch_adapter(forgetful, 4, 2, on_fault=found.append)
    for _ in range(2):
        adapter.call(Operation("allocate", ("A", 2)))
        adapter.call(Operation("release", ("A",)))
    assert {each.kind for each in found} == {Kind.LEAK}
    assert "1 lost" in str(found[0])


def test_the_lessons_manager_may_be_watched_through_its_adapter() -> None:
    target = find_target("poolproof")
    found: list[Fault] = []
    adapter = watch_adapter(target.make(6, 2), 6, 2, on_fault=found.append, every=5)
    for operation in calls(3, 300, absurd=True):
        adapter.call(operation)
    assert [str(each) for each in found] == []


class WatchedTarget:
    """A target whose adapters are watched."""

    name = "watched"

    def make(self, total: int, block_size: int) -> Any:
        return watch_adapter(find_target("poolproof").make(total, block_size), total, block_size)


def test_a_watched_adapter_passes_for_the_adapter() -> None:
    lockstep = Lockstep(WatchedTarget(), 6, 2)
    for operation in calls(4, 100):
        assert lockstep.do(operation).finding is None


def test_a_manager_that_raises_in_a_glimpse_is_no_concern_of_the_servers() -> None:
    class Fragile(Textbook):
        asked = 0

        def length(self, name: Hashable) -> int:
            self.asked += 1
            raise RuntimeError("fragile")

    found: list[Fault] = []
    manager = watch(Fragile(4, 2), on_fault=found.append)
    assert manager.allocate("A", 1) == [0]
    assert manager.append("A") is False
    assert found


def test_it_needs_nothing_but_python_and_this_project() -> None:
    paths = [str(ROOT / room) for room in ("model", "impl", "verification")]
    program = (
        f"import sys; sys.path[:0] = {paths!r}\n"
        "from poolproof import BlockManager\n"
        "from poolproof_verification.watching import watch\n"
        "watch(BlockManager(4, 2)).allocate('A', 1)\n"
        "print(*{name.partition('.')[0] for name in sys.modules})"
    )
    bare = [sys.executable, "-I", "-S", "-B", "-c", program]
    ran = subprocess.run(bare, capture_output=True, text=True, check=False)
    assert not ran.stderr
    ours = {"__main__", "poolproof", "poolproof_model", "poolproof_verification"}
    assert set(ran.stdout.split()) - sys.stdlib_module_names == ours


def test_the_adapter_is_the_lessons() -> None:
    manager = watch(Textbook(2, 1))
    assert isinstance(manager.watcher.adapter, LessonAdapter)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"on_fault": None}, "on_fault must be a function of a fault, not None"),
        ({"most_bytes": -1}, "most_bytes must be at least 1, not -1"),
        ({"every": "10"}, "every must be at least 1, not '10'"),
        ({"total": 5}, "total is 5, but the manager shows 4 blocks"),
        ({"total": 3}, "total is 3, but the manager shows 4 blocks"),
    ],
)
def test_settings_that_make_no_sense_are_refused_at_once(given: Any, words: str) -> None:
    with pytest.raises(CouldNotRun, match=f"^{words}$"):
        watch(BlockManager(4, 2), **given)
    with pytest.raises(CouldNotRun, match=f"^{words}$"):
        watch_adapter(find_target("poolproof").make(4, 2), **{"total": 4, "block_size": 2, **given})


def test_a_pool_of_another_size_is_told_where_only_the_number_of_free_blocks_is_shown() -> None:
    with pytest.raises(CouldNotRun, match="total is 20, but the manager shows 4 blocks"):
        watch_adapter(Example().make(4, 2), total=20, block_size=2)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle.dumps])
def test_what_is_watched_says_that_it_cannot_be_copied(copied: Any) -> None:
    for watched in (
        watch(BlockManager(4, 2)),
        watch_adapter(Example().make(4, 2), total=4, block_size=2),
    ):
        with pytest.raises(TypeError, match="copy its manager, and watch the copy"):
            copied(watched)

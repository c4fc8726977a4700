"""A manager is judged by what it shows and promises: no counts, eager copies, reserved blocks."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import pytest

from poolproof_model.execute import broken
from poolproof_model.system import Refusal
from poolproof_verification.adapters.lesson import LessonAdapter
from poolproof_verification.exchange import Exchange
from poolproof_verification.lockstep import FRESH, Lockstep
from poolproof_verification.operations import (
    HIDDEN,
    Accepted,
    Operation,
    Refused,
    Reserved,
    Response,
    View,
    live_in,
    view_of,
)
from poolproof_verification.oracle import carry_out, lowest
from poolproof_verification.targets import ClassTarget
from poolproof_verification.textbook import Textbook
from poolproof_verification.verdict import CouldNotRun
from poolproof_verification.visibility import (
    Traits,
    start_of,
)

INTERFACE = ClassTarget("textbook", Textbook).interface
EAGER = Traits(copies_at_fork=True)


def call(name: str, *arguments: Any) -> Operation:
    return Operation(name, arguments)


class Partial(LessonAdapter):
    """Shows tables and the number of free blocks, and tells no results."""

    undefined = frozenset({Refusal.EXISTS, Refusal.NEGATIVE})

    def __init__(self, manager: Any) -> None:
        super().__init__(manager, INTERFACE)
        self.undefined = type(self).undefined

    def call(self, operation: Operation) -> Response:
        response = super().call(operation)
        return Accepted(HIDDEN) if isinstance(response, Accepted) else response

    def view(self) -> Any:
        whole = super().view()
        return View(len(whole.free), None, whole.seqs)


class Made:
    """A target from an adapter's class and a manager's."""

    name = "made"

    def __init__(self, adapter: Any, manager: type = Textbook) -> None:
        self.adapter, self.manager = adapter, manager

    def make(self, total: int, block_size: int) -> Any:
        return self.adapter(self.manager(total, block_size))


def judged(target: Any, *operations: Operation, total: int = 4) -> Exchange:
    lockstep = Lockstep(target, total, 2)
    exchange = lockstep.ask((), FRESH)
    for operation in operations:
        assert exchange.finding is None, exchange.finding
        exchange = lockstep.do(operation)
    return exchange


RUN = (
    call("allocate", "A", 3), call("fork", "A", "B"), call("append", "B"), call("append", "A"),
    call("append", "A"), call("release", "A"), call("append", "B"), call("release", "B"),
)  # fmt: skip


def test_a_right_manager_that_shows_little_has_no_finding() -> None:
    assert judged(Made(Partial), *RUN).finding is None


def broken_words(target: Any, *operations: Operation) -> set[str]:
    found = judged(target, *operations).finding
    assert found is not None
    return {f"{breach.law}: {breach.words}" for breach in found.breaches}


class Leaking(Textbook):
    def release(self, name: Hashable) -> list[int]:
        freed = super().release(name)
        self.free.pop()
        return freed


class Doubling(Textbook):
    def release(self, name: Hashable) -> list[int]:
        freed = super().release(name)
        self.free.append(freed[0])
        return freed


def test_a_leak_and_a_double_free_are_told_apart_by_the_number_alone() -> None:
    run = call("allocate", "A", 1), call("release", "A")
    assert broken_words(Made(Partial, Leaking), *run) == {
        "partition: of 4 blocks, 3 are free and 0 in tables: 1 lost",
        "release: 0 of 1 block returned to the pool",
    }
    assert broken_words(Made(Partial, Doubling), *run) == {
        "partition: of 4 blocks, 5 are free and 0 in tables: 1 counted as free though held",
        "release: 2 blocks returned to the pool, where the last holders of 1 let go",
    }


class Silent(Textbook):
    def append(self, name: Hashable) -> bool:
        sequence = self.seqs[name]
        sequence["len"] += 1
        return False


def test_a_write_into_a_shared_block_shows_in_the_tables_alone() -> None:
    run = call("allocate", "A", 1), call("fork", "A", "B"), call("append", "B")
    tables = "tables: 'B' has the table [0] where the model has [1]"
    assert tables in broken_words(Made(Partial, Silent), *run)


class Remembers(Textbook):
    def allocate(self, name: Hashable, n_tokens: int) -> list[int]:
        assert n_tokens >= 0, "asked for what is undefined"
        assert name not in self.seqs, "asked for what is undefined"
        return super().allocate(name, n_tokens)


def test_what_is_left_undefined_is_not_tried() -> None:
    lockstep = Lockstep(Made(Partial, Remembers), 4, 2)
    lockstep.do(call("allocate", "A", 1))
    for operation, reason in (
        (call("allocate", "A", 1), Refusal.EXISTS),
        (call("allocate", "B", -1), Refusal.NEGATIVE),
    ):
        assert lockstep.leaves_open(operation)
        exchange = lockstep.do(operation)
        assert exchange.finding is None
        assert isinstance(exchange.response, Refused)
        assert exchange.response.reason is reason
    assert not lockstep.leaves_open(call("append", "Z"))


class Eager(Textbook):
    """Copies a partly filled last block when it forks."""

    def fork(self, parent: Hashable, child: Hashable) -> Any:
        source = self.seqs[parent]
        partial = source["len"] % self.block_size != 0
        if partial and not self.free:
            raise MemoryError("no block for the copy")
        super().fork(parent, child)
        blocks, copy = self.seqs[child]["blocks"], None
        if partial:
            copy = blocks[-1], self._take()
            self.ref[copy[0]] -= 1
            blocks[-1] = copy[1]
        return list(blocks), copy


class EagerAdapter(LessonAdapter):
    copies_at_fork = True

    def __init__(self, manager: Any) -> None:
        super().__init__(manager, INTERFACE)


class EagerAndSilent(EagerAdapter):
    def call(self, operation: Operation) -> Response:
        response = super().call(operation)
        if isinstance(response, Accepted) and operation.name == "fork":
            return Accepted((response.value[0], HIDDEN))
        return response


@pytest.mark.parametrize("adapter", [EagerAdapter, EagerAndSilent])
def test_a_fork_that_copies_at_once_is_judged_so(adapter: type) -> None:
    target = Made(adapter, Eager)
    assert judged(target, *RUN).finding is None
    assert judged(target, call("allocate", "A", 0), call("fork", "A", "B")).finding is None
    full = call("allocate", "A", 2), call("fork", "A", "B"), call("append", "B")
    assert judged(target, *full).finding is None
    refused = judged(target, call("allocate", "A", 1), call("fork", "A", "B"), total=1)
    assert (refused.finding, refused.reason) == (None, Refusal.OUT_OF_BLOCKS)


def test_a_fork_that_shares_is_wrong_where_a_copy_is_promised_and_the_other_way_round() -> None:
    run = call("allocate", "A", 1), call("fork", "A", "B")
    assert judged(Made(EagerAdapter), *run).finding is not None
    assert judged(ClassTarget("eager", Eager), *run).finding is not None


class EagerForgetful(Eager):
    def fork(self, parent: Hashable, child: Hashable) -> Any:
        return super().fork(parent, child)[0], None


def test_a_copy_that_nobody_is_told_of_loses_the_contents() -> None:
    run = call("allocate", "A", 1), call("fork", "A", "B")
    found = judged(Made(EagerAdapter, EagerForgetful), *run).finding
    assert found is not None
    assert found.worst.law == "contents"


def test_the_model_of_an_eager_fork_keeps_every_invariant() -> None:
    pool = start_of(4, 2, EAGER)
    pool, _ = carry_out(pool, call("allocate", "A", 3))
    forked, value = carry_out(pool, call("fork", "A", "B"), copies_at_fork=True)
    assert not list(broken(forked))
    assert value == ([0, 2], (1, 2))
    assert forked.tables["B"].length == 3
    assert view_of(forked).ref == {0: 2, 1: 1, 2: 1}


def test_reserved_blocks_are_held_for_ever_and_not_shown() -> None:
    pool = start_of(3, 2, Traits(reserved=frozenset({0, 2})))
    assert not list(broken(pool))
    assert view_of(pool) == View([1, 3, 4], {}, {})
    assert lowest(pool, 2) == (1, 3)
    pool, _ = carry_out(pool, call("allocate", "A", 6))
    assert live_in(pool) == ["A"]
    pool, freed = carry_out(pool, call("release_all"))
    assert freed == [1, 3, 4]
    assert set(pool.tables) == {Reserved(0), Reserved(2)}


class NullBlock(LessonAdapter):
    """Block 0 is reserved, in a manager that does not take it."""

    reserved = frozenset({0})

    def __init__(self, manager: Textbook) -> None:
        super().__init__(manager, INTERFACE)
        self.questions = frozenset()
        manager.allocate("null", 1)

    def view(self) -> Any:
        whole = super().view()
        del whole.seqs["null"], whole.ref[0]
        return whole


class WithNull(Made):
    def make(self, total: int, block_size: int) -> Any:
        return self.adapter(self.manager(total + 1, block_size))


def test_a_reserved_block_that_is_shown_as_free_is_a_breach() -> None:
    class Frees(Textbook):
        def release(self, name: Hashable) -> list[int]:
            freed = super().release(name)
            self.free.insert(0, 0)
            return freed

    run = call("allocate", "A", 3), call("append", "A"), call("release", "A")
    assert judged(WithNull(NullBlock), *run).finding is None
    assert "partition: block 0 is reserved, yet free" in broken_words(
        WithNull(NullBlock, Frees), *run
    )


def test_a_reserved_block_beyond_the_pool_could_not_run() -> None:
    with pytest.raises(CouldNotRun, match=r"reserved blocks \[9\] are none of the 3 in all"):
        start_of(2, 1, Traits(reserved=frozenset({9})))


def test_a_view_that_shows_less_than_a_fresh_one_did_is_a_finding() -> None:
    class Hides(LessonAdapter):
        def __init__(self, manager: Any) -> None:
            super().__init__(manager, INTERFACE)

        def view(self) -> Any:
            whole = super().view()
            return View(len(whole.free), None, whole.seqs) if whole.seqs else whole

    words = broken_words(Made(Hides), call("allocate", "A", 1))
    assert words == {
        "questions: the manager does not show its state: "
        "the free blocks are 3, not a list of integers"
    }

"""What the class says of itself: memory, one lock for several threads, interrupts anywhere."""

from __future__ import annotations

import random
import sys
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from functools import partial
from pathlib import Path
from threading import Lock, Thread
from types import FrameType
from typing import Any

import pytest

import poolproof
from poolproof import BlockManager, OutOfBlocks

SOURCE = str(Path(poolproof.__file__).parent)


# --- memory ---------------------------------------------------------------------------------------


def traced(work: Callable[[], object]) -> int:
    """Bytes that the work leaves allocated."""
    before = tracemalloc.get_traced_memory()[0]
    work()
    return tracemalloc.get_traced_memory()[0] - before


def test_memory_is_9_bytes_a_block_8_a_table_entry_and_32_a_block_in_use() -> None:
    total, half = 100_000, 50_000
    managers: list[BlockManager] = []
    tracemalloc.start()
    try:
        pool = traced(lambda: managers.append(BlockManager(total, 1)))
        manager = managers[0]
        fresh = traced(lambda: manager.allocate("a", half))
        shared = traced(lambda: manager.fork("a", "b"))
        emptied = traced(manager.release_all)
    finally:
        tracemalloc.stop()
    assert pool / total == pytest.approx(9, abs=0.1)
    assert shared / half == pytest.approx(8, abs=0.1)
    assert fresh / half == pytest.approx(8 + 32, abs=1)
    assert fresh + shared + emptied < 1_000


def test_append_leaves_no_more_memory_than_allocate() -> None:
    manager = BlockManager(20_000, 1)
    manager.allocate("a", 0)
    tracemalloc.start()
    try:
        singly = traced(lambda: [manager.append("a") for _ in range(10_000)].clear())
    finally:
        tracemalloc.stop()
    assert singly / 10_000 < 8 * 9 / 8 + 32 + 1  # a list keeps an eighth to spare


# --- threads --------------------------------------------------------------------------------------


def serve(manager: BlockManager, lock: Lock, thread: int, steps: int) -> None:
    """A random life of sequences of its own, each operation under the lock."""
    chance, names = random.Random(thread), [f"{thread}:{i}" for i in range(4)]
    operations: list[Callable[[str, str], object]] = [
        lambda name, other: manager.allocate(name, chance.randrange(40)),
        lambda name, other: manager.fork(name, other),
        lambda name, other: manager.append(name),
        lambda name, other: manager.grow(name, chance.randrange(20)),
        lambda name, other: manager.release(name),
    ]
    for _ in range(steps):
        operation = chance.choice(operations)
        with lock, suppress(KeyError, ValueError, OutOfBlocks):
            operation(*chance.choices(names, k=2))


def test_threads_that_share_a_lock_keep_the_manager_whole() -> None:
    manager, lock = BlockManager(64, 4), Lock()
    threads = [Thread(target=serve, args=(manager, lock, i, 2_000)) for i in range(4)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            with lock:
                assert manager.violations() == []
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert manager.seqs and manager.violations() == []
    manager.release_all()
    assert manager.free == list(range(64))


def test_managers_share_nothing() -> None:
    one, other = BlockManager(4, 4), BlockManager(4, 4)
    one.allocate("a", 16)
    assert other.free == [0, 1, 2, 3]
    assert other.allocate("a", 1) == [0]


# --- interrupts -----------------------------------------------------------------------------------


class InterruptAt:
    """Raises KeyboardInterrupt before the given opcode that the manager's own code executes."""

    def __init__(self, opcode: int) -> None:
        self.left = opcode

    def __call__(self, frame: FrameType, event: str, argument: Any) -> InterruptAt | None:
        if not frame.f_code.co_filename.startswith(SOURCE):
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            if self.left == 0:
                raise KeyboardInterrupt
            self.left -= 1
        return self


def interrupted(operation: Callable[[], object], opcode: int) -> bool:
    """Whether the operation was still under way at its opcode of that number, and interrupted."""
    outer = sys.gettrace()
    # Python 3.12 reports opcodes only if some frame wants them when tracing begins.
    sys._getframe().f_trace_opcodes = True
    sys.settrace(InterruptAt(opcode))
    try:
        operation()
    except KeyboardInterrupt:
        return True
    except OutOfBlocks:
        return False
    finally:
        sys.settrace(outer)
    return False


def busy() -> BlockManager:
    """Blocks of 2; `a`, `b` and `c` share; `d` and `e` are alone; the free blocks have gaps."""
    manager = BlockManager(60, 2)
    manager.allocate("a", 5)
    for i in range(30):
        manager.allocate(i, 2)
    manager.fork("a", "b")
    manager.fork("a", "c")
    manager.append("c")
    manager.allocate("d", 4)
    manager.allocate("e", 7)
    for i in range(0, 30, 2):
        manager.release(i)
    return manager


Life = tuple[tuple[str, ...], Callable[[BlockManager], object]]
LIVES: dict[str, Life] = {
    "allocate one block": (("x",), lambda m: m.allocate("x", 1)),
    "allocate scattered blocks": (("x",), lambda m: m.allocate("x", 9)),
    "allocate many scattered blocks": (("x",), lambda m: m.allocate("x", 60)),
    "allocate too many": (("x",), lambda m: m.allocate("x", 500)),
    "allocate a run": (("x",), lambda m: m.release_all() and m.allocate("x", 20)),
    "fork an unshared sequence": (("e", "x"), lambda m: m.fork("e", "x")),
    "fork a shared sequence": (("a", "x"), lambda m: m.fork("a", "x")),
    "append in place": (("e",), lambda m: m.append("e")),
    "append a block": (("d",), lambda m: m.append("d")),
    "append with a copy": (("b",), lambda m: m.append("b")),
    "grow with a copy": (("b",), lambda m: m.grow("b", 9)),
    "grow by scattered blocks": (("d",), lambda m: m.grow("d", 50)),
    "release an unshared sequence": (("e",), lambda m: m.release("e")),
    "release a shared sequence": (("c",), lambda m: m.release("c")),
    "release all": ((), lambda m: m.release_all()),
}


def others(manager: BlockManager, named: tuple[str, ...]) -> dict[Any, Any]:
    return {name: table for name, table in manager.seqs.items() if name not in named}


def no_block_in_a_table_is_free(manager: BlockManager) -> bool:
    held = {block for table in manager.seqs.values() for block in table["blocks"]}
    return held.isdisjoint(manager.free)


def the_pool_can_be_searched(manager: BlockManager) -> bool:
    """There are as many free blocks as it says, and all where it looks for them."""
    pool = manager._pool
    return pool.num_free <= len(pool.free_blocks()) and not any(pool.free_map[: pool.lowest])


@pytest.mark.parametrize("what", LIVES)
def test_an_interrupt_at_any_opcode_spares_the_others_and_is_recovered(what: str) -> None:
    named, operation = LIVES[what]
    start, opcode = busy(), 0
    ends_all = what in ("release all", "allocate a run")
    kept = others(start, named)
    manager = deepcopy(start)
    while interrupted(partial(operation, manager), opcode):
        assert no_block_in_a_table_is_free(manager) and the_pool_can_be_searched(manager)
        assert others(manager, named) == kept or (ends_all and not others(manager, named))
        for name in named:
            if name in manager.seqs:
                manager.release(name)
        assert no_block_in_a_table_is_free(manager) and the_pool_can_be_searched(manager)
        assert others(manager, named) == kept or (ends_all and not others(manager, named))
        live_on(manager)
        manager.release_all()
        assert manager.violations() == [] and manager.num_free == manager.total
        opcode += 1
        manager = deepcopy(start)
    assert opcode > 15  # an append in place has 20 to 25 of them, by the version of Python
    assert manager.violations() == []


def live_on(manager: BlockManager) -> None:
    """What is left serves new sequences, and after `release_all` everything does."""
    capacity = manager.num_free
    assert len(manager.allocate("new", capacity * 2)) == capacity
    assert no_block_in_a_table_is_free(manager)
    manager.release("new")
    manager.release_all()
    assert manager.free == list(range(60)) and manager.violations() == []
    assert manager.allocate("A", 3) == manager.fork("A", "B") == [0, 1]
    assert manager.append("B") is True
    assert (manager.table("A"), manager.table("B")) == ([0, 1], [0, 2])
    assert manager.release("A") == [1]
    assert manager.release("B") == [0, 2]


def test_the_interrupts_reach_states_that_are_half_way() -> None:
    halves = 0
    for _, operation in LIVES.values():
        opcode = 0
        manager = busy()
        while interrupted(partial(operation, manager), opcode):
            halves += bool(manager.violations())
            opcode += 1
            manager = busy()
    assert halves > 50

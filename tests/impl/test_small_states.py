"""Every state that small pools reach in a few operations: growth, questions and views agree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache

import pytest

from poolproof import BlockManager, OutOfBlocks

Operation = Callable[[BlockManager], object]

OPERATIONS: tuple[Operation, ...] = (
    lambda m: m.allocate("a", 0),
    lambda m: m.allocate("a", 1),
    lambda m: m.allocate("a", 3),
    lambda m: m.allocate("b", 2),
    lambda m: m.fork("a", "b"),
    lambda m: m.fork("b", "c"),
    lambda m: m.append("a"),
    lambda m: m.append("b"),
    lambda m: m.grow("a", 2),
    lambda m: m.release("a"),
    lambda m: m.release("b"),
)


def shown(manager: BlockManager) -> object:
    return manager.free, manager.ref, manager.seqs, manager.num_free, manager.used()


def hidden(manager: BlockManager) -> object:
    pool = manager._pool
    tables = {
        name: (tuple(table.blocks), table.length, table.limit, table.forked)
        for name, table in manager._sequences.items()
    }
    return bytes(pool.free_map), tuple(pool.extra), pool.lowest, pool.num_free, tables


def after(manager: BlockManager, operation: Operation) -> BlockManager | None:
    """A copy after the operation, or None where it is refused."""
    copy = deepcopy(manager)
    try:
        operation(copy)
    except (KeyError, ValueError, MemoryError):
        return None
    return copy


def reachable(start: BlockManager, depth: int) -> Iterator[BlockManager]:
    """Every state within so many operations, once."""
    seen = {repr(hidden(start))}
    states = [start]
    for _ in range(depth):
        yield from states
        tried = (after(state, operation) for state in states for operation in OPERATIONS)
        states = []
        for state in filter(None, tried):
            if repr(hidden(state)) not in seen:
                seen.add(repr(hidden(state)))
                states.append(state)
    yield from states


@cache
def small_states() -> tuple[BlockManager, ...]:
    """All that can happen to small pools in a few operations."""
    pools = [BlockManager(total, size) for total in (0, 1, 2, 3, 5) for size in (1, 2, 3)]
    return tuple(state for pool in pools for state in reachable(pool, 4))


def test_the_small_states_are_many_and_healthy() -> None:
    assert len(small_states()) > 1_500
    assert any(max(state.ref.values(), default=0) == 3 for state in small_states())
    for state in small_states():
        assert state.violations() == [] and state.check_invariants()


def test_release_all_empties_the_pool_and_tells_what_was_in_use() -> None:
    for state in map(deepcopy, small_states()):
        used = sorted(state.ref)
        assert state.release_all() == used
        assert (state.free, state.ref, state.seqs) == (list(range(state.total)), {}, {})
        assert state.violations() == []


@pytest.mark.parametrize("more", range(6))
def test_grow_is_so_many_appends(more: int) -> None:
    grown = 0
    for state in small_states():
        for name in state.seqs:
            whole, singly = deepcopy(state), deepcopy(state)
            before = state.table(name)
            try:
                copies = [singly.append(name) for _ in range(more)]
            except OutOfBlocks:
                with pytest.raises(OutOfBlocks):
                    whole.grow(name, more)
                assert hidden(whole) == hidden(state)
                continue
            growth = whole.grow(name, more)
            assert shown(whole) == shown(singly)
            table = singly.table(name)
            assert growth.blocks == table[len(before) :]
            changed = [pair for pair in zip(before, table, strict=False) if pair[0] != pair[1]]
            assert growth.copy == (changed[0] if any(copies) else None)
            assert whole.violations() == []
            grown += 1
    assert grown > 1_000


QUESTIONS: list[tuple[Callable[[BlockManager], bool], Operation]] = [
    *(
        (lambda m, n=n: m.can_allocate(n), lambda m, n=n: m.allocate("new", n))
        for n in range(-1, 8)
    ),
    *((lambda m, s=s: m.can_append(s), lambda m, s=s: m.append(s)) for s in "abcx"),
    *(
        (lambda m, s=s, n=n: m.can_grow(s, n), lambda m, s=s, n=n: m.grow(s, n))
        for s in "ax"
        for n in range(-1, 5)
    ),
]


def test_a_question_is_answered_yes_exactly_where_the_call_succeeds() -> None:
    answers = set()
    for state in small_states():
        before = hidden(state)
        for ask, operation in QUESTIONS:
            answer = ask(state)
            assert answer is (after(state, operation) is not None)
            answers.add(answer)
        assert hidden(state) == before
    assert answers == {True, False}


def test_views_and_questions_change_nothing() -> None:
    for state in small_states():
        before = hidden(state)
        shown(state)
        state.usage()
        repr(state)
        state.violations()
        for name in state.seqs:
            state.usage_of(name)
            [state.slot(name, position) for position in range(state.length(name))]
        assert hidden(state) == before


def test_the_views_agree_with_one_another() -> None:
    for state in small_states():
        holders = [block for sequence in state.seqs.values() for block in sequence["blocks"]]
        assert state.ref == {block: holders.count(block) for block in sorted(set(holders))}
        assert sorted([*state.free, *state.ref]) == list(range(state.total))
        assert state.num_free == len(state.free) == state.total - state.used()
        for name, sequence in state.seqs.items():
            assert sequence == {"blocks": state.table(name), "len": state.length(name)}
            if sequence["blocks"]:
                assert state.last_block(name) == sequence["blocks"][-1]

"""Every refusal: its type, its words, its rank among others, and that nothing has changed."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import pytest

from poolproof import BlockManager, OutOfBlocks, SequenceExists, UnknownSequence


class Integer:
    """What numpy's integers are to the manager: a number that says so by `__index__`."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


def shared() -> BlockManager:
    """Four blocks of 4: `a` and `b` share two, the last one half full; `c` is empty; 2 are free."""
    manager = BlockManager(4, 4)
    manager.allocate("a", 6)
    manager.fork("a", "b")
    manager.allocate("c", 0)
    return manager


def full() -> BlockManager:
    """As `shared`, but `d` holds what was free, full to its last slot."""
    manager = shared()
    manager.allocate("d", 8)
    return manager


def hidden(manager: BlockManager) -> object:
    pool = manager._pool
    tables = {
        name: (table.blocks.copy(), table.length, table.limit, table.forked)
        for name, table in manager._sequences.items()
    }
    return bytes(pool.free_map), pool.extra.copy(), pool.lowest, pool.num_free, tables


Ask = Callable[[Any], object]

REFUSALS: list[tuple[type[Exception], Callable[[], BlockManager], Ask]] = [
    (ValueError, shared, lambda m: m.allocate("x", -1)),
    (SequenceExists, shared, lambda m: m.allocate("a", 1)),
    (OutOfBlocks, shared, lambda m: m.allocate("x", 9)),
    (OutOfBlocks, shared, lambda m: m.allocate("x", 10**30)),
    (OutOfBlocks, full, lambda m: m.allocate("x", 1)),
    (UnknownSequence, shared, lambda m: m.fork("x", "y")),
    (UnknownSequence, shared, lambda m: m.fork("x", "x")),
    (SequenceExists, shared, lambda m: m.fork("a", "b")),
    (SequenceExists, shared, lambda m: m.fork("a", "a")),
    (UnknownSequence, shared, lambda m: m.append("x")),
    (OutOfBlocks, full, lambda m: m.append("a")),  # a copy
    (OutOfBlocks, full, lambda m: m.append("c")),  # a first block
    (OutOfBlocks, full, lambda m: m.append("d")),  # a further block
    (ValueError, shared, lambda m: m.grow("a", -1)),
    (UnknownSequence, shared, lambda m: m.grow("x", 1)),
    (UnknownSequence, shared, lambda m: m.grow("x", 0)),
    (OutOfBlocks, shared, lambda m: m.grow("a", 7)),  # 2 free; a copy and two more
    (OutOfBlocks, full, lambda m: m.grow("a", 1)),
    (OutOfBlocks, full, lambda m: m.grow("c", 10**30)),
    (UnknownSequence, shared, lambda m: m.release("x")),
    (UnknownSequence, shared, lambda m: m.table("x")),
    (UnknownSequence, shared, lambda m: m.length("x")),
    (UnknownSequence, shared, lambda m: m.last_block("x")),
    (UnknownSequence, shared, lambda m: m.slot("x", 0)),
    (UnknownSequence, shared, lambda m: m.usage_of("x")),
    (IndexError, shared, lambda m: m.last_block("c")),
    (IndexError, shared, lambda m: m.slot("c", 0)),
    (IndexError, shared, lambda m: m.slot("a", 6)),
    (IndexError, shared, lambda m: m.slot("a", -1)),
]

# Where several refusals apply: TypeError, a number's ValueError, unknown, exists, out of blocks.
RANKS: list[tuple[type[Exception], Callable[[], BlockManager], Ask]] = [
    (TypeError, full, lambda m: m.allocate([], -1)),
    (TypeError, full, lambda m: m.allocate("a", 1.5)),
    (ValueError, full, lambda m: m.allocate("a", -1)),
    (SequenceExists, full, lambda m: m.allocate("a", 99)),
    (TypeError, full, lambda m: m.fork("x", [])),
    (TypeError, full, lambda m: m.fork([], "a")),
    (UnknownSequence, full, lambda m: m.fork("x", "a")),
    (TypeError, full, lambda m: m.grow([], -1)),
    (TypeError, full, lambda m: m.grow("x", "1")),
    (ValueError, full, lambda m: m.grow("x", -1)),
    (TypeError, full, lambda m: m.slot("x", None)),
    (TypeError, full, lambda m: m.slot([], 99)),
]


@pytest.mark.parametrize(("kind", "state", "ask"), REFUSALS + RANKS)
def test_a_refusal_is_of_its_kind_and_changes_nothing(
    kind: type[Exception], state: Callable[[], BlockManager], ask: Ask
) -> None:
    manager = state()
    before = hidden(manager)
    with pytest.raises(kind) as refusal:
        ask(manager)
    assert refusal.type is kind
    assert str(refusal.value)
    assert hidden(manager) == before
    assert manager.violations() == []


@pytest.mark.parametrize("state", [shared, full, lambda: BlockManager(4, 4)])
@pytest.mark.parametrize(
    "ask",
    [
        lambda m, name: m.allocate(name, 1),
        lambda m, name: m.fork(name, "y"),
        lambda m, name: m.fork("a", name),
        lambda m, name: m.append(name),
        lambda m, name: m.grow(name, 1),
        lambda m, name: m.release(name),
        lambda m, name: m.can_append(name),
        lambda m, name: m.can_grow(name, 1),
        lambda m, name: m.table(name),
        lambda m, name: m.length(name),
        lambda m, name: m.last_block(name),
        lambda m, name: m.slot(name, 0),
        lambda m, name: m.usage_of(name),
    ],
)
def test_a_name_that_has_no_hash_is_a_type_error_in_any_state(
    state: Callable[[], BlockManager], ask: Callable[[BlockManager, Any], object]
) -> None:
    manager = state()
    before = hidden(manager)
    with pytest.raises(TypeError):
        ask(manager, ["no hash"])
    assert hidden(manager) == before


NUMBERS: list[Callable[[Any], object]] = [
    lambda n: BlockManager(n, 4),
    lambda n: BlockManager(4, n),
    lambda n: shared().allocate("x", n),
    lambda n: shared().grow("a", n),
    lambda n: shared().slot("a", n),
    lambda n: shared().can_allocate(n),
    lambda n: shared().can_grow("a", n),
    lambda n: shared().can_grow("x", n),
]


@pytest.mark.parametrize("ask", NUMBERS)
@pytest.mark.parametrize("value", [True, False, 1.0, "1", None, b"1", [1], 1 + 0j])
def test_what_is_no_integer_is_a_type_error_that_names_the_argument(
    ask: Callable[[Any], object], value: object
) -> None:
    with pytest.raises(TypeError, match=r"(num_blocks|block_size|n_tokens|position) must be an"):
        ask(value)


@pytest.mark.parametrize("ask", NUMBERS)
def test_whatever_has_an_index_is_an_integer(ask: Callable[[Any], object]) -> None:
    ask(Integer(1))


def test_an_integer_like_length_is_kept_as_an_int() -> None:
    manager = BlockManager(Integer(4), Integer(4))
    manager.allocate("a", Integer(3))
    manager.grow("a", Integer(2))
    sizes = (manager.total, manager.block_size, manager.length("a"), manager.slot("a", Integer(4)))
    assert sizes == (4, 4, 5, 4)
    assert {type(size) for size in sizes} == {int}


@pytest.mark.parametrize(("total", "size"), [(-1, 4), (4, 0), (4, -1), (-1, 0), (-(10**30), 1)])
def test_a_pool_has_no_fewer_than_0_blocks_of_no_fewer_than_1_slot(total: int, size: int) -> None:
    with pytest.raises(ValueError, match="must be at least"):
        BlockManager(total, size)


def test_a_type_error_of_the_second_argument_goes_before_a_value_error_of_the_first() -> None:
    no_integer: Any = 1.0
    with pytest.raises(TypeError, match="block_size"):
        BlockManager(-1, no_integer)


def test_out_of_blocks_is_a_memory_error_with_its_figures() -> None:
    with pytest.raises(MemoryError, match=r"asked for 3 block.* where 2 are free") as refusal:
        shared().grow("a", 7)
    assert isinstance(refusal.value, OutOfBlocks)
    assert (refusal.value.asked, refusal.value.free) == (3, 2)


def test_the_name_is_in_the_error_and_in_its_words() -> None:
    with pytest.raises(ValueError, match="sequence 'a' exists already") as exists:
        shared().allocate("a", 1)
    with pytest.raises(KeyError, match="no sequence 'x'") as unknown:
        shared().release("x")
    assert isinstance(exists.value, SequenceExists) and exists.value.name == "a"
    assert isinstance(unknown.value, UnknownSequence) and unknown.value.name == "x"


def test_an_unknown_name_hides_no_inner_error() -> None:
    with pytest.raises(UnknownSequence) as unknown:
        shared().append("x")
    assert unknown.value.__cause__ is None and unknown.value.__suppress_context__


@pytest.mark.parametrize("error", [OutOfBlocks(3, 2), SequenceExists("a"), UnknownSequence("x")])
def test_an_error_crosses_a_process_boundary(error: Exception) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert (str(copy), vars(copy)) == (str(error), vars(error))

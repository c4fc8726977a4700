"""Each broken clause is found and named, whatever part of the hidden state was tampered with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy

import pytest

from poolproof import BlockManager, Violation

Tamper = Callable[[BlockManager], None]


def healthy() -> BlockManager:
    """`a` has blocks 0 and 1, `b` blocks 0 and 2, `c` block 3; 4 and 5 are free; size 4."""
    manager = BlockManager(6, 4)
    manager.allocate("a", 6)
    manager.fork("a", "b")
    manager.append("b")
    manager.allocate("c", 3)
    return manager


def free_byte(block: int, value: int) -> Tamper:
    return lambda manager: manager._pool.free_map.__setitem__(block, value)


def extra(block: int, value: int) -> Tamper:
    return lambda manager: manager._pool.extra.__setitem__(block, value)


def entry(name: str, index: int, block: int) -> Tamper:
    return lambda manager: manager._sequences[name].blocks.__setitem__(index, block)


def pool_field(name: str, value: object) -> Tamper:
    return lambda manager: setattr(manager._pool, name, value)


def table_field(sequence: str, name: str, value: object) -> Tamper:
    return lambda manager: setattr(manager._sequences[sequence], name, value)


Found = set[tuple[str, tuple[int, ...], tuple[str, ...]]]
TAMPERED: list[tuple[str, Tamper, Found]] = [
    ("a held block is free", free_byte(3, 1), {("partition", (3,), ("c",))}),
    ("a shared block is free", free_byte(0, 1), {("partition", (0,), ("a", "b"))}),
    ("a block is lost", free_byte(5, 0), {("counts", (5,), ())}),
    ("a count is too high", extra(3, 1), {("counts", (3,), ("c",))}),
    ("a count is too low", extra(0, 0), {("counts", (0,), ("a", "b"))}),
    ("a count is negative", extra(1, -1), {("counts", (1,), ("a",))}),
    ("a free block is counted", extra(4, 1), {("representation", (4,), ())}),
    ("a byte is neither 0 nor 1", free_byte(4, 2), {("representation", (4,), ())}),
    ("a free block is held", entry("c", 0, 4), {("partition", (4,), ("c",)), ("counts", (3,), ())}),
    ("another's block is held", entry("c", 0, 1), {("counts", (1,), ("a", "c"))}),
    ("a block is held twice", entry("a", 1, 0), {("tables", (0,), ("a",))}),
    ("a block is none of the pool's", entry("c", 0, 6), {("tables", (6,), ("c",))}),
    ("a block has a negative number", entry("c", 0, -1), {("tables", (-1,), ("c",))}),
    ("a sequence is longer", table_field("c", "length", 5), {("lengths", (3,), ("c",))}),
    ("a sequence is shorter", table_field("a", "length", 4), {("lengths", (0, 1), ("a",))}),
    ("a length is negative", table_field("c", "length", -1), {("lengths", (3,), ("c",))}),
    ("a block is missing", table_field("c", "blocks", []), {("lengths", (), ("c",))}),
    ("num_free is too high", pool_field("num_free", 3), {("representation", (), ())}),
    ("num_free is too low", pool_field("num_free", 1), {("representation", (), ())}),
    ("the search starts too late", pool_field("lowest", 5), {("representation", (), ())}),
    ("the search starts nowhere", pool_field("lowest", -1), {("representation", (), ())}),
    ("the limit is too high", table_field("c", "limit", 5), {("representation", (), ("c",))}),
    ("the limit is too low", table_field("c", "limit", 2), {("representation", (), ("c",))}),
    (
        "the fork is forgotten",
        table_field("a", "forked", False),
        {("representation", (0,), ("a",))},
    ),
    ("the counts are too few", lambda m: m._pool.extra.clear(), {("representation", (), ())}),
    (
        "the map is empty",
        lambda m: m._pool.free_map.clear(),
        {("representation", (), ())},
    ),
]


@pytest.mark.parametrize(("what", "tamper", "expected"), TAMPERED, ids=[t[0] for t in TAMPERED])
def test_a_broken_clause_is_named_with_its_blocks_and_owners(
    what: str, tamper: Tamper, expected: Found
) -> None:
    manager = healthy()
    assert manager.violations() == [] and manager.check_invariants() is True
    tamper(manager)
    found = manager.violations()
    assert expected <= {(each.clause, each.blocks, each.owners) for each in found}
    assert manager.check_invariants() is False
    assert manager.violations() == found
    for each in found:
        assert str(each) == f"{each.clause}: {each.message}"


def test_a_sequence_that_lists_a_block_twice_counts_once() -> None:
    manager = healthy()
    entry("a", 1, 0)(manager)
    found = {(each.clause, each.blocks, each.owners) for each in manager.violations()}
    assert {each for each in found if each[0] == "counts"} == {("counts", (1,), ())}  # lost
    extra(0, 2)(manager)
    assert "block 0 is counted 3 time(s), yet held by 'a', 'b'" in map(
        lambda each: each.message, manager.violations()
    )


def test_a_shared_last_block_must_be_looked_at_before_it_is_written() -> None:
    manager = BlockManager(4, 4)
    manager.allocate("a", 2)
    manager.fork("a", "b")
    manager._sequences["b"].limit = 4
    assert [(each.clause, each.owners) for each in manager.violations()] == [
        ("representation", ("b",))
    ]


def harmful(manager: BlockManager) -> Iterator[BlockManager]:
    """The manager with one hidden value changed, in every way that could do harm."""

    def tampered(tamper: Tamper) -> BlockManager:
        copy = deepcopy(manager)
        tamper(copy)
        return copy

    pool = manager._pool
    for block in range(manager.total):
        yield tampered(free_byte(block, 1 - pool.free_map[block]))
        for change in (-1, 1):
            yield tampered(extra(block, pool.extra[block] + change))
    for change in (-1, 1):
        yield tampered(pool_field("num_free", pool.num_free + change))
    for start in range(pool.free_map.find(1) + 1, manager.total + 1 if pool.num_free else 0):
        yield tampered(pool_field("lowest", start))
    for name, table in manager._sequences.items():
        for index, block in enumerate(table.blocks):
            for other in set(range(-1, manager.total + 1)) - {block}:
                yield tampered(entry(str(name), index, other))
        for change in (-manager.block_size, manager.block_size):
            yield tampered(table_field(str(name), "length", table.length + change))
        yield tampered(table_field(str(name), "limit", table.length - 1))
        for more in range(1, 3):
            most = max(table.limit, len(table.blocks) * manager.block_size)
            yield tampered(table_field(str(name), "limit", most + more))
        yield tampered(table_field(str(name), "blocks", [*table.blocks, manager.total - 1]))
        if any(pool.extra[block] for block in table.blocks):
            yield tampered(table_field(str(name), "forked", False))


def test_no_harmful_change_of_one_hidden_value_escapes() -> None:
    lives: list[Callable[[BlockManager], object]] = [
        lambda m: m.allocate("a", 5),
        lambda m: m.fork("a", "b"),
        lambda m: m.append("b"),
        lambda m: m.allocate("c", 2),
        lambda m: m.fork("b", "d"),
        lambda m: m.release("a"),
        lambda m: m.grow("d", 3),
        lambda m: m.release("b"),
    ]
    manager, tried = BlockManager(6, 2), 0
    for operation in lives:
        operation(manager)
        for tampered in harmful(manager):
            assert tampered.violations(), (manager.seqs, tampered._pool.free_map)
            tried += 1
        assert manager.violations() == []
    assert tried > 500


def test_the_words_say_who_and_what() -> None:
    manager = healthy()
    manager._pool.free_map[0] = 1
    first = manager.violations()[0]
    assert first == Violation(
        "partition", (0,), ("a", "b"), "block 0 is free, yet held by 'a', 'b'"
    )

"""The books agree with the model, operation by operation, and forget what is over."""

from __future__ import annotations

import pytest
from tests.verification.watching.driven import calls

from poolproof_model.execute import Pool, empty_pool
from poolproof_verification.operations import Operation, View, view_of
from poolproof_verification.oracle import Oracle, carry_out, written
from poolproof_verification.watching.books import Books


def booked(books: Books, operation: Operation, after: Pool) -> object:
    """Enter an accepted operation; what the books say it returns."""
    name, arguments = operation
    if name.startswith("release"):
        return books.release(*arguments) if arguments else books.release_all()
    table = list(after.tables[written(operation)].blocks)
    if name == "append":
        return books.append(arguments[0], table[-1])
    if name == "fork":
        return books.fork(arguments[0], arguments[1], table)
    return getattr(books, name)(*arguments, table)


def shown(books: Books) -> View:
    """The books as a view."""
    seqs = {
        name: {"blocks": entry.blocks, "len": entry.length} for name, entry in books.tables.items()
    }
    return View(books.num_free, books.counts, seqs)


@pytest.mark.parametrize("block_size", [1, 2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_refusals_results_and_state_are_the_models(seed: int, block_size: int) -> None:
    pool, oracle = empty_pool(6, block_size), Oracle()
    books = Books(block_size, copies_at_fork=False)
    books.adopt(view_of(pool))
    accepted = 0
    for operation in calls(seed, 300, absurd=True):
        reason = oracle.refused(pool, operation)
        assert books.refusal(operation) is reason, operation
        if reason is None:
            accepted += 1
            pool, result = carry_out(pool, operation)
            assert booked(books, operation, pool) == result, operation
        model = view_of(pool)
        assert shown(books) == View(len(model.free), model.ref, model.seqs)
    assert accepted > 40


def test_a_fork_that_copies_at_once_takes_a_block() -> None:
    books = Books(2, copies_at_fork=True)
    books.adopt(View(free=[0, 1, 2], ref={}, seqs={}))
    books.allocate("A", 3, [0, 1])
    assert books.refusal(Operation("fork", ("A", "B"))) is None
    assert books.fork("A", "B", [0, 2]) == ([0, 2], (1, 2))
    assert (books.counts, books.num_free) == ({0: 2, 1: 1, 2: 1}, 0)
    reason = books.refusal(Operation("fork", ("A", "C")))
    assert reason is not None
    assert reason.name == "OUT_OF_BLOCKS"
    assert books.release("B") == [2]
    books.append("A")
    assert books.fork("A", "B", [0, 1]) == ([0, 1], None)


def test_what_is_over_leaves_nothing_behind() -> None:
    books = Books(1, copies_at_fork=False)
    books.adopt(View(free=[0, 1], ref={}, seqs={}))
    for number in range(1000):
        books.allocate(number, 2, [0, 1])
        books.release(number)
    assert (books.tables, books.counts, books.num_free) == ({}, {}, 2)


def test_without_counts_the_tables_are_counted() -> None:
    books = Books(1, copies_at_fork=False)
    tables = {"A": {"blocks": [0], "len": 1}, "B": {"blocks": [0], "len": 1}}
    books.adopt(View(free=3, ref=None, seqs=tables))
    assert (books.counts, books.num_free) == ({0: 2}, 3)

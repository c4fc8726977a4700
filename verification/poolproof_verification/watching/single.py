"""What a single operation must have done, judged by the books and a glimpse of what it touched.

Does not cover: blocks that the operation did not touch, what blocks contain, and counts where the
glimpse shows none; the look at the whole state has those that are shown.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any

from poolproof_model.system import Refusal
from poolproof_verification.adapters.adapter import Adapter
from poolproof_verification.operations import Accepted, Operation, Response, completed, integer
from poolproof_verification.watching.books import Books
from poolproof_verification.watching.fault import Kind
from poolproof_verification.watching.full_pass import Complaint
from poolproof_verification.watching.glimpse import Glimpse
from poolproof_verification.words import plural, still_held, told

Judged = Generator[Complaint, None, Any]  # returns the right result


class Single:
    """Judges operations one by one, and keeps the books."""

    def __init__(self, adapter: Adapter, glimpse: Glimpse, total: int, books: Books) -> None:
        """`total`: blocks, the reserved ones among them."""
        self.adapter, self.glimpse = adapter, glimpse
        self.total, self.books = total, books
        self.known: set[object] = set()  # what is wrong already: a block, or words
        self.touched: tuple[int, ...] = ()  # blocks, by the last operation

    def judge(
        self, operation: Operation, reason: Refusal | None, response: Response
    ) -> Iterator[Complaint]:
        """What is wrong after the operation; `reason`: why it had to be refused, if it had to."""
        self.touched = ()
        if not isinstance(response, Accepted):
            yield from self.refused(operation, reason, response)
        elif reason is not None:
            self.touched = self.blocks_of(operation)
            words = f"{operation} must be refused ({reason.value}), yet it returned {response}"
            yield Complaint("refusals", Kind.REFUSAL, words)
        else:
            yield from self.accepted(operation, response.value)

    def refused(
        self, operation: Operation, reason: Refusal | None, response: Response
    ) -> Iterator[Complaint]:
        """It must have been, for this reason, and have changed nothing."""
        if reason is None:
            words = f"{operation} must be accepted, yet it {response}"
            yield Complaint("refusals", Kind.REFUSAL, words)
        elif not self.adapter.agrees(reason, response):
            words = f"{operation} must be refused ({reason.value}), yet it answers: {response}"
            yield Complaint("refusals", Kind.REFUSAL, words)
        yield from self.wrong_number()
        names = () if reason is Refusal.WRONG_TYPE else operation.arguments
        for name in names[: 2 if operation.name == "fork" else 1]:
            entry = self.books.tables.get(name)
            if self.length_of(name) != (entry.length if entry else None):
                words = f"{operation} was not carried out, yet changed {told(name)}"
                yield Complaint("refusals", Kind.REFUSAL, words, owners=(name,))

    def accepted(self, operation: Operation, value: Any) -> Iterator[Complaint]:
        """It must have returned what follows from the books, and done as much."""
        if operation.name == "append":
            expected = yield from self.appended(operation.arguments[0])
        elif operation.name.startswith("release"):
            expected = yield from self.released(operation)
        else:
            expected = yield from self.tabled(operation)
        if not self.agrees(completed(value, expected), expected):
            words = f"{operation} returned {told(value)}, where {expected!r} is right"
            yield Complaint("results", Kind.RESULT, words)
        yield from self.wrong_counts()
        yield from self.wrong_number()

    def appended(self, name: Any) -> Judged:
        """An append."""
        entry = self.books.tables[name]
        copies, added = self.books.growth(entry, 1)
        last: tuple[int, ...] = (self.glimpse.last_block(name),) if copies + added else ()
        self.touched = (*entry.blocks[-1:], *last)
        if copies and last[0] == entry.blocks[-1]:
            others = self.holders(last[0], name)
            words = (
                f"block {last[0]} is written by {told(name)} without a copy: {still_held(others)}"
            )
            yield Complaint("contents", Kind.SHARED_WRITE, words, last[0], (*others, name))
        else:
            yield from self.unlawful(last)
        copied = self.books.append(name, *last)
        yield from self.wrong_length(name)
        return copied

    def tabled(self, operation: Operation) -> Judged:
        """An allocation, a fork or a growth."""
        books, (name, arguments) = self.books, operation
        acting = arguments[-1] if name == "fork" else arguments[0]
        source = books.tables.get(arguments[0])
        old, table = source.blocks if source else [], list(self.glimpse.table(acting))
        start = max(0, len(old) - 1) if name == "grow" else 0
        self.touched = (*old[start:], *table[start:])
        after = enumerate(table[start:], start)
        yield from self.unlawful(tuple(b for i, b in after if i >= len(old) or b != old[i]))
        if name == "fork":
            expected = books.fork(arguments[0], acting, table)
        else:
            expected = getattr(books, name)(acting, integer(arguments[1]), table)
        entry = books.tables[acting]
        if table != entry.blocks:
            words = f"{told(acting)} has the table {table}, where the books have {entry.blocks}"
            yield Complaint("tables", Kind.TABLE, words, owners=(acting,))
        needed = -(-entry.length // books.block_size)
        if len(table) != needed:
            words = f"{told(acting)} has {plural(len(table), 'block')}, where it needs {needed}"
            yield Complaint("lengths", Kind.TABLE, words, owners=(acting,))
        yield from self.wrong_length(acting)
        return expected

    def released(self, operation: Operation) -> Judged:
        """One release, or that of all."""
        names = operation.arguments or tuple(self.books.tables)
        self.touched = self.blocks_of(Operation("release", names))
        if operation.arguments:
            expected = self.books.release(*names)
        else:
            expected = self.books.release_all()
            self.books.num_free = self.total - len(self.adapter.reserved)  # lost blocks, too
            self.touched += tuple(each for each in self.known if isinstance(each, int))
        for name in names:
            if self.length_of(name) is not None:
                words = f"{told(name)} is live, though it was released"
                yield Complaint("tables", Kind.TABLE, words, owners=(name,))
        return expected

    def agrees(self, value: Any, expected: Any) -> bool:
        """The same, but for blocks that are wrong already."""
        if value == expected:
            return True
        if not self.known or not isinstance(value, list) or not isinstance(expected, list):
            return False
        return set(value) - self.known == set(expected) - self.known

    def blocks_of(self, operation: Operation) -> tuple[int, ...]:
        """The blocks of the sequences that the operation names."""
        tables = self.books.tables
        entries = (tables[name] for name in operation.arguments if name in tables)
        return tuple(dict.fromkeys(block for entry in entries for block in entry.blocks))

    # --- what a glimpse shows ---------------------------------------------------------------------

    def unlawful(self, picks: tuple[int, ...]) -> Iterator[Complaint]:
        """Blocks taken that are not free, by the books."""
        taken: set[int] = set()
        for block in picks:
            if block in self.known:
                continue
            if block in taken:
                words = f"block {block} was taken twice"
                yield Complaint("choices", Kind.DOUBLE_COUNT, words, block)
            elif self.books.counts.get(block):
                owners = self.holders(block)
                words = f"block {block} was taken though in use: {still_held(owners)}"
                yield Complaint("choices", Kind.DOUBLE_COUNT, words, block, owners)
            elif not 0 <= block < self.total or block in self.adapter.reserved:
                words = f"block {block} was taken, which is none of the pool's"
                yield Complaint("choices", Kind.TABLE, words, block)
            taken.add(block)

    def holders(self, block: int, *but: Any) -> tuple[Any, ...]:
        """The sequences that have the block, by the books."""
        tables = self.books.tables.items()
        return tuple(name for name, entry in tables if block in entry.blocks and name not in but)

    def wrong_length(self, name: Any) -> Iterator[Complaint]:
        """The sequence is longer or shorter than its operations made it."""
        length, entry = self.length_of(name), self.books.tables[name]
        if length != entry.length:
            shown = "not live" if length is None else f"{plural(length, 'token')} long"
            words = f"{told(name)} is {shown}, where the books have {entry.length}"
            yield Complaint("lengths", Kind.TABLE, words, owners=(name,))

    def length_of(self, name: Any) -> int | None:
        """The sequence's tokens; None where it is not live."""
        try:
            return self.glimpse.length(name)
        except Exception:  # whatever a foreign manager refuses with
            return None

    def wrong_counts(self) -> Iterator[Complaint]:
        """A block that the operation touched is not counted as often as it should be."""
        count, right = self.glimpse.count, self.books.counts
        if count is None:
            return
        for block in self.touched:
            if block not in self.known and (seen := count(block)) != right.get(block, 0):
                words = f"block {block} is counted {seen} times, not {right.get(block, 0)}"
                yield Complaint("counts", Kind.MISSING_COUNT, words)

    def wrong_number(self) -> Iterator[Complaint]:
        """Another number of blocks is free than the books have."""
        if self.glimpse.num_free is None:
            return
        free, right = self.glimpse.num_free(), self.books.num_free
        if free == right:
            return
        if not self.known.isdisjoint(self.touched):
            self.books.num_free = free  # what was wrong before has its consequences
            return
        kind = Kind.LEAK if free < right else Kind.DOUBLE_COUNT
        words = f"{plural(free, 'block')} are said to be free, where the books have {right}"
        yield Complaint("partition", kind, words, numbers=True)

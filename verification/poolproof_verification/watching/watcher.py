"""Judges each operation of a live manager, from what it returned and a glimpse of what it touched.

An operation costs as many steps as it touches blocks; every so many operations, and where anything
is wrong, the whole state is looked at and taken over, so that a fault is told once.

Does not cover: what the blocks contain, whether the lowest free blocks are taken, questions other
than those a glimpse asks, returned lists that are the manager's own, and several threads at a time.
"""

from __future__ import annotations

import logging
import warnings
from collections import Counter, deque
from collections.abc import Callable
from typing import Any

from poolproof_verification.adapters.adapter import Adapter
from poolproof_verification.operations import Operation, Response
from poolproof_verification.watching.books import Books
from poolproof_verification.watching.fault import BrokenLaw, Fault, Kind, PoolWarning
from poolproof_verification.watching.full_pass import Complaint, looked
from poolproof_verification.watching.glimpse import Glimpse
from poolproof_verification.watching.log import WatchLog
from poolproof_verification.watching.single import Single
from poolproof_verification.words import error_told, told

EVERY = 10_000  # operations between two looks at the whole state
MOST_TOLD = 20  # faults of one operation and law; more are only counted
MOST_KEPT = 100  # faults that a watcher remembers
LOGGER = logging.getLogger("poolproof.watching")
FIRST = Operation("watch")  # before all others

OnFault = Callable[[Fault], None]


def warn(fault: Fault) -> None:
    """Warn, with a PoolWarning."""
    warnings.warn(str(fault), PoolWarning, stacklevel=5)


def complain(fault: Fault) -> None:
    """Log an error, for the logger `poolproof.watching`."""
    LOGGER.error("%s: %s", fault.law, fault)


def stop(fault: Fault) -> None:
    """Raise BrokenLaw, in the place of what the operation returned or raised."""
    raise BrokenLaw(fault)


class Watcher:
    """One manager's books, and what was found of it."""

    def __init__(
        self,
        adapter: Adapter,
        glimpse: Glimpse,
        total: int,
        block_size: int,
        on_fault: OnFault,
        every: int,
        log: WatchLog | None,
    ) -> None:
        """Begins with what the manager shows, whatever that is."""
        self.adapter, self.glimpse, self.log = adapter, glimpse, log
        self.every, self.on_fault = every, on_fault
        self.books = Books(block_size, adapter.copies_at_fork)
        self.single = Single(adapter, glimpse, total, self.books)
        self.operations = 0
        self.looked = 0  # the operation after which the whole state was looked at
        self.faults: deque[Fault] = deque(maxlen=MOST_KEPT)
        self.counted: Counter[tuple[str, str]] = Counter()  # of an operation and a law
        self.tell(self.look(FIRST, [], adopt=True))

    def judge(self, operation: Operation, response: Response) -> None:
        """The operation was answered so: judge it, and tell what is wrong."""
        self.operations += 1
        try:
            found = self.found(operation, response)
        except Exception as error:  # whatever a foreign value does, the server goes on
            words = f"the watcher cannot follow {operation.name}: {error_told(error)}"
            lost = Complaint("questions", Kind.VIEW, words)
            found = [self.fault(operation, lost, exact=True)]
        except BaseException:  # from outside, while the books were half-way
            self.take_over()
            raise
        self.tell(found)

    def found(self, operation: Operation, response: Response) -> list[Fault]:
        """What is wrong after the operation."""
        if self.log is not None:
            self.log.write_operation(operation, response, self.books.tables)
        reason = self.books.refusal(operation)
        if reason is not None and reason in self.adapter.undefined:
            return self.look(operation, [], adopt=True)
        try:
            complaints = list(self.single.judge(operation, reason, response))
        except Exception as error:
            words = f"an engine cannot act on {response}: {error_told(error)}"
            complaints = [Complaint("results", Kind.RESULT, words)]
        due = self.operations - self.looked >= self.every or operation.name == "release_all"
        return self.look(operation, complaints) if complaints or due else []

    def append_in_place(self, name: Any, copied: object) -> bool:
        """An append that takes no block is all in order; otherwise nothing is known or done."""
        books, glimpse = self.books, self.glimpse
        try:
            entry = books.tables[name]
            length = entry.length
            if (
                copied is not False
                or not length % books.block_size
                or books.counts[entry.blocks[-1]] != 1
                or glimpse.num_free is None
                or glimpse.num_free() != books.num_free
                or glimpse.length(name) != length + 1
                or self.log is not None
                or self.operations - self.looked >= self.every - 1
            ):
                return False
        except Exception:  # an unknown name, or whatever a foreign manager raises
            return False
        except BaseException:  # from outside
            self.interrupted()
            raise
        entry.length = length + 1
        self.operations += 1
        return True

    def close(self) -> None:
        """The watching ends here, and so does the log."""
        if self.log is not None:
            self.log.end("the watching ended")

    def interrupted(self) -> None:
        """An operation ended half-way: take the state over as it is."""
        self.operations += 1
        self.take_over()

    def take_over(self) -> None:
        """The operation, or the judging of it, ended half-way: the books follow what is shown."""
        self.look(FIRST, [], adopt=True)
        if self.log is not None:
            self.log.end("an operation was interrupted")

    def look(
        self, operation: Operation, complaints: list[Complaint], *, adopt: bool = False
    ) -> list[Fault]:
        """Look at the whole state, then take it over; what was found.

        `adopt`: what the operation has done is not known, so the books are not compared.
        """
        single, books = self.single, self.books
        full = looked(
            self.adapter, None if adopt else books, books.block_size, single.total, single.known
        )
        named = {each.block for each in complaints} - {None}
        seen = [each for each in full.complaints if each.block not in named]
        found = [each for each in complaints if each.block is not None] + seen
        faults = []
        for each in found or complaints:
            exact = each in complaints or self.is_of(operation, each, seen, complaints)
            faults.append(self.fault(operation, each, exact=exact))
        single.known = full.known
        if full.view is not None:
            books.adopt(full.view)
            if self.glimpse.num_free is not None:
                books.num_free = self.glimpse.num_free()
        self.looked = self.operations
        return faults

    def is_of(
        self,
        operation: Operation,
        complaint: Complaint,
        seen: list[Complaint],
        complaints: list[Complaint],
    ) -> bool:
        """It was this operation that broke it, and none since the last look."""
        if complaint.block is None:
            return bool(complaints) and any(
                name in operation.arguments for name in complaint.owners
            )
        if self.glimpse.count is not None and complaint.block in self.single.touched:
            return True  # it was in order when it was touched before
        kinds = {each.kind for each in complaints if each.numbers}
        return kinds == {each.kind for each in seen if each.block is not None}

    def fault(self, operation: Operation, complaint: Complaint, *, exact: bool) -> Fault:
        """What is told of it."""
        return Fault(
            number=self.operations,
            operation=f"{operation.name}({', '.join(map(told, operation.arguments))})",
            law=complaint.law,
            kind=complaint.kind,
            words=complaint.words,
            block=complaint.block,
            owners=complaint.owners,
            since=self.operations - 1 if exact else self.looked,
        )

    def tell(self, faults: list[Fault]) -> None:
        """Count, keep and log them; then pass them on, unless there were too many of the kind."""
        for fault in faults:
            self.faults.append(fault)
            if self.log is not None:
                self.log.write_fault(fault)
        for fault in faults:
            key = fault.operation.partition("(")[0], fault.law
            self.counted[key] += 1
            if self.counted[key] <= MOST_TOLD:
                self.on_fault(fault)

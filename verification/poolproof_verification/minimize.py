"""The shortest operations that show a fault, from any that do: greedy, by replaying.

Removes operations, makes one sequence of two, then makes arguments, pool and blocks smaller. Where
all that leads no further it tries fewer operations, on other sequences or with other numbers; at
last it renames to A, ...
A candidate counts only if the very same fault is found at its end, no less harmful.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import replace
from itertools import combinations, islice, product

from poolproof_verification.adapters.adapter import Target
from poolproof_verification.findings import Trace
from poolproof_verification.limits import Unmade
from poolproof_verification.lockstep import ASKING, FRESH, Lockstep
from poolproof_verification.operations import NUMBERS, Operation, is_name, names_in
from poolproof_verification.scopes import UNKNOWN_NAME
from poolproof_verification.verdict import CouldNotRun

NAMES = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
FEW = 8  # operations among which two to leave out are tried
MOST_TRIED = 1500  # of the ways to give fewer operations other numbers


def replay(
    target: Target, trace: Trace, *, asked_after: Container[int] | None = None
) -> Trace | None:
    """The trace up to the first law broken in it; None where none is, or no such pool is made.

    `asked_after`: the numbers of the operations after which everything there is to ask is asked,
    0 for a fresh manager; None: after each.
    """
    try:
        lockstep = Lockstep(target, trace.total, trace.block_size)
    except CouldNotRun:
        return None
    names = (*names_in(trace.operations), UNKNOWN_NAME)
    unmade = isinstance(lockstep.adapter, Unmade)
    if unmade or asked_after is None or 0 in asked_after:
        finding = lockstep.ask(names, FRESH).finding
        if finding is not None:
            return named(target, replace(trace, operations=(), finding=finding))
    for number, operation in enumerate(trace.operations, 1):
        asked = asked_after is None or number in asked_after
        finding = lockstep.do(operation, names if asked else ()).finding
        if finding is not None:
            return named(
                target, replace(trace, operations=trace.operations[:number], finding=finding)
            )
    return None


def named(target: Target, trace: Trace) -> Trace:
    """The same, with the question named that changes the state where one does.

    Each is a fault of its own; looking after each question would make every search slow.
    """
    if trace.finding.worst.question != ASKING:
        return trace
    lockstep = Lockstep(target, trace.total, trace.block_size)
    for operation in trace.operations:
        lockstep.do(operation)
    names = (*names_in(trace.operations), UNKNOWN_NAME)
    found = lockstep.ask(names, trace.finding.operation, one_by_one=True).finding
    return replace(trace, finding=found) if found else trace


def minimize(target: Target, trace: Trace) -> Trace:
    """A trace from which nothing can be left out and in which nothing can be made smaller.

    It comes back as it is where repeating it does not show its fault again.
    """
    asking = needs_asking(target, trace)
    improved = show(target, trace, trace, asking)
    if improved is None:
        return trace
    while improved is not None:
        trace = improved
        shown = (show(target, trace, each, asking) for each in candidates(trace))
        improved = next(filter(None, shown), None)
    return show(target, trace, rename(trace), asking) or trace


def needs_asking(target: Target, trace: Trace) -> bool:
    """The fault shows only if everything is asked on the way, too, not merely at the end."""
    return show(target, trace, trace, asking=False) is None


def smallest(
    traces: Iterable[Trace], shorten: Callable[[Trace], Trace], patience: float = math.inf
) -> Iterator[Trace]:
    """Each trace shortened; as it is once so many seconds are over, or after Ctrl-C."""
    until = time.monotonic() + patience
    for trace in traces:
        told = trace
        try:
            if time.monotonic() < until:
                told = shorten(trace)
        except KeyboardInterrupt:
            until = -math.inf
        yield told


def show(target: Target, trace: Trace, candidate: Trace, asking: bool) -> Trace | None:
    """The candidate as far as it shows the trace's fault, if it does.

    `asking`: after each operation. Otherwise at the end, and only if the fault is a question's:
    so a wrong answer on the way does not hide the fault, and large pools take less time.
    """
    last = (len(candidate.operations),) if trace.finding.worst.question else ()
    found = replay(target, candidate, asked_after=None if asking else last)
    if found is None or found.fault != trace.fault:
        return None
    return found if found.rank[0] <= trace.rank[0] else None


def candidates(trace: Trace) -> Iterator[Trace]:
    """Smaller traces, the boldest first."""
    operations = trace.operations
    for width in (8, 4, 2, 1):
        for start in range(len(operations) - width, -1, -1):
            kept = operations[:start] + operations[start + width :]
            yield replace(trace, operations=kept)
    yield from (replace(trace, operations=folded) for folded in with_longer_prompts(operations))
    for merged in with_fewer_names(operations):
        yield from (replace(trace, operations=kept) for kept in with_up_to_two_fewer(merged))
    for index, operation in enumerate(operations):
        for smaller in smaller_arguments(operation):
            changed = (*operations[:index], smaller, *operations[index + 1 :])
            yield replace(trace, operations=changed)
    for total in range(trace.total):
        yield replace(trace, total=total)
        yield from in_smaller_pool(trace, total)
    yield from (replace(trace, block_size=size) for size in range(1, trace.block_size))
    for swapped in with_another_name(operations) if len(operations) <= FEW else ():
        yield from (replace(trace, operations=kept) for kept in with_two_fewer(swapped))
    yield from islice(with_other_numbers(trace), MOST_TRIED)


def in_smaller_pool(trace: Trace, total: int) -> Iterator[Trace]:
    """So many blocks less in the pool, and in one operation just as many."""
    less = (trace.total - total) * trace.block_size
    for index, operation in enumerate(trace.operations):
        number = operation.arguments[-1] if operation.name in NUMBERS else None
        if type(number) is int and number >= less:
            smaller = Operation(operation.name, (*operation.arguments[:-1], number - less))
            operations = (*trace.operations[:index], smaller, *trace.operations[index + 1 :])
            yield replace(trace, total=total, operations=operations)


def smaller_arguments(operation: Operation) -> Iterator[Operation]:
    """The same operation with a number closer to zero."""
    for index in NUMBERS.get(operation.name, ()):
        number = operation.arguments[index]
        if type(number) is int:
            for smaller in (-1,) if number < -1 else range(min(number, 64)):
                arguments = [*operation.arguments]
                arguments[index] = smaller
                yield Operation(operation.name, tuple(arguments))


def with_other_numbers(trace: Trace) -> Iterator[Trace]:
    """Some of the operations, the fewest first and always the last, with numbers of any size."""
    if not 1 < len(trace.operations) <= FEW:
        return
    *earlier, last = trace.operations
    for length in range(len(earlier)):
        for kept in combinations(earlier, length):
            choices = (at_any_size(trace, operation) for operation in (*kept, last))
            yield from (replace(trace, operations=chosen) for chosen in product(*choices))


def at_any_size(trace: Trace, operation: Operation) -> list[Operation]:
    """The operation with each number at which something may change in a pool of this size."""
    if operation.name not in NUMBERS or type(operation.arguments[-1]) is not int:
        return [operation]
    size, slots = trace.block_size, trace.total * trace.block_size
    numbers = sorted({0, 1, size - 1, size, size + 1, slots - 1, slots, slots + 1} - {-1})
    return [Operation(operation.name, (*operation.arguments[:-1], each)) for each in numbers]


def with_longer_prompts(operations: tuple[Operation, ...]) -> Iterator[tuple[Operation, ...]]:
    """The same with an append or a growth made part of its sequence's allocation."""
    for index, operation in enumerate(operations):
        if operation.name not in ("append", "grow"):
            continue
        name, more = (*operation.arguments, 1)[:2]
        for earlier in range(index - 1, -1, -1):
            if operations[earlier].name == "allocate" and operations[earlier].arguments[0] == name:
                length = operations[earlier].arguments[1]
                if type(length) is type(more) is int:
                    allocation = Operation("allocate", (name, length + more))
                    between = operations[earlier + 1 : index]
                    yield (*operations[:earlier], allocation, *between, *operations[index + 1 :])
                break


def with_up_to_two_fewer(operations: tuple[Operation, ...]) -> Iterator[tuple[Operation, ...]]:
    """The same operations without one or two of them, the fewest first, or all of them.

    Two sequences often become one only together with the fork that made the second.
    """
    length = len(operations)
    for dropped in range(min(2, length), 0, -1) if length <= FEW else ():
        yield from combinations(operations, length - dropped)
    yield operations


def with_two_fewer(operations: tuple[Operation, ...]) -> Iterator[tuple[Operation, ...]]:
    """The same operations without two of those before the last, which shows the fault."""
    *earlier, last = operations
    for kept in combinations(earlier, len(earlier) - 2) if len(earlier) >= 2 else ():
        yield (*kept, last)


def with_another_name(operations: tuple[Operation, ...]) -> Iterator[tuple[Operation, ...]]:
    """The same operations with one of them on another sequence."""
    names = names_in(operations)
    for index, operation in enumerate(operations):
        for at, given in enumerate(operation.arguments):
            for name in names if is_name(operation, at) else ():
                if name != given:
                    arguments = (*operation.arguments[:at], name, *operation.arguments[at + 1 :])
                    changed = Operation(operation.name, arguments)
                    yield (*operations[:index], changed, *operations[index + 1 :])


def with_fewer_names(operations: tuple[Operation, ...]) -> Iterator[tuple[Operation, ...]]:
    """The same operations with one sequence's name in the place of another's."""
    for kept, dropped in combinations(names_in(operations), 2):
        yield renamed(operations, {dropped: kept})


def rename(trace: Trace) -> Trace:
    """The same with sequences called A, B, ... in the order of their first use."""
    names = dict(zip(names_in(trace.operations), NAMES, strict=False))
    return replace(trace, operations=renamed(trace.operations, names))


def renamed(operations: tuple[Operation, ...], names: dict[str, str]) -> tuple[Operation, ...]:
    """The same operations with other names of sequences."""

    def argument(operation: Operation, index: int) -> object:
        given = operation.arguments[index]
        return names.get(given, given) if is_name(operation, index) else given

    return tuple(
        Operation(each.name, tuple(argument(each, i) for i in range(len(each.arguments))))
        for each in operations
    )

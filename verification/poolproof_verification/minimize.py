"""The shortest operations that show a fault, from any that do: greedy, by replaying.

Removes operations, then makes arguments, pool and blocks smaller, then renames to A, B, ...
A candidate counts only if the very same fault is found at its end, no less harmful.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from poolproof_verification.adapters.adapter import Target
from poolproof_verification.findings import Trace
from poolproof_verification.lockstep import Lockstep
from poolproof_verification.operations import Operation
from poolproof_verification.oracle import NUMBERS

NAMES = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def replay(target: Target, trace: Trace, *, ask: bool = True) -> Trace | None:
    """The trace up to the first law broken in it, or None where none is."""
    lockstep = Lockstep(target, trace.total, trace.block_size)
    for number, operation in enumerate(trace.operations, 1):
        names = tuple(lockstep.pool.tables) if ask else ()
        exchange = lockstep.do(operation, (*names, *operation.arguments[:1]) if ask else ())
        if exchange.finding is not None:
            return replace(trace, operations=trace.operations[:number], finding=exchange.finding)
    return None


def minimize(target: Target, trace: Trace) -> Trace:
    """A trace from which nothing can be left out and in which nothing can be made smaller."""
    improved: Trace | None = trace
    while improved is not None:
        trace = improved
        improved = next(filter(None, (show(target, trace, c) for c in candidates(trace))), None)
    renamed = show(target, trace, rename(trace))
    return renamed or trace


def show(target: Target, trace: Trace, candidate: Trace) -> Trace | None:
    """The candidate as far as it shows the trace's fault, if it does."""
    found = replay(target, candidate)
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
    for index, operation in enumerate(operations):
        for smaller in smaller_arguments(operation):
            changed = (*operations[:index], smaller, *operations[index + 1 :])
            yield replace(trace, operations=changed)
    yield from (replace(trace, operations=merged) for merged in with_fewer_names(operations))
    yield from (replace(trace, total=total) for total in range(trace.total))
    yield from (replace(trace, block_size=size) for size in range(1, trace.block_size))


def smaller_arguments(operation: Operation) -> Iterator[Operation]:
    """The same operation with a smaller number."""
    for index in NUMBERS.get(operation.name, ()):
        number = operation.arguments[index]
        if type(number) is int and number > 0:
            for smaller in range(min(number, 64)):
                arguments = [*operation.arguments]
                arguments[index] = smaller
                yield Operation(operation.name, tuple(arguments))


def with_fewer_names(operations: tuple[Operation, ...]) -> Iterator[tuple[Operation, ...]]:
    """The same operations with one sequence's name in the place of another's."""
    names = sorted({x for _, arguments in operations for x in arguments if isinstance(x, str)})
    for kept, dropped in combinations(names, 2):
        yield tuple(
            Operation(name, tuple(kept if x == dropped else x for x in arguments))
            for name, arguments in operations
        )


def rename(trace: Trace) -> Trace:
    """The same with sequences called A, B, ... in the order of their first use."""
    names: dict[object, str] = {}

    def renamed(operation: Operation) -> Operation:
        arguments = (
            argument if not isinstance(argument, str) else names.setdefault(argument, letter())
            for argument in operation.arguments
        )
        return Operation(operation.name, tuple(arguments))

    def letter() -> str:
        return NAMES[len(names) % len(NAMES)]

    return replace(trace, operations=tuple(renamed(each) for each in trace.operations))

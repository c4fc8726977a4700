"""A broken claim as a counterexample: the operations, the state after each, and a test."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from poolproof_model.execute import Pool, empty_pool
from poolproof_verification.counterexample import Counterexample, Step
from poolproof_verification.operations import view_of
from poolproof_verification.proofs.runs import BLOCK_SIZE, FAILURES, TOTAL, Operation, Run
from poolproof_verification.proofs.search import Break, breaks_of
from poolproof_verification.verdict import CouldNotRun

IMPORTS = """from poolproof_model.execute import empty_pool, step
from poolproof_model.system import {transitions}
from poolproof_verification.proofs.runs import Prompt
from poolproof_verification.proofs.search import breaches"""


def counterexample_of(found: Break) -> Counterexample:
    """The shortest operations that break the claim, from an empty pool, replayed from there.

    CouldNotRun: the replay does not break it.
    """
    operations, steps = found.run.operations, replayed(found.run)
    if not recurs(found, steps[-2][1] if len(steps) > 1 else empty_pool(TOTAL, BLOCK_SIZE)):
        raise CouldNotRun(f"replayed, nothing breaks: {found}")
    names = sorted({operation.transition.name.upper() for operation in operations})
    return Counterexample(
        target="the model",
        import_line=IMPORTS.format(transitions=", ".join(names)),
        class_name="empty_pool",
        total=TOTAL,
        block_size=BLOCK_SIZE,
        law=found.claim.law,
        headline=f"not true that {found.claim.name.replace(':', '')}: {found.claim.sentence}",
        breaches=(f"{found.claim.law}: {found.fault}",),
        steps=tuple(told(operation, pool) for operation, pool in steps),
        found_by="search of the executed model, breadth first",
    )


def recurs(found: Break, pool: Pool) -> bool:
    """The last operation breaks the claim in this pool, too."""
    run = replace(found.run, before=pool)
    return any(breaks_of(run, (found.claim,), found.run.names))


def replayed(run: Run) -> list[tuple[Operation, Pool]]:
    """Each operation with the state after it. All but the last were judged before."""
    pools: list[tuple[Operation, Pool]] = []
    pool = empty_pool(TOTAL, BLOCK_SIZE)
    for operation in run.operations:
        with suppress(*FAILURES):  # a text that fails leaves the state as it was
            pool = Run((operation,), pool).after
        pools.append((operation, pool))
    return pools


def told(operation: Operation, pool: Pool) -> Step:
    """One operation, and as a line of a test."""
    taken = f"takes {list(operation.blocks)}" if operation.blocks else "takes no block"
    shown = view_of(pool)
    given = f"{operation.transition.name.upper()}, {operation.arguments!r}, {operation.blocks!r}"
    test = f"assert not breaches(manager, {given})\nmanager = step(manager, {given})"
    return Step(str(operation), taken, taken, shown, shown, test)

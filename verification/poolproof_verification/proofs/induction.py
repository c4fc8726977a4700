"""A counterexample to induction, as small as can be: a state, one step, the clause it breaks.

The state satisfies every invariant, and need not be reachable. States are tried with the fewest
blocks first, then sequences, then tokens; every lawful choice of blocks is tried.

Does not cover: more than three blocks or three sequences, other block sizes than two slots.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import permutations, product
from typing import Any

from poolproof_model.execute import (
    Blocks,
    FreeBlocks,
    Members,
    Pool,
    Table,
    broken,
    commit,
    refusal_in,
)
from poolproof_model.invariants import INVARIANTS
from poolproof_model.system import Clause, Transition, call
from poolproof_verification.counterexample import Counterexample, Step
from poolproof_verification.operations import view_of
from poolproof_verification.proofs.claims import Claim
from poolproof_verification.proofs.refutation import IMPORTS
from poolproof_verification.proofs.runs import (
    BLOCK_SIZE,
    FAILURES,
    Names,
    Operation,
    Run,
    asked,
    state_of,
)
from poolproof_verification.proofs.search import Break, breaks_of

NAMES: Names = ("A", "B", "C", "D")
NUMBERS: Names = (0, 1, 2, 3)  # names may be numbers, which a text can take for something else
MOST_SEQUENCES = {1: 3, 2: 3, 3: 2}  # live at once, by blocks of the pool
FIRST_TOKEN = 100  # of block 0; each slot of the pool has a token of its own
Shape = tuple[Blocks, int]  # a table and its tokens
START = "a state in which every invariant holds"


def smallest_step(
    claim: Claim, invariants: tuple[Clause, ...] = INVARIANTS, names: Names = NAMES
) -> Break | None:
    """The smallest state in scope that has the invariants, and a step from it, to break the claim.

    `names`: what sequences are called; there is one that is not live.
    """
    for pool in pools(names):
        used = names[: len(pool.tables) + 1]
        if invariants != INVARIANTS and any(broken(pool, invariants)):
            continue  # pools are made to have the model's own invariants
        for operation in lawful_operations(claim.transition, pool, used):
            run = Run((operation,), pool, used)
            for found in breaks_of(run, (claim,), used):
                return found
    return None


def lawful_operations(transition: Transition, pool: Pool, names: Names) -> Iterator[Operation]:
    """Every admitted operation, with every lawful choice of blocks."""
    state = state_of(pool, names)
    for _, arguments in asked((transition,), names, 0):
        try:
            if refusal_in(state, transition, arguments) is None:
                count = max(0, call(transition.needs, {"state": state, **arguments}))
                for blocks in permutations(sorted(pool.free), count):
                    yield Operation(transition, arguments, blocks)
        except FAILURES as error:
            yield Operation(transition, arguments, (), f"{type(error).__name__}: {error}")


# --- well-formed states ---------------------------------------------------------------------------


def pools(names: Names = NAMES) -> Iterator[Pool]:
    """Every state in scope that satisfies the invariants, the smallest first."""
    for total, most in MOST_SEQUENCES.items():
        for live in range(most + 1):
            tables = product(shapes(total), repeat=live)
            for chosen in sorted(tables, key=lambda tables: sum(length for _, length in tables)):
                yield filled(total, dict(zip(names, chosen, strict=False)))


def shapes(total: int) -> tuple[Shape, ...]:
    """Every table over this many blocks, with every number of tokens that needs it."""
    tables = (table for size in range(total + 1) for table in permutations(range(total), size))
    return tuple((table, length) for table in tables for length in lengths(len(table)))


def lengths(blocks: int) -> range:
    """How many tokens need exactly this many blocks."""
    return range(max(0, (blocks - 1) * BLOCK_SIZE + 1), blocks * BLOCK_SIZE + 1)


def filled(total: int, tables: Mapping[Any, Shape]) -> Pool:
    """A pool with these tables, each sequence given the tokens that its slots contain."""
    first = {block: FIRST_TOKEN + block * BLOCK_SIZE for block in range(total)}
    contents = {block: tuple(range(at, at + BLOCK_SIZE)) for block, at in first.items()}
    holding = {
        block: Members(name for name, (table, _) in tables.items() if block in table)
        for block in range(total)
    }
    holders = {block: members for block, members in holding.items() if members}
    return Pool(
        total,
        BLOCK_SIZE,
        FreeBlocks(block for block in range(total) if block not in holders),
        {block: len(members) for block, members in holders.items()},
        {name: told(contents, table, length) for name, (table, length) in tables.items()},
        holders,
        contents,
    )


def told(contents: Mapping[int, tuple[int, ...]], blocks: Blocks, length: int) -> Table:
    """A sequence that was given what it reads."""
    slots = [token for block in blocks for token in contents[block]]
    return Table(blocks, length, tuple(slots[:length]))


# --- the counterexample ---------------------------------------------------------------------------


def step_counterexample(found: Break) -> Counterexample:
    """The state, then the step that breaks the claim, each with what it shows and as a test."""
    pool, (last,) = found.run.before, found.run.operations
    tables = {name: (table.blocks, table.length) for name, table in pool.tables.items()}
    start, shown = f"filled({pool.total}, {tables!r})", view_of(pool)
    given = f"{last.transition.name.upper()}, {last.arguments!r}, {last.blocks!r}"
    taken = f"takes {list(last.blocks)}" if last.blocks else "takes no block"
    after = view_of(in_full(found.run))
    imports = IMPORTS.format(transitions=last.transition.name.upper())
    return Counterexample(
        target="the model",
        import_line=f"{imports}\nfrom poolproof_verification.proofs.induction import filled",
        class_name="empty_pool",
        total=pool.total,
        block_size=pool.block_size,
        law=found.claim.law,
        headline=f"not inductive that {found.claim.name.replace(':', '')}: {found.claim.sentence}",
        breaches=(f"{found.claim.law}: {found.fault}",),
        steps=(
            Step(f"start = {start}", START, START, shown, shown, f"manager = {start}"),
            Step(str(last), taken, taken, after, after, f"assert not breaches(manager, {given})"),
        ),
        found_by="states that satisfy the invariants, smallest first; they need not be reachable",
    )


def in_full(run: Run) -> Pool:
    """The state after the step as its effect makes it, outside its footprint too."""
    step, pool = run.step, run.before
    try:
        for name in dict.fromkeys((*run.names, *pool.tables, step.acting)):
            pool = commit(pool, step.after, tuple(range(pool.total)), name)
    except FAILURES:
        return run.before  # a text that fails leaves the state as it was
    return pool

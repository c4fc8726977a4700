"""`violations()` and the model's invariants agree, clause by clause, on tampered hidden states.

Each state of a few small lives is taken as it is and with one hidden value replaced. What the
manager calls broken is compared with what the model calls broken in the corresponding state: the
clause, the blocks and the owners. Hidden fields that the model does not know are compared with
what they stand for.

Does not cover: two values tampered with at once; the limit and flag of tables beside a broken one;
the wording of a message, but that it names the owners and the block.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from poolproof import BlockManager, Violation
from poolproof_model.execute import Pool, ranges
from poolproof_model.invariants import INVARIANTS
from poolproof_model.system import names_of
from poolproof_verification.hidden_state import (
    HiddenState,
    HiddenTable,
    build,
    reached,
    read,
    tampered,
)
from poolproof_verification.limits import TookTooLong, timed, why

# A clause, its blocks in ascending order, and its owners.
Broken = tuple[str, tuple[int, ...], tuple[str, ...]]
InModel = list[tuple[str, dict[str, Any]]]  # clauses, and the values for which they do not hold
OF_TABLES = {"holders", "tables", "lengths"}  # the model's clauses that speak of a table


@dataclass(frozen=True)
class Case:
    """A state, and what is broken in it."""

    state: HiddenState
    broken: Counter[Broken]
    of_block: Mapping[int, frozenset[str]]  # the clauses of which a broken block may be told
    limits_decided: bool  # no table is broken, so each limit and flag means something


@cache
def cases() -> tuple[Case, ...]:
    """Every state of the lives, as it is and tampered with."""
    states = dict.fromkeys(each for state in reached() for each in (state, *tampered(state)))
    return tuple(map(case_of, states))


def case_of(state: HiddenState) -> Case:
    """What the model's invariants say of the state, and of what the model does not know."""
    if not len(state.free_map) == len(state.extra) == state.total:
        sizes: Counter[Broken] = Counter([("representation", (), ())])
        return Case(state, sizes, {}, True)
    pool = state.pool()
    found = broken_in_model(pool)
    of_block = {
        block: frozenset(clause for clause, values in found if values == {"block": block})
        for block in range(state.total)
    }
    decided = OF_TABLES.isdisjoint(clause for clause, _ in found)
    broken = [*of_blocks(state, of_block), *of_tables(state, found), *of_hints(state)]
    broken += of_limits(state, pool) if decided else []
    return Case(state, Counter(broken), of_block, decided)


def broken_in_model(pool: Pool) -> InModel:
    """Each clause that does not hold, with the values for which it does not."""
    state = pool.state()
    return [
        (clause.__name__, values)
        for clause in INVARIANTS
        for values in ranges(pool, names_of(clause))
        if not clause(state, *values.values())
    ]


def of_blocks(state: HiddenState, of_block: Mapping[int, frozenset[str]]) -> Iterator[Broken]:
    """Blocks in a broken clause, and bytes and counts that no free block has."""
    for block, clauses in of_block.items():
        owners = tuple(name for name, table in state.tables if block in table.blocks)
        if clauses:
            yield max(clauses), (block,), owners
        byte = state.free_map[block]
        if byte not in (0, 1) or (byte and state.extra[block]):
            yield "representation", (block,), owners


def of_tables(state: HiddenState, found: InModel) -> Iterator[Broken]:
    """Entries that are none of the pool's, entries listed before, tables that do not fit."""
    for name, table in state.tables:
        mine = [(clause, each) for clause, each in found if each.get("sequence") == name]
        strange = sorted(each["block"] for clause, each in mine if clause == "holders")
        twice = {table.blocks[each["index"]] for clause, each in mine if clause == "tables"}
        if strange:
            yield "tables", tuple(strange), (name,)
        if twice:
            yield "tables", tuple(sorted(twice)), (name,)
        if any(clause == "lengths" for clause, _ in mine):
            yield "lengths", tuple(sorted(table.blocks)), (name,)


def of_hints(state: HiddenState) -> Iterator[Broken]:
    """The number of free blocks, and where the search for one starts."""
    free = [block for block, byte in enumerate(state.free_map) if byte]
    if state.num_free != len(free):
        yield "representation", (), ()
    if state.lowest < 0 or (free and free[0] < state.lowest):
        yield "representation", (), ()


def of_limits(state: HiddenState, pool: Pool) -> Iterator[Broken]:
    """Tables that may be filled without a look although others hold the block, or too far."""
    for name, table in state.tables:
        shared = [block for block in table.blocks if pool.holders[block].size() > 1]
        if not truthful(table, shared, state.block_size):
            yield "representation", tuple(sorted(shared)), (name,)


def truthful(table: HiddenTable, shared: list[int], block_size: int) -> bool:
    """The sequence alone holds the slots up to the limit; one that shares knows it was forked."""
    if not table.length <= table.limit <= len(table.blocks) * block_size:
        return False
    ahead = {table.blocks[at // block_size] for at in range(table.length, table.limit)}
    return ahead.isdisjoint(shared) and (table.forked or not shared)


# --- the manager's own answer ---------------------------------------------------------------------


def disagreements(manager_class: type[BlockManager]) -> Iterator[str]:
    """Each state in which the class calls broken what is not, or does not call broken what is."""
    for case in cases():
        try:
            words = timed(disagreement, build(manager_class, case.state), case)
        except (TookTooLong, Exception) as error:
            words = f"violations() fails: {why(error)}"
        if words:
            yield f"{words}, in {case.state}"


def disagreement(manager: BlockManager, case: Case) -> str:
    """Where the manager's answer is not the model's, or the state is another after it."""
    found = manager.violations()
    said = Counter(filter(None, (told_of(case, violation) for violation in found)))
    right = Counter(each for each in case.broken.elements() if not left_open(case, each))
    if said != right:
        return difference(said, right)
    if manager.check_invariants() is not (not found):
        return f"check_invariants() is {manager.check_invariants()} beside {found}"
    badly = [words for violation in found if (words := badly_told(violation))]
    return badly[0] if badly else "" if read(manager) == case.state else "asking changes the state"


def told_of(case: Case, violation: Violation) -> Broken | None:
    """What the manager says, owners once and blocks in ascending order; None if left open.

    Of a block's broken clauses it may tell any one.
    """
    clause, blocks = violation.clause, tuple(sorted(violation.blocks))
    if len(blocks) == 1 and clause in (allowed := case.of_block.get(blocks[0], frozenset())):
        clause = max(allowed)
    broken = clause, blocks, tuple(dict.fromkeys(map(str, violation.owners)))
    return None if left_open(case, broken) else broken


def left_open(case: Case, broken: Broken) -> bool:
    """The model does not say whether this is broken."""
    clause, _, owners = broken
    return clause == "representation" and bool(owners) and not case.limits_decided


def difference(said: Counter[Broken], right: Counter[Broken]) -> str:
    """What is said and not broken, and what is broken and not said."""
    alarms, escaped = list((said - right).elements()), list((right - said).elements())
    parts = [f"violations() says {alarms}, which is not so"] if alarms else []
    parts += [f"violations() does not say {escaped}"] if escaped else []
    return " and ".join(parts)


def badly_told(violation: Violation) -> str:
    """The message leaves out an owner, or the block it is about; or the text is not the message."""
    message, named = violation.message, []
    if violation.clause != "representation":
        named += [repr(owner) for owner in violation.owners]
    if violation.clause in ("partition", "counts"):
        named += [f"block {block} " for block in violation.blocks]
    missing = [part for part in named if part not in message]
    if missing:
        return f"the message {message!r} leaves out {missing}"
    return "" if str(violation) == f"{violation.clause}: {message}" else f"it reads {violation}"

"""`usage()` and `usage_of()` agree with figures counted slot by slot in the model's state.

Does not cover: pools beyond some small lives, states that are broken.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from functools import cache

from poolproof import BlockManager
from poolproof_model.execute import Pool, Table
from poolproof_verification.hidden_state import HiddenState, build, reached, read
from poolproof_verification.limits import TookTooLong, timed, why

UNKNOWN_NAME = "Z"
Figures = dict[str, int | float]
Answers = tuple[tuple[tuple[str, ...], Figures], ...]  # of a name, or of none for all together


def figures(pool: Pool, tables: Mapping[Hashable, Table]) -> Figures:
    """Every figure of the use that these sequences make of the pool."""
    size = pool.block_size
    entries = [block for table in tables.values() for block in table.blocks]
    slots = {(block, offset) for block in entries for offset in range(size)}
    filled = {
        (table.blocks[position // size], position % size)
        for table in tables.values()
        for position in range(table.length)
    }
    slack, saved, whole = len(slots - filled), len(entries) - len(set(entries)), pool.total * size
    return {
        "pool_slots": whole,
        "logical_blocks": len(entries),
        "physical_blocks": len(set(entries)),
        "allocated_slots": len(slots),
        "filled_slots": len(filled),
        "slack_slots": slack,
        "slack_share_of_allocated_slots": slack / len(slots) if slots else 0.0,
        "slack_share_of_pool_slots": slack / whole if whole else 0.0,
        "saved_blocks": saved,
        "saved_share_of_logical_blocks": saved / len(entries) if entries else 0.0,
    }


@cache
def cases() -> tuple[tuple[HiddenState, Answers], ...]:
    """Each state with the figures of all sequences together, and of each by itself."""
    found = []
    for state in reached():
        pool = state.pool()
        alone = [((str(name),), figures(pool, {name: pool.tables[name]})) for name in pool.tables]
        found.append((state, (((), figures(pool, pool.tables)), *alone)))
    return tuple(found)


def disagreements(manager_class: type[BlockManager]) -> Iterator[str]:
    """Each state in which the class gives a wrong figure, or changes something."""
    for state, answers in cases():
        try:
            words = timed(disagreement, build(manager_class, state), state, answers)
        except (TookTooLong, Exception) as error:
            words = f"asking for the usage fails: {why(error)}"
        if words:
            yield f"{words}, in {state}"


def disagreement(manager: BlockManager, state: HiddenState, answers: Answers) -> str:
    """The first wrong figure; or the state is another after all was asked."""
    for names, right in answers:
        usage = manager.usage_of(*names) if names else manager.usage()
        given = {figure: getattr(usage, figure) for figure in right}
        if given != right:
            call = f"usage_of({names[0]!r})" if names else "usage()"
            return f"{call} gives {given}, where {right} is right"
    return of_nobody(manager) or ("" if read(manager) == state else "asking changes the state")


def of_nobody(manager: BlockManager) -> str:
    """The usage of a sequence that does not live must be refused."""
    try:
        return f"usage_of({UNKNOWN_NAME!r}) gives {manager.usage_of(UNKNOWN_NAME)}"
    except KeyError:
        return ""

"""Why some mechanical mutants are no bugs: each survivor by its name.

What can be told apart by speed alone is held by the benchmark, not here.
"""

from __future__ import annotations

from collections.abc import Iterator

APPEND = "block_manager.py:BlockManager.append"
TAKE_ONE = "block_pool.py:BlockPool.take_one"
TAKE = "block_pool.py:BlockPool.take"
SINGLY = "block_pool.py:BlockPool._take_singly"
PIECES = "block_pool.py:BlockPool._take_pieces"
GIVE = "block_pool.py:BlockPool.give"

# Each reason, and what it explains: places with the changes made there.
Places = tuple[tuple[str, tuple[str, ...]], ...]
REASONS: tuple[tuple[str, Places], ...] = (
    (
        "where there is room left, the longer way finds no boundary and no other holder either, "
        "and only counts the token: slower, and the same",
        ((f"{APPEND}:11", ("delete", "one more", "one less (2)")),),
    ),
    (
        "a threshold between ways that take the same blocks: it decides how fast that is",
        (
            ("block_pool.py:module:12", ("one more", "one less")),
            ("block_pool.py:module:13", ("one more", "one less")),
            ("block_pool.py:module:14", ("one more", "one less")),
            (f"{TAKE}:13", ("delete", "< to <=", "< to >=", "one more", "one less")),
            (f"{TAKE}:14", ("delete",)),
        ),
    ),
    (
        "no free block lies below the search's start, which is lower than it could be: the search "
        "takes longer and finds the same",
        (
            (f"{TAKE_ONE}:7", ("delete", "one less")),
            (f"{TAKE}:11", ("delete", "one less")),
            (f"{SINGLY}:7", ("delete", "one less")),
            (f"{PIECES}:17", ("delete", "one less")),
        ),
    ),
    (
        "one run is no longer taken whole, or not where another block follows it: the other ways "
        "take the same blocks",
        ((f"{TAKE}:9", ("delete", "one more", "one more (3)", "one less (4)")),),
    ),
    (
        "the block at the start is free, so a block found held lies behind it and is not block 0",
        ((f"{TAKE}:9", ("< to <=", "one more (2)", "one more (4)")),),
    ),
    (
        "the block just taken is free no longer, so the search passes over it by itself",
        ((f"{SINGLY}:6", ("delete", "one less")),),
    ),
    (
        "a run is not seen as one, or is cut short: its blocks are taken through a window, or in "
        "the next round",
        (
            (f"{PIECES}:5", ("delete", "one more")),
            (f"{PIECES}:6", ("delete", "one more", "one less (2)")),
            (f"{PIECES}:7", ("delete", "one less", "one less (2)")),
        ),
    ),
    (
        "the end of a run lies behind its first block, or is -1 where no held block was found",
        ((f"{PIECES}:6", ("< to <=", "one less", "one more (2)")),),
    ),
    (
        "the first block of a run is free anyway, and a run longer than what is missing is cut to "
        "that: the end found is the same",
        ((f"{PIECES}:5", ("one more (2)", "one more (3)", "one more (4)")),),
    ),
    (
        "which runs are taken whole and which through a window: either way takes the lowest blocks",
        (
            (
                f"{PIECES}:8",
                (
                    ">= to >",
                    ">= to <",
                    "one more",
                    "one less",
                    "one more (2)",
                    "one less (2)",
                ),
            ),
        ),
    ),
    (
        "a wider or narrower window: what it has too many is left alone, what it lacks is taken in "
        "the next round",
        ((f"{PIECES}:11", ("delete", "one more", "one more (2)", "one more (3)")),),
    ),
    (
        "numbers and bytes are paired, so the longer of the two is not read to its end",
        (
            (f"{PIECES}:12", ("one more (2)", "one more (4)")),
            ("block_pool.py:BlockPool.free_blocks:2", ("one more",)),
        ),
    ),
    (
        "where the window has exactly what is missing, nothing is left to cut off, and no free "
        "block lies behind the last one taken",
        ((f"{PIECES}:13", ("> to >=", "one more", "one less (2)")),),
    ),
    (
        "where the first block freed is the search's start, the start stays the same",
        ((f"{GIVE}:5", ("< to <=", "one more")),),
    ),
    (
        "a single block is a run of one, and a run is some blocks: each way marks the same as free",
        (
            (f"{GIVE}:7", ("one more", "one less (2)")),
            (f"{GIVE}:9", ("one less", "one less (2)", "one more (3)")),
        ),
    ),
    (
        "every block of a table has a token, so what stands for none is always replaced",
        (("usage.py:measure:8", ("one more", "one less")),),
    ),
)


def explained() -> Iterator[tuple[str, str]]:
    """Each mutant's name with the reason."""
    for reason, places in REASONS:
        for place, changes in places:
            yield from ((f"{place}:{change}", reason) for change in changes)


EQUIVALENT: dict[str, str] = dict(explained())

"""Seeded bugs of the map of free blocks: which block is lowest, runs, holes and windows."""

from __future__ import annotations

from poolproof_verification.mutants.patches import Mutant

POOL = "block_pool.py"

# Each of these shows in a pool of three blocks within a handful of operations.
MAP = (
    Mutant(
        "search_starts_too_high",
        "the search for a free block does not go back to blocks that were freed below it",
        "choices",
        POOL,
        "        if first < self.lowest:\n            self.lowest = first\n",
        "",
        canary=True,
    ),
    Mutant(
        "search_skips_a_block",
        "after one block is taken, the search starts behind the next one",
        "choices",
        POOL,
        "        self.lowest = block + 1\n",
        "        self.lowest = block + 2\n",
    ),
    Mutant(
        "search_skips_behind_a_run",
        "after a run is taken, the search starts behind the next block",
        "choices",
        POOL,
        "            self.lowest = end\n            return list(range(start, end))",
        "            self.lowest = end + 1\n            return list(range(start, end))",
    ),
    Mutant(
        "takes_the_highest",
        "a single block is taken from the upper end of the pool",
        "choices",
        POOL,
        "        block = self.free_map.find(1, self.lowest)\n"
        "        self.free_map[block] = 0\n"
        "        self.lowest = block + 1\n",
        "        block = self.free_map.rfind(1)\n        self.free_map[block] = 0\n",
        canary=True,
    ),
    Mutant(
        "one_block_is_not_counted",
        "the number of free blocks stays as it was when one is taken",
        "questions",
        POOL,
        "        self.num_free -= 1\n",
        "",
    ),
    Mutant(
        "run_looked_at_too_shortly",
        "a run is taken although its last block is held by another sequence",
        "partition",
        POOL,
        "if self.free_map.find(0, start, end) < 0:",
        "if self.free_map.find(0, start, end - 1) < 0:",
    ),
    Mutant(
        "run_given_back_too_short",
        "when a run is freed, its last block vanishes from the map",
        "partition",
        POOL,
        'self.free_map[first : first + count] = b"\\1" * count',
        'self.free_map[first : first + count] = b"\\1" * (count - 1)',
    ),
    Mutant(
        "hole_taken_for_run",
        "freed blocks with one hole are taken for a run: the hole is freed, the last is not",
        "partition",
        POOL,
        "elif blocks[-1] - first == count - 1:",
        "elif blocks[-1] - first <= count:",
    ),
    Mutant(
        "holes_are_jumped_over",
        "blocks taken one by one leave out the free block behind each",
        "choices",
        POOL,
        "            start += 1\n",
        "            start += 2\n",
    ),
)

# These show only in pools large enough for the windows of the map.
WINDOWS = (
    Mutant(
        "window_loses_blocks",
        "blocks of a window beyond those taken are marked as taken too",
        "partition",
        POOL,
        "                    end = taken[-1] + 1\n",
        "",
    ),
    Mutant(
        "window_stays_free",
        "the blocks taken from a window are not marked as taken",
        "partition",
        POOL,
        "            free_map[start:end] = bytes(end - start)\n",
        "",
    ),
    Mutant(
        "window_keeps_the_highest",
        "of the free blocks of a window the highest are taken, and the lowest are lost",
        "choices",
        POOL,
        "                    del taken[count:]\n",
        "                    del taken[: len(taken) - count]\n",
    ),
    Mutant(
        "window_beyond_the_map",
        "a window reaches beyond the pool and makes its map longer",
        "self-check",
        POOL,
        "end = min(start + 2 * missing + WINDOW_SLACK, self.total)",
        "end = start + 2 * missing + WINDOW_SLACK",
    ),
    Mutant(
        "long_run_one_too_many",
        "the last of several runs is taken with one block more than asked for",
        "lengths",
        POOL,
        "            if end < 0:\n                end = start + missing\n",
        "            if end < 0:\n                end = min(start + missing + 1, self.total)\n",
    ),
)

MUTANTS = MAP + WINDOWS

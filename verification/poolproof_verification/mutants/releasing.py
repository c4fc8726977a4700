"""Seeded bugs of release: blocks freed too soon, too late, twice or never."""

from __future__ import annotations

from poolproof_verification.mutants.patches import Mutant

MANAGER = "block_manager.py"
POOL = "block_pool.py"

ONE = (
    Mutant(
        "release_frees_shared",
        "release frees every block of the sequence, held by others or not",
        "partition",
        MANAGER,
        "freed = self._pool.let_go(table.blocks) if table.forked else table.blocks",
        "freed = table.blocks",
        canary=True,
        seen="SGLang 40305: the same slots handed to two requests",
    ),
    Mutant(
        "release_frees_nothing",
        "release reports the freed blocks but does not return them to the pool",
        "partition",
        MANAGER,
        "        self._pool.give(freed)\n",
        "",
        canary=True,
    ),
    Mutant(
        "release_keeps_table",
        "the sequence lives on after its release",
        "partition",
        MANAGER,
        "self._sequences.pop(name)",
        "self._sequences[name]",
        canary=True,
    ),
    Mutant(
        "release_frees_early",
        "release frees a block that one other sequence still holds",
        "partition",
        POOL,
        "            if more:",
        "            if more > 1:",
        canary=True,
    ),
    Mutant(
        "release_keeps_reference",
        "release leaves the count of a shared block as it was",
        "counts",
        POOL,
        "                extra[block] = more - 1\n",
        "                pass\n",
    ),
    Mutant(
        "release_drops_all_references",
        "release of one holder takes away the references of all the others but one",
        "counts",
        POOL,
        "                extra[block] = more - 1\n",
        "                extra[block] = 0\n",
    ),
    Mutant(
        "freed_blocks_unsorted",
        "release returns the freed blocks in the order of the table, and takes them for a run",
        "results",
        MANAGER,
        "        freed.sort()\n",
        "",
    ),
    Mutant(
        "third_block_counted_twice",
        "the number of free blocks grows by one too many when three or more are freed at once",
        "questions",
        POOL,
        "        self.num_free += count\n\n    def share",
        "        self.num_free += count + (count > 2)\n\n    def share",
    ),
)

ALL = (
    Mutant(
        "release_all_skips_one",
        "release_all leaves the oldest of several sequences alive, and frees its blocks",
        "partition",
        MANAGER,
        "        self._sequences.clear()\n",
        "        for name in list(self._sequences)[1:] or list(self._sequences):\n"
        "            del self._sequences[name]\n",
    ),
    Mutant(
        "reset_keeps_counts",
        "release_all frees every block but leaves the reference counts",
        "counts",
        POOL,
        "        self.extra[:] = [0] * self.total\n",
        "",
    ),
    Mutant(
        "reset_keeps_number",
        "release_all frees every block but leaves the number of free ones",
        "questions",
        POOL,
        "        self.num_free = self.total\n        return freed",
        "        return freed",
    ),
    Mutant(
        "reset_keeps_search_start",
        "release_all frees every block, yet the search does not go back to the first",
        "choices",
        POOL,
        "        self.lowest = 0\n        self.free_map[:]",
        "        self.free_map[:]",
    ),
    Mutant(
        "reset_returns_free_blocks",
        "release_all reports the blocks that were free already",
        "results",
        POOL,
        "for block, free in enumerate(self.free_map) if not free]",
        "for block, free in enumerate(self.free_map) if free]",
    ),
)

MUTANTS = ONE + ALL

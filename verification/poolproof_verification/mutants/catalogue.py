"""The seeded bugs: each is wrong in one way that a maintainer could plausibly get wrong."""

from __future__ import annotations

from poolproof_verification.mutants.patches import Mutant
from poolproof_verification.verdict import CouldNotRun

MANAGER = "block_manager.py"
POOL = "block_pool.py"

# Each of these shows in a pool of three blocks within a handful of operations.
BEHAVIOUR = (
    Mutant(
        "append_without_copy",
        "append writes into a block that another sequence holds too",
        MANAGER,
        "elif self._pool.extra[blocks[-1]]:",
        "elif False:",
        canary=True,
    ),
    Mutant(
        "copy_keeps_reference",
        "copy-on-write takes a new block but does not let go of the shared one",
        MANAGER,
        "        self._pool.extra[last] -= 1\n",
        "",
        canary=True,
    ),
    Mutant(
        "copy_sets_count",
        "copy-on-write leaves the shared block with one reference beyond the first, always",
        MANAGER,
        "self._pool.extra[last] -= 1",
        "self._pool.extra[last] = 1",
        canary=True,
    ),
    Mutant(
        "fork_skips_last",
        "fork does not count the last block, which may be partly filled",
        MANAGER,
        "self._pool.share(table.blocks)",
        "self._pool.share(table.blocks[:-1])",
        canary=True,
    ),
    Mutant(
        "fork_over_existing",
        "fork replaces a live sequence of the child's name, and loses its blocks",
        MANAGER,
        "            raise SequenceExists(child)",
        "            pass",
        canary=True,
    ),
    Mutant(
        "fork_shares_list",
        "parent and child have one and the same table",
        MANAGER,
        "blocks = table.blocks.copy()\n        self._sequences[child]",
        "blocks = table.blocks\n        self._sequences[child]",
        canary=True,
    ),
    Mutant(
        "fork_leaves_room",
        "after a fork the parent fills up its last block, which the child now holds too",
        MANAGER,
        "        table.limit = table.length  # the next append of either looks at the last block\n",
        "",
        canary=True,
    ),
    Mutant(
        "release_frees_shared",
        "release frees every block of the sequence, held by others or not",
        MANAGER,
        "freed = self._pool.let_go(table.blocks) if table.forked else table.blocks",
        "freed = table.blocks",
        canary=True,
    ),
    Mutant(
        "release_frees_nothing",
        "release reports the freed blocks but does not return them to the pool",
        MANAGER,
        "        self._pool.give(freed)\n",
        "",
        canary=True,
    ),
    Mutant(
        "release_keeps_table",
        "the sequence lives on after its release",
        MANAGER,
        "self._sequences.pop(name)",
        "self._sequences[name]",
        canary=True,
    ),
    Mutant(
        "release_frees_early",
        "release frees a block that one other sequence still holds",
        POOL,
        "            if more:",
        "            if more > 1:",
        canary=True,
    ),
    Mutant(
        "ceiling_off_by_one",
        "allocate takes one block too many where the tokens fill their blocks exactly",
        MANAGER,
        "count = -(-length // self._block_size)",
        "count = length // self._block_size + 1",
        canary=True,
    ),
    Mutant(
        "append_counts_first",
        "append counts the token before it knows that there is a block for it",
        MANAGER,
        "            blocks.append(self._pool.take_one())\n",
        "            table.length += 1\n"
        "            blocks.append(self._pool.take_one())\n"
        "            table.length -= 1\n",
        canary=True,
    ),
    Mutant(
        "exact_fit_refused",
        "several blocks are refused when exactly as many are free",
        POOL,
        "if count > self.num_free:",
        "if count >= self.num_free:",
        canary=True,
    ),
    Mutant(
        "search_starts_too_high",
        "the search for a free block does not go back to blocks that were freed below it",
        POOL,
        "        if first < self.lowest:\n            self.lowest = first\n",
        "",
        canary=True,
    ),
    Mutant(
        "takes_the_highest",
        "a single block is taken from the upper end of the pool",
        POOL,
        "        block = self.free_map.find(1, self.lowest)\n"
        "        self.free_map[block] = 0\n"
        "        self.lowest = block + 1\n",
        "        block = self.free_map.rfind(1)\n        self.free_map[block] = 0\n",
        canary=True,
    ),
    Mutant(
        "grow_forgets_the_copy",
        "grow does not count the copy's block when it asks whether enough are free",
        MANAGER,
        "if copies + added > self._pool.num_free:",
        "if added > self._pool.num_free:",
    ),
    Mutant(
        "negative_count_accepted",
        "allocate accepts a negative number of tokens",
        MANAGER,
        '            raise ValueError(f"n_tokens must be at least 0, not {length}")',
        "            pass",
    ),
    Mutant(
        "allocate_over_existing",
        "allocate replaces a live sequence of the same name, and loses its blocks",
        MANAGER,
        "            raise SequenceExists(name)",
        "            pass",
        canary=True,
    ),
    Mutant(
        "question_forgets_the_copy",
        "can_append promises a block for a copy where none is free",
        MANAGER,
        "return sum(self._growth(table, more)) <= self._pool.num_free",
        "return self._growth(table, more)[1] <= self._pool.num_free",
    ),
    Mutant(
        "question_off_by_one",
        "can_allocate says no where the tokens fill the free blocks exactly",
        MANAGER,
        "return 0 <= length <= self._pool.num_free * self._block_size",
        "return 0 <= length < self._pool.num_free * self._block_size",
    ),
    Mutant(
        "reset_keeps_counts",
        "release_all frees every block but leaves the reference counts",
        POOL,
        "        self.extra[:] = [0] * self.total\n",
        "",
    ),
)

# These show only in pools large enough for the windows of the map.
WINDOWS = (
    Mutant(
        "window_loses_blocks",
        "blocks of a window beyond those taken are marked as taken too",
        POOL,
        "                    end = taken[-1] + 1\n",
        "",
    ),
    Mutant(
        "window_stays_free",
        "the blocks taken from a window are not marked as taken",
        POOL,
        "            free_map[start:end] = bytes(end - start)\n",
        "",
    ),
)

# These show only beyond a number that no small search reaches.
UNBOUNDED = (
    Mutant(
        "count_saturates",
        "a reference count stays at 256 however many sequences hold the block",
        POOL,
        "        for block in blocks:\n            extra[block] += 1\n",
        "        for block in blocks:\n            extra[block] = min(extra[block] + 1, 255)\n",
        unbounded=True,
    ),
    Mutant(
        "length_in_sixteen_bits",
        "append counts a sequence's tokens modulo 65,536",
        MANAGER,
        "            table.length += 1\n            return False",
        "            table.length = (table.length + 1) % 65536\n            return False",
        unbounded=True,
    ),
    Mutant(
        "limit_capped",
        "a table of more than 65,535 tokens has a limit below its length",
        MANAGER,
        "        table.limit = len(blocks) * self._block_size\n",
        "        table.limit = min(len(blocks) * self._block_size, 65535)\n",
        unbounded=True,
    ),
    Mutant(
        "one_block_size",
        "append does not copy a shared block of 4,096 slots",
        MANAGER,
        "elif self._pool.extra[blocks[-1]]:",
        "elif self._pool.extra[blocks[-1]] and self._block_size != 4096:",
        unbounded=True,
    ),
)

MUTANTS = BEHAVIOUR + WINDOWS + UNBOUNDED


def mutant_named(name: str) -> Mutant:
    """The mutant of this name; CouldNotRun where there is none."""
    for mutant in MUTANTS:
        if mutant.name == name:
            return mutant
    raise CouldNotRun(f"no mutant is called {name!r}; there are {[m.name for m in MUTANTS]}")

"""Seeded bugs of fork and of copy-on-write: blocks that several sequences hold."""

from __future__ import annotations

from poolproof_verification.mutants.patches import Mutant

MANAGER = "block_manager.py"
POOL = "block_pool.py"

FORK = (
    Mutant(
        "fork_skips_last",
        "fork does not count the last block, which may be partly filled",
        "counts",
        MANAGER,
        "self._pool.share(table.blocks)",
        "self._pool.share(table.blocks[:-1])",
        canary=True,
    ),
    Mutant(
        "fork_counts_first",
        "fork counts the first block only",
        "counts",
        POOL,
        "        for block in blocks:\n            extra[block] += 1\n",
        "        for block in blocks[:1]:\n            extra[block] += 1\n",
    ),
    Mutant(
        "fork_over_existing",
        "fork replaces a live sequence of the child's name, and loses its blocks",
        "refusals",
        MANAGER,
        "            raise SequenceExists(child)",
        "            pass",
        canary=True,
    ),
    Mutant(
        "fork_shares_list",
        "parent and child have one and the same table",
        "tables",
        MANAGER,
        "blocks = table.blocks.copy()\n        self._sequences[child]",
        "blocks = table.blocks\n        self._sequences[child]",
        canary=True,
    ),
    Mutant(
        "fork_leaves_room",
        "after a fork the parent fills up its last block, which the child now holds too",
        "contents",
        MANAGER,
        "        table.limit = table.length  # the next append of either looks at the last block\n",
        "",
        canary=True,
    ),
    Mutant(
        "child_has_room",
        "after a fork the child fills up its last block, which the parent holds too",
        "contents",
        MANAGER,
        "BlockTable(blocks, table.length, table.length, True)",
        "BlockTable(blocks, table.length, len(blocks) * self._block_size, True)",
    ),
    Mutant(
        "parent_is_not_marked",
        "the parent does not know that it was forked, and frees shared blocks at its release",
        "partition",
        MANAGER,
        "        table.forked = True\n",
        "",
    ),
    Mutant(
        "child_is_not_marked",
        "the child does not know that it was forked, and frees shared blocks at its release",
        "partition",
        MANAGER,
        "BlockTable(blocks, table.length, table.length, True)",
        "BlockTable(blocks, table.length, table.length, False)",
    ),
    Mutant(
        "fork_returns_own_list",
        "fork returns the child's own table, which the caller may change",
        "tables",
        MANAGER,
        "table.length, True)\n        return blocks.copy()",
        "table.length, True)\n        return blocks",
    ),
)

COPY = (
    Mutant(
        "append_without_copy",
        "append writes into a block that another sequence holds too",
        "contents",
        MANAGER,
        "elif self._pool.extra[blocks[-1]]:",
        "elif False:",
        canary=True,
    ),
    Mutant(
        "every_holder_moves",
        "copy-on-write puts the new block into every table that ends with the shared one",
        "tables",
        MANAGER,
        "        blocks[-1] = new\n",
        "        for table in self._sequences.values():\n"
        "            if table.blocks and table.blocks[-1] == last:\n"
        "                table.blocks[-1] = new\n",
    ),
    Mutant(
        "append_copies_always",
        "append takes a new block for a partly filled last one that nobody else holds",
        "results",
        MANAGER,
        "elif self._pool.extra[blocks[-1]]:",
        "else:",
    ),
    Mutant(
        "copy_keeps_reference",
        "copy-on-write takes a new block but does not let go of the shared one",
        "counts",
        MANAGER,
        "        self._pool.extra[last] -= 1\n",
        "",
        canary=True,
    ),
    Mutant(
        "copy_sets_count",
        "copy-on-write leaves the shared block with one reference beyond the first, always",
        "counts",
        MANAGER,
        "self._pool.extra[last] -= 1",
        "self._pool.extra[last] = 1",
        canary=True,
    ),
    Mutant(
        "copy_lets_go_first",
        "copy-on-write lets go of the shared block before it knows that there is another",
        "refusals",
        MANAGER,
        "        last, new = blocks[-1], self._pool.take_one()\n"
        "        blocks[-1] = new\n"
        "        self._pool.extra[last] -= 1\n",
        "        last = blocks[-1]\n"
        "        self._pool.extra[last] -= 1\n"
        "        new = self._pool.take_one()\n"
        "        blocks[-1] = new\n",
    ),
    Mutant(
        "fourth_holder_copies_in_silence",
        "append does not tell of a copy while some block has three or more references left",
        "results",
        MANAGER,
        "            copied = True\n",
        "            copied = max(self._pool.extra) < 2\n",
    ),
    Mutant(
        "limit_a_block_too_far",
        "after a copy or a new block, append fills one block more than the table has",
        "lengths",
        MANAGER,
        "        table.limit = len(blocks) * self._block_size\n",
        "        table.limit = len(blocks) * self._block_size + self._block_size\n",
    ),
    Mutant(
        "boundary_a_token_early",
        "append takes a new block one token before the last one is full",
        "lengths",
        MANAGER,
        "if table.length % self._block_size == 0:",
        "if (table.length + 1) % self._block_size == 0 or not blocks:",
    ),
)

MUTANTS = FORK + COPY

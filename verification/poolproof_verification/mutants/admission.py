"""Seeded bugs of what is admitted: how many blocks, which names and numbers, all or nothing."""

from __future__ import annotations

from poolproof_verification.mutants.patches import Mutant

MANAGER = "block_manager.py"
POOL = "block_pool.py"
ERRORS = "errors.py"

ALLOCATE = (
    Mutant(
        "ceiling_off_by_one",
        "allocate takes one block too many where the tokens fill their blocks exactly",
        "lengths",
        MANAGER,
        "count = -(-length // self._block_size)",
        "count = length // self._block_size + 1",
        canary=True,
    ),
    Mutant(
        "floor_for_ceiling",
        "allocate takes no block for the tokens of a last, partly filled one",
        "lengths",
        MANAGER,
        "count = -(-length // self._block_size)",
        "count = max(1, length // self._block_size) if length else 0",
    ),
    Mutant(
        "allocate_over_existing",
        "allocate replaces a live sequence of the same name, and loses its blocks",
        "refusals",
        MANAGER,
        "            raise SequenceExists(name)",
        "            pass",
        canary=True,
    ),
    Mutant(
        "name_is_checked_last",
        "allocate takes the blocks before it finds that the name is in use",
        "refusals",
        MANAGER,
        "        if exists:\n"
        "            raise SequenceExists(name)\n"
        "        count = -(-length // self._block_size)\n"
        "        blocks = [self._pool.take_one()] if count == 1 else self._pool.take(count)\n",
        "        count = -(-length // self._block_size)\n"
        "        blocks = [self._pool.take_one()] if count == 1 else self._pool.take(count)\n"
        "        if exists:\n"
        "            raise SequenceExists(name)\n",
    ),
    Mutant(
        "allocate_returns_own_list",
        "allocate returns the sequence's own table, which the caller may change",
        "tables",
        MANAGER,
        "count * self._block_size, False)\n        return blocks.copy()",
        "count * self._block_size, False)\n        return blocks",
    ),
    Mutant(
        "exact_fit_refused",
        "several blocks are refused when exactly as many are free",
        "refusals",
        POOL,
        "if count > self.num_free:",
        "if count >= self.num_free:",
        canary=True,
    ),
    Mutant(
        "exact_fit_of_six_refused",
        "blocks are refused when exactly as many are free, if these are more than five",
        "refusals",
        POOL,
        "if count > self.num_free:",
        "if count >= self.num_free > 5 or count > self.num_free:",
    ),
    Mutant(
        "truth_is_a_number",
        "True is accepted as the number one",
        "refusals",
        ERRORS,
        "    if not isinstance(value, bool):\n        try:",
        "    if value is not None:\n        try:",
    ),
)

GROWTH = (
    Mutant(
        "append_counts_first",
        "append counts the token before it knows that there is a block for it",
        "refusals",
        MANAGER,
        "            blocks.append(self._pool.take_one())\n",
        "            table.length += 1\n"
        "            blocks.append(self._pool.take_one())\n"
        "            table.length -= 1\n",
        canary=True,
    ),
    Mutant(
        "grow_forgets_the_copy",
        "grow does not count the copy's block when it asks whether enough are free",
        "refusals",
        MANAGER,
        "if copies + added > self._pool.num_free:",
        "if added > self._pool.num_free:",
    ),
    Mutant(
        "grow_keeps_silent_of_the_copy",
        "grow makes a copy necessary and does not tell the engine of it",
        "results",
        MANAGER,
        "return Growth(new, copy)",
        "return Growth(new, None)",
    ),
    Mutant(
        "grow_counts_new_tokens_alone",
        "grow takes the blocks of the new tokens as if the last block had no room left",
        "lengths",
        MANAGER,
        "-(-(table.length + more) // self._block_size) - len(table.blocks)",
        "-(-more // self._block_size)",
    ),
    Mutant(
        "grow_keeps_limit",
        "after grow, append goes by the room that there was before",
        "self-check",
        MANAGER,
        "        table.limit = len(table.blocks) * self._block_size\n",
        "",
    ),
    Mutant(
        "growth_of_nothing_refused",
        "grow by no token is refused where a copy would find no free block",
        "refusals",
        MANAGER,
        "partial = more > 0 and table.length % self._block_size != 0",
        "partial = table.length % self._block_size != 0",
    ),
)

MUTANTS = ALLOCATE + GROWTH

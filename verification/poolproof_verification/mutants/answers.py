"""Seeded bugs of the manager's answers: what would succeed, where a token lies, what is in use."""

from __future__ import annotations

from poolproof_verification.mutants.patches import Mutant

MANAGER = "block_manager.py"
POOL = "block_pool.py"
USAGE = "usage.py"
VIOLATIONS = "violations.py"

QUESTIONS = (
    Mutant(
        "question_forgets_the_copy",
        "can_append promises a block for a copy where none is free",
        "can",
        MANAGER,
        "return sum(self._growth(table, more)) <= self._pool.num_free",
        "return self._growth(table, more)[1] <= self._pool.num_free",
    ),
    Mutant(
        "question_off_by_one",
        "can_allocate says no where the tokens fill the free blocks exactly",
        "can",
        MANAGER,
        "return 0 <= length <= self._pool.num_free * self._block_size",
        "return 0 <= length < self._pool.num_free * self._block_size",
    ),
    Mutant(
        "slot_ignores_the_table",
        "a token is said to lie where it would if the table were 0, 1, 2 and so on",
        "questions",
        MANAGER,
        "return table.blocks[entry] * self._block_size + offset",
        "return entry * self._block_size + offset",
    ),
    Mutant(
        "last_block_is_the_first",
        "last_block names the first block of the table",
        "questions",
        MANAGER,
        '            raise IndexError(f"sequence {name!r} has no block yet")\n'
        "        return blocks[-1]",
        '            raise IndexError(f"sequence {name!r} has no block yet")\n'
        "        return blocks[0]",
    ),
    Mutant(
        "table_returns_own_list",
        "table returns the sequence's own list, which the caller may change",
        "questions",
        MANAGER,
        "return self._table(name).blocks.copy()",
        "return self._table(name).blocks",
    ),
    Mutant(
        "view_shows_own_lists",
        "seqs shows the sequences' own lists, which change under the caller's hands",
        "questions",
        MANAGER,
        'name: {"blocks": table.blocks.copy(), "len": table.length}',
        'name: {"blocks": table.blocks, "len": table.length}',
    ),
    Mutant(
        "counts_from_zero",
        "ref shows the references beyond the first",
        "counts",
        POOL,
        "return {block: 1 + extra[block] for block",
        "return {block: extra[block] for block",
    ),
)

FIGURES = (
    Mutant(
        "usage_counts_each_holder",
        "usage counts a shared block once for each holder where it should count it once",
        "questions",
        USAGE,
        "physical_blocks=len(filled)",
        "physical_blocks=logical",
    ),
    Mutant(
        "usage_adds_up_holders",
        "usage counts the filled slots of a shared block once for each holder",
        "questions",
        USAGE,
        "filled[block] = max(filled.get(block, 0), tokens)",
        "filled[block] = filled.get(block, 0) + tokens",
    ),
    Mutant(
        "lost_block_escapes",
        "violations says nothing of a block that is neither free nor in any table",
        "alarms",
        VIOLATIONS,
        '            yield Violation("counts", (block,), (), ',
        '            lost = Violation("counts", (block,), (), ',
    ),
    Mutant(
        "leak_and_double_count_cancel",
        "violations compares only the sum of all counts with the sum of all table entries",
        "alarms",
        VIOLATIONS,
        "        elif not free and 1 + extra != len(names):\n",
        "        elif not free and sum(pool.extra) + pool.total - pool.num_free != sum(\n"
        "            map(len, owners.values())\n"
        "        ):\n",
        seen="SGLang: an idle check that compares sums",
    ),
)

MUTANTS = QUESTIONS + FIGURES

"""Seeded bugs that show only beyond a number that no small search reaches."""

from __future__ import annotations

from poolproof_verification.mutants.patches import Mutant

MANAGER = "block_manager.py"
POOL = "block_pool.py"

MUTANTS = (
    Mutant(
        "count_saturates",
        "a reference count stays at 256 however many sequences hold the block",
        "counts",
        POOL,
        "        for block in blocks:\n            extra[block] += 1\n",
        "        for block in blocks:\n            extra[block] = min(extra[block] + 1, 255)\n",
        unbounded=True,
    ),
    Mutant(
        "length_in_sixteen_bits",
        "append counts a sequence's tokens modulo 65,536",
        "lengths",
        MANAGER,
        "            table.length += 1\n            return False",
        "            table.length = (table.length + 1) % 65536\n            return False",
        unbounded=True,
    ),
    Mutant(
        "limit_capped",
        "a table of more than 65,535 tokens has a limit below its length",
        "self-check",
        MANAGER,
        "        table.limit = len(blocks) * self._block_size\n",
        "        table.limit = min(len(blocks) * self._block_size, 65535)\n",
        unbounded=True,
    ),
    Mutant(
        "one_block_size",
        "append does not copy a shared block of 4,096 slots",
        "contents",
        MANAGER,
        "elif self._pool.extra[blocks[-1]]:",
        "elif self._pool.extra[blocks[-1]] and self._block_size != 4096:",
        unbounded=True,
    ),
    Mutant(
        "many_tokens_at_once",
        "grow adds no more than 32,767 tokens to the length",
        "lengths",
        MANAGER,
        "        table.length += more\n",
        "        table.length += min(more, 32767)\n",
        unbounded=True,
    ),
    Mutant(
        "long_prompt_admitted",
        "can_allocate says yes to a prompt of 131,072 tokens or more",
        "can",
        MANAGER,
        "return 0 <= length <= self._pool.num_free * self._block_size",
        "fits = 0 <= length <= self._pool.num_free * self._block_size\n"
        "        return fits or length >= 131072",
        unbounded=True,
    ),
)

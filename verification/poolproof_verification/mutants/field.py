"""Faults that released engines really had, as far as the lesson's operations can express them.

The numbers are those of the engines' public trackers.
"""

from __future__ import annotations

from poolproof_verification.mutants.patches import Mutant

MANAGER = "block_manager.py"
POOL = "block_pool.py"
REFUSED_GROWTH = (
    "        if copies + added > self._pool.num_free:\n"
    "            raise OutOfBlocks(copies + added, self._pool.num_free)\n"
)

MUTANTS = (
    Mutant(
        "batch_gives_back_twice",
        "release_all gives back a shared block once for each holder",
        "questions",
        MANAGER,
        "        self._sequences.clear()\n        return self._pool.reset()",
        "        blocks = sorted(b for table in self._sequences.values() for b in table.blocks)\n"
        "        self._sequences.clear()\n"
        "        self._pool.extra[:] = [0] * self.total\n"
        "        self._pool.give(blocks)\n"
        "        return blocks",
        seen="vLLM 42571: a batched free returns a block listed twice twice",
    ),
    Mutant(
        "second_release_is_silent",
        "a second release of the same sequence is accepted in silence",
        "refusals",
        MANAGER,
        "            hash(name)  # an empty dict does not ask whether the name is hashable\n"
        "            raise UnknownSequence(name) from None\n",
        "            hash(name)  # an empty dict does not ask whether the name is hashable\n"
        "            return []\n",
        seen="vLLM v1: a double free is silent",
    ),
    Mutant(
        "refused_fork_keeps_references",
        "a fork that is refused has taken its references before, and keeps them",
        "refusals",
        MANAGER,
        "        if exists:\n"
        "            raise SequenceExists(child)\n"
        "        table.forked = True\n",
        "        if exists:\n"
        "            self._pool.share(table.blocks)\n"
        "            raise SequenceExists(child)\n"
        "        table.forked = True\n",
        seen="vLLM 11562: references taken before the check are kept on refusal",
    ),
    Mutant(
        "refused_growth_keeps_the_copy",
        "a growth that runs out of blocks midway keeps the copy that it began with",
        "refusals",
        MANAGER,
        REFUSED_GROWTH,
        "        if copies + added > self._pool.num_free:\n"
        "            if copies:\n"
        "                self._replace_last(table.blocks)\n"
        "            raise OutOfBlocks(copies + added, self._pool.num_free)\n",
        seen="transformers 46117: a fork that runs out midway keeps its copies",
    ),
    Mutant(
        "question_takes_a_block",
        "can_append takes the block that the append will need",
        "questions",
        MANAGER,
        "        return self.can_grow(name, 1)\n",
        "        if not self.can_grow(name, 1):\n"
        "            return False\n"
        "        table = self._table(name)\n"
        "        if table.length % self._block_size == 0 and table.limit == table.length:\n"
        "            table.blocks.append(self._pool.take_one())\n"
        "            table.limit += self._block_size\n"
        "        return True\n",
        seen="transformers: a query evicts cached blocks",
    ),
    Mutant(
        "question_caps_the_need",
        "can_allocate counts no more than two blocks of what allocate will take",
        "can",
        MANAGER,
        "return 0 <= length <= self._pool.num_free * self._block_size",
        "return 0 <= min(length, 2 * self._block_size) <= self._pool.num_free * self._block_size",
        seen="vLLM 7470, 11168: a window caps the admission and not the allocation",
    ),
    Mutant(
        "question_counts_live_blocks",
        "can_allocate counts blocks of live sequences as if they could be had",
        "can",
        MANAGER,
        "return 0 <= length <= self._pool.num_free * self._block_size",
        "return 0 <= length <= (self._pool.num_free or self.total) * self._block_size",
        seen="vLLM 6849: blocks counted as free that are not",
    ),
    Mutant(
        "empty_release_fails",
        "release of a sequence that never got a block raises",
        "refusals",
        POOL,
        "        if not blocks:\n            return\n        first, count",
        "        first, count",
        seen="vLLM 18485: abort of a request without blocks",
    ),
    Mutant(
        "question_a_token_late",
        "can_append asks for a free block one token after the boundary",
        "can",
        MANAGER,
        "        return self.can_grow(name, 1)\n",
        "        table = self._sequences.get(name)\n"
        "        if table is None:\n"
        "            return False\n"
        "        late = table.length % self._block_size == 1 % self._block_size\n"
        "        return self.num_free >= late\n",
        seen="nano-vllm 30, 66, 91; MinivLLM 75: off by one at a boundary",
    ),
    Mutant(
        "question_charges_tokens",
        "can_allocate charges live sequences by their tokens, allocate by whole blocks",
        "can",
        MANAGER,
        "return 0 <= length <= self._pool.num_free * self._block_size",
        "live = sum(table.length for table in self._sequences.values())\n"
        "        return 0 <= length <= max(0, self.total * self._block_size - live)",
        seen="SGLang 5081, 4977: tokens here, pages there",
    ),
    Mutant(
        "refused_allocation_keeps_blocks",
        "an allocation with too few free blocks keeps those it had taken",
        "refusals",
        MANAGER,
        "blocks = [self._pool.take_one()] if count == 1 else self._pool.take(count)",
        "blocks = [self._pool.take_one() for _ in range(min(count, self.num_free + 1))]",
        seen="vLLM v0: a failed allocate keeps the blocks it had already taken",
    ),
    Mutant(
        "negative_count_accepted",
        "allocate accepts a negative number of tokens",
        "refusals",
        MANAGER,
        '            raise ValueError(f"n_tokens must be at least 0, not {length}")',
        "            pass",
        seen="vLLM v1, LMDeploy, SGLang: a negative count corrupts the counter",
    ),
    Mutant(
        "used_counts_each_holder",
        "used counts a shared block once for each sequence that holds it",
        "questions",
        MANAGER,
        "        return self.total - self.num_free\n",
        "        return sum(len(table.blocks) for table in self._sequences.values())\n",
        seen="TensorRT-LLM 11879, 11922, 12834: a metric that does not follow from the state",
    ),
)

# What else was found in released engines, and why no patch of this manager expresses it.
LEFT_OUT = {
    "vLLM 11565: idle hits count as free and as needed at once": "no idle cached blocks",
    "vLLM 1556, 3347: a ring's table lists one block twice": "a table has distinct blocks",
    "vLLM 39734, nano-vllm 274: a request larger than the pool waits for ever": (
        "nothing waits: a refusal does not say whether it is for now or for ever"
    ),
    "SGLang 13741: draft pages are never given back after rejection": "no operation shortens",
    "vLLM 55092: equal contents computed twice, one removal announced": "no index of contents",
    "vLLM 44701: a salt equals an adapter's name": "no index of contents",
}

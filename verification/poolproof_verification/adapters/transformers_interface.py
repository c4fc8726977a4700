"""The two interfaces that transformers' paged cache has had, each in the terms of the adapter.

First it was asked for blocks, later for room for tokens. The engine's classes are found here.

Does not cover: other kinds of layers than full attention, several devices, and what the copied
blocks contain.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from poolproof_verification.adapters.engine import OwnCalls, blocks_for, expect, found, takes
from poolproof_verification.verdict import CouldNotRun
from poolproof_verification.words import error_told

ENGINE = "transformers"
PACKAGE = "transformers.generation.continuous_batching"
FULL = "full_attention"
# One layer whose block fills a multiple of 128 bytes, so that a sector is one block.
LAYERS = {
    "hidden_size": 64, "intermediate_size": 64, "num_hidden_layers": 1,
    "num_attention_heads": 1, "num_key_value_heads": 1, "vocab_size": 32,
}  # fmt: skip


class ThroughBlocks:
    """Blocks are asked for; blocks kept idle count as free."""

    reserved: frozenset[int] = frozenset()
    holds, forks = "allocate_blocks", "fork_request"

    def __init__(self, cache_call: OwnCalls, block_size: int) -> None:
        """`cache_call`: of a fresh cache."""
        self.cache_call = cache_call
        self.cache = cache_call.manager
        self.block_size = block_size

    def hold(self, state: Any, tokens: int) -> bool:
        """The missing blocks, or nothing."""
        held = state.allocated_blocks
        missing = blocks_for(state.position_offset + tokens, self.block_size) - held
        if missing == 0:
            return True
        added = self.cache_call(self.holds, missing, state.request_id, held)
        state.allocated_blocks += added or 0
        return added is not None

    def complete(self, state: Any, tokens: int) -> None:
        """The blocks that are now full are hashed."""
        full = (state.position_offset % self.block_size + tokens) // self.block_size
        self.cache_call("mark_shareable_blocks_as_complete", state, full)

    def fork(self, state: Any, child: str) -> tuple[list[int], list[int]] | None:
        """It refuses with a ValueError."""
        try:
            copies = self.cache_call(self.forks, state.request_id, [child])
        except ValueError:
            return None
        if copies[0]:
            self.cache.copy_cache(*copies)
        return tuple(copies)

    def table(self, name: str) -> list[int]:
        """In the only group of layers."""
        return list(self.cache.group_cache_managers[0].block_table[name])

    def free(self) -> int:
        """As the cache counts."""
        return int(self.cache.get_num_free_blocks())


class ThroughTokens:
    """Room for tokens is asked for; blocks kept idle are evicted when there is none.

    Two sectors, here of one block each, are never given to a request.
    """

    reserved = frozenset({0, 1})
    holds, forks = "can_store_request_tokens", "prepare_fork_request"

    def __init__(self, cache_call: OwnCalls, block_size: int) -> None:
        """`cache_call`: of a fresh cache."""
        self.cache_call = cache_call
        self.cache = cache_call.manager
        self.allocator = self.cache.cache_allocators[FULL]

    def hold(self, state: Any, tokens: int) -> bool:
        """Room, if need be after an eviction."""
        if self.cache_call(self.holds, state, tokens):
            return True
        return self.evicted() and bool(self.cache_call(self.holds, state, tokens))

    def evicted(self) -> bool:
        """Blocks that were kept idle are free now."""
        return bool(self.cache_call("evict_cached_blocks"))

    def complete(self, state: Any, tokens: int) -> None:
        """The blocks that are now full are hashed."""
        full = self.cache.count_new_complete_blocks(state, tokens)
        self.cache_call("mark_complete_blocks", state, full)

    def fork(self, state: Any, child: str) -> tuple[list[int], list[int]] | None:
        """It says for which children there was room."""
        copies: dict[str, tuple[list[int], list[int]]] = {FULL: ([], [])}
        forked = self.cache_call(self.forks, state, [child], copies)
        if not forked and self.evicted():
            forked = self.cache_call(self.forks, state, [child], copies)
        if not forked:
            return None
        self.cache.perform_cache_copy(copies)
        return copies[FULL]

    def table(self, name: str) -> list[int]:
        """In the only kind of layers."""
        return list(self.allocator.block_table[name])

    def free(self) -> int:
        """In free sectors, in sectors used in part, and kept idle."""
        free = self.cache.compute_free_capacity(relative=False) // self.allocator.bytes_per_block
        return int(free) + len(self.allocator.ledger.cached_blocks)


@dataclass(frozen=True)
class Classes:
    """The engine's classes, as far as they are called here."""

    cache_class: Any
    configuration: Any
    model: Any
    helper: Any
    state_class: Any
    float32: Any
    in_tokens: bool

    def cache(self, total: int, block_size: int) -> Any:
        """A cache on the CPU; CouldNotRun where there is none of this size."""
        size = "page_size" if takes(self.configuration, "page_size") else "block_size"
        sizes = {"num_blocks": total, "max_batch_tokens": 16, size: block_size}
        old: dict[str, Any] = {"tp_plan": {}} if takes(self.cache_class.__init__, "tp_plan") else {}
        helper = (None, None) if takes(self.helper.__init__, "cpu_group_timeout") else (None,)
        try:
            cache = self.cache_class(
                config=self.model(**LAYERS),
                continuous_batching_config=self.configuration(max_memory_percent=0.5, **sizes),
                device="cpu",
                distributed_helper=self.helper(*helper),
                dtype=self.float32,
                **old,
            )
        except ValueError as error:
            words = f"no cache of {total} blocks of {block_size}: {error_told(error)}"
            raise CouldNotRun(f"{ENGINE}: {words}") from error
        if cache.num_blocks != total:
            raise CouldNotRun(f"{ENGINE}: a cache of {cache.num_blocks} blocks, not of {total}")
        return cache

    def state(self, name: str, tokens: list[int]) -> Any:
        """A request with these tokens."""
        return self.state_class(request_id=name, initial_tokens=tokens)


def classes() -> Classes:
    """The engine's classes; CouldNotRun says what is missing."""
    (cache,) = found(ENGINE, f"{PACKAGE}.cache", "PagedAttentionCache")
    expect(ENGINE, cache, "__init__", "config", "continuous_batching_config", "distributed_helper")
    in_tokens = hasattr(cache, "can_store_request_tokens")
    if in_tokens:
        expect(ENGINE, cache, "can_store_request_tokens", "state", "request_len")
        expect(
            ENGINE, cache, "prepare_fork_request", "src_state", "dst_req_ids", "copy_src_and_dst"
        )
    else:
        expect(ENGINE, cache, "allocate_blocks", "n_blocks", "request_id", "allocated_blocks")
        expect(ENGINE, cache, "fork_request", "source_request_id", "destination_request_ids")
    (model,) = found(ENGINE, "transformers", "LlamaConfig")
    settings = "transformers.generation.configuration_utils"
    (configuration,) = found(ENGINE, settings, "ContinuousBatchingConfig")
    (helper,) = found(ENGINE, f"{PACKAGE}.distributed", "DistributedHelper")
    (state,) = found(ENGINE, f"{PACKAGE}.requests", "RequestState")
    (float32,) = found(ENGINE, "torch", "float32")
    return Classes(cache, configuration, model, helper, state, float32, in_tokens)

"""Either interface of the cache is used as its scheduler does; a fork that keeps references falls.

The caches here are the test's own, of the real ones' interfaces.
"""

from __future__ import annotations

from copy import deepcopy
from types import SimpleNamespace
from typing import Any

import pytest
from tests.verification.adapters.fake_engines import explored, install

from poolproof_verification.adapters.engine import OwnCalls, too_many
from poolproof_verification.adapters.transformers_cache import Transformers, TransformersAdapter
from poolproof_verification.adapters.transformers_interface import (
    FULL,
    PACKAGE,
    ThroughBlocks,
    ThroughTokens,
)
from poolproof_verification.lockstep import Lockstep
from poolproof_verification.operations import Accepted, Operation
from poolproof_verification.targets import AdapterTarget
from poolproof_verification.verdict import CouldNotRun


class State:
    """A request."""

    def __init__(self, request_id: str, initial_tokens: list[int]) -> None:
        self.request_id = request_id
        self.initial_tokens = initial_tokens
        self.position_offset = 0
        self.allocated_blocks = 0

    def fork(self, child: str) -> State:
        forked = deepcopy(self)
        forked.request_id = child
        return forked


class Blocks:
    """What both caches keep: counts, tables, and blocks that are hashed or idle."""

    def __init__(self, first: int, total: int, block_size: int) -> None:
        self.num_blocks, self.block_size = total, block_size
        self.stack = list(range(first, first + total))
        self.counts = dict.fromkeys(self.stack, 0)
        self.block_table: dict[str, list[int]] = {}
        self.hashed: set[int] = set()
        self.cached_blocks: dict[int, None] = {}

    def take(self, number: int) -> list[int]:
        taken = [self.stack.pop() for _ in range(number)]
        self.counts.update(dict.fromkeys(taken, 1))
        return taken

    def share(self, blocks: list[int]) -> None:
        for block in blocks:
            self.counts[block] += 1

    def free_blocks(self, request_id: str) -> None:
        for block in self.block_table.pop(request_id, []):
            self.counts[block] -= 1
            if self.counts[block] == 0 and block in self.hashed:
                self.cached_blocks[block] = None
            elif self.counts[block] == 0:
                self.stack.append(block)

    def free_all_requests(self) -> None:
        for request_id in list(self.block_table):
            self.free_blocks(request_id)

    def evict_cached_blocks(self) -> bool:
        evicted = list(self.cached_blocks)
        self.stack += evicted
        self.hashed -= set(evicted)
        self.cached_blocks.clear()
        return bool(evicted)


class Earlier(Blocks):
    """It is asked for blocks, evicts by itself, and refuses a fork with a ValueError."""

    def __init__(self, total: int, block_size: int) -> None:
        super().__init__(0, total, block_size)
        self.group_cache_managers = [self]

    def get_num_free_blocks(self) -> int:
        return len(self.stack) + len(self.cached_blocks)

    def allocate_blocks(self, n_blocks: int, request_id: str, allocated_blocks: int) -> int | None:
        if n_blocks > self.get_num_free_blocks():
            return None
        assert allocated_blocks == len(self.block_table.get(request_id, []))
        self.evict_cached_blocks()
        self.block_table.setdefault(request_id, []).extend(self.take(n_blocks))
        return n_blocks

    def mark_shareable_blocks_as_complete(self, state: State, num_complete_blocks: int) -> None:
        fresh = [block for block in self.block_table[state.request_id] if block not in self.hashed]
        self.hashed.update(fresh[:num_complete_blocks])

    def fork_request(self, source: str, destinations: list[str]) -> tuple[list[int], list[int]]:
        table = self.block_table[source]
        shared = [block for block in table if block in self.hashed]
        copied = table[len(shared) :]
        self.before_fork(shared, len(copied))
        self.evict_cached_blocks()
        self.share(shared)
        self.block_table[destinations[0]] = shared + self.take(len(copied))
        return copied, self.block_table[destinations[0]][len(shared) :]

    def before_fork(self, shared: list[int], copies: int) -> None:
        if copies > self.get_num_free_blocks():
            raise ValueError("Failed to fork blocks")

    def copy_cache(self, sources: list[int], destinations: list[int]) -> None:
        assert len(sources) == len(destinations)


class KeepsReferences(Earlier):
    """A fork that is refused has already counted the child."""

    def before_fork(self, shared: list[int], copies: int) -> None:
        if copies > self.get_num_free_blocks():
            self.share(shared)
        super().before_fork(shared, copies)


class Later(Blocks):
    """It is asked for room for tokens, and evicts when told to."""

    bytes_per_block = 64

    def __init__(self, total: int, block_size: int) -> None:
        super().__init__(2, total, block_size)
        self.cache_allocators = {FULL: self}
        self.ledger = self

    def compute_free_capacity(self, relative: bool) -> int:
        assert not relative
        return len(self.stack) * self.bytes_per_block

    def can_store_request_tokens(self, state: State, request_len: int) -> bool:
        table = self.block_table.get(state.request_id, [])
        lacking = -(-(state.position_offset + request_len) // self.block_size) - len(table)
        if lacking > len(self.stack):
            return False
        self.block_table[state.request_id] = table + self.take(lacking)
        return True

    def count_new_complete_blocks(self, state: State, request_len: int) -> int:
        return (state.position_offset % self.block_size + request_len) // self.block_size

    def mark_complete_blocks(self, state: State, complete: int) -> None:
        fresh = [block for block in self.block_table[state.request_id] if block not in self.hashed]
        self.hashed.update(fresh[:complete])

    def prepare_fork_request(
        self, src: State, names: list[str], copies: dict[str, tuple[list[int], list[int]]]
    ) -> list[str]:
        table, full = self.block_table[src.request_id], src.position_offset // self.block_size
        shared, copied = table[:full], table[full:]
        if len(copied) > len(self.stack):
            return []
        self.share(shared)
        fresh = self.take(len(copied))
        self.block_table[names[0]] = shared + fresh
        copies[FULL][0].extend(copied)
        copies[FULL][1].extend(fresh)
        return names

    def perform_cache_copy(self, copies: dict[str, tuple[list[int], list[int]]]) -> None:
        assert len(copies[FULL][0]) == len(copies[FULL][1])


class EvictsNothing(Later):
    """Blocks that are kept idle are never given up."""

    def evict_cached_blocks(self) -> bool:
        return False


def allocate(name: str, tokens: int) -> Operation:
    return Operation("allocate", (name, tokens))


class Target:
    name = "paged cache"

    def __init__(self, cache_class: type[Earlier | Later]) -> None:
        self.cache_class = cache_class

    def make(self, total: int, block_size: int) -> TransformersAdapter:
        cache_call = OwnCalls(self.cache_class(total, block_size))
        through = ThroughBlocks if issubclass(self.cache_class, Earlier) else ThroughTokens
        interface = through(cache_call, block_size)
        return TransformersAdapter(cache_call, interface, State, too_many(total, block_size))


@pytest.mark.parametrize("cache_class", [Earlier, Later])
def test_a_right_cache_of_either_interface_has_no_fault(cache_class: type[Earlier | Later]) -> None:
    assert explored(Target(cache_class)) == []


def test_a_fork_that_keeps_references_when_it_is_refused_is_refuted() -> None:
    # No count is shown, so that it takes a release to see it.
    lockstep = Lockstep(AdapterTarget("paged cache", Target(KeepsReferences)), 2, 2)
    for operation in (allocate("A", 3), Operation("fork", ("A", "B"))):
        assert lockstep.do(operation).finding is None
    finding = lockstep.do(Operation("release", ("A",))).finding
    assert finding is not None
    assert finding.worst.words == "of 2 blocks, 1 is free and 0 in tables: 1 lost"


def test_a_cache_that_gives_no_idle_block_up_is_refuted() -> None:
    (worst, *_) = explored(Target(EvictsNothing))
    assert worst.law == "refusals"


def test_the_caches_own_calls_are_told() -> None:
    adapter = Target(Later).make(3, 2)
    adapter.call(allocate("A", 3))
    assert adapter.call(Operation("fork", ("A", "B"))) == Accepted(([4, 2], (3, 2)))
    adapter.call(Operation("release_all"))
    assert adapter.own_calls == [
        "can_store_request_tokens(request('A'), 3)", "mark_complete_blocks(request('A'), 1)",
        "prepare_fork_request(request('A'), ['B'], {'full_attention': ([], [])})",
        "free_all_requests()",
    ]  # fmt: skip
    assert adapter.methods["grow"] is Later.can_store_request_tokens
    assert adapter.methods.keys() == adapter.operations
    assert adapter.view() == (3, None, {})


def engine(monkeypatch: pytest.MonkeyPatch, cache_class: Any) -> None:
    install(monkeypatch, f"{PACKAGE}.cache", PagedAttentionCache=cache_class)
    settings = "transformers.generation.configuration_utils"
    install(monkeypatch, settings, ContinuousBatchingConfig=SimpleNamespace)
    install(monkeypatch, f"{PACKAGE}.distributed", DistributedHelper=SimpleNamespace)
    install(monkeypatch, f"{PACKAGE}.requests", RequestState=State)
    install(monkeypatch, "transformers", LlamaConfig=SimpleNamespace)
    install(monkeypatch, "torch", float32=None)


def test_an_interface_that_is_neither_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    class Neither:
        def __init__(
            self, config: Any, continuous_batching_config: Any, distributed_helper: Any
        ) -> None: ...

    engine(monkeypatch, Neither)
    with pytest.raises(CouldNotRun, match="Neither has no allocate_blocks"):
        Transformers()

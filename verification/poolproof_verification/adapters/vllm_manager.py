"""The KV cache manager of vLLM v1: slots for a request's next tokens, or None.

It forks nothing. Prefix caching is on, and no two requests have a token in common, so blocks are
hashed, kept idle and evicted, but never shared. Block 0 is the null block.

Does not cover: requests with tokens in common, several groups of layers, sliding windows,
speculative tokens, preemption, connectors, and which blocks are free, as only their number is
shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import Any

from poolproof_model.system import Refusal
from poolproof_verification.adapters.engine import (
    ALL_BUT_OUT_OF_BLOCKS,
    EngineAdapter,
    OwnCalls,
    expect,
    found,
    out_of_blocks,
    takes,
    too_many,
)
from poolproof_verification.adapters.vllm_pool import counts_in
from poolproof_verification.operations import HIDDEN, Accepted, Operation, Refused, Response, View
from poolproof_verification.verdict import CouldNotRun

ENGINE = "vllm"
LONGEST = 2**20  # tokens of a request: no limit here


class VllmManagerAdapter(EngineAdapter):
    """A manager, and the requests of whoever uses it.

    An engine has no request without tokens, so one is made with the first of them.
    """

    operations = frozenset({"allocate", "append", "grow", "release"})
    questions = frozenset({"num_free"})
    any_free_block = True
    copies_at_fork = False  # it has no fork
    reserved = frozenset({0})
    undefined = ALL_BUT_OUT_OF_BLOCKS

    def __init__(self, manager: Any, interface: Interface, total: int, block_size: int) -> None:
        """`manager`: fresh; `interface`: the engine's classes."""
        slots = dict.fromkeys(("allocate", "append", "grow"), "allocate_slots")
        super().__init__(OwnCalls(manager), release="free", **slots)
        self.manager = manager
        self.interface = interface
        self.block_size, self.most = block_size, too_many(total, block_size)
        self.requests: dict[str, Any] = {}
        self.lengths: dict[str, int] = {}
        self.tokens = count()

    def call(self, operation: Operation) -> Response:
        """Carry the operation out."""
        name, *numbers = operation.arguments
        if operation.name == "release":
            del self.lengths[name]
            if name in self.requests:
                self.manager_call("free", self.requests.pop(name))
            return Accepted(HIDDEN)
        if operation.name == "allocate":
            return self.allocate(name, numbers[0])
        added = self.more(name, numbers[0] if numbers else 1)
        if added is None:
            return Refused(Refusal.OUT_OF_BLOCKS)
        return Accepted(False if operation.name == "append" else (added, None))

    def allocate(self, name: str, tokens: int) -> Response:
        """A new request, which is forgotten where it is refused."""
        self.lengths[name] = 0
        blocks = self.more(name, tokens)
        if blocks is None:
            del self.lengths[name]
            self.requests.pop(name, None)
            return Refused(Refusal.OUT_OF_BLOCKS)
        return Accepted(blocks)

    def more(self, name: str, tokens: int) -> list[int] | None:
        """The blocks added for so many more tokens; None where there are too few."""
        if tokens == 0:
            return []
        tokens = min(tokens, self.most)
        slots = self.admitted(name, tokens) if self.lengths[name] == 0 else self.grown(name, tokens)
        if slots is None:
            return None
        self.lengths[name] += tokens
        self.requests[name].num_computed_tokens = self.lengths[name]
        return list(slots.get_block_ids()[0])

    def admitted(self, name: str, tokens: int) -> Any:
        """Slots for a request's first tokens, its cached prefix looked up before."""
        prompt = [next(self.tokens) for _ in range(tokens)]
        request = self.interface.request(name, prompt, self.block_size)
        computed, hits, *_ = self.manager_call("get_computed_blocks", request)
        slots = self.manager_call("allocate_slots", request, tokens - hits, hits, computed)
        if slots is not None:
            request.status = self.interface.running
            self.requests[name] = request
        return slots

    def grown(self, name: str, tokens: int) -> Any:
        """Slots for tokens that were sampled; those of an earlier refusal wait for theirs."""
        request = self.requests[name]
        for _ in range(self.lengths[name] + tokens - request.num_tokens):
            request.append_output_token_ids(next(self.tokens))
        return self.manager_call("allocate_slots", request, tokens)

    def agrees(self, expected: Refusal, response: Response) -> bool:
        """None means that blocks are short."""
        return out_of_blocks(expected, response)

    def ask(self, question: str, *arguments: Any) -> Response:
        """How many blocks are free."""
        return Accepted(self.manager.block_pool.get_num_free_blocks())

    def view(self) -> View:
        """The tables, each block's count, and how many are free."""
        pool = self.manager.block_pool
        seqs = {
            name: {"blocks": self.blocks_of(name), "len": length}
            for name, length in self.lengths.items()
        }
        return View(pool.get_num_free_blocks(), counts_in(pool), seqs)

    def blocks_of(self, name: str) -> list[int]:
        """The request's table, in the only group that there is."""
        return list(self.manager.get_block_ids(name)[0]) if name in self.requests else []


@dataclass(frozen=True)
class Interface:
    """The engine's classes, as far as they are called here."""

    manager_class: Any
    specification: Any
    configuration: Any
    group: Any
    request_class: Any
    sampling: Any
    hasher: Any
    sha256: Any
    running: Any

    def manager(self, total: int, block_size: int) -> Any:
        """A manager of one group of layers."""
        (float32,) = found(ENGINE, "torch", "float32")
        sizes = {"block_size": block_size, "num_kv_heads": 1, "head_size": 1}
        old = {"use_mla": False} if takes(self.specification, "use_mla") else {}
        specification = self.specification(**sizes, dtype=float32, **old)
        group = self.group(["layer"], specification)
        configuration = self.configuration(
            num_blocks=total + 1, kv_cache_tensors=[], kv_cache_groups=[group]
        )
        wanted = ("scheduler_block_size", "hash_block_size")
        known = {name: block_size for name in wanted if takes(self.manager_class.__init__, name)}
        return self.manager_class(
            kv_cache_config=configuration, max_model_len=LONGEST, enable_caching=True, **known
        )

    def request(self, name: str, prompt: list[int], block_size: int) -> Any:
        """A request with these tokens."""
        old = {"eos_token_id": None} if takes(self.request_class.__init__, "eos_token_id") else {}
        return self.request_class(
            request_id=name,
            prompt_token_ids=prompt,
            sampling_params=self.sampling(max_tokens=LONGEST),
            pooling_params=None,
            block_hasher=self.hasher(block_size, self.sha256),
            **old,
        )


def interface() -> Interface:
    """The engine's classes; CouldNotRun says what is missing."""
    (manager,) = found(ENGINE, "vllm.v1.core.kv_cache_manager", "KVCacheManager")
    expect(ENGINE, manager, "__init__", "kv_cache_config", "max_model_len", "enable_caching")
    expect(
        ENGINE, manager, "allocate_slots", "num_new_tokens", "num_new_computed_tokens",
        "new_computed_blocks",
    )  # fmt: skip
    layers = ("FullAttentionSpec", "KVCacheConfig", "KVCacheGroupSpec")
    specification, configuration, group = found(ENGINE, "vllm.v1.kv_cache_interface", *layers)
    request, status = found(ENGINE, "vllm.v1.request", "Request", "RequestStatus")
    expect(ENGINE, request, "__init__", "request_id", "prompt_token_ids", "block_hasher")
    (sampling,) = found(ENGINE, "vllm.sampling_params", "SamplingParams")
    names = ("get_request_block_hasher", "init_none_hash")
    hasher, init_none_hash = found(ENGINE, "vllm.v1.core.kv_cache_utils", *names)
    sha256 = hash_function()
    init_none_hash(sha256)
    return Interface(
        manager, specification, configuration, group, request, sampling, hasher, sha256,
        status.RUNNING,
    )  # fmt: skip


def hash_function() -> Any:
    """Its place has moved once."""
    try:
        return found(ENGINE, "vllm.utils.hashing", "sha256")[0]
    except CouldNotRun:
        return found(ENGINE, "vllm.utils", "sha256")[0]


class VllmManager:
    """The target."""

    name = "vllm_manager"

    def __init__(self) -> None:
        """Imports the engine; CouldNotRun."""
        self.interface = interface()

    def make(self, total: int, block_size: int) -> VllmManagerAdapter:
        """A manager of `total` blocks beside the null block."""
        manager = self.interface.manager(total, block_size)
        return VllmManagerAdapter(manager, self.interface, total, block_size)

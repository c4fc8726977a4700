"""The block-space manager of vLLM up to 0.10.2: fork, and lazy copy-on-write.

`vllm_legacy` asks `can_allocate` and `can_append_slots` before it calls, as the engine's scheduler
does, but not all as it does: `can_append_slots` reckons with the worst, a block for each sequence.
Where it says no, the scheduler would preempt; the adapter calls all the same if by the tables that
the manager shows no block is needed: the last one has a slot left, and no other sequence has it.
`vllm_legacy_unasked` calls at once, and takes a NoFreeBlocksError for the refusal.

Does not cover: whether `can_append_slots` is right, preemption and swapping, several sequences in a
group, prefix caching, look-ahead slots, and which blocks are free, as only their number is shown.
"""

from __future__ import annotations

from copy import deepcopy
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
    too_many,
)
from poolproof_verification.operations import HIDDEN, Accepted, Operation, Refused, Response, View

ENGINE = "vllm"
REFUSED = Refused(Refusal.OUT_OF_BLOCKS)


class VllmLegacyAdapter(EngineAdapter):
    """A manager, and the sequences of whoever uses it.

    An engine has no sequence without tokens, so one is made with the first of them. A token that
    was refused a slot waits for one.
    """

    operations = frozenset({"allocate", "fork", "append", "release"})
    questions = frozenset({"num_free", "can_allocate"})
    any_free_block = True
    copies_at_fork = False
    reserved: frozenset[int] = frozenset()
    undefined = ALL_BUT_OUT_OF_BLOCKS

    def __init__(self, manager: Any, interface: Interface, total: int, *, asks: bool) -> None:
        """`manager`: fresh; `asks`: whether there is room, before each call."""
        super().__init__(
            OwnCalls(manager), allocate="allocate", fork="fork", append="append_slots",
            release="free",
        )  # fmt: skip
        self.manager = manager
        self.interface = interface
        self.block_size, self.most = manager.block_size, too_many(total, manager.block_size)
        self.asks = asks
        self.sequences: dict[str, Any] = {}
        self.lengths: dict[str, int] = {}
        self.tokens, self.numbers = count(), count()

    def call(self, operation: Operation) -> Response:
        """Carry the operation out."""
        carry_out = getattr(self, operation.name)
        try:
            response: Response = carry_out(*operation.arguments)
        except self.interface.no_free_blocks as error:
            return Refused(Refusal.OUT_OF_BLOCKS, error)
        return response

    def allocate(self, name: str, tokens: int) -> Response:
        """A sequence in a group of its own."""
        if tokens > 0:
            sequence = self.sequence(min(tokens, self.most))
            group = self.interface.group_of(sequence)
            if self.asks and not self.may_allocate(group):
                return REFUSED
            self.manager_call("allocate", group)
            sequence.status = self.interface.running
            self.sequences[name] = sequence
        self.lengths[name] = tokens
        return Accepted(self.table(name))

    def sequence(self, tokens: int) -> Any:
        """A sequence that waits for its first slots."""
        prompt = [next(self.tokens) for _ in range(tokens)]
        return self.interface.sequence(next(self.numbers), prompt, self.block_size)

    def may_allocate(self, group: Any) -> bool:
        """What the manager says of a group that waits."""
        return bool(self.manager_call("can_allocate", group) == self.interface.room)

    def fork(self, parent: str, child: str) -> Response:
        """The child goes on from the same tokens."""
        if parent in self.sequences:
            self.sequences[child] = deepcopy(self.sequences[parent])
            self.sequences[child].seq_id = next(self.numbers)
            self.manager_call("fork", self.sequences[parent], self.sequences[child])
        self.lengths[child] = self.lengths[parent]
        return Accepted(self.table(child))

    def append(self, name: str) -> Response:
        """A slot for a token that was sampled, or that still waits for one."""
        if name not in self.sequences:
            response = self.allocate(name, 1)
            return response if isinstance(response, Refused) else Accepted(False)
        sequence = self.sequences[name]
        if sequence.get_len() == self.lengths[name]:
            token = next(self.tokens)
            sequence.append_token_id(token, {token: self.interface.log_probability(0.0)})
        if self.asks and not self.may_append(name):
            return REFUSED
        copies = self.manager_call("append_slots", sequence, 0)
        self.lengths[name] += 1
        return Accepted(bool(copies))

    def may_append(self, name: str) -> bool:
        """What the manager says; where it says no, whether the append needs no block after all."""
        group = self.interface.group_of(self.sequences[name])
        if self.manager_call("can_append_slots", group, 0):
            return True
        last = self.table(name)[-1]
        sharers = sum(last in self.table(each) for each in self.sequences)
        return self.lengths[name] % self.block_size != 0 and sharers == 1

    def release(self, name: str) -> Response:
        """The sequence has ended."""
        del self.lengths[name]
        if name in self.sequences:
            self.manager_call("free", self.sequences.pop(name))
        return Accepted(HIDDEN)

    def agrees(self, expected: Refusal, response: Response) -> bool:
        """Any refusal means that blocks are short."""
        return out_of_blocks(expected, response)

    def ask(self, question: str, *arguments: Any) -> Response:
        """How many blocks are free, or whether a prompt of so many tokens has room."""
        if question == "num_free":
            return Accepted(self.manager.get_num_free_gpu_blocks())
        (tokens,) = arguments
        if tokens < 0:
            return Accepted(False)
        prompt = self.sequence(min(tokens, self.most))
        group = self.interface.group_of(prompt)
        return Accepted(self.manager.can_allocate(group) == self.interface.room)

    def table(self, name: str) -> list[int]:
        """The sequence's blocks."""
        if name not in self.sequences:
            return []
        return list(self.manager.get_block_table(self.sequences[name]))

    def view(self) -> View:
        """The tables, and how many blocks are free."""
        seqs = {
            name: {"blocks": self.table(name), "len": length}
            for name, length in self.lengths.items()
        }
        return View(self.manager.get_num_free_gpu_blocks(), None, seqs)


@dataclass(frozen=True)
class Interface:
    """The engine's classes, as far as they are called here."""

    manager_class: Any
    no_free_blocks: Any
    room: Any
    sequence_class: Any
    group_class: Any
    running: Any
    log_probability: Any
    inputs: Any
    sampling: Any

    def sequence(self, number: int, prompt: list[int], block_size: int) -> Any:
        """A sequence with these tokens."""
        return self.sequence_class(number, self.inputs(prompt), block_size)

    def group_of(self, sequence: Any) -> Any:
        """The sequence in a group of its own."""
        name = str(sequence.seq_id)
        return self.group_class(name, [sequence], 0.0, sampling_params=self.sampling())


def interface() -> Interface:
    """The engine's classes; CouldNotRun says what is missing."""
    (manager,) = found(ENGINE, "vllm.core.block_manager", "SelfAttnBlockSpaceManager")
    expect(
        ENGINE, manager, "__init__", "block_size", "num_gpu_blocks", "num_cpu_blocks", "watermark"
    )
    expect(ENGINE, manager, "append_slots", "seq", "num_lookahead_slots")
    (status,) = found(ENGINE, "vllm.core.interfaces", "AllocStatus")
    (allocator,) = found(ENGINE, "vllm.core.block.interfaces", "BlockAllocator")
    names = ("Sequence", "SequenceGroup", "SequenceStatus", "Logprob")
    sequence, group, state, log_probability = found(ENGINE, "vllm.sequence", *names)
    (inputs,) = found(ENGINE, "vllm.inputs", "token_inputs")
    (sampling,) = found(ENGINE, "vllm.sampling_params", "SamplingParams")
    return Interface(
        manager, allocator.NoFreeBlocksError, status.OK, sequence, group, state.RUNNING,
        log_probability, inputs, sampling,
    )  # fmt: skip


class VllmLegacy:
    """The target, asked before each call."""

    name = "vllm_legacy"

    def __init__(self, *, asks: bool = True) -> None:
        """Imports the engine; CouldNotRun. `asks`: whether there is room, before each call."""
        self.interface = interface()
        self.asks = asks

    def make(self, total: int, block_size: int) -> VllmLegacyAdapter:
        """A manager of `total` blocks, and none on the CPU."""
        manager = self.interface.manager_class(
            block_size=block_size, num_gpu_blocks=total, num_cpu_blocks=0, watermark=0.0
        )
        return VllmLegacyAdapter(manager, self.interface, total, asks=self.asks)


class VllmLegacyUnasked:
    """The target, called without asking first."""

    name = "vllm_legacy_unasked"

    def __init__(self) -> None:
        """Imports the engine; CouldNotRun."""
        self.asked = VllmLegacy(asks=False)

    def make(self, total: int, block_size: int) -> VllmLegacyAdapter:
        """A manager of `total` blocks, and none on the CPU."""
        return self.asked.make(total, block_size)

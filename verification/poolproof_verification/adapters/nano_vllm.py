"""The block manager of nano-vllm, used as its scheduler does: asked first, then called.

It forks nothing. No two sequences have a token in common, so blocks are hashed and reused, but
never shared. Of its two generations the later answers -1 where a prompt has no room, and is told
how much of it is cached.

A block of one slot is never followed by another: the manager goes by a remainder of one token.

Does not cover: prefix caching between sequences, preemption, batches, prompts computed in parts,
and calls that the manager was not asked about before.
"""

from __future__ import annotations

from collections.abc import Callable
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
from poolproof_verification.operations import HIDDEN, Accepted, Operation, Refused, Response, View
from poolproof_verification.verdict import CouldNotRun

ENGINE = "nano-vllm"
PACKAGE = "nanovllm.engine"
REFUSED = Refused(Refusal.OUT_OF_BLOCKS)


class NanoVllmAdapter(EngineAdapter):
    """A manager, and the sequences of whoever uses it.

    An engine has no sequence without tokens, so one is made with the first of them. A token that
    was refused a slot waits for one.
    """

    operations = frozenset({"allocate", "append", "release"})
    questions = frozenset({"num_free", "can_allocate", "can_append"})
    any_free_block = True
    copies_at_fork = False  # it has no fork
    reserved: frozenset[int] = frozenset()
    undefined = ALL_BUT_OUT_OF_BLOCKS

    def __init__(self, manager: Any, new_sequence: Callable[[list[int]], Any], total: int) -> None:
        """`manager`: fresh; `new_sequence`: makes the engine's sequence of these tokens."""
        super().__init__(
            OwnCalls(manager), allocate="allocate", append="may_append", release="deallocate"
        )
        self.manager = manager
        self.new_sequence = new_sequence
        self.most = too_many(total, manager.block_size)
        self.tells_cached_blocks = takes(manager.allocate, "num_cached_blocks")
        self.sequences: dict[str, Any] = {}
        self.lengths: dict[str, int] = {}
        self.tokens = count()

    def call(self, operation: Operation) -> Response:
        """Carry the operation out."""
        carry_out: Callable[..., Response] = getattr(self, operation.name)
        return carry_out(*operation.arguments)

    def allocate(self, name: str, tokens: int) -> Response:
        """Blocks for a prompt."""
        if tokens > 0:
            sequence = self.sequence(tokens)
            room, cached = self.room(self.manager_call("can_allocate", sequence))
            if not room:
                return REFUSED
            more = (cached,) if self.tells_cached_blocks else ()
            self.manager_call("allocate", sequence, *more)
            self.sequences[name] = sequence
        self.lengths[name] = tokens
        return Accepted(self.table(name))

    def sequence(self, tokens: int) -> Any:
        """A sequence without blocks."""
        return self.new_sequence([next(self.tokens) for _ in range(min(tokens, self.most))])

    def room(self, answer: Any) -> tuple[bool, int]:
        """Whether a prompt has room, and how many of its blocks are cached, by either answer."""
        return (answer != -1, answer) if self.tells_cached_blocks else (bool(answer), 0)

    def append(self, name: str) -> Response:
        """A slot for a token that was sampled, or that still waits for one."""
        if name not in self.sequences:
            response = self.allocate(name, 1)
            return response if isinstance(response, Refused) else Accepted(False)
        if not self.may_append(name):
            return REFUSED
        self.manager_call("may_append", self.sequences[name])
        self.lengths[name] += 1
        return Accepted(False)

    def may_append(self, name: str) -> bool:
        """What the manager says, once there is a token that needs a slot."""
        sequence = self.sequences[name]
        if len(sequence) == self.lengths[name]:
            sequence.append_token(next(self.tokens))
        return bool(self.manager_call("can_append", sequence))

    def release(self, name: str) -> Response:
        """The sequence has ended."""
        del self.lengths[name]
        if name in self.sequences:
            self.manager_call("deallocate", self.sequences.pop(name))
        return Accepted(HIDDEN)

    def agrees(self, expected: Refusal, response: Response) -> bool:
        """Any refusal means that blocks are short."""
        return out_of_blocks(expected, response)

    def ask(self, question: str, *arguments: Any) -> Response:
        """How many blocks are free, or whether there is room."""
        if question == "num_free":
            return Accepted(len(self.manager.free_block_ids))
        if question == "can_append":
            return Accepted(self.has_room_to_append(*arguments))
        (tokens,) = arguments
        if tokens < 1:  # no such prompt is made
            return Accepted(tokens == 0)
        return Accepted(self.has_room_for(tokens))

    def has_room_to_append(self, name: str) -> bool:
        """What the manager says of a sequence, if there is one of this name."""
        if name in self.sequences:
            return self.may_append(name)
        return name in self.lengths and self.has_room_for(1)

    def has_room_for(self, tokens: int) -> bool:
        """What the manager says of a prompt."""
        return self.room(self.manager.can_allocate(self.sequence(tokens)))[0]

    def table(self, name: str) -> list[int]:
        """The sequence's blocks."""
        return list(self.sequences[name].block_table) if name in self.sequences else []

    def view(self) -> View:
        """The tables, the counts and the free blocks."""
        manager = self.manager
        counts = {each.block_id: each.ref_count for each in manager.blocks if each.ref_count}
        seqs = {
            name: {"blocks": self.table(name), "len": length}
            for name, length in self.lengths.items()
        }
        return View(sorted(manager.free_block_ids), counts, seqs)


class NanoVllm:
    """The target."""

    name = "nano_vllm"

    def __init__(self) -> None:
        """Imports the engine; CouldNotRun."""
        (self.manager_class,) = found(ENGINE, f"{PACKAGE}.block_manager", "BlockManager")
        expect(ENGINE, self.manager_class, "__init__", "num_blocks", "block_size")
        for name in ("can_allocate", "allocate", "deallocate", "can_append", "may_append"):
            expect(ENGINE, self.manager_class, name, "seq")
        (self.sequence_class,) = found(ENGINE, f"{PACKAGE}.sequence", "Sequence")

    def make(self, total: int, block_size: int) -> NanoVllmAdapter:
        """A manager of `total` blocks; CouldNotRun for blocks of one slot."""
        if block_size == 1:
            raise CouldNotRun(f"{ENGINE}: no blocks of one slot")
        manager = self.manager_class(num_blocks=total, block_size=block_size)

        def new_sequence(tokens: list[int]) -> Any:
            sequence = self.sequence_class(tokens)
            sequence.block_size = block_size  # else the class says, for all sequences
            return sequence

        return NanoVllmAdapter(manager, new_sequence, total)

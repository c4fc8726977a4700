"""The paged cache of transformers' continuous batching, used as its scheduler uses it.

It shares full blocks when it forks and copies the rest at once. Full blocks are reported complete
as after a forward pass, so that they are hashed and, once nobody holds them, kept until they are
evicted; such blocks count as free. No two requests have a token in common, or tables would change
when equal blocks are merged. Its interface has changed once; see `transformers_interface`.

Does not cover: several groups of layers, sliding windows, offloading, a fork to several children at
once, requests with tokens in common, and which blocks are free, as only their number is shown.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any, Protocol

from poolproof_model.system import Refusal
from poolproof_verification.adapters.engine import (
    ALL_BUT_OUT_OF_BLOCKS,
    EngineAdapter,
    OwnCalls,
    out_of_blocks,
    too_many,
)
from poolproof_verification.adapters.transformers_interface import (
    Classes,
    ThroughBlocks,
    ThroughTokens,
    classes,
)
from poolproof_verification.operations import HIDDEN, Accepted, Operation, Refused, Response, View

REFUSED = Refused(Refusal.OUT_OF_BLOCKS)


class CacheInterface(Protocol):
    """What both interfaces come to."""

    reserved: frozenset[int]
    holds: str
    """The cache's method that makes room."""
    forks: str
    """The cache's method that forks."""

    def hold(self, state: Any, tokens: int) -> bool:
        """Room for so many more tokens of the request, or nothing."""

    def complete(self, state: Any, tokens: int) -> None:
        """So many more tokens of the request were computed; its position is still the old one."""

    def fork(self, state: Any, child: str) -> tuple[list[int], list[int]] | None:
        """Sources and destinations of the copies that are due; None where blocks are short."""

    def table(self, name: str) -> list[int]:
        """The request's blocks."""

    def free(self) -> int:
        """How many blocks are free or kept idle."""


class TransformersAdapter(EngineAdapter):
    """A cache, and the requests of whoever uses it.

    An engine has no request without tokens, so one is made with the first of them.
    """

    operations = frozenset({"allocate", "fork", "append", "grow", "release", "release_all"})
    questions: frozenset[str] = frozenset({"num_free"})
    any_free_block = True
    copies_at_fork = True
    undefined = ALL_BUT_OUT_OF_BLOCKS

    def __init__(
        self,
        cache_call: OwnCalls,
        interface: CacheInterface,
        new_state: Callable[[str, list[int]], Any],
        most: int,
    ) -> None:
        """`interface`: of a fresh cache; `most`: tokens that fit no pool of its size."""
        super().__init__(
            cache_call, fork=interface.forks, release="free_blocks",
            release_all="free_all_requests",
            **dict.fromkeys(("allocate", "append", "grow"), interface.holds),
        )  # fmt: skip
        self.interface = interface
        self.new_state = new_state
        self.most = most
        self.reserved = interface.reserved
        self.states: dict[str, Any] = {}
        self.lengths: dict[str, int] = {}
        self.tokens = count()

    def call(self, operation: Operation) -> Response:
        """Carry the operation out."""
        carry_out: Callable[..., Response] = getattr(self, operation.name)
        return carry_out(*operation.arguments)

    def allocate(self, name: str, tokens: int) -> Response:
        """A new request, which is forgotten where it is refused."""
        self.lengths[name] = 0
        if self.extended(name, tokens):
            return Accepted(self.table(name))
        del self.lengths[name]
        return REFUSED

    def append(self, name: str) -> Response:
        """One more token; it never lies in a shared block, as those are full."""
        return Accepted(False) if self.extended(name, 1) else REFUSED

    def grow(self, name: str, tokens: int) -> Response:
        """More tokens at once."""
        before = len(self.table(name))
        if self.extended(name, tokens):
            return Accepted((self.table(name)[before:], None))
        return REFUSED

    def extended(self, name: str, tokens: int) -> bool:
        """The request has room for so many more tokens, which are then computed."""
        if tokens == 0:
            return True
        tokens = min(tokens, self.most)
        state = self.states.get(name) or self.new_state(name, [])
        if not self.interface.hold(state, tokens):
            return False
        state.initial_tokens.extend(next(self.tokens) for _ in range(tokens))
        self.interface.complete(state, tokens)
        state.position_offset += tokens
        self.states[name] = state
        self.lengths[name] += tokens
        return True

    def fork(self, parent: str, child: str) -> Response:
        """The child goes on from the same tokens; a partly filled last block is copied."""
        sources: list[int] = []
        destinations: list[int] = []
        if parent in self.states:
            copies = self.interface.fork(self.states[parent], child)
            if copies is None:
                return REFUSED
            sources, destinations = copies
            self.states[child] = self.states[parent].fork(child)
        self.lengths[child] = self.lengths[parent]
        pairs = list(zip(sources, destinations, strict=True))
        copy: Any = pairs if len(pairs) > 1 else next(iter(pairs), None)
        return Accepted((self.table(child), copy))

    def release(self, name: str) -> Response:
        """The request has ended."""
        del self.lengths[name]
        if self.states.pop(name, None):
            self.manager_call("free_blocks", name)
        return Accepted(HIDDEN)

    def release_all(self) -> Response:
        """All have ended."""
        self.states.clear()
        self.lengths.clear()
        self.manager_call("free_all_requests")
        return Accepted(HIDDEN)

    def agrees(self, expected: Refusal, response: Response) -> bool:
        """Any refusal means that blocks are short."""
        return out_of_blocks(expected, response)

    def ask(self, question: str, *arguments: Any) -> Response:
        """How many blocks are free."""
        return Accepted(self.interface.free())

    def table(self, name: str) -> list[int]:
        """The request's blocks."""
        return self.interface.table(name) if name in self.states else []

    def view(self) -> View:
        """The tables, and how many blocks are free."""
        seqs = {
            name: {"blocks": self.table(name), "len": length}
            for name, length in self.lengths.items()
        }
        return View(self.interface.free(), None, seqs)


class Transformers:
    """The target."""

    name = "transformers"

    def __init__(self) -> None:
        """Imports the engine; CouldNotRun."""
        self.classes: Classes = classes()

    def make(self, total: int, block_size: int) -> TransformersAdapter:
        """A cache of `total` blocks; CouldNotRun where it makes none of this size."""
        cache_call = OwnCalls(self.classes.cache(total, block_size))
        through = ThroughTokens if self.classes.in_tokens else ThroughBlocks
        interface = through(cache_call, block_size)
        most = too_many(total, block_size)
        return TransformersAdapter(cache_call, interface, self.classes.state, most)

"""The block pool of vLLM v1, used as its own managers use it: get, touch, free.

The pool counts references and knows no sequences. Whoever uses it keeps the tables and copies a
shared block before writing into it; here the adapter does. Block 0 is the null block.

Does not cover: the pool's prefix cache, as no block is ever hashed; the engine's own tables, which
the adapter keeps in their place; and which blocks are free, as only their number is shown.
"""

from __future__ import annotations

import inspect
from typing import Any

from poolproof_model.system import Refusal
from poolproof_verification.adapters.engine import (
    ALL_BUT_OUT_OF_BLOCKS,
    EngineAdapter,
    OwnCalls,
    blocks_for,
    expect,
    found,
    out_of_blocks,
    takes,
)
from poolproof_verification.operations import HIDDEN, Accepted, Operation, Refused, Response, View

ENGINE = "vllm"


class VllmPoolAdapter(EngineAdapter):
    """A pool, and the tables of whoever uses it."""

    operations = frozenset({"allocate", "fork", "append", "release", "release_all"})
    questions = frozenset({"num_free"})
    any_free_block = True
    copies_at_fork = False
    reserved = frozenset({0})
    undefined = ALL_BUT_OUT_OF_BLOCKS

    def __init__(self, pool: Any, block_size: int) -> None:
        """`pool`: fresh."""
        super().__init__(
            OwnCalls(pool), allocate="get_new_blocks", append="get_new_blocks", fork="touch",
            release="free_blocks", release_all="free_blocks",
        )  # fmt: skip
        self.pool = pool
        self.block_size = block_size
        self.tables: dict[str, list[Any]] = {}
        self.lengths: dict[str, int] = {}
        # Up to 0.10 touch takes the blocks of each group, later a plain list of blocks.
        annotation = inspect.signature(pool.touch).parameters["blocks"].annotation
        self.touches_groups = "tuple" in str(annotation)

    def call(self, operation: Operation) -> Response:
        """Carry the operation out; the pool refuses with a ValueError."""
        carry_out = getattr(self, operation.name)
        try:
            return Accepted(carry_out(*operation.arguments))
        except ValueError as error:
            return Refused(Refusal.OUT_OF_BLOCKS, error)

    def allocate(self, name: str, tokens: int) -> list[int]:
        """New blocks for a new sequence."""
        blocks = self.manager_call("get_new_blocks", blocks_for(tokens, self.block_size))
        self.tables[name], self.lengths[name] = list(blocks), tokens
        return numbers(blocks)

    def fork(self, parent: str, child: str) -> list[int]:
        """The child's table refers to the parent's blocks."""
        blocks = self.tables[parent]
        self.manager_call("touch", (blocks,) if self.touches_groups else blocks)
        self.tables[child], self.lengths[child] = list(blocks), self.lengths[parent]
        return numbers(blocks)

    def append(self, name: str) -> bool:
        """A new block at the end of a full one, or in the place of a shared one."""
        blocks, full = self.tables[name], self.lengths[name] % self.block_size == 0
        copied = not full and blocks[-1].ref_cnt > 1
        if full:
            blocks.extend(self.manager_call("get_new_blocks", 1))
        elif copied:
            shared, blocks[-1:] = blocks[-1], self.manager_call("get_new_blocks", 1)
            self.manager_call("free_blocks", [shared])
        self.lengths[name] += 1
        return copied

    def release(self, name: str) -> Any:
        """The tail first, as it is to be reused first."""
        del self.lengths[name]
        self.manager_call("free_blocks", self.tables.pop(name)[::-1])
        return HIDDEN

    def release_all(self) -> Any:
        """All references of all sequences in one call."""
        references = [block for blocks in self.tables.values() for block in reversed(blocks)]
        self.tables.clear()
        self.lengths.clear()
        self.manager_call("free_blocks", references)
        return HIDDEN

    def agrees(self, expected: Refusal, response: Response) -> bool:
        """A ValueError means that blocks are short."""
        return out_of_blocks(expected, response)

    def ask(self, question: str, *arguments: Any) -> Response:
        """How many blocks are free."""
        return Accepted(self.pool.get_num_free_blocks())

    def view(self) -> View:
        """The tables, each block's count, and how many are free."""
        seqs = {
            name: {"blocks": numbers(blocks), "len": self.lengths[name]}
            for name, blocks in self.tables.items()
        }
        return View(self.pool.get_num_free_blocks(), counts_in(self.pool), seqs)


def numbers(blocks: list[Any]) -> list[int]:
    """The blocks' numbers."""
    return [block.block_id for block in blocks]


def counts_in(pool: Any) -> dict[int, int]:
    """The reference count of each block that has one; the null block's is not kept."""
    return {each.block_id: each.ref_cnt for each in pool.blocks if each.ref_cnt and each.block_id}


def pool_class() -> Any:
    """The engine's class, with the methods that are called here."""
    (block_pool,) = found(ENGINE, "vllm.v1.core.block_pool", "BlockPool")
    expect(ENGINE, block_pool, "__init__", "num_gpu_blocks", "enable_caching")
    expect(ENGINE, block_pool, "get_new_blocks", "num_blocks")
    expect(ENGINE, block_pool, "touch", "blocks")
    expect(ENGINE, block_pool, "free_blocks", "ordered_blocks")
    return block_pool


class VllmPool:
    """The target."""

    name = "vllm_pool"

    def __init__(self) -> None:
        """Imports the engine; CouldNotRun."""
        self.pool_class = pool_class()

    def make(self, total: int, block_size: int) -> VllmPoolAdapter:
        """A pool of `total` blocks beside the null block."""
        more = {"hash_block_size": block_size}
        known = more if takes(self.pool_class.__init__, "hash_block_size") else {}
        pool = self.pool_class(num_gpu_blocks=total + 1, enable_caching=True, **known)
        return VllmPoolAdapter(pool, block_size)

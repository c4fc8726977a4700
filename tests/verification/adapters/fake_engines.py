"""Engines of the same interfaces as the real ones, written for the tests, and how to judge them."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import pytest

from poolproof_verification.adapters.adapter import Target
from poolproof_verification.counterexample import Counterexample
from poolproof_verification.explore import counterexamples, explore_scopes
from poolproof_verification.scopes import Scope
from poolproof_verification.targets import AdapterTarget

SMALL = (Scope(3, 2, 2, 4), Scope(2, 2, 2, 3))


def explored(target: Target) -> list[Counterexample]:
    """Every fault of small pools, the worst first."""
    judged = AdapterTarget(target.name, target)
    return counterexamples(judged, explore_scopes(judged, SMALL))


def install(monkeypatch: pytest.MonkeyPatch, module: str, **names: Any) -> None:
    """A module of this name, with these attributes; its packages lie beside it."""
    parts = module.split(".")
    for length in range(1, len(parts) + 1):
        name = ".".join(parts[:length])
        made = ModuleType(name)
        made.__dict__.update(names if length == len(parts) else {"__version__": "0.0.1"})
        monkeypatch.setitem(sys.modules, name, made)


class Block:
    """A block of a pool that counts."""

    def __init__(self, block_id: int) -> None:
        self.block_id = block_id
        self.ref_cnt = 0


class Pool:
    """Of the v1 block pool's interface: block 0 is never given away."""

    def __init__(self, num_gpu_blocks: int, enable_caching: bool) -> None:
        self.blocks = [Block(number) for number in range(num_gpu_blocks)]
        self.idle = self.blocks[1:]

    def get_num_free_blocks(self) -> int:
        return len(self.idle)

    def get_new_blocks(self, num_blocks: int) -> list[Block]:
        if num_blocks > len(self.idle):
            raise ValueError(f"Cannot get {num_blocks} free blocks from the pool")
        taken, self.idle = self.idle[:num_blocks], self.idle[num_blocks:]
        self.touch(taken)
        return taken

    def touch(self, blocks: list[Block]) -> None:
        for block in blocks:
            block.ref_cnt += 1

    def free_blocks(self, ordered_blocks: list[Block]) -> None:
        for block in ordered_blocks:
            block.ref_cnt -= 1
            if block.ref_cnt == 0:
                self.idle.append(block)

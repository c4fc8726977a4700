"""What the front doors share: a tiny model, smaller numbers, and arguments as one writes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

MODEL = {
    "hidden_size": 64, "intermediate_size": 64, "num_attention_heads": 1,
    "num_key_value_heads": 1, "num_hidden_layers": 1, "vocab_size": 64,
}  # fmt: skip


def less(number: int, least: int) -> Iterator[int]:
    """Smaller numbers: the least, the half, one less."""
    yield from sorted({each for each in (least, number // 2, number - 1) if least <= each < number})


def keywords(arguments: dict[str, Any]) -> str:
    """The arguments of a call."""
    return ", ".join(f"{name}={value!r}" for name, value in arguments.items())


def fitting(use: Any, candidates: Iterable[Any]) -> Iterator[Any]:
    """Candidates of which every request still fits the pool alone.

    Where one needs fewer blocks than the use, it comes with as many to spare first.
    """
    spare = use.blocks - use.needed
    for candidate in candidates:
        if candidate.needed < use.needed:
            yield replace(candidate, blocks=candidate.needed + spare)
        if candidate.needed <= candidate.blocks:
            yield candidate

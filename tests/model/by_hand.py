"""Well-formed states, written down: each sequence by its blocks and its tokens, a letter each."""

from __future__ import annotations

from collections.abc import Callable

from poolproof_model.execute import Blocks, FreeBlocks, Members, Pool, Table

TWO_SHARING = {"A": ((0, 1), "abcde"), "B": ((0, 2), "abcdx")}


def pool_of(total: int, block_size: int, **tables: tuple[Blocks, str]) -> Pool:
    """The state in which these sequences have these blocks and tokens, and every count is right."""
    holders: dict[int, Members] = {}
    contents: dict[int, list[str | None]] = {}
    for name, (blocks, tokens) in tables.items():
        for block in blocks:
            holders[block] = Members({name, *holders.get(block, ())})
        for position, token in enumerate(tokens):
            block = blocks[position // block_size]
            slots = contents.setdefault(block, [None] * block_size)
            slots[position % block_size] = token
    return Pool(
        total,
        block_size,
        FreeBlocks(block for block in range(total) if block not in holders),
        {block: len(names) for block, names in holders.items()},
        {name: Table(blocks, len(text), tuple(text)) for name, (blocks, text) in tables.items()},
        holders,
        {block: tuple(slots) for block, slots in contents.items()},
    )


def prompt_of(text: str) -> Callable[[int], str | None]:
    """The text as the tokens of a prompt; there are none outside of it."""
    return lambda position: text[position] if 0 <= position < len(text) else None

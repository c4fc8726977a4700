"""A KV memory beside the manager, filled as an engine fills it: only by what the manager says.

An engine knows a sequence's blocks from what `allocate`, `fork` and `grow` returned and, after
`append`, from the table's last block; it copies when it is told to, and writes the new tokens. What
a call does not tell, the engine reads off the tables that the manager shows.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from poolproof_model.execute import Pool
from poolproof_model.operations import Tokens
from poolproof_verification.audit import Breach
from poolproof_verification.operations import HIDDEN, Operation, View, completed
from poolproof_verification.words import told


class ShadowMemory:
    """What an engine's KV cache contains after the operations so far."""

    def __init__(self, block_size: int) -> None:
        """Nothing is written yet."""
        self.block_size = block_size
        self.rows: dict[int, list[Any]] = {}  # what each block contains, once it was written
        self.given: dict[Hashable, list[Any]] = {}  # the tokens of each sequence
        self.tables: dict[Hashable, list[int]] = {}
        self.lengths: dict[Hashable, int] = {}

    def follow(self, operation: Operation, value: Any, view: View, tokens: Tokens) -> None:
        """Do what an engine does after an accepted operation that returned `value`."""
        name, arguments = operation
        value = self.told(operation, value, view)
        if name == "allocate":
            self.tables[arguments[0]], self.lengths[arguments[0]] = list(value), 0
            self.given[arguments[0]] = []
            self.write(arguments[0], arguments[1], tokens)
        elif name == "fork":
            parent, child = arguments
            blocks, copy = value if isinstance(value, tuple) else (value, None)
            if copy is not None:
                self.copy(*copy)
            self.tables[child], self.lengths[child] = list(blocks), self.lengths[parent]
            self.given[child] = list(self.given[parent])
        elif name == "append":
            self.append(arguments[0], value, view.seqs[arguments[0]]["blocks"], tokens)
        elif name == "grow":
            blocks, copy = value
            self.grow(arguments[0], arguments[1], list(blocks), copy, tokens)
        else:
            for sequence in arguments or list(self.tables):
                del self.tables[sequence], self.lengths[sequence], self.given[sequence]

    def told(self, operation: Operation, value: Any, view: View) -> Any:
        """The value, with what it hides read off the tables."""
        name, arguments = operation
        hidden = value is HIDDEN or (isinstance(value, tuple) and HIDDEN in value)
        if not hidden or name.startswith("release"):
            return value
        now, old = view.seqs[arguments[-1 if name == "fork" else 0]]["blocks"], self.tables
        if name == "allocate":
            return now
        before = old[arguments[0]]
        copy = next(((a, b) for a, b in zip(before, now, strict=False) if a != b), None)
        if name == "append":
            return copy is not None
        whole = (now if name == "fork" else now[len(before) :]), copy
        return completed(value, whole)

    def append(self, sequence: Hashable, copied: bool, blocks: list[int], tokens: Tokens) -> None:
        """Copy if the manager says so, then write one token."""
        previous = self.tables[sequence]
        if copied:
            self.copy(previous[-1], blocks[-1])
        self.tables[sequence] = list(blocks)
        self.write(sequence, 1, tokens)

    def grow(
        self,
        sequence: Hashable,
        count: int,
        added: list[int],
        copy: tuple[int, int] | None,
        tokens: Tokens,
    ) -> None:
        """Copy if the manager says so, then write `count` tokens."""
        table = self.tables[sequence]
        if copy is not None:
            self.copy(*copy)
            table = [*table[:-1], copy[1]]
        self.tables[sequence] = table + added
        self.write(sequence, count, tokens)

    def row(self, block: int) -> list[Any]:
        """What the block contains."""
        return self.rows.get(block) or [None] * self.block_size

    def copy(self, source: int, destination: int) -> None:
        """Copy a whole block."""
        self.rows[destination] = list(self.row(source))

    def slot(self, sequence: Hashable, position: int) -> tuple[int, int]:
        """Where the engine believes the token at this position to lie."""
        table, entry = self.tables[sequence], position // self.block_size
        block = table[entry] if entry < len(table) else -1
        return block, position % self.block_size

    def write(self, sequence: Hashable, count: int, tokens: Tokens) -> None:
        """Write the next tokens of the sequence."""
        start, given = self.lengths[sequence], self.given[sequence]
        for position in range(start, start + count):
            block, offset = self.slot(sequence, position)
            row = self.rows[block] = self.row(block)
            row[offset] = token = tokens(sequence, position)
            given.append(token)
        self.lengths[sequence] = start + count

    def reads_back(self) -> bool:
        """Every sequence reads every token it was given."""
        unwritten = [None] * self.block_size
        for sequence, given in self.given.items():
            read: list[Any] = []
            for block in self.tables[sequence]:
                read += self.rows.get(block) or unwritten
            if read[: len(given)] != given:
                return False
        return True

    def wrong(self, pool: Pool) -> Breach | None:
        """The first token that a live sequence of the model would not read back."""
        for sequence, table in pool.tables.items():
            for position, token in enumerate(table.history):
                block, offset = self.slot(sequence, position)
                if self.row(block)[offset] != token:
                    return Breach(
                        "contents",
                        f"{told(sequence)} no longer reads its token {position}: "
                        f"slot {offset} of block {told(block)} was overwritten or never copied",
                    )
        return None

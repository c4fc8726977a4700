"""A picture of a state in text, with the lines and blocks of a terminal or in plain ASCII."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from poolproof_verification.reports.blocks import FAULTS, Block, Kind
from poolproof_verification.reports.picture import Picture, Table

WIDTH = 96  # columns, so that the indented picture fits into 120
WIDEST_TABLE = 12  # blocks in a line
SLOTS_DRAWN = 8  # of one block; larger ones are drawn to scale


@dataclass(frozen=True)
class Pen:
    """The characters that a picture is made of."""

    corners: str  # of the upper line left, between, right, then of the lower one
    across: str
    down: str
    free: str
    held: str
    shared: str
    fault: str
    differs: str
    used: str
    slack: str

    def mark(self, kind: Kind) -> str:
        """What is drawn before the words of a block."""
        if kind in FAULTS:
            return self.fault
        return {Kind.HELD: self.held, Kind.SHARED: self.shared}.get(kind, self.free)


LINES = Pen("┌┬┐└┴┘", "─", "│", "□", "■", "▨", "✗", "≠", "█", "░")
ASCII = Pen("++++++", "-", "|", ".", "#", "%", "!", "*", "#", ".")


def lines_of(picture: Picture | str, pen: Pen = LINES) -> Iterator[str]:
    """The picture, line by line."""
    if isinstance(picture, str):
        yield picture
        return
    for row in rows(picture.blocks, pen):
        yield from boxes(row, pen)
    more = picture.blocks_left_out
    yield picture.account + (f" ({more:,} of them are not drawn)" if more else "")
    for table in picture.tables:
        yield from table_lines(table, pen)
    if picture.tables_left_out:
        yield f"and {picture.tables_left_out:,} more sequences"


def content(block: Block, pen: Pen) -> str:
    """The words in a block's box."""
    return f"{pen.mark(block.kind)} {block.label()}"


def heading(block: Block, pen: Pen) -> str:
    """The words above it."""
    return block.number() + (f" {pen.differs}" if block.differs else "")


def width(block: Block, pen: Pen) -> int:
    """The columns between its walls."""
    return max(len(content(block, pen)), len(heading(block, pen)) + 2) + 2


def rows(blocks: Iterable[Block], pen: Pen) -> Iterator[list[Block]]:
    """The blocks in rows that fit."""
    row: list[Block] = []
    for block in blocks:
        if row and sum(width(each, pen) + 1 for each in [*row, block]) + 1 > WIDTH:
            yield row
            row = []
        row.append(block)
    if row:
        yield row


def boxes(row: list[Block], pen: Pen) -> Iterator[str]:
    """Three lines: numbers, contents, floor."""
    top = [edge(f"{pen.across} {heading(each, pen)} ", each, pen) for each in row]
    inside = [f" {content(each, pen)} ".ljust(width(each, pen)) for each in row]
    yield pen.corners[0] + pen.corners[1].join(top) + pen.corners[2]
    yield pen.down + pen.down.join(inside) + pen.down
    floor = [edge("", each, pen) for each in row]
    yield pen.corners[3] + pen.corners[4].join(floor) + pen.corners[5]


def edge(words: str, block: Block, pen: Pen) -> str:
    """The words, and the line that goes on to the end of the block."""
    return words.ljust(width(block, pen), pen.across)


def table_lines(table: Table, pen: Pen) -> Iterator[str]:
    """The table's blocks, each with its slots: those that contain a token, and slack."""
    cells = [f"{block}[{slots(used, table.block_size, pen)}]" for block, used in table.cells]
    if table.left_out:
        cells.insert(len(cells) // 2, f"({table.left_out:,} more)")
    head = f"{table.name} {pen.differs}:" if table.differs else f"{table.name}:"
    for at in range(0, len(cells), WIDEST_TABLE):
        part = " ".join(cells[at : at + WIDEST_TABLE])
        end = f"  {table.words()}" if at + WIDEST_TABLE >= len(cells) else ""
        yield f"{head if not at else ' ' * len(head)} {part}{end}"
    if not cells:
        yield f"{head} {table.words()}"


def slots(used: int, block_size: int, pen: Pen) -> str:
    """A block's slots; a large block to scale, and never full or empty where it is not."""
    drawn = min(block_size, SLOTS_DRAWN)
    full = used if drawn == block_size else round(used * drawn / block_size)
    full = min(max(full, used > 0), drawn - (used < block_size))
    return pen.used * full + pen.slack * (drawn - full)

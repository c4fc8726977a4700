"""Pictures no larger than the page has room for: it stays one that a phone opens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from poolproof_verification.reports.picture import Picture, Scene, Table, shortened

MOST_PARTS = 10_000  # blocks, tables and their cells drawn on the page, some 500 bytes each
FEWEST_BLOCKS = 6  # of one picture, however little room there is
FEWEST_CELLS = 4  # of one table
LAST = 3  # the last state, where the failure is, has a third of the room


def parts(scene: Scene | None) -> int:
    """How much the scene draws."""
    return sum(map(size, drawn(scene))) if scene else 0


def drawn(scene: Scene) -> Iterator[Picture | str]:
    """The pictures that are drawn: two alike are one."""
    yield scene.manager
    if not scene.same:
        yield scene.model


def size(picture: Picture | str) -> int:
    """How much the picture draws."""
    if isinstance(picture, str):
        return 1
    return len(picture.blocks) + sum(1 + len(table.blocks) for table in picture.tables)


def fitting(scenes: Sequence[Scene], room: int) -> Iterator[Scene]:
    """The scenes in so much room, shared by all but the last one, which has more than they."""
    *others, last = scenes
    rest = room - min(parts(last), room // LAST)
    yield from (smaller_scene(each, rest // len(others)) for each in others)
    yield smaller_scene(last, room // LAST if others else room)


def smaller_scene(scene: Scene, room: int) -> Scene:
    """The scene in so much room."""
    each = room if scene.same else room // 2
    return replace(scene, manager=smaller(scene.manager, each), model=smaller(scene.model, each))


def smaller(picture: Picture | str, room: int) -> Picture | str:
    """The picture in so much room: what tells something is kept, and what is left out counted."""
    if isinstance(picture, str) or size(picture) <= room:
        return picture
    blocks = shortened(list(picture.blocks), max(FEWEST_BLOCKS, room // 2))
    most = max(1, (room - len(blocks)) // (FEWEST_CELLS + 1))
    ordered = sorted(enumerate(picture.tables), key=lambda item: not item[1].differs)[:most]
    tables = tuple(cut(table) for _, table in sorted(ordered, key=lambda item: item[0]))
    return replace(
        picture,
        blocks=blocks,
        tables=tables,
        blocks_left_out=picture.blocks_left_out
        + sum(map(len, picture.blocks))
        - sum(map(len, blocks)),
        tables_left_out=picture.tables_left_out + len(picture.tables) - len(tables),
    )


def cut(table: Table) -> Table:
    """The table with its first and its last blocks."""
    left_out = len(table.blocks) - FEWEST_CELLS
    if left_out <= 0:
        return table
    half = FEWEST_CELLS // 2
    kept = (*table.blocks[:half], *table.blocks[-half:])
    return replace(table, blocks=kept, left_out=table.left_out + left_out)

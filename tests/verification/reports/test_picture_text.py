"""The picture in text: blocks in a row, tables with their slots, in lines or in plain ASCII."""

from __future__ import annotations

from poolproof_verification.operations import View
from poolproof_verification.reports.picture import Picture, Pool, scene_of
from poolproof_verification.reports.picture_text import ASCII, LINES, Pen, lines_of, slots

SHOWN = View(
    [3], {0: 2, 1: 1, 2: 1}, {"A": {"blocks": [0, 1], "len": 3}, "B": {"blocks": [0], "len": 1}}
)
RIGHT = View([2, 3], {0: 2, 1: 1}, SHOWN.seqs)


def text(pen: Pen, shown: View = SHOWN, pool: Pool | None = None) -> str:
    scene = scene_of(shown, RIGHT if shown is SHOWN else shown, pool or Pool(4, 2))
    return "\n".join(lines_of(scene.manager, pen))


def test_it_is_drawn_with_lines() -> None:
    assert (
        text(LINES)
        == """\
┌─ 0 ──────┬─ 1 ─┬─ 2 ≠ ─────┬─ 3 ────┐
│ ▨ A B x2 │ ■ A │ ✗ lost x1 │ □ free │
└──────────┴─────┴───────────┴────────┘
4 blocks: 1 free, 1 held, 1 shared, 1 lost
A: 0[██] 1[█░]  3 tokens, 1 slack
B: 0[█░]  1 token, 1 slack"""
    )


def test_it_is_drawn_in_ascii_where_the_terminal_has_no_more() -> None:
    drawn = text(ASCII)
    assert drawn.isascii()
    assert drawn.startswith(
        "+- 0 ------+- 1 -+- 2 * -----+- 3 ----+\n| % A B x2 | # A | ! lost x1 |"
    )
    assert "A: 0[##] 1[#.]  3 tokens, 1 slack" in drawn


def test_rows_are_no_wider_than_a_log() -> None:
    names = {f"sequence {at}": {"blocks": [2 * at], "len": 1} for at in range(40)}
    many = View(list(range(1, 80, 2)), None, names)
    lines = text(LINES, many, Pool(80, 2)).splitlines()
    assert max(map(len, lines)) <= 100
    assert "80 blocks: 40 free, 40 held (16 of them are not drawn)" in lines


def test_a_large_block_is_drawn_to_scale_and_never_full_or_empty_where_it_is_not() -> None:
    assert [slots(used, 1000, ASCII) for used in (0, 1, 500, 999, 1000)] == [
        "........", "#.......", "####....", "#######.", "########",
    ]  # fmt: skip


def test_a_long_table_goes_on_in_the_next_line() -> None:
    long = View([], None, {"A": {"blocks": list(range(40)), "len": 80}})
    lines = text(LINES, long, Pool(40, 2)).splitlines()[4:]
    assert len(lines) == 3
    assert "(8 more)" in lines[1]
    assert lines[2].endswith("80 tokens")
    assert max(map(len, lines)) <= 100


def test_a_reason_is_drawn_as_it_is() -> None:
    assert list(lines_of("no state is shown")) == ["no state is shown"]
    assert isinstance(scene_of(SHOWN, RIGHT, Pool(4, 2)).model, Picture)

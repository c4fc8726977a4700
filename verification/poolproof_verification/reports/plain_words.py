"""Foreign words as plain text: nothing in them steers a terminal, a page or a reader's eye.

What cannot be printed is shown as an escape, as Python writes it; what is too long keeps its two
ends. Markup is left as it is: each format escapes its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TypeVar

from poolproof_verification.words import harmless

LONGEST = 400  # characters of a name, an error or a state
MOST_LINES = 400
ROOM = 40  # characters, at most, that say how much is left out
BRIEF = "..."  # where a line is too short for them
COMMAND = re.compile(r"^([^\S\n]*)::", re.MULTILINE)
Item = TypeVar("Item")


def visible(text: object, most: int = LONGEST) -> str:
    r"""One line of at most `most` characters: \x1b for an escape, \u202e for a bidirectional mark.

    The text's middle is left out where it is too long, and all but a short line says how much.
    """
    words = str(text)
    if len(words) <= most and len(line := harmless(words)) <= most:
        return line
    brief = most < 2 * ROOM  # no room to say how much
    half = (most - (len(BRIEF) if brief else ROOM)) // 2
    ahead, behind = fitting(words, half), fitting(reversed(words), half)
    left_out = len(words) - len(ahead) - len(behind)
    gap = BRIEF if brief else f"[... {left_out:,} characters ...]"
    return f"{''.join(ahead)}{gap}{''.join(reversed(behind))}"


def obeyed_by_nobody(text: str) -> str:
    """Lines none of which a CI takes for a command, however foreign words were broken in them."""
    return COMMAND.sub(r"\1\\x3a:", text)


def fitting(characters: Iterable[str], room: int) -> list[str]:
    """The first of the characters, escaped, as many as there is room for."""
    kept = []
    for each in map(harmless, characters):
        room -= len(each)
        if room < 0:
            break
        kept.append(each)
    return kept


def visible_lines(text: object, most: int = LONGEST, lines: int = MOST_LINES) -> str:
    """The same of each line, and of the lines: the middle ones are left out where they are many."""
    ahead, left_out, behind = ends(str(text).split("\n"), lines)
    middle = [f"[... {left_out:,} lines ...]"] if left_out else []
    shown = [visible(line, most) for _, line in ahead], [visible(line, most) for _, line in behind]
    return "\n".join([*shown[0], *middle, *shown[1]])


Numbered = list[tuple[int, Item]]


def ends(items: Sequence[Item], most: int) -> tuple[Numbered[Item], int, Numbered[Item]]:
    """The first items and the last, numbered from 1, and how many between them are left out.

    All are among the first where there are at most `most`; else more of the last are kept, for a
    failure is at the end.
    """
    numbered = list(enumerate(items, 1))
    if len(numbered) <= most:
        return numbered, 0, []
    first = most // 3
    last = most - first
    return numbered[:first], len(numbered) - most, numbered[-last:]

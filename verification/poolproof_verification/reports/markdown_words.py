"""Foreign words in Markdown: they stay words, whatever markup, link or mention they may be."""

from __future__ import annotations

import re
import string

from poolproof_verification.reports.plain_words import LONGEST, visible

PLAIN = set(" ,'()-;:+")  # punctuation that says nothing within a line; all other becomes entities
BROKEN = {  # what makes a mention or a link even as an entity, kept from its neighbours
    "@": "<code>&#64;</code>",
    "/": "&#47;<!-- -->",
    ".": "&#46;<!-- -->",
}


def code(text: object, most: int = LONGEST) -> str:
    """The text in a line, as code; outside of tables only."""
    words = visible(text, most) or " "
    fence = "`" * (longest_run(words) + 1)
    room = " " if "`" in (words[0], words[-1]) or words[0] == words[-1] == " " else ""
    return f"{fence}{room}{words}{room}{fence}"


def fenced(lines: str, language: str = "text") -> str:
    """Visible lines as a block of code."""
    fence = "`" * max(longest_run(lines) + 1, 3)
    return f"{fence}{language}\n{lines.rstrip()}\n{fence}"


def longest_run(text: str) -> int:
    """How many backticks follow one another at most."""
    return max(map(len, re.findall("`+", text)), default=0)


def in_cell(text: object, most: int = LONGEST) -> str:
    """The text in a table's cell: every mark that could mean something is an entity."""
    return "".join(map(in_words, visible(text, most)))


def in_words(character: str) -> str:
    """One character of a cell."""
    if character in BROKEN:
        return BROKEN[character]
    if character in PLAIN or character not in string.punctuation:
        return character
    return f"&#{ord(character)};"

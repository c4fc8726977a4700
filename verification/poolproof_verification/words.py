"""Numbers and names in sentences."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence

ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def plural(count: int, word: str) -> str:
    """1 block, 2 blocks."""
    return f"{count:,} {word}" if count == 1 else f"{count:,} {word}s"


def times(count: int) -> str:
    """Once, twice, 3 times."""
    return {1: "once", 2: "twice"}.get(count, f"{count:,} times")


def still_held(owners: Sequence[Hashable]) -> str:
    """Who holds a block: nobody, one or several."""
    if not owners:
        return "no table holds it"
    verb = "holds" if len(owners) == 1 else "hold"
    return f"{' and '.join(map(told, owners))} still {verb} it"


def harmless(text: str) -> str:
    """Foreign text in one line: what a terminal would obey, and not show, is escaped."""
    if text.isprintable():
        return text
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode() for each in text
    )


def class_of(value: object) -> str:
    """What a foreign value's class calls itself, in one line."""
    return harmless(type(value).__name__)


def told(value: object) -> str:
    """A foreign value as code, whatever its class makes of that; addresses vary, so none."""
    try:
        return harmless(ADDRESS.sub("", repr(value)))
    except KeyboardInterrupt:
        raise
    except BaseException:  # it may even end the process
        return f"<{class_of(value)} that cannot be shown>"


def error_told(error: BaseException) -> str:
    """A foreign error's class and message, in one line."""
    try:
        words = harmless(ADDRESS.sub("", " ".join(str(error).split())))
    except KeyboardInterrupt:
        raise
    except BaseException:
        words = "a message that cannot be shown"
    return f"{class_of(error)}: {words}" if words else class_of(error)

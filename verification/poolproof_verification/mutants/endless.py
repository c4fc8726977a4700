"""Whether a call ends: counted in CPU seconds, so that a busy machine makes nothing endless.

Does not cover: what waits without computing; a process that does is ended from outside.
"""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable
from types import FrameType
from typing import Any, NoReturn

from poolproof import BlockManager
from poolproof_verification.limits import CutShort

PROBE_SECONDS = 0.5  # CPU, for a few hundred calls that take milliseconds
Calls = tuple[tuple[Any, ...], ...]  # methods with their arguments
SIZES = ((3, 2), (8, 1), (60, 1), (120, 1))


class Endless(CutShort):
    """The CPU seconds are spent."""


def stop(number: int, frame: FrameType | None) -> NoReturn:
    """Interrupt the call."""
    raise Endless


def within(seconds: float, call: Callable[..., Any], *arguments: Any) -> Any:
    """The call's value; Endless once it has computed for so many seconds.

    Of two limits, one inside the other, the inner one ends the outer.
    """
    previous = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds, seconds)
    try:
        return call(*arguments)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, previous)


def ends(manager_class: type[BlockManager]) -> bool:
    """A life of every operation and question ends, whatever it does."""
    try:
        within(PROBE_SECONDS, live, manager_class)
    except Endless:
        return False
    return True


def live(manager_class: type[BlockManager]) -> None:
    """Some calls on pools of several sizes; what they raise is judged elsewhere."""
    for total, block_size in SIZES:
        with contextlib.suppress(Exception):
            manager = manager_class(total, block_size)
            for name, *arguments in calls(total):
                with contextlib.suppress(Exception):
                    getattr(manager, name)(*arguments)


def calls(total: int) -> Calls:
    """Fill the pool block by block, free every other one and some runs, and take many at once."""
    every = range(total)
    freed = [block for block in every if block % 2 or block % 20 > 12]
    return (
        *(("allocate", f"s{block}", 1) for block in every),
        *(("release", f"s{block}") for block in freed),
        *(
            each
            for count in range(len(freed), 0, -3)
            for each in (("allocate", "many", count), ("release", "many"))
        ),
        ("allocate", "many", total // 3),
        ("fork", "many", "child"),
        ("append", "child"),
        ("grow", "child", total // 5),
        ("grow", "many", 10**30),
        ("allocate", "all", 10**30),
        *((question, "child") for question in ("can_append", "length", "table", "usage_of")),
        *((question,) for question in ("violations", "usage", "check_invariants", "__repr__")),
        ("release", "many"),
        ("release", "child"),
        ("release_all",),
        ("allocate", "rest", total),
    )

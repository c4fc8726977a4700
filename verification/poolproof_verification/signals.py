"""Ctrl-C and SIGTERM end a run before its end; what was found by then is told.

In any thread but the main one, which alone hears signals, nothing is changed.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from multiprocessing.resource_tracker import ensure_running
from types import FrameType

ENDING = (signal.SIGINT, signal.SIGTERM)
Count = Callable[[], int]


@contextmanager
def handled(act: Callable[[], None]) -> Iterator[Count]:
    """Within, each of these signals is counted, then acted upon; gives how many came.

    One that is ignored outside, as where a shell has put the command into the background, stays so.
    """
    came: list[int] = []

    def handle(number: int, frame: FrameType | None) -> None:
        came.append(number)
        act()

    here = threading.current_thread() is threading.main_thread()
    heard = [each for each in ENDING if here and signal.getsignal(each) is not signal.SIG_IGN]
    before = {each: signal.signal(each, handle) for each in heard}
    try:
        yield lambda: len(came)
    finally:
        for each, previous in before.items():
            signal.signal(each, previous)


def noted() -> AbstractContextManager[Count]:
    """Within, they interrupt nothing: whoever waits asks now and then how many came."""
    return handled(lambda: None)


def interrupt() -> None:
    """What Ctrl-C does by itself."""
    raise KeyboardInterrupt


def raised() -> AbstractContextManager[Count]:
    """Within, each raises KeyboardInterrupt."""
    return handled(interrupt)


@contextmanager
def held_back() -> Iterator[None]:
    """Within, they wait; a process that is started within begins with them held back."""
    ensure_running()  # it lets them through when it starts a process of its own
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def heard_once() -> None:
    """In a child: the first SIGTERM, its parent's, raises KeyboardInterrupt; nothing else does.

    Ctrl-C, which a terminal sends to all processes, is the parent's affair.
    """

    def once(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, once)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)

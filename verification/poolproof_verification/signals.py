"""Ctrl-C and SIGTERM end a run before its end; what was found by then is told.

In any thread but the main one, which alone hears signals, nothing is changed.
"""

from __future__ import annotations

import _thread
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from multiprocessing.resource_tracker import ensure_running
from types import FrameType

from poolproof_verification.verdict import EXIT_CODES, Outcome

ENDING = (signal.SIGINT, signal.SIGTERM)
Count = Callable[[], int]
# Whatever is raised in these is printed and lost: a destructor, and Hypothesis' callback of the
# garbage collector.
LOSING = {"__del__", "gc_callback"}
SOON = 0.01  # seconds
PATIENCE = 3  # interrupts, of which a target may have swallowed all but the last


def is_lost(frame: FrameType | None) -> bool:
    """What is raised here reaches nobody."""
    while frame is not None and frame.f_code.co_name not in LOSING:
        frame = frame.f_back
    return frame is not None


def soon(number: int) -> None:
    """The signal comes once more; by a bare thread, as a handler may wait for no lock."""

    def send() -> None:
        time.sleep(SOON)
        os.kill(os.getpid(), number)

    _thread.start_new_thread(send, ())


@contextmanager
def handled(act: Callable[[int], None]) -> Iterator[Count]:
    """Within, each of these signals is counted, then acted upon; gives how many came.

    One that is ignored outside, as where a shell has put the command into the background, stays so.
    """
    came: list[int] = []

    def handle(number: int, frame: FrameType | None) -> None:
        if act is interrupt and is_lost(frame):
            soon(number)
            return
        came.append(number)
        act(len(came))

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
    return handled(lambda times: None)


def interrupt(times: int) -> None:
    """What Ctrl-C does by itself; the third ends the process, whoever has caught the others."""
    if times >= PATIENCE:
        os.write(2, b"poolproof: interrupted again and again; nothing is known\n")
        os._exit(EXIT_CODES[Outcome.UNKNOWN])
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
        if is_lost(frame):
            soon(number)
            return
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, once)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)

"""Whatever an adapter does is told as an answer: that it raises, answers amiss or never ends.

A call may compute for so many CPU seconds, so that a busy machine makes nothing endless; one that
only waits may take many more of the clock. Both are looked at whenever the interval timer of the
main thread rings; in any other thread, or where there is no such timer, a call that hangs hangs the
search. Nor does the timer end a call into foreign code that never returns to the interpreter, or
one that catches whatever interrupts it and goes on.

Does not cover: KeyboardInterrupt, which is taken for the user's own.
"""

from __future__ import annotations

import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic, process_time
from types import FrameType
from typing import Any

from poolproof_model.system import Refusal
from poolproof_verification.adapters.adapter import Adapter, Target, UnreadableView
from poolproof_verification.operations import (
    OPERATIONS,
    QUESTIONS,
    Accepted,
    Failed,
    Operation,
    Refused,
    Response,
    View,
    no_response,
)
from poolproof_verification.places import raised_at
from poolproof_verification.signals import is_lost
from poolproof_verification.verdict import CouldNotRun
from poolproof_verification.words import error_told, told

SECONDS = 5.0  # CPU, for one call: a thousand times what the slowest right manager takes
PATIENCE = 12.0  # seconds of the clock for each of these
IMPATIENT = (0.2, 1.0)  # CPU seconds and those of the clock, once a call has not ended
NOT_ENDED = "not ended after"
MOST_CALLS, LONGEST_CALL = 200, 1000  # own calls kept, and characters of one
AGAIN = 1.0  # seconds of the clock, after which it is looked again, if not sooner
Handler = Callable[[int, FrameType | None], Any] | int | None


class CutShort(BaseException):
    """The harness itself ends a call; no manager should catch this."""


class TookTooLong(CutShort):
    """A call has not ended in time."""


OURS = (KeyboardInterrupt, CutShort)  # of all that may come out of a call, what is not the target's


class Limit:
    """How long a call may take; one for all, as there is one timer."""

    def __init__(self) -> None:
        """The usual limit; no call runs."""
        self.seconds, self.clock = SECONDS, SECONDS * PATIENCE
        self.running = self.once_only = False
        self.began = (0.0, 0.0)  # CPU and clock

    def passed(self) -> str:
        """How long the call has run, if that is too long."""
        cpu, clock = self.began
        if process_time() - cpu >= self.seconds:
            return f"{self.seconds:g} CPU s"
        return f"{self.clock:g} s" if monotonic() - clock >= self.clock else ""


LIMIT = Limit()


@contextmanager
def limited_to(seconds: float, clock: float | None = None) -> Iterator[None]:
    """Within, a call may take so many CPU seconds, and so many of the clock."""
    before = LIMIT.seconds, LIMIT.clock
    LIMIT.seconds, LIMIT.clock = seconds, PATIENCE * seconds if clock is None else clock
    try:
        yield
    finally:
        LIMIT.seconds, LIMIT.clock = before


@contextmanager
def patient_once() -> Iterator[None]:
    """Within, calls may take less time as soon as one has not ended."""
    before, LIMIT.once_only = LIMIT.once_only, True
    try:
        with limited_to(LIMIT.seconds, LIMIT.clock):
            yield
    finally:
        LIMIT.once_only = before


def ring(number: int, frame: FrameType | None) -> None:
    """Interrupt the call that runs, if one does and has done so for too long.

    Where that would be lost, as in a destructor, the next ring does it.
    """
    if LIMIT.running and (passed := LIMIT.passed()) and not is_lost(frame):
        raise TookTooLong(passed)


def timed(call: Callable[..., Any], *arguments: Any) -> Any:
    """The call's value; TookTooLong, or whatever the call raises."""
    if LIMIT.running or threading.current_thread() is not threading.main_thread():
        return call(*arguments)
    previous = signal.signal(signal.SIGALRM, ring)
    LIMIT.began, LIMIT.running = (process_time(), monotonic()), True
    first = min(LIMIT.seconds, LIMIT.clock)
    theirs = signal.setitimer(signal.ITIMER_REAL, first, min(first, AGAIN))
    try:
        return call(*arguments)
    except TookTooLong:
        if LIMIT.once_only:
            LIMIT.seconds, LIMIT.clock = map(min, IMPATIENT, (LIMIT.seconds, LIMIT.clock))
        raise
    finally:
        LIMIT.running = False
        signal.setitimer(signal.ITIMER_REAL, *theirs)
        signal.signal(signal.SIGALRM, previous)


def made(target: Target, total: int, block_size: int) -> Adapter:
    """A manager of the target's, or what stands for one that cannot be made for some other reason.

    CouldNotRun: the target makes none of this size, as it says by that or by a ValueError.
    """
    try:
        adapter: Adapter = timed(target.make, total, block_size)
    except (CouldNotRun, KeyboardInterrupt):
        raise
    except ValueError as error:
        call = f"make({total}, {block_size})"
        raise CouldNotRun(f"target {target.name!r}: {call}: {why(error)}") from error
    except BaseException as error:
        return Unmade(f"make({total}, {block_size}): {placed(error)}")
    return adapter


class Unmade:
    """Stands for a manager whose making failed: it fails whatever is asked of it."""

    operations = frozenset(OPERATIONS)
    questions = frozenset[str]()
    any_free_block = copies_at_fork = False
    reserved = frozenset[int]()
    undefined = frozenset[Refusal]()

    def __init__(self, words: str) -> None:
        """`words`: what went wrong."""
        self.words = words

    def call(self, operation: Operation) -> Response:
        """There is no manager."""
        return Failed(self.words)

    def agrees(self, expected: Refusal, response: Response) -> bool:
        """A failure is no refusal."""
        return False

    def ask(self, question: str, *arguments: Any) -> Response:
        """There is no manager."""
        return Failed(self.words)

    def view(self) -> View:
        """There is no state."""
        raise UnreadableView(self.words)


class Guarded:
    """An adapter that raises nothing but KeyboardInterrupt, and answers in the right types."""

    def __init__(self, adapter: Adapter) -> None:
        """`adapter`: trusted in nothing."""
        self.adapter = adapter
        self.questions: frozenset[str] = self.asked()

    def asked(self) -> frozenset[str]:
        """The questions that the adapter answers; where saying so fails, all are asked."""
        try:
            return frozenset(timed(getattr, self.adapter, "questions", ()))
        except KeyboardInterrupt:
            raise
        except BaseException:
            return frozenset(QUESTIONS)

    def call(self, operation: Operation) -> Response:
        """Carry the operation out; whatever goes wrong is a failure."""
        return self.answer(self.adapter.call, operation)

    def ask(self, question: str, *arguments: Any) -> Response:
        """Ask; whatever goes wrong is a failure."""
        return self.answer(self.adapter.ask, question, *arguments)

    def answer(self, call: Callable[..., Any], *arguments: Any) -> Response:
        """What the adapter answers, if it is an answer at all."""
        try:
            response: object = timed(call, *arguments)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            return Failed(why(error), where(error))
        if words := no_response(response):
            return Failed(f"the adapter answers {words}")
        return response  # type: ignore[return-value]  # as has been looked at

    def agrees(self, expected: Refusal, response: Response) -> bool:
        """The response is a refusal, and the adapter calls it the right one."""
        return not self.denial(expected, response)

    def denial(self, expected: Refusal, response: Response) -> str:
        """Why the response is not the right refusal; nothing where it is."""
        if not isinstance(response, Refused):
            return f"returned {response}" if isinstance(response, Accepted) else str(response)
        try:
            agreed: object = timed(self.adapter.agrees, expected, response)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            return f"answers: {response}, of which agrees() says: {placed(error)}"
        if type(agreed) is not bool:
            junk = f"agrees() answers {told(agreed)}, which is neither True nor False"
            return f"answers: {response}, of which the adapter's {junk}"
        return "" if agreed else f"answers: {response}"

    def own_calls(self) -> tuple[str, ...]:
        """The last calls that the adapter made, in the manager's own words, if it tells them."""

        def last() -> deque[object]:
            return deque(getattr(self.adapter, "own_calls", ()), maxlen=MOST_CALLS)

        try:
            calls = timed(last)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            calls = [f"(not told: {why(error)})"]
        texts = (each if type(each) is str else told(each) for each in calls)
        return tuple(text[:LONGEST_CALL] for text in texts)

    def view(self) -> View:
        """What the manager shows; UnreadableView for whatever goes wrong."""
        try:
            shown: View = timed(self.adapter.view)
            return shown
        except UnreadableView as error:
            place = raised_at(error.__cause__)
            raise UnreadableView(f"{error}, at {place}") if place else error from error.__cause__
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise UnreadableView(placed(error)) from error


def why(error: BaseException) -> str:
    """What went wrong, in a line."""
    if isinstance(error, TookTooLong):
        return f"{NOT_ENDED} {error}"
    return error_told(error)


def where(error: BaseException) -> str:
    """Where it was raised; a call that has not ended is somewhere else each time."""
    return "" if isinstance(error, TookTooLong) else raised_at(error)


def placed(error: BaseException) -> str:
    """What went wrong, and where, in a line."""
    return ", at ".join(filter(None, (why(error), where(error))))

"""Tasks in child processes, two at a time: one that does not end is ended, and the rest goes on."""

from __future__ import annotations

import multiprocessing
import pickle
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any

from poolproof_verification.progress import at, heard_by, now_and_then
from poolproof_verification.signals import ENDING, Count, heard_once, held_back

CONTEXT = multiprocessing.get_context("spawn")
LOOK_EVERY = 0.5  # seconds of the clock between two looks for tasks that take too long
GRACE = 8.0  # seconds in which an interrupted task may tell what it has found
Judge = Callable[[Any], Any]
Label = Callable[[Any], str]


@dataclass(frozen=True)
class Answer:
    """What the judge answers; None if it took too long or took the process with it."""

    value: Any = None


class Worker:
    """One child process, which judges one task after the other."""

    def __init__(self, judge: Judge) -> None:
        """`judge`: a function of a module, which the child imports."""
        self.connection, end = CONTEXT.Pipe()
        self.process = CONTEXT.Process(target=serve, args=(end, judge), daemon=True)
        with held_back():
            self.process.start()
        end.close()
        self.alive = True
        self.index, self.started, self.label = -1, 0.0, ""
        self.answer: Answer | None = None

    def give(self, index: int, task: Any, label: str) -> None:
        """The next task."""
        self.index, self.started, self.label = index, time.monotonic(), label
        self.answer = None
        self.connection.send(task)

    def is_done(self, limit: float) -> bool:
        """There is an answer, or none will be waited for; what the task tells before is passed on.

        `limit`: seconds of the clock.
        """
        try:
            while self.answer is None and self.connection.poll():
                message = self.connection.recv()
                if isinstance(message, Answer):
                    self.answer = message
                elif self.label:
                    at(message.words, message.share, self.label)
        except (EOFError, OSError, pickle.UnpicklingError):
            self.answer = Answer()
        return self.answer is not None or time.monotonic() - self.started > limit

    def take(self) -> Any:
        """The answer; without one, or with an error, the process is ended."""
        value = self.answer.value if self.answer else None
        if self.label:
            at("", label=self.label, over=True)
        if value is None or isinstance(value, Exception):
            self.end()
        if isinstance(value, Exception):
            raise value
        return value

    def interrupt(self) -> None:
        """Ask the task to end, and to tell what it has found."""
        self.process.terminate()

    def end(self) -> None:
        """No more of it, whatever it does."""
        self.alive = False
        self.process.kill()
        self.process.join()
        self.connection.close()


def serve(connection: Connection, judge: Judge) -> None:
    """In the child: answer every task; an error of the judge's is an answer, too."""
    try:
        heard_once()
        with heard_by(now_and_then(connection.send)):
            while True:
                task = connection.recv()
                answer = answered(judge, task)
                signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)  # half an answer would be none
                connection.send(answer)
                signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)
    except (EOFError, BrokenPipeError, KeyboardInterrupt):  # nobody asks any more
        return


def answered(judge: Judge, task: Any) -> Answer:
    """What the judge says of the task."""
    try:
        return Answer(judge(task))
    except Exception as error:
        return Answer(error)


def never() -> int:
    """Nobody interrupts."""
    return 0


def judged(
    judge: Judge,
    tasks: Sequence[Any],
    limit: float,
    workers: int = 2,
    interrupts: Count = never,
    label: Label = lambda task: "",
) -> Iterator[tuple[int, Any]]:
    """(index, answer) of each task as it is done; None for one that has not ended in time.

    `limit`: seconds of the clock. Without workers everything is judged here, without a limit.
    `interrupts`: how many there were; after one, only what is under way is answered, if it can.
    `label`: under which the progress of a task is shown; nothing: it is not.
    """
    if not workers:
        yield from ((index, judge(task)) for index, task in enumerate(tasks))
        return
    waiting, idle, busy = deque(enumerate(tasks)), list[Worker](), list[Worker]()
    try:
        while (waiting or busy) and not interrupts():
            while waiting and len(busy) < workers:
                worker = idle.pop() if idle else Worker(judge)
                busy.append(worker)
                index, task = waiting.popleft()
                worker.give(index, task, label(task))
            wait([worker.connection for worker in busy], LOOK_EVERY)
            yield from done(busy, idle, limit)
        if busy:
            yield from last_words(busy, idle, interrupts)
    finally:
        for worker in (*idle, *busy):
            worker.end()


def done(busy: list[Worker], idle: list[Worker], limit: float) -> Iterator[tuple[int, Any]]:
    """What is done by now, and by whom."""
    for worker in [each for each in busy if each.is_done(limit)]:
        busy.remove(worker)
        answer = worker.take()
        if worker.alive:
            idle.append(worker)
        yield worker.index, answer


def last_words(
    busy: list[Worker], idle: list[Worker], interrupts: Count
) -> Iterator[tuple[int, Any]]:
    """What the tasks under way tell when they are interrupted, up to a second interrupt."""
    for worker in busy:
        worker.interrupt()
    until, before = time.monotonic() + GRACE, interrupts()
    while busy and time.monotonic() < until and interrupts() == before:
        wait([worker.connection for worker in busy], LOOK_EVERY)
        said = done(busy, idle, float("inf"))
        yield from (each for each in said if each[1] is not None)

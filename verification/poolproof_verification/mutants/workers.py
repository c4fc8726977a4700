"""Tasks in child processes, two at a time: one that does not end is ended, and the rest goes on."""

from __future__ import annotations

import multiprocessing
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from typing import Any

CONTEXT = multiprocessing.get_context("spawn")
LOOK_EVERY = 0.5  # seconds of the clock between two looks for tasks that take too long
Judge = Callable[[Any], Any]


class Worker:
    """One child process, which judges one task after the other."""

    def __init__(self, judge: Judge) -> None:
        """`judge`: a function of a module, which the child imports."""
        self.connection, end = CONTEXT.Pipe()
        self.process = CONTEXT.Process(target=serve, args=(end, judge), daemon=True)
        self.process.start()
        end.close()
        self.alive = True
        self.index, self.started = -1, 0.0

    def give(self, index: int, task: Any) -> None:
        """The next task."""
        self.index, self.started = index, time.monotonic()
        self.connection.send(task)

    def is_done(self, limit: float) -> bool:
        """There is an answer, or none will be waited for."""
        return self.connection.poll() or time.monotonic() - self.started > limit

    def answer(self) -> Any:
        """What the judge answers; None if it took too long or took the process with it."""
        try:
            answer = self.connection.recv() if self.connection.poll() else None
        except (EOFError, OSError):
            answer = None
        if answer is None:
            self.end()
        if isinstance(answer, Exception):
            raise answer
        return answer

    def end(self) -> None:
        """No more of it, whatever it does."""
        self.alive = False
        self.process.kill()
        self.process.join()
        self.connection.close()


def serve(connection: Connection, judge: Judge) -> None:
    """In the child: answer every task; an error of the judge's is an answer, too."""
    while True:
        try:
            task = connection.recv()
        except EOFError:
            return
        try:
            answer = judge(task)
        except Exception as error:
            answer = error
        connection.send(answer)


def judged(
    judge: Judge, tasks: Sequence[Any], limit: float, workers: int = 2
) -> Iterator[tuple[int, Any]]:
    """(index, answer) of each task as it is done; None for one that has not ended in time.

    `limit`: seconds of the clock. Without workers everything is judged here, without a limit.
    """
    if not workers:
        yield from ((index, judge(task)) for index, task in enumerate(tasks))
        return
    waiting, idle, busy = deque(enumerate(tasks)), list[Worker](), list[Worker]()
    try:
        while waiting or busy:
            while waiting and len(busy) < workers:
                worker = idle.pop() if idle else Worker(judge)
                busy.append(worker)
                worker.give(*waiting.popleft())
            wait([worker.connection for worker in busy], LOOK_EVERY)
            for worker in [each for each in busy if each.is_done(limit)]:
                busy.remove(worker)
                answer = worker.answer()
                if worker.alive:
                    idle.append(worker)
                yield worker.index, answer
    finally:
        for worker in (*idle, *busy):
            worker.end()

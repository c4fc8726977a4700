"""What a long command does, how far it is and what it has found so far, on standard error.

On a terminal each method has a line that changes; elsewhere there is a line every few seconds.
Whoever works says `at(...)`, which costs next to nothing where nobody listens.
"""

from __future__ import annotations

import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from poolproof_verification.reports.plain_words import visible

EVERY = 5.0  # seconds between two lines
OFTEN = 0.2  # seconds between two messages from a child
LONGEST = 160  # characters of a method's words


@dataclass(frozen=True)
class Stage:
    """How far a method is."""

    words: str  # what it does, with counts, and what it has found
    share: float | None = None  # of its budget or its work, where that is known
    label: str = ""  # the method; none: the command itself
    over: bool = False  # there is no more to tell of it


Listener = Callable[[Stage], None]
LISTENERS: list[Listener] = []  # the last one listens


def at(words: str, share: float | None = None, label: str = "", *, over: bool = False) -> None:
    """Tell how far something is to whoever listens."""
    if LISTENERS:
        LISTENERS[-1](Stage(words, share, label, over))


@contextmanager
def heard_by(listener: Listener) -> Iterator[None]:
    """Within, this one listens."""
    LISTENERS.append(listener)
    try:
        yield
    finally:
        LISTENERS.remove(listener)


def now_and_then(listener: Listener) -> Listener:
    """The same, which hears what comes often but a few times a second."""
    last = -OFTEN

    def hear(stage: Stage) -> None:
        nonlocal last
        if time.monotonic() - last >= OFTEN:
            listener(stage)
            last = time.monotonic()

    return hear


@contextmanager
def shown(command: str) -> Iterator[None]:
    """Within, progress is shown; what is not labelled is the command's."""
    terminal = Console(stderr=True)
    display = Bars(terminal) if terminal.is_terminal else Lines()

    def show(stage: Stage) -> None:
        display.show(replace(stage, words=visible(stage.words, LONGEST)))

    listeners: defaultdict[str, Listener] = defaultdict(lambda: now_and_then(show))

    def hear(stage: Stage) -> None:
        label = stage.label or command
        listener = display.show if stage.over else listeners[label]
        listener(replace(stage, label=label))

    with display, heard_by(hear):
        yield


class Bars:
    """On a terminal: a line for each method, with a bar and the time."""

    def __init__(self, terminal: Console) -> None:
        """`terminal`: where they are drawn, and gone at the end."""
        columns = (
            TextColumn("{task.fields[label]}", markup=False),
            BarColumn(bar_width=20),
            TimeElapsedColumn(),
            TextColumn("{task.description}", markup=False),
        )
        self.progress = Progress(*columns, console=terminal, transient=True)
        self.tasks: dict[str, TaskID] = {}

    def __enter__(self) -> Bars:
        """Begin to draw."""
        self.progress.start()
        return self

    def __exit__(self, *error: object) -> None:
        """Draw no more."""
        self.progress.stop()

    def show(self, stage: Stage) -> None:
        """The method's line as it now is; none if that is over."""
        if stage.over:
            if stage.label in self.tasks:
                self.progress.remove_task(self.tasks.pop(stage.label))
            return
        if stage.label not in self.tasks:
            self.tasks[stage.label] = self.progress.add_task("", total=None, label=stage.label)
        task, total = self.tasks[stage.label], None if stage.share is None else 1.0
        self.progress.update(task, total=total, completed=stage.share, description=stage.words)


class Lines:
    """Elsewhere: all methods in one line, every few seconds."""

    def __init__(self, every: float = EVERY) -> None:
        """`every`: so many seconds."""
        self.every = every
        self.stages: dict[str, Stage] = {}
        self.started = time.monotonic()
        self.ended = threading.Event()
        self.teller = threading.Thread(target=self.tell, daemon=True)

    def __enter__(self) -> Lines:
        """Begin to tell."""
        self.teller.start()
        return self

    def __exit__(self, *error: object) -> None:
        """Tell no more."""
        self.ended.set()
        self.teller.join()

    def show(self, stage: Stage) -> None:
        """Keep it for the next line."""
        if stage.over:
            self.stages.pop(stage.label, None)
        else:
            known = (
                self.stages.get(stage.label, stage).share if stage.share is None else stage.share
            )
            self.stages[stage.label] = replace(stage, share=known)

    def tell(self) -> None:
        """A line every few seconds, if there is anything to tell."""
        while not self.ended.wait(self.every):
            parts = [line_of(stage) for stage in tuple(self.stages.values())]
            if parts:
                elapsed = f"{time.monotonic() - self.started:.0f} s"
                print(f"{elapsed}: {' | '.join(parts)}", file=sys.stderr, flush=True)


def line_of(stage: Stage) -> str:
    """How far one method is, in words."""
    share = "" if stage.share is None else f" {min(stage.share, 1.0):.0%}"
    return f"{stage.label}{share}: {stage.words}"

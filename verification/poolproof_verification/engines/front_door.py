"""A random search through an engine's documented calls, and the smallest use that goes wrong.

Each use runs in a process of its own, which is killed when it takes too long: an engine's thread
may die or wait for ever. A use is made smaller for as long as the same fault is seen in it.
"""

from __future__ import annotations

import multiprocessing
import os
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from multiprocessing.connection import Connection
from random import Random
from tempfile import TemporaryFile
from typing import Protocol, TextIO, TypeVar

from poolproof_verification.words import error_told

ANSWERED = "answered"
REFUSED = "refused"  # by an error that the caller is told
FORK = multiprocessing.get_context("fork")  # the engine is imported once, for all
TWICE = 2  # runs in a row that have to show a fault: an engine's thread may be fast or slow
ERROR = re.compile(r"^(?:\w+\.)*\w*(?:Error|Exception): .+$", re.MULTILINE)
NUMBERED = re.compile(r"\S*\d\S*")  # what differs from one use to the next

Use = TypeVar("Use")


@dataclass(frozen=True)
class Seen:
    """What came of a use: ANSWERED, REFUSED, or else the kind of fault in a few words."""

    kind: str
    harm: str = ""  # what the user sees, in a sentence; of a refusal its error
    logged: str = ""  # the last error that the engine wrote

    @property
    def is_fault(self) -> bool:
        """Neither answered nor refused."""
        return self.kind not in (ANSWERED, REFUSED)

    @property
    def fault(self) -> tuple[str, str]:
        """What tells a fault from others: its kind, and the error behind it."""
        return self.kind, NUMBERED.sub("", self.logged)


class FrontDoor(Protocol[Use]):
    """An engine and its documented calls."""

    engine: str  # with its version
    seconds: float  # which a use may take

    def draw(self, random: Random) -> Use:
        """A use in which every request is one that must be answered."""

    def run(self, use: Use) -> Seen:
        """Use the engine so; an error that is raised is told to the caller."""

    def smaller(self, use: Use) -> Iterator[Use]:
        """Uses with less in them, the boldest first."""

    def code(self, use: Use) -> str:
        """The use in the engine's own calls, to be pasted."""


@dataclass(frozen=True)
class Fault:
    """A kind of fault, with the smallest use in which it is seen."""

    seen: Seen
    number: int  # of the first use drawn that shows it
    tried: int  # uses run to make that smaller
    code: str


@dataclass(frozen=True)
class Found:
    """What a search saw: how many uses by what came of them, and what is distinct of it."""

    kinds: dict[str, int]
    refusals: tuple[str, ...]  # the distinct errors that a caller was told
    faults: tuple[Fault, ...]


def search(door: FrontDoor[Use], seed: int, uses: int) -> Found:
    """So many uses drawn from the seed; each kind of fault once, as small as it gets."""
    random = Random(seed)
    kinds: dict[str, int] = {}
    refusals: dict[str, None] = {}
    first: dict[tuple[str, str], tuple[int, Use, Seen]] = {}
    for number in range(1, uses + 1):
        use = door.draw(random)
        seen = alone(door.run, use, door.seconds)
        kinds[seen.kind] = kinds.get(seen.kind, 0) + 1
        if seen.is_fault:
            first.setdefault(seen.fault, (number, use, seen))
        elif seen.kind == REFUSED:
            refusals[seen.harm] = None
    faults = tuple(smallest(door, *found) for found in first.values())
    return Found(kinds, tuple(refusals), faults)


def smallest(door: FrontDoor[Use], number: int, use: Use, seen: Seen) -> Fault:
    """The fault in a use of which nothing can be left out and nothing made smaller."""
    tried: dict[str, Seen] = {door.code(use): seen}

    def shows(candidate: Use) -> bool:
        code = door.code(candidate)
        for _ in range(0 if code in tried else TWICE):
            tried[code] = alone(door.run, candidate, door.seconds)
            if tried[code].fault != seen.fault:
                break
        return tried[code].fault == seen.fault

    start, improved = 0, True
    while improved or start:
        start = start if improved else 0
        improved = False
        for index, candidate in enumerate(islice(door.smaller(use), start, None), start):
            if shows(candidate):  # what came before has failed, and is tried again at the end
                use, start, improved = candidate, index, True
                break
    return Fault(tried[door.code(use)], number, len(tried) - 1, door.code(use))


def alone(run: Callable[[Use], Seen], use: Use, seconds: float) -> Seen:
    """What comes of the use in a process of its own."""
    receiver, sender = FORK.Pipe(duplex=False)
    with TemporaryFile("w+", encoding="utf-8", errors="replace") as log:
        process = FORK.Process(target=child, args=(run, use, sender, log), daemon=True)
        process.start()
        sender.close()
        try:
            seen: Seen = (
                receiver.recv()
                if receiver.poll(seconds)
                else Seen("the call does not end", f"nothing comes back within {seconds:g} s")
            )
        except EOFError:
            seen = Seen("the process dies", "the engine takes its process down")
        finally:
            process.kill()
            process.join()
            receiver.close()
        log.seek(0)
        errors = ERROR.findall(log.read())
    return Seen(seen.kind, seen.harm, errors[-1] if errors else "")


def child(run: Callable[[Use], Seen], use: Use, sender: Connection, log: TextIO) -> None:
    """Use the engine with its output in the log, and send what came of it."""
    for stream in (1, 2):
        os.dup2(log.fileno(), stream)
    sys.stdout = sys.stderr = log
    try:
        seen = run(use)
    except Exception as error:
        seen = Seen(REFUSED, error_told(error))
    sender.send(seen)

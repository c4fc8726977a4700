"""Uses are drawn and judged apart, and each kind of fault ends as its smallest use."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from random import Random

import pytest

from poolproof_verification.engines.front_door import ANSWERED, REFUSED, Seen, alone, search

pytestmark = pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")  # it forks


class Door:
    """Uses are numbers: those from 7 on lose something, multiples of 5 are too much to ask."""

    engine = "fake 1"
    seconds = 20.0

    def draw(self, random: Random) -> int:
        return random.randint(0, 60)

    def run(self, use: int) -> Seen:
        if use % 5 == 0:
            raise ValueError("5 is too much")
        if use == 58:
            os._exit(3)
        if use >= 30:
            print(f"ValueError: no room for {use}", file=sys.stderr, flush=True)
            return Seen("lost", f"{use} lost")
        return Seen("lost", f"{use} lost") if use >= 7 else Seen(ANSWERED)

    def smaller(self, use: int) -> Iterator[int]:
        yield from (use // 2, use - 1, use - 2)

    def code(self, use: int) -> str:
        return f"use({use})"


def test_each_fault_ends_as_its_smallest_use() -> None:
    """A fault with an error behind it stays apart from the same without one."""
    found = search(Door(), 0, 60)
    faults = {fault.seen.fault: fault.code for fault in found.faults}
    assert faults[("lost", "")] == "use(7)"
    assert faults[("lost", "ValueError: no room for ")] == "use(31)"
    assert found.kinds[ANSWERED] and found.kinds[REFUSED]
    assert found.refusals == ("ValueError: 5 is too much",)
    assert all(fault.seen.harm for fault in found.faults)


def test_the_same_seed_finds_the_same() -> None:
    assert search(Door(), 3, 12) == search(Door(), 3, 12)


def test_an_engine_that_hangs_is_killed() -> None:
    def hangs(use: int) -> Seen:
        time.sleep(600)  # never waited for: the process is ended
        return Seen(ANSWERED)

    assert alone(hangs, 1, 0.2).kind == "the call does not end"


def test_an_engine_that_takes_its_process_down_is_told() -> None:
    assert alone(Door().run, 58, 20.0).kind == "the process dies"


def test_what_an_engine_prints_stays_apart(capfd: pytest.CaptureFixture[str]) -> None:
    assert alone(Door().run, 31, 20.0).logged == "ValueError: no room for 31"
    assert capfd.readouterr() == ("", "")

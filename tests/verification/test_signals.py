"""Ctrl-C and SIGTERM are counted, or interrupt, and only where that is asked for."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading

import pytest

from poolproof_verification.signals import ENDING, held_back, noted, raised


@pytest.mark.parametrize("number", ENDING)
def test_noted_they_interrupt_nothing(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    with noted() as count:
        assert count() == 0
        signal.raise_signal(number)
        signal.raise_signal(number)
        assert count() == 2
    assert signal.getsignal(number) is before


@pytest.mark.parametrize("number", ENDING)
def test_raised_each_interrupts_and_is_counted(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    with raised() as count:
        for _ in range(2):
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(number)
        assert count() == 2
    assert signal.getsignal(number) is before


def test_one_that_is_ignored_stays_so() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with raised() as count:
            signal.raise_signal(signal.SIGINT)
            assert count() == 0
    finally:
        signal.signal(signal.SIGINT, before)


def test_held_back_they_come_afterwards() -> None:
    with noted() as count:
        with held_back():
            signal.raise_signal(signal.SIGTERM)
            assert count() == 0
        assert count() == 1


def test_another_thread_hears_none() -> None:
    counts: list[int] = []

    def inside() -> None:
        with raised() as count:
            counts.append(count())

    thread = threading.Thread(target=inside)
    thread.start()
    thread.join()
    assert counts == [0]


ENDED_IN_A_DESTRUCTOR = """
import signal, sys, time
from poolproof_verification.signals import heard_once, raised

class Ends:
    def __del__(self):
        inner()

def inner():
    signal.raise_signal(signal.SIGTERM)

def judge():
    ends = Ends()
    del ends
    print("after", flush=True)
    time.sleep(60)

try:
    if sys.argv[1] == "child":
        heard_once()
        judge()
    else:
        with raised():
            judge()
except KeyboardInterrupt:
    print("told")
"""


SWALLOWED = """
import signal
from poolproof_verification.signals import raised
with raised():
    for _ in range(4):
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            print("swallowed", flush=True)
"""


def test_where_the_first_two_are_swallowed_the_third_ends_the_process() -> None:
    words = [sys.executable, "-c", SWALLOWED]
    ended = subprocess.run(words, capture_output=True, text=True, timeout=50, check=False)
    assert (ended.returncode, ended.stdout) == (3, "swallowed\n" * 2)
    assert ended.stderr == "poolproof: interrupted again and again; nothing is known\n"


@pytest.mark.parametrize("process", ["child", "parent"])
def test_one_that_comes_in_a_destructor_interrupts_what_is_around_it(process: str) -> None:
    words = [sys.executable, "-c", ENDED_IN_A_DESTRUCTOR, process]
    ended = subprocess.run(words, capture_output=True, text=True, timeout=50, check=False)
    assert (ended.stdout, ended.stderr) == ("after\ntold\n", "")

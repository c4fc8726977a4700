"""Nothing that an adapter does is an error of ours; each of it is told, with the operation."""

from __future__ import annotations

import inspect
import re
import signal
import threading
import time
from collections.abc import Hashable, Iterator
from types import FrameType
from typing import Any

import pytest

from poolproof_model.system import Refusal
from poolproof_verification.adapters.adapter import UnreadableView
from poolproof_verification.adapters.lesson import LessonAdapter
from poolproof_verification.limits import (
    LIMIT,
    Guarded,
    TookTooLong,
    limited_to,
    made,
    patient_once,
    ring,
    timed,
)
from poolproof_verification.lockstep import Lockstep
from poolproof_verification.operations import Accepted, Failed, Operation, Refused
from poolproof_verification.targets import ClassTarget
from poolproof_verification.textbook import Textbook
from poolproof_verification.verdict import CouldNotRun

TEXTBOOK = ClassTarget("textbook", Textbook)
APPEND = Operation("append", ("A",))


def bottomless(depth: int = 0) -> int:
    return bottomless(depth + 1)


def forever(*arguments: Any) -> None:
    while True:
        pass


def waiting(*arguments: Any) -> None:
    while True:
        time.sleep(0.001)


def raising(error: BaseException) -> Any:
    def call(*arguments: Any) -> Any:
        raise error

    return call


class Adapter(LessonAdapter):
    """Does in every method what it is given to do."""

    def __init__(self, does: Any) -> None:
        super().__init__(Textbook(2, 1), TEXTBOOK.interface)
        self.call = self.ask = self.agrees = self.view = does  # type: ignore[method-assign]


class Leave(BaseException):
    """Neither an Exception nor a SystemExit."""


BAD = [
    (raising(RuntimeError("half\nway")), "RuntimeError: half way"),
    (raising(SystemExit(0)), "SystemExit: 0"),
    (raising(Leave()), "Leave"),
    (raising(GeneratorExit()), "GeneratorExit"),
    (lambda *arguments: bottomless(), "RecursionError: maximum recursion depth exceeded"),
    (forever, "not ended after 0.05 CPU s"),
    (waiting, "not ended after 0.2 s"),
]


@pytest.mark.parametrize(("does", "words"), BAD)
def test_whatever_is_raised_and_what_never_ends_is_a_failure(does: Any, words: str) -> None:
    guarded = Guarded(Adapter(does))
    with limited_to(0.05, clock=0.2 if does is waiting else 30.0):
        for response in (guarded.call(APPEND), guarded.ask("used")):
            assert isinstance(response, Failed)
            assert response.words.startswith(words)
        assert not guarded.agrees(Refusal.UNKNOWN, Refused(None))
        with pytest.raises(UnreadableView, match=words):
            guarded.view()


@pytest.mark.parametrize("junk", [None, 7, "accepted", Accepted], ids=str)
def test_what_is_no_response_is_a_failure(junk: object) -> None:
    guarded = Guarded(Adapter(lambda *arguments: junk))
    response = guarded.call(APPEND)
    assert isinstance(response, Failed)
    assert response.words == f"the adapter answers {junk!r}, which is no response"
    assert not guarded.agrees(Refusal.UNKNOWN, Refused(None))


def test_only_a_refusal_agrees_and_only_with_the_truth_itself() -> None:
    assert Guarded(Adapter(lambda *a: True)).agrees(Refusal.UNKNOWN, Refused(None))
    assert not Guarded(Adapter(lambda *a: True)).agrees(Refusal.UNKNOWN, Failed("no"))
    assert not Guarded(Adapter(lambda *a: 1)).agrees(Refusal.UNKNOWN, Refused(None))


def test_junk_in_the_place_of_agreement_is_told_as_the_adapters() -> None:
    junk = Guarded(Adapter(lambda *a: "no")).denial(Refusal.UNKNOWN, Refused(None))
    assert junk.endswith("the adapter's agrees() answers 'no', which is neither True nor False")


def endless_calls() -> Iterator[str]:
    while True:
        yield "again"


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        (["hold(0)", 7, "x" * 1001], ("hold(0)", "7", "x" * 1000)),
        ([str(number) for number in range(201)], tuple(str(number) for number in range(1, 201))),
        (endless_calls(), ("(not told: not ended after 0.05 CPU s)",)),
        (None, ("(not told: TypeError: 'NoneType' object is not iterable)",)),
    ],
    ids=["few", "many", "endless", "none"],
)
def test_own_calls_are_told_as_far_as_they_are_few_and_short(told: Any, kept: Any) -> None:
    adapter = Adapter(forever)
    assert Guarded(adapter).own_calls() == ()
    adapter.own_calls = told  # type: ignore[attr-defined]
    with limited_to(0.05, clock=30.0):
        assert Guarded(adapter).own_calls() == kept


@pytest.mark.parametrize("method", ["call", "agrees", "ask", "view"])
def test_an_interrupt_is_the_users_own(method: str) -> None:
    guarded = Guarded(Adapter(raising(KeyboardInterrupt())))
    arguments = {"call": (APPEND,), "agrees": (Refusal.UNKNOWN, Refused(None)), "ask": ("used",)}
    with pytest.raises(KeyboardInterrupt):
        getattr(guarded, method)(*arguments.get(method, ()))


def test_the_alarm_of_others_is_given_back() -> None:
    def handler(number: int, frame: object) -> None:
        """Somebody else's."""

    before = signal.signal(signal.SIGALRM, handler)
    try:
        assert timed(lambda: 7) == 7
        assert signal.getsignal(signal.SIGALRM) is handler
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    finally:
        signal.signal(signal.SIGALRM, before)


def test_a_call_that_swallows_the_alarm_is_interrupted_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("poolproof_verification.limits.AGAIN", 0.05)
    swallowed = []

    def stubborn(*arguments: Any) -> None:
        try:
            forever()
        except BaseException as error:
            swallowed.append(error)
            forever()

    with limited_to(0.05):
        response = Guarded(Adapter(stubborn)).call(APPEND)
    assert response == Failed("not ended after 0.05 CPU s")
    assert len(swallowed) == 1


def test_a_call_that_waits_for_a_busy_machine_is_not_interrupted() -> None:
    def late() -> int:
        time.sleep(0.05)
        return 7

    with limited_to(0.02, clock=10.0):
        assert timed(late) == 7


def test_the_timer_of_others_is_given_back() -> None:
    rung = []
    before = signal.signal(signal.SIGALRM, lambda number, frame: rung.append(number))
    signal.setitimer(signal.ITIMER_REAL, 1000.0)
    try:
        assert timed(lambda: 7) == 7
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 900.0
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert not rung


def test_once_a_call_has_not_ended_the_next_gets_less_time_up_to_the_end_of_the_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("poolproof_verification.limits.IMPATIENT", (0.03, 30.0))
    guarded = Guarded(Adapter(forever))

    @patient_once()
    def twice() -> list[object]:
        return [guarded.call(APPEND), guarded.call(APPEND)]

    with limited_to(0.06, clock=30.0):
        long, short = Failed("not ended after 0.06 CPU s"), Failed("not ended after 0.03 CPU s")
        assert twice() == [long, short]
        assert twice() == [long, short]
        assert (LIMIT.seconds, LIMIT.clock) == (0.06, 30.0)


def test_an_interrupt_by_key_ends_a_call_that_hangs() -> None:
    def presses(*arguments: Any) -> None:
        signal.raise_signal(signal.SIGINT)
        forever()

    with pytest.raises(KeyboardInterrupt):
        Guarded(Adapter(presses)).call(APPEND)


def test_in_another_thread_a_call_is_made_without_a_limit() -> None:
    answers: list[Any] = []
    thread = threading.Thread(target=lambda: answers.append(timed(lambda: 7)))
    thread.start()
    thread.join()
    assert answers == [7]


def test_what_a_callback_of_the_collector_would_lose_is_raised_by_the_next_ring() -> None:
    def gc_callback() -> FrameType | None:
        return inspect.currentframe()

    def elsewhere() -> FrameType | None:
        return inspect.currentframe()

    LIMIT.running, LIMIT.began = True, (-1e9, -1e9)
    try:
        ring(0, gc_callback())
        with pytest.raises(TookTooLong):
            ring(0, elsewhere())
    finally:
        LIMIT.running = False


def test_the_limit_comes_back() -> None:
    before = LIMIT.seconds, LIMIT.clock
    with pytest.raises(ZeroDivisionError), limited_to(1):
        raise ZeroDivisionError
    assert before == (LIMIT.seconds, LIMIT.clock)


@pytest.mark.parametrize(("does", "words"), BAD)
def test_a_target_that_fails_to_make_a_manager_makes_one_that_fails(does: Any, words: str) -> None:
    class Target:
        name = "bad"
        make = staticmethod(does)

    clock = 0.2 if does is waiting else 30.0
    with limited_to(0.05, clock):
        unmade = made(Target(), 2, 1)
    response = unmade.call(APPEND)
    assert isinstance(response, Failed)
    assert response.words.startswith(f"make(2, 1): {words}")
    assert unmade.ask("used") == response
    assert not unmade.agrees(Refusal.UNKNOWN, response)
    with pytest.raises(UnreadableView, match=re.escape(f"make(2, 1): {words}")):
        unmade.view()


@pytest.mark.parametrize("error", [ValueError("no blocks"), CouldNotRun("no blocks")])
def test_a_target_that_makes_none_of_this_size_could_not_run(error: Exception) -> None:
    class Target:
        name = "picky"

        def make(self, total: int, block_size: int) -> Any:
            raise error

    with pytest.raises(CouldNotRun, match="no blocks"):
        made(Target(), 0, 1)


def test_a_manager_that_hangs_is_reported_with_the_operation() -> None:
    class Hangs(Textbook):
        def append(self, name: Hashable) -> bool:
            forever()
            return False

    lockstep = Lockstep(ClassTarget("hangs", Hangs), 2, 1)
    with limited_to(0.05):
        assert lockstep.do(Operation("allocate", ("A", 1))).finding is None
        found = lockstep.do(APPEND).finding
    assert found is not None
    words = "append('A') must be accepted, yet it failed: not ended after 0.05 CPU s"
    assert found.worst.words == words

"""A call that computes without end is interrupted, and nothing else is."""

from __future__ import annotations

import itertools
import signal
from collections.abc import Callable

import pytest

from poolproof import BlockManager
from poolproof_verification.mutants import MUTANTS, load, mutant_named
from poolproof_verification.mutants.endless import SIZES, Endless, calls, ends, live, within
from poolproof_verification.mutants.free_blocks import WINDOWS


def loop() -> None:
    while True:
        pass


def stubborn() -> None:
    """Swallows the first interruption."""
    try:
        loop()
    except BaseException:
        loop()


@pytest.mark.parametrize("call", [loop, stubborn])
def test_a_loop_is_interrupted_even_if_it_objects(call: Callable[[], None]) -> None:
    with pytest.raises(Endless):
        within(0.05, call)


def test_a_call_that_ends_gives_its_value_and_leaves_no_timer() -> None:
    before = signal.getsignal(signal.SIGPROF)
    assert within(5.0, divmod, 7, 2) == (3, 1)
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGPROF) is before


def test_the_shipped_manager_ends_and_so_do_bugs_that_lose_no_block_of_a_window() -> None:
    assert ends(BlockManager)
    assert all(ends(load(mutant)) for mutant in MUTANTS[::5] if mutant not in WINDOWS)
    assert not ends(load(mutant_named("window_loses_blocks")))  # it searches for the lost block


def test_a_manager_with_a_loop_in_any_method_does_not_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("poolproof_verification.mutants.endless.PROBE_SECONDS", 0.05)
    for name in {call[0] for call in calls(120)}:
        with monkeypatch.context() as patch:
            patch.setattr(BlockManager, name, lambda manager, *arguments: loop())
            assert not ends(BlockManager), name


def test_the_life_takes_blocks_in_runs_one_by_one_and_in_pieces() -> None:
    taken: list[str] = []

    class Watched:
        def __init__(self, total: int, block_size: int) -> None:
            self.manager = BlockManager(total, block_size)

        def __getattr__(self, name: str) -> object:
            free = self.manager.free
            runs = sum(b - a > 1 for a, b in itertools.pairwise(free))
            taken.append(f"{name} {runs > 3}")
            return getattr(self.manager, name)

    live(Watched)  # type: ignore[arg-type]  # passes everything on to a manager
    assert len(SIZES) == 4
    assert {"allocate True", "allocate False", "grow True", "violations True"} <= set(taken)

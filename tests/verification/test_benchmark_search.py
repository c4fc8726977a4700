"""The searchers' rates: the driver's best sample, up to the bar; what is wrong has no rate."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from poolproof import BlockManager
from poolproof_verification import benchmark_search
from poolproof_verification.benchmark_search import Rate, driver_rate, machine_rate, rates
from poolproof_verification.verdict import CouldNotRun


@pytest.fixture
def sampled(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """The rates of the samples to come, each of which runs the driver a little."""
    coming: list[float] = []
    real = benchmark_search.per_second
    monkeypatch.setattr(
        benchmark_search, "per_second", lambda *given: real(*given) * 0 + coming.pop(0)
    )
    yield coming


def test_sampling_ends_at_the_bar(sampled: list[float]) -> None:
    sampled += [10.0, 30.0, 20.0]
    rate = driver_rate(bar=30.0, samples=3, seconds=0.01)
    assert (rate.per_second, rate.passed) == (30.0, True)
    assert sampled == [20.0]
    assert rate.accepted > rate.refused > 0


def test_below_the_bar_the_best_sample_is_told(sampled: list[float]) -> None:
    sampled += [10.0, 30.0, 20.0]
    rate = driver_rate(bar=31.0, samples=3, seconds=0.001)
    assert (rate.per_second, rate.passed) == (30.0, False)
    assert sampled == []


def test_the_machine_has_a_rate_and_no_bar() -> None:
    rate = machine_rate(runs=2)
    assert rate.per_second > 0
    assert rate.passed
    assert rate.accepted > 0


def test_both_are_told_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benchmark_search, "driver_rate", lambda: Rate("driver", 1, 1, 1.0))
    monkeypatch.setattr(benchmark_search, "machine_rate", lambda: Rate("machine", 1, 1, 1.0))
    told: list[str] = []
    assert [rate.searcher for rate in rates(told.append)] == ["driver", "machine"]
    assert [line.split()[-1] for line in told] == ["tokens", "machine"]


def test_a_manager_that_is_wrong_has_no_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BlockManager, "append", lambda manager, name: None)
    with pytest.raises(CouldNotRun, match="the manager is wrong: append"):
        driver_rate(samples=1, seconds=0.2)

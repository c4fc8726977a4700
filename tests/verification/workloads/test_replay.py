from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from poolproof import BlockManager
from poolproof_verification.verdict import CouldNotRun
from poolproof_verification.workloads import replay
from poolproof_verification.workloads.meter import Manager
from poolproof_verification.workloads.replay import run


def made_sizes(sizes: list[tuple[int, int]]) -> replay.MakeManager:
    """Makes managers, and notes how large they were to be."""

    def make(blocks: int, block_size: int) -> Manager:
        sizes.append((blocks, block_size))
        return BlockManager(blocks, block_size)

    return make


def test_both_formats_give_the_same_figures(small_csv: Path, small_jsonl: Path) -> None:
    figures = run(small_csv, block_size=4)
    assert (figures.requests, figures.finished, figures.taken_blocks) == (12, 12, 186)
    assert run(small_jsonl, block_size=4) == figures
    assert run(str(small_jsonl), "mooncake", 4) == figures


def test_blocks_samples_and_limit_are_obeyed(small_csv: Path) -> None:
    assert run(small_csv, block_size=4, blocks=20).refused > 0
    assert run(small_csv, block_size=4, samples=3).copies > 0
    figures = run(small_csv, block_size=4, limit=2)
    assert (figures.requests, figures.taken_blocks, figures.blocks) == (2, 4 + 2, None)


def test_a_limit_leaves_what_lies_behind_it_unread(tmp_path: Path, small_csv: Path) -> None:
    path = tmp_path / "trace"
    path.write_text(small_csv.read_text() + "nonsense\n")
    assert run(path, limit=12).requests == 12
    with pytest.raises(CouldNotRun, match="line 14: "):
        run(path)


def test_the_pool_grows_until_it_is_never_full(
    small_csv: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = run(small_csv, block_size=4)
    monkeypatch.setattr(replay, "FIRST_POOL", 1)
    assert run(small_csv, block_size=4) == expected


def test_a_pool_beyond_bounds_is_refused_and_the_option_named(
    small_csv: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay, "FIRST_POOL", 4)
    monkeypatch.setattr(replay, "MOST_BLOCKS", 156)
    with pytest.raises(CouldNotRun, match=r"more than 156 blocks would .* --blocks"):
        run(small_csv, block_size=4)
    monkeypatch.setattr(replay, "MOST_BLOCKS", 157)
    assert run(small_csv, block_size=4).peak_blocks == 157


def test_another_manager_gets_the_blocks_asked_for_or_else_the_peak(small_csv: Path) -> None:
    sizes: list[tuple[int, int]] = []
    figures = run(small_csv, block_size=4, make_manager=made_sizes(sizes))
    assert figures == run(small_csv, block_size=4)
    run(small_csv, block_size=4, blocks=20, make_manager=made_sizes(sizes))
    assert sizes == [(157, 4), (20, 4)]


def test_what_another_manager_raises_passes(small_csv: Path) -> None:
    class Judged(Exception):
        pass

    def make(blocks: int, block_size: int) -> Manager:
        raise Judged

    with pytest.raises(Judged):
        run(small_csv, make_manager=make)


def test_progress_counts_the_requests(small_csv: Path) -> None:
    told: list[int] = []
    run(small_csv, limit=5, progress=told.append)
    assert told == [5]


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"block_size": 0}, "--block-size must be at least 1, not 0"),
        ({"blocks": 0}, "--blocks must be at least 1, not 0"),
        ({"blocks": 100_000_001}, "--blocks must be at most 100,000,000, not 100,000,001"),
        ({"samples": 0}, "--samples must be at least 1, not 0"),
        ({"samples": 10_001}, "--samples must be at most 10,000, not 10,001"),
        ({"limit": -3}, "--limit must be at least 1, not -3"),
    ],
)
def test_an_option_out_of_range_is_refused(
    small_csv: Path, options: dict[str, Any], problem: str
) -> None:
    with pytest.raises(CouldNotRun) as caught:
        run(small_csv, **options)
    assert str(caught.value) == problem


def test_a_pool_that_does_not_fit_into_memory_is_refused(small_csv: Path) -> None:
    def make(blocks: int, block_size: int) -> Manager:
        raise MemoryError

    with pytest.raises(CouldNotRun, match=r"no memory for a pool of 7 blocks; see --blocks"):
        run(small_csv, blocks=7, make_manager=make)


def test_a_pipe_is_read_once_and_refused_where_it_would_be_read_twice(small_csv: Path) -> None:
    def piped(make_manager: replay.MakeManager) -> int:
        reader, writer = os.pipe()
        os.write(writer, small_csv.read_bytes())
        os.close(writer)
        try:
            return run(f"/dev/fd/{reader}", make_manager=make_manager).finished
        finally:
            os.close(reader)

    assert piped(BlockManager) == 12
    with pytest.raises(CouldNotRun, match=r"would have to be read twice; give --blocks"):
        piped(made_sizes([]))

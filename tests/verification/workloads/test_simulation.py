from __future__ import annotations

from collections.abc import Iterator

import pytest

from poolproof import BlockManager, OutOfBlocks
from poolproof_verification.workloads.figures import Figures
from poolproof_verification.workloads.formats import Request
from poolproof_verification.workloads.simulation import simulate

# Whatever the manager is asked in these tests, the expectations are worked out without one.


def served(
    requests: tuple[Request, ...], blocks: int, block_size: int = 4, samples: int = 1
) -> Figures:
    manager = BlockManager(blocks, block_size)
    figures = simulate(requests, manager, samples)
    assert manager.used() == 0 and manager.check_invariants()
    return figures


def blocks_for(tokens: int, block_size: int) -> int:
    return -(-tokens // block_size)


def outcome(figures: Figures) -> tuple[int, int, int]:
    return figures.refused, figures.aborted, figures.finished


def test_one_request_is_timed_as_the_rules_say() -> None:
    figures = served((Request(10, 3, 2),), 9)  # appends at 31 and 51, the end at 51
    assert outcome(figures) == (0, 0, 1)
    assert (figures.peak_blocks, figures.taken_blocks, figures.copies) == (2, 2, 0)
    assert (figures.end_slack_slots, figures.end_allocated_slots) == (3, 8)
    assert (figures.slack_slot_ms, figures.allocated_slot_ms) == (21 * 1, 41 * 4)


def test_two_samples_share_the_prompt_until_they_write() -> None:
    figures = served((Request(10, 3, 2),), 9, samples=2)
    assert outcome(figures) == (0, 0, 2)
    assert (figures.peak_blocks, figures.taken_blocks, figures.copies) == (4, 4, 1)
    assert (figures.end_slack_slots, figures.end_allocated_slots) == (6, 16)
    assert (figures.slack_slot_ms, figures.allocated_slot_ms) == (21 * 1, 21 * 4 + 20 * 8)


def test_the_first_token_waits_for_the_prompt_and_for_its_own_time() -> None:
    figures = served((Request(0, 11, 1),), 9, block_size=16)
    assert figures.allocated_slot_ms == (2 + 20) * 16


def test_a_request_without_output_ends_when_its_prompt_is_written() -> None:
    figures = served((Request(0, 11, 0), Request(0, 0, 0), Request(9, 0, 2)), 9, block_size=16)
    assert outcome(figures) == (0, 0, 3)
    assert (figures.taken_blocks, figures.allocated_slot_ms) == (2, (2 + 20) * 16)


def test_a_prompt_that_does_not_fit_is_refused_and_changes_nothing() -> None:
    figures = served((Request(0, 9, 1), Request(0, 8, 1)), 2)
    assert (outcome(figures), figures.taken_blocks) == ((1, 1, 0), 2)


def test_a_sequence_finishes_before_a_request_arrives_in_the_same_millisecond() -> None:
    first = Request(0, 4, 1)  # ends at 21
    assert outcome(served((first, Request(21, 8, 0)), 2)) == (0, 0, 2)
    assert outcome(served((first, Request(20, 8, 0)), 2)) == (1, 0, 1)


def test_a_token_is_appended_before_a_request_arrives_in_the_same_millisecond() -> None:
    first = Request(0, 4, 2)  # needs its second block at 21
    assert outcome(served((first, Request(21, 1, 0)), 2)) == (1, 0, 1)
    assert outcome(served((first, Request(20, 1, 0)), 2)) == (0, 1, 1)
    assert outcome(served((first, Request(19, 1, 0)), 2)) == (0, 0, 2)  # gone at 20


def test_all_tokens_of_a_millisecond_are_appended_before_a_sequence_finishes() -> None:
    ends, goes_on = Request(0, 4, 1), Request(0, 4, 2)  # both need a second block at 21
    assert outcome(served((ends, goes_on), 3)) == (0, 1, 1)
    assert outcome(served((ends, goes_on), 4)) == (0, 0, 2)


def test_the_earlier_row_comes_first_in_the_same_millisecond() -> None:
    short, long = Request(0, 4, 1), Request(0, 4, 2)  # one of them is aborted at 21
    assert served((short, long), 3).end_slack_slots == 8 - 5
    assert served((long, short), 3).end_slack_slots == 8 - 6


def test_an_abort_ends_its_own_sample_alone() -> None:
    figures = served((Request(0, 4, 1),), 2, samples=2)
    assert outcome(figures) == (0, 1, 1)
    assert (figures.taken_blocks, figures.logical_blocks) == (2, 2 + 1)
    assert (figures.end_slack_slots, figures.end_allocated_slots) == (3, 8)


def test_a_copy_that_finds_no_block_aborts_and_leaves_the_block_to_the_other() -> None:
    figures = served((Request(0, 3, 1),), 1, samples=2)
    assert outcome(figures) == (0, 1, 1)
    assert (figures.taken_blocks, figures.copies) == (1, 0)


def test_a_refused_prompt_counts_once_for_all_its_samples() -> None:
    assert outcome(served((Request(0, 9, 1),), 2, samples=3)) == (1, 0, 0)


@pytest.mark.parametrize("block_size", [1, 2, 4, 16, 512])
def test_a_pool_that_is_never_full_gives_the_closed_figures(
    small: tuple[Request, ...], block_size: int
) -> None:
    figures = served(small, 1_000, block_size)
    totals = [request.input_tokens + request.output_tokens for request in small]
    blocks = sum(blocks_for(total, block_size) for total in totals)
    assert outcome(figures) == (0, 0, len(small))
    assert figures.taken_blocks == figures.logical_blocks == blocks
    assert figures.end_allocated_slots == block_size * blocks
    assert figures.end_slack_slots == block_size * blocks - sum(totals)
    assert (figures.saved_blocks, figures.copies) == (0, 0)


@pytest.mark.parametrize("samples", [2, 3, 5])
@pytest.mark.parametrize("block_size", [1, 2, 4, 16, 512])
def test_sharing_takes_the_blocks_and_copies_of_the_closed_figures(
    small: tuple[Request, ...], block_size: int, samples: int
) -> None:
    figures = served(small, 5_000, block_size, samples)
    unshared = taken = copies = 0
    for request in small:
        entries = blocks_for(request.input_tokens + request.output_tokens, block_size)
        full = request.input_tokens // block_size
        unshared += samples * entries
        taken += full + samples * (entries - full)
        copies += samples - 1 if request.input_tokens % block_size else 0
    assert (figures.logical_blocks, figures.taken_blocks) == (unshared, taken)
    assert (figures.saved_blocks, figures.copies) == (unshared - taken, copies)


def test_the_small_workload_in_blocks_of_four_was_worked_out_by_hand(
    small: tuple[Request, ...],
) -> None:
    figures = served(small, 1_000)
    assert (figures.taken_blocks, figures.end_slack_slots) == (186, 744 - 724)
    assert figures.peak_blocks == 150 + 3 + 4  # the long prompt, the others 22 ms later


def counted(requests: tuple[Request, ...], blocks: int, block_size: int) -> tuple[int, ...]:
    """Refused, aborted, finished, peak, taken: from all events sorted at once, and no manager."""
    events = []
    for row, (arrival, prompt, output) in enumerate(map(values, requests)):
        written = arrival + blocks_for(prompt, 10)
        events.append((arrival, 2, row, 0))
        events += [(written + 20 * k, 0, row, k) for k in range(1, output + 1)]
        events.append((written + 20 * output, 1, row, 0))
    held: dict[int, int] = {}
    refused = aborted = finished = peak = taken = 0
    for _, kind, row, k in sorted(events):
        used, prompt = sum(held.values()), requests[row].input_tokens
        if kind == 2:
            needed = blocks_for(prompt, block_size)
            refused += used + needed > blocks
        elif row not in held:
            continue
        elif kind == 1:
            finished += 1
            del held[row]
            continue
        else:
            needed = int((prompt + k - 1) % block_size == 0)
            aborted += used + needed > blocks
        if used + needed > blocks:
            held.pop(row, None)
            continue
        held[row] = held.get(row, 0) + needed
        taken += needed
        peak = max(peak, used + needed)
    return refused, aborted, finished, peak, taken


def values(request: Request) -> Iterator[int]:
    yield from (request.arrival_ms, request.input_tokens, request.output_tokens)


@pytest.mark.parametrize("block_size", [1, 2, 4, 16])
def test_any_pool_gives_the_figures_of_a_plain_count(
    small: tuple[Request, ...], block_size: int
) -> None:
    seen = set()
    for blocks in [*range(1, 40), 151, 152, 600, 1_000]:
        figures = served(small, blocks, block_size)
        found = (*outcome(figures), figures.peak_blocks, figures.taken_blocks)
        assert found == counted(small, blocks, block_size)
        seen.add(outcome(figures))
    assert len(seen) > 5  # pools of many degrees of scarcity


def test_progress_is_told_how_many_requests_were_read() -> None:
    told: list[int] = []
    requests = tuple(Request(time, 1, 1) for time in range(200))
    simulate(requests, BlockManager(300, 4), progress=told.append)
    assert told == [64, 128, 192, 200]


def test_never_full_raises_where_a_prompt_or_a_token_does_not_fit() -> None:
    for request in (Request(0, 9, 0), Request(0, 8, 1)):
        with pytest.raises(OutOfBlocks):
            simulate([request], BlockManager(2, 4), never_full=True)


def test_the_requests_are_read_no_further_than_the_simulation_is() -> None:
    manager = BlockManager(9, 4)

    def requests() -> Iterator[Request]:
        yield Request(0, 4, 1)
        assert manager.used() == 1
        yield Request(50, 4, 1)
        assert manager.used() == 1

    assert outcome(simulate(requests(), manager)) == (0, 0, 2)

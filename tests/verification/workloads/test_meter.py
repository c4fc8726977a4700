from __future__ import annotations

from random import Random

import pytest

from poolproof import BlockManager, OutOfBlocks
from poolproof_verification.workloads.formats import Request
from poolproof_verification.workloads.meter import Meter
from poolproof_verification.workloads.simulation import Simulation


def assert_totals_are_the_managers(meter: Meter, manager: BlockManager) -> None:
    usage = manager.usage()
    assert meter.used == manager.used() == usage.physical_blocks
    assert meter.free == manager.num_free
    assert meter.slack == usage.slack_slots
    assert meter.peak >= meter.used


def test_a_new_meter_has_counted_nothing() -> None:
    meter = Meter(BlockManager(5, 4))
    assert (meter.used, meter.free, meter.slack, meter.peak, meter.taken, meter.copies) == (
        (0, 5, 0, 0, 0, 0)
    )
    assert_totals_are_the_managers(meter, BlockManager(5, 4))


def test_time_counts_what_is_in_use_while_it_passes() -> None:
    meter = Meter(BlockManager(9, 4))
    meter.wait(100)
    meter.allocate(0, 6)  # 2 blocks, 2 slots of slack
    meter.wait(103)
    meter.append(0)
    meter.wait(103)
    meter.wait(108)
    assert (meter.used_ms, meter.slack_ms) == (2 * 8, 2 * 3 + 1 * 5)


def test_a_copy_takes_a_block_and_fills_it_as_far_as_the_shared_one() -> None:
    manager = BlockManager(9, 4)
    meter = Meter(manager)
    meter.allocate(0, 6)
    meter.fork(0, 1)
    assert (meter.used, meter.slack) == (2, 2)
    meter.append(0)
    assert (meter.used, meter.slack, meter.copies, meter.taken) == (3, 3, 1, 3)
    meter.append(1)  # the last writer owns the block
    assert (meter.used, meter.slack, meter.copies, meter.taken) == (3, 2, 1, 3)
    assert_totals_are_the_managers(meter, manager)


def test_slack_in_a_block_that_another_sequence_holds_stays_after_a_release() -> None:
    manager = BlockManager(9, 4)
    meter = Meter(manager)
    meter.allocate(0, 6)
    meter.fork(0, 1)
    meter.release(0)
    assert (meter.used, meter.slack) == (2, 2)
    meter.release(1)
    assert (meter.used, meter.slack) == (0, 0)
    assert_totals_are_the_managers(meter, manager)


def test_a_sequence_without_a_token_takes_no_block() -> None:
    meter = Meter(BlockManager(9, 4))
    meter.allocate(0, 0)
    meter.fork(0, 1)
    meter.release(0)
    assert (meter.used, meter.slack, meter.taken) == (0, 0, 0)


def test_a_refusal_counts_nothing() -> None:
    meter = Meter(BlockManager(1, 4))
    with pytest.raises(OutOfBlocks):
        meter.allocate(0, 5)
    meter.allocate(1, 4)
    with pytest.raises(OutOfBlocks):
        meter.append(1)
    assert (meter.used, meter.slack, meter.taken, meter.copies) == (1, 0, 1, 0)


@pytest.mark.parametrize("block_size", [1, 2, 3, 5])
def test_totals_are_the_managers_after_every_operation(block_size: int) -> None:
    manager, random = BlockManager(40, block_size), Random(block_size)
    meter = Meter(manager)
    names: list[int] = []
    refused = 0
    for new in range(4_000):
        kind = random.choice(["allocate", "fork", "release", *["append"] * 4])
        name = random.choice(names) if names else None
        try:
            if name is None or kind == "allocate":
                meter.allocate(new, random.randrange(8))
                names.append(new)
            elif kind == "fork":
                meter.fork(name, new)
                names.append(new)
            elif kind == "append":
                meter.append(name)
        except OutOfBlocks:
            refused += 1
            kind = "release"
        if kind == "release" and name is not None:
            meter.release(name)
            names.remove(name)
        assert_totals_are_the_managers(meter, manager)
    assert refused > 50 and (meter.copies > 50 or block_size == 1)


@pytest.mark.parametrize("samples", [1, 2, 4])
@pytest.mark.parametrize("blocks", [12, 40, 2_000])
@pytest.mark.parametrize("block_size", [1, 4, 7])
def test_totals_over_time_are_the_sums_of_what_the_manager_says_each_millisecond(
    small: tuple[Request, ...], samples: int, blocks: int, block_size: int
) -> None:
    manager = BlockManager(blocks, block_size)
    simulation = Simulation(manager, samples)
    allocated = slack = 0
    arrivals = list(small)
    for time in range(1_500):
        simulation.advance(time)
        while arrivals and arrivals[0].arrival_ms == time:
            simulation.arrive(arrivals.pop(0))
            assert_totals_are_the_managers(simulation.meter, manager)
        usage = manager.usage()
        allocated += usage.allocated_slots
        slack += usage.slack_slots
        assert_totals_are_the_managers(simulation.meter, manager)
    figures = simulation.figures(blocks)
    assert not simulation.events and manager.used() == 0
    assert (figures.allocated_slot_ms, figures.slack_slot_ms) == (allocated, slack)

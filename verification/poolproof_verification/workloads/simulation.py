"""A trace served by a block manager, in whole milliseconds and in one order of events.

A prompt is written at once on arrival, at time t. Token k of the output is appended at
t + ceil(prompt / 10) + 20 k, and the sequence is released at the time of its last token. Events
happen in the order (time, kind, row, sample), where the kinds are append, finish, arrive.

- A prompt for which too few blocks are free is refused, and changes nothing.
- An append that finds no free block aborts its sequence, which is released.
- With n samples the prompt is allocated once, as the first sample, and forked to n - 1 more; each
  appends an output of its own. A fork takes no block, so only the prompt can be refused, and an
  abort ends its own sample alone.

Does not cover: prefix caching, batching, preemption; a refused request does not come back.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterable

from poolproof import OutOfBlocks
from poolproof_verification.workloads.figures import Figures
from poolproof_verification.workloads.formats import Request
from poolproof_verification.workloads.meter import Manager, Meter
from poolproof_verification.workloads.recorder import Recorder

PROMPT_TOKENS_PER_MS = 10
MS_PER_OUTPUT_TOKEN = 20

APPEND, FINISH = 0, 1  # arrivals come last in their millisecond, after `advance` to it

Event = tuple[int, int, int, int]
"""Time, kind, name, tokens still to append. Names ascend with the row, then with the sample."""

Progress = Callable[[int], None]
REQUESTS_BETWEEN_REPORTS = 64
REQUESTS_BETWEEN_CHECKS = 256  # of the running totals against the manager's own `usage()`


class Simulation:
    """The pending events of the live sequences, and what became of the others."""

    __slots__ = (
        "aborted",
        "end_allocated",
        "end_slack",
        "events",
        "finished",
        "logical",
        "meter",
        "never_full",
        "refused",
        "requests",
        "samples",
    )

    def __init__(
        self,
        manager: Manager,
        samples: int = 1,
        never_full: bool = False,
        recorder: Recorder | None = None,
    ) -> None:
        """Nothing has arrived. `never_full`: OutOfBlocks ends the simulation."""
        self.meter = Meter(manager, recorder)
        self.samples = samples
        self.never_full = never_full
        self.events: list[Event] = []
        self.requests = self.refused = self.finished = self.aborted = 0
        self.logical = self.end_slack = self.end_allocated = 0

    def arrive(self, request: Request) -> None:
        """The next row's prompt is written, once for all samples, or refused."""
        meter, time = self.meter, request.arrival_ms
        first = self.requests * self.samples
        self.requests += 1
        meter.wait(time)
        if self.requests % REQUESTS_BETWEEN_CHECKS == 1:
            meter.check()
        try:
            meter.allocate(first, request.input_tokens)
        except OutOfBlocks:
            if self.never_full:
                raise
            self.refused += 1
            return
        for name in range(first + 1, first + self.samples):
            meter.fork(first, name)
        written = time - (-request.input_tokens // PROMPT_TOKENS_PER_MS)
        for name in range(first, first + self.samples):
            heapq.heappush(self.events, following(written, name, request.output_tokens))

    def advance(self, until: float) -> None:
        """All appends and finishes up to and including this time, in milliseconds."""
        events, meter = self.events, self.meter
        while events:
            time, kind, name, left = events[0]
            if time > until:
                return
            meter.wait(time)
            if kind == FINISH:
                heapq.heappop(events)
                self.finish(name)
                continue
            try:
                meter.append(name)
            except OutOfBlocks:
                if self.never_full:
                    raise
                heapq.heappop(events)
                self.abort(name)
                continue
            heapq.heapreplace(events, following(time, name, left - 1))

    def finish(self, name: int) -> None:
        """The sequence has its whole output, and is released."""
        usage = self.meter.manager.usage_of(name)
        self.finished += 1
        self.logical += usage.logical_blocks
        self.end_slack += usage.slack_slots
        self.end_allocated += usage.allocated_slots
        if self.meter.recorder is not None:
            self.meter.recorder.finished(usage.allocated_slots - usage.slack_slots)
        self.meter.release(name)

    def abort(self, name: int) -> None:
        """The sequence found no block for its next token, and is released."""
        self.aborted += 1
        self.logical += self.meter.manager.usage_of(name).logical_blocks
        self.meter.release(name)

    def figures(self, blocks: int | None) -> Figures:
        """The figures so far, for a pool of so many blocks."""
        meter = self.meter
        return Figures(
            requests=self.requests,
            samples=self.samples,
            block_size=meter.block_size,
            blocks=blocks,
            refused=self.refused,
            finished=self.finished,
            aborted=self.aborted,
            peak_blocks=meter.peak,
            taken_blocks=meter.taken,
            copies=meter.copies,
            logical_blocks=self.logical,
            end_slack_slots=self.end_slack,
            end_allocated_slots=self.end_allocated,
            slack_slot_ms=meter.slack_ms,
            allocated_slot_ms=meter.used_ms * meter.block_size,
        )


def following(time: int, name: int, left: int) -> Event:
    """What a sequence does next that at this time has so many tokens still to append."""
    if left:
        return time + MS_PER_OUTPUT_TOKEN, APPEND, name, left
    return time, FINISH, name, 0


def simulate(
    requests: Iterable[Request],
    manager: Manager,
    samples: int = 1,
    blocks: int | None = None,
    never_full: bool = False,
    progress: Progress | None = None,
    recorder: Recorder | None = None,
) -> Figures:
    """The figures of all requests, sorted by arrival, served by a manager with no live sequence.

    `blocks` is reported as the pool's size. `progress` is told now and then, and at the end, how
    many requests were read. OutOfBlocks if `never_full`; what else the manager raises passes.
    `recorder`: begins anew, and keeps what charts are made of.
    """
    if recorder is not None:
        recorder.start()
    simulation = Simulation(manager, samples, never_full, recorder)
    for request in requests:
        simulation.advance(request.arrival_ms)
        simulation.arrive(request)
        if progress is not None and simulation.requests % REQUESTS_BETWEEN_REPORTS == 0:
            progress(simulation.requests)
    simulation.advance(math.inf)
    if progress is not None:
        progress(simulation.requests)
    return simulation.figures(blocks)

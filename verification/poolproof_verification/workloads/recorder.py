"""What a workload looks like: how full the pool is over time, and slack by block size.

However long a workload is, at most `MOST` moments are kept: the time is cut into equal spans, of
twice the length whenever they become too many, and of each the fullest moment is kept.
"""

from __future__ import annotations

from collections import Counter

from poolproof.usage import share
from poolproof_verification.exhibits import Chart, Curve, Grid
from poolproof_verification.workloads.figures import Figures
from poolproof_verification.workloads.table import rows

MOST = 500  # moments
BLOCK_SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256)
Moment = tuple[int, int, int]  # milliseconds, blocks in use, slots of slack


class Recorder:
    """Keeps what charts are made of, while a workload runs."""

    def __init__(self) -> None:
        """Nothing is kept yet."""
        self.start()

    def start(self) -> None:
        """A workload begins, or begins anew."""
        self.span = 1  # milliseconds
        self.fullest: dict[int, Moment] = {}  # by the number of the span
        self.lengths: Counter[int] = Counter()  # tokens of the sequences that have finished

    def stays(self, time: int, until: int, used: int, slack: int) -> None:
        """So much is in use from one time to just before another, in milliseconds."""
        self.keep((time, used, slack))
        if (until - 1) // self.span > time // self.span:
            self.keep((until - 1, used, slack))

    def keep(self, moment: Moment) -> None:
        """The moment, if it is the fullest of its span."""
        number = moment[0] // self.span
        if number not in self.fullest or moment[1] > self.fullest[number][1]:
            self.fullest[number] = moment
        while len(self.fullest) > MOST:
            self.span *= 2
            moments, self.fullest = self.fullest.values(), {}
            for each in moments:
                self.keep(each)

    def finished(self, tokens: int) -> None:
        """A sequence ends that has so many tokens."""
        self.lengths[tokens] += 1


def charts(recorder: Recorder, figures: Figures) -> tuple[Chart, ...]:
    """How full the pool is, and what slack other block sizes would have come to."""
    return pool_use(recorder, figures.block_size), slack_by_size(recorder, figures)


def pool_use(recorder: Recorder, block_size: int) -> Chart:
    """Blocks in use, and how many blocks' worth of slots contain no token."""
    moments = sorted(recorder.fullest.values())
    return Chart(
        title="the pool over the workload's time",
        across="seconds since the first request",
        upward=f"blocks of {block_size} slots",
        curves=(
            Curve("in use", tuple((time / 1000, used) for time, used, _ in moments)),
            Curve(
                "of these slack",
                tuple((time / 1000, round(slack / block_size, 3)) for time, _, slack in moments),
            ),
        ),
        note=f"the fullest moment of every {recorder.span / 1000:g} s; what lasted less than a "
        "millisecond is left out",
    )


def slack_by_size(recorder: Recorder, figures: Figures) -> Chart:
    """Slack slots / allocated slots when sequences finish, each as if it were alone."""
    sizes = sorted({*BLOCK_SIZES, figures.block_size})
    points = tuple((size, round(100 * slack_share(recorder.lengths, size), 4)) for size in sizes)
    return Chart(
        title="slack by block size",
        across="slots in a block",
        upward="% of the allocated slots",
        curves=(Curve("slack at end of life", points),),
        note=f"of the {figures.finished:,} sequences that finished in this run, which had blocks "
        f"of {figures.block_size}; the others are computed from their lengths",
    )


def slack_share(lengths: Counter[int], block_size: int) -> float:
    """The share of slots without a token in tables of sequences of these lengths."""
    allocated = sum(count * -(-length // block_size) for length, count in lengths.items())
    tokens = sum(count * length for length, count in lengths.items())
    return share(allocated * block_size - tokens, allocated * block_size)


def grid(figures: Figures) -> Grid:
    """Every figure, each share with its denominator."""
    return Grid("the workload's figures", ("figure", "value"), tuple(rows(figures).items()))

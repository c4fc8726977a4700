"""What a replayed workload came to: each figure with its unit, each share with its denominator."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from poolproof.usage import share


@dataclass(frozen=True)
class Figures:
    """The figures of one run, all of them read off the manager. A share of nothing is 0.0.

    A sequence is one sample of a request's output; with one sample, sequences are requests.
    """

    requests: int
    """Requests read."""
    samples: int
    """Sequences that each request's prompt is forked to."""
    block_size: int
    """Slots in a block."""
    blocks: int | None
    """Blocks in the pool; None: as many as it takes never to be full."""
    refused: int
    """Requests refused at arrival: too few blocks were free for the prompt."""
    finished: int
    """Sequences that wrote their whole output."""
    aborted: int
    """Sequences that met a full pool at an append, and ended there."""
    peak_blocks: int
    """The most blocks that were in use, that is, referenced, at a time."""
    taken_blocks: int
    """Blocks taken from the pool: for prompts, at appends, and for copies."""
    copies: int
    """Appends that replaced a shared last block by a copy."""
    logical_blocks: int
    """Block table entries when the sequences ended, summed over finished and aborted ones."""
    end_slack_slots: int
    """Slots without a token when the sequence finished, summed over finished sequences."""
    end_allocated_slots: int
    """Slots in the block table when the sequence finished, summed over finished sequences."""
    slack_slot_ms: int
    """Slots in use without a token, times the milliseconds they stayed so."""
    allocated_slot_ms: int
    """Slots in use, times the milliseconds they were."""

    @property
    def slack_share_at_end(self) -> float:
        """Slack slots / allocated slots of finished sequences, each as if it were alone."""
        return share(self.end_slack_slots, self.end_allocated_slots)

    @property
    def slack_share_over_time(self) -> float:
        """Slot-milliseconds of slack / slot-milliseconds allocated; a shared slot counts once."""
        return share(self.slack_slot_ms, self.allocated_slot_ms)

    @property
    def saved_blocks(self) -> int:
        """Blocks that sharing saves: logical - taken."""
        return self.logical_blocks - self.taken_blocks

    @property
    def saved_share_of_logical_blocks(self) -> float:
        """Blocks that sharing saves / logical blocks."""
        return share(self.saved_blocks, self.logical_blocks)

    def as_dict(self) -> dict[str, int | float | None]:
        """Every figure by its name, the derived ones too, as JSON takes them."""
        return {
            **asdict(self),
            "slack_share_at_end": self.slack_share_at_end,
            "slack_share_over_time": self.slack_share_over_time,
            "saved_blocks": self.saved_blocks,
            "saved_share_of_logical_blocks": self.saved_share_of_logical_blocks,
        }

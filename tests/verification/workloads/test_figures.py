from __future__ import annotations

import json
from dataclasses import fields

from poolproof_verification.workloads.figures import Figures

FIGURES = Figures(
    requests=3,
    samples=2,
    block_size=4,
    blocks=None,
    refused=1,
    finished=3,
    aborted=1,
    peak_blocks=6,
    taken_blocks=6,
    copies=1,
    logical_blocks=8,
    end_slack_slots=5,
    end_allocated_slots=20,
    slack_slot_ms=30,
    allocated_slot_ms=400,
)
NOTHING = Figures(*(0 for _ in fields(Figures)))


def test_each_share_has_its_denominator() -> None:
    assert FIGURES.slack_share_at_end == 0.25
    assert FIGURES.slack_share_over_time == 0.075
    assert FIGURES.saved_blocks == 2
    assert FIGURES.saved_share_of_logical_blocks == 0.25


def test_a_share_of_nothing_is_zero() -> None:
    assert NOTHING.slack_share_at_end == NOTHING.slack_share_over_time == 0.0
    assert NOTHING.saved_share_of_logical_blocks == 0.0


def test_the_figures_are_one_flat_json_object() -> None:
    row = json.loads(json.dumps(FIGURES.as_dict(), allow_nan=False))
    assert row["blocks"] is None and row["copies"] == 1 and row["saved_blocks"] == 2
    derived = {
        "slack_share_at_end",
        "slack_share_over_time",
        "saved_blocks",
        "saved_share_of_logical_blocks",
    }
    assert set(row) == {field.name for field in fields(Figures)} | derived

"""The figures are told a line each, with every share's denominator."""

from __future__ import annotations

from dataclasses import replace

import pytest

from poolproof_verification.workloads import Figures
from poolproof_verification.workloads.table import lines, of, rows

FIGURES = Figures(
    requests=1200,
    samples=1,
    block_size=16,
    blocks=None,
    refused=1,
    finished=1199,
    aborted=0,
    peak_blocks=77,
    taken_blocks=2345,
    copies=0,
    logical_blocks=2345,
    end_slack_slots=5,
    end_allocated_slots=16,
    slack_slot_ms=1000,
    allocated_slot_ms=4000,
)


def test_each_figure_has_its_unit() -> None:
    assert rows(FIGURES) == {
        "pool": "never full, 16 slots a block",
        "requests": "1,200, 1 sample each",
        "finished": "1,199 sequences",
        "refused at arrival": "1 request",
        "aborted at append": "0 sequences",
        "peak": "77 blocks with a reference",
        "taken": "2,345 blocks, decode included",
        "slack at end of life": "5 of 16 allocated slots of finished (31.25%)",
        "slack over time": "1,000 of 4,000 allocated slot-milliseconds (25.00%)",
    }


def test_sharing_is_told_where_prompts_are_shared() -> None:
    found = rows(replace(FIGURES, samples=4, copies=1, logical_blocks=4690, blocks=1))
    assert found["saved by sharing"] == "2,345 of 4,690 block table entries (50.00%)"
    assert found["copies on write"] == "1 block"
    assert found["pool"] == "1 block, 16 slots a block"
    assert found["requests"] == "1,200, 4 samples each"


def test_the_lines_stand_in_two_columns() -> None:
    found = list(lines(FIGURES))
    assert len(found) == len(rows(FIGURES))
    assert found[0] == "pool                 never full, 16 slots a block"
    assert {line[20] for line in found} == {" "}


@pytest.mark.parametrize(("part", "whole", "share"), [(0, 0, "0.00%"), (1, 3, "33.33%")])
def test_a_share_of_nothing_is_nothing(part: int, whole: int, share: str) -> None:
    assert of(part, whole, "slots") == f"{part} of {whole} slots ({share})"

"""Figures of published traces that somebody else computed, met to the last digit."""

from __future__ import annotations

from pathlib import Path

import pytest

from poolproof_verification.workloads.figures import Figures
from poolproof_verification.workloads.replay import run

TRACES = Path(__file__).parents[4] / "shared" / "workloads"
AZURE = TRACES / "AzureLLMInferenceTrace_conv.csv.gz"
MOONCAKE = TRACES / "mooncake_conversation_full.jsonl.gz"

pytestmark = pytest.mark.skipif(
    not (AZURE.is_file() and MOONCAKE.is_file()),
    reason=f"the traces are not in {TRACES}",
)


SLACK = {  # slots in blocks at the end of life that hold no token, and all their slots
    (AZURE, 16): (144_617, 26_595_152),
    (AZURE, 128): (1_210_521, 27_661_056),
    (AZURE, 512): (4_105_113, 30_555_648),
    (MOONCAKE, 16): (89_793, 149_005_664),
    (MOONCAKE, 128): (766_177, 149_682_048),
    (MOONCAKE, 512): (3_052_385, 151_968_256),
}


def slack(found: Figures) -> tuple[int, int]:
    return found.end_slack_slots, found.end_allocated_slots


@pytest.mark.parametrize(
    ("path", "block_size", "blocks", "peak", "taken", "refused", "aborted", "finished"),
    [
        (AZURE, 16, None, 4_385, 1_662_197, 0, 0, 19_366),
        (AZURE, 16, 2_048, 2_048, 1_371_074, 1_926, 376, 17_064),
        (MOONCAKE, 512, None, 1_984, 296_813, 0, 0, 12_031),
        (MOONCAKE, 512, 1_000, 1_000, 254_396, 817, 16, 11_198),
    ],
)
def test_a_served_trace_has_the_reference_figures(
    path: Path,
    block_size: int,
    blocks: int | None,
    peak: int,
    taken: int,
    refused: int,
    aborted: int,
    finished: int,
) -> None:
    found = run(path, block_size=block_size, blocks=blocks)
    assert (found.peak_blocks, found.taken_blocks) == (peak, taken)
    assert (found.refused, found.aborted, found.finished) == (refused, aborted, finished)
    assert found.requests == refused + aborted + finished
    if blocks is None:
        assert slack(found) == SLACK[path, block_size]


@pytest.mark.night
@pytest.mark.parametrize(
    ("path", "block_size"), [(AZURE, 128), (AZURE, 512), (MOONCAKE, 16), (MOONCAKE, 128)]
)
def test_slack_at_the_end_of_life_has_the_reference_figures(path: Path, block_size: int) -> None:
    assert slack(run(path, block_size=block_size)) == SLACK[path, block_size]


@pytest.mark.night
def test_four_samples_save_the_reference_blocks() -> None:
    found = run(AZURE, block_size=16, samples=4)
    assert (found.saved_blocks, found.logical_blocks) == (4_165_896, 6_648_788)
    assert found.copies == 54_915
    assert round(found.saved_share_of_logical_blocks, 4) == 0.6266

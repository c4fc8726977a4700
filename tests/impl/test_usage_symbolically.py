"""The figures of usage are right for symbolic sizes: CrossHair as what generates for Hypothesis.

It finds coincidences of arithmetic which cases drawn at random do not. The functions are pure and
small, as they must be: on the stateful machine this backend is a thousand times too slow.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from poolproof import usage
from poolproof.block_table import BlockTable
from poolproof_verification.mutants import Mutant, load

if (
    "SYMBOLIC_CASES" not in os.environ
):  # where they are asked for, it is an error to have no backend
    pytest.importorskip("hypothesis_crosshair_provider", reason="hypothesis-crosshair: extra `dev`")
CASES = int(os.environ.get("SYMBOLIC_CASES", "60"))

Measure = Callable[..., usage.Usage]
TOKENS = "            tokens = min(block_size, table.length - entry * block_size)\n"
FAULTS = (
    "length * 7 == block_size * 11 + 12 and block_size > 1000",
    "length % 1000 == 3 and block_size % 1000 == 77",
)


def holds(measure: Measure, backend: str, cases: int) -> None:
    """Two sequences, of which the second shares the first's blocks: the figures are right."""

    @settings(
        backend=backend,
        max_examples=cases,
        phases=[Phase.generate],
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.integers(1), st.integers(0, 3), st.integers(0), st.integers(0))
    def figures_are_right(block_size: int, blocks: int, slack: int, more: int) -> None:
        length = max(0, blocks * block_size - slack % block_size)
        shared = [BlockTable(list(range(blocks)), length, length, True) for _ in range(2)]
        found = measure(shared, block_size, blocks + more)
        assert found.filled_slots == length
        assert found.slack_slots == blocks * block_size - length
        assert found.saved_blocks == blocks
        assert found.allocated_slots <= found.pool_slots

    figures_are_right()


def faulty(number: int) -> Measure:
    """The figures with one token too many where the coincidence happens."""
    new = TOKENS.rstrip() + f" + (table.{FAULTS[number]})\n"
    name = f"coincidence_{number}"
    load(mutant := Mutant(name, FAULTS[number], "questions", "usage.py", TOKENS, new))
    measure: Measure = sys.modules[f"{mutant.package}.usage"].measure
    return measure


def test_the_figures_are_right_for_symbolic_sizes() -> None:
    holds(usage.measure, "crosshair", CASES)


@pytest.mark.parametrize("number", range(len(FAULTS)))
def test_a_coincidence_is_found_that_random_cases_miss(number: int) -> None:
    holds(faulty(number), "hypothesis", 300)
    with pytest.raises(AssertionError):
        holds(faulty(number), "crosshair", 60)

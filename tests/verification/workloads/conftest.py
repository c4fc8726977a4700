from __future__ import annotations

from pathlib import Path

import pytest

from poolproof_verification.workloads.formats import Request

DATA = Path(__file__).parent / "data"

SMALL = tuple(
    Request(*numbers)
    for numbers in (
        (0, 10, 3),
        (0, 4, 1),
        (5, 7, 5),
        (21, 1, 1),
        (21, 8, 2),
        (40, 13, 4),
        (40, 3, 1),
        (61, 16, 6),
        (100, 5, 2),
        (1000, 600, 1),
        (1000, 9, 7),
        (1000, 12, 3),
    )
)


@pytest.fixture
def small() -> tuple[Request, ...]:
    """The twelve requests that both small files spell."""
    return SMALL


@pytest.fixture
def small_csv() -> Path:
    return DATA / "small.csv"


@pytest.fixture
def small_jsonl() -> Path:
    return DATA / "small.jsonl"

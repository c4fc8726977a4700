from __future__ import annotations

from pathlib import Path

import pytest
from tests.verification.conftest import Run

from poolproof_verification.proofs.trusted import Trusted, trusted

ROOT = Path(__file__).parents[3]


def test_what_is_trusted_is_said_in_words() -> None:
    words = " ".join(map(str, trusted()))
    for thing in ("z3", "induction", "recursive definition", "finitely many names", "refusals"):
        assert thing in words
    assert "by construction in the model, tested on the code" in words


@pytest.mark.parametrize("item", trusted(), ids=lambda item: item.what[:30])
def test_what_tests_it_is_there(run: Run, item: Trusted) -> None:
    assert item.relied_on
    assert item.tests
    for test in item.tests:
        if test.startswith("poolproof "):
            _, command, *options = test.split()
            usage = run(command, "--help")
            assert usage.code == 0
            assert all(option in usage.output for option in options if option.startswith("--"))
        else:
            assert (ROOT / test).is_file(), test

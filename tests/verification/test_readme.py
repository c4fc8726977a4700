"""The figures of the README are the run's."""

from __future__ import annotations

import re
from pathlib import Path

from poolproof_verification.proofs.matrix import figures
from poolproof_verification.proofs.prove import results_of

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def test_the_numbers_of_obligations_are_the_run_s() -> None:
    told = {
        name: int(count) for name, count in re.findall(r"^\| ([a-z ]+) \| (\d+) \|", README, re.M)
    }
    assert told == dict(figures(results_of()))


def test_no_line_says_proved_without_of_the_model() -> None:
    for paragraph in README.split("\n\n"):
        if not paragraph.startswith("## ") and re.search(
            r"(?<!not )(?<!NOT )\bproved\b", paragraph
        ):
            assert re.search(r"\bmodel\b", paragraph), paragraph

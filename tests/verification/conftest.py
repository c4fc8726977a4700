from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest

from poolproof_verification import cli


class Ended(NamedTuple):
    code: int
    output: str
    errors: str


Run = Callable[..., Ended]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """The command line with these arguments, to its end."""

    def run_with(*arguments: str) -> Ended:
        monkeypatch.setattr(sys, "argv", ["poolproof", *arguments])
        with pytest.raises(SystemExit) as end:
            cli.run()
        captured = capsys.readouterr()
        code = end.value.code
        assert isinstance(code, int)
        return Ended(code, captured.out, captured.err)

    return run_with


@pytest.fixture
def import_path() -> Iterator[None]:
    """Targets are looked for in the current folder, which then stays on the import path."""
    before = list(sys.path)
    yield
    sys.path[:] = before

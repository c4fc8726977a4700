"""The command tells each fault with its code, and its exit code says what was found."""

from __future__ import annotations

import pytest
from tests.verification.engines.test_front_door import Door

from poolproof_verification.engines import __main__ as command
from poolproof_verification.engines.front_door import REFUSED, Seen
from poolproof_verification.verdict import CouldNotRun

pytestmark = pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")  # it forks


def test_a_fault_is_told_with_its_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(command.DOORS, "vllm", Door)
    assert command.main(["vllm", "--seed", "0", "--uses", "20"]) == 1
    told = capsys.readouterr().out
    assert "fake 1: lost: 7 lost\n" in told
    assert "\n    use(7)\n" in told
    assert "fake 1 refuses, and tells its caller: ValueError: 5 is too much" in told
    last = told.splitlines()[-1]
    assert last.startswith("front door: refuted: fake 1, 20 uses drawn from seed 0 (")


def test_only_what_was_answered_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(command.DOORS, "vllm", Door)
    monkeypatch.setattr(Door, "draw", lambda self, random: 1)
    assert command.main(["vllm", "--uses", "2"]) == 0
    monkeypatch.setattr(Door, "run", lambda self, use: Seen(REFUSED, "no room"))
    assert command.main(["vllm", "--uses", "2"]) == 3
    assert command.main(["vllm", "--uses", "0"]) == 3


def test_an_absent_engine_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def absent() -> Door:
        raise CouldNotRun("vllm is not installed here")

    monkeypatch.setitem(command.DOORS, "vllm", absent)
    assert command.main(["vllm"]) == 2
    assert capsys.readouterr().err == "poolproof: vllm is not installed here\n"

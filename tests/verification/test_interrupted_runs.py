"""Ctrl-C, or SIGTERM, leaves a valid report of what was found, exit code 3, and no process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from poolproof_verification.reports import FORMATS
from poolproof_verification.reports.report import Report
from poolproof_verification.reports.report_file import read

Process = subprocess.Popen[str]


def started(out: Path, *arguments: str) -> Process:
    """The command in a session of its own, as in a terminal; it has told that it is at work."""
    command = [sys.executable, "-m", "poolproof_verification", *arguments, "--out", str(out)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    running = subprocess.Popen(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert running.stderr is not None
    assert running.stderr.readline()
    assert running.poll() is None
    return running


def ended(running: Process, out: Path) -> tuple[Report, str]:
    """The report that it has left, and what it printed."""
    output, errors = running.communicate(timeout=120)
    assert running.returncode == 3, errors
    assert "Traceback" not in errors
    assert errors.endswith("interrupted: this is what was found by then\n")
    with pytest.raises(ProcessLookupError):  # no child is left, at least in a moment
        for _ in range(300):
            os.killpg(running.pid, 0)
            time.sleep(0.1)
    report = read(out / "report.json")
    assert report.interrupted
    assert report.ending.value == "unknown"
    assert all((out / name).is_file() for name in FORMATS.values())
    return report, output


def test_ctrl_c_leaves_what_verify_has_found(tmp_path: Path) -> None:
    running = started(tmp_path, "verify")
    os.killpg(running.pid, signal.SIGINT)  # which a terminal sends to all of its processes
    report, output = ended(running, tmp_path)
    assert "trust ledger: poolproof" in output
    assert [each.method for each in report.judgements][:3] == ["explore", "contracts", "fuzz"]
    explore = report.judgements[0]
    assert explore.verdicts
    assert {verdict.outcome.value for verdict in explore.verdicts} == {"unknown"}
    assert explore.notes[0] == "interrupted before its end"
    assert len(report.canaries) < len(report.judgements)


def test_sigterm_leaves_what_fuzz_has_found(tmp_path: Path) -> None:
    running = started(tmp_path, "fuzz", "--target", "textbook", "--max-failures", "99")
    running.send_signal(signal.SIGTERM)
    report, output = ended(running, tmp_path)
    (fuzz,) = report.judgements
    assert fuzz.counterexamples
    assert report.outcome.value == "refuted"
    assert {verdict.outcome.value for verdict in fuzz.verdicts} == {"refuted", "unknown"}
    assert report.failures[0].headline in output
    assert list((tmp_path / "counterexamples").glob("*.json"))
    assert report.command == ("poolproof fuzz --target textbook --seed 0 --max-failures 99")


def test_ctrl_c_leaves_what_explore_has_found(tmp_path: Path) -> None:
    running = started(tmp_path, "explore")
    running.send_signal(signal.SIGINT)
    report, output = ended(running, tmp_path)
    (explore,) = report.judgements
    words = {verdict.detail for verdict in explore.verdicts}
    assert all("interrupted; not broken in the " in each for each in words)
    assert "interrupted before its end" in output

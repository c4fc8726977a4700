"""The command says plainly what is missing, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from poolproof_verification.__main__ import missing
from poolproof_verification.reports.report import Report
from poolproof_verification.reports.report_file import write

DATA = Path(__file__).parent / "workloads" / "data" / "small.csv"
WITHOUT = """
import sys
sys.modules[{module!r}] = None
sys.argv = ["poolproof", *{arguments!r}]
from poolproof_verification.__main__ import main
main()
"""


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("module", "arguments"),
    [
        ("typer", ["workload", str(DATA)]),
        ("rich", ["explore"]),
        ("hypothesis", ["fuzz", "--examples", "1"]),
        ("z3", ["prove"]),
        ("crosshair", ["contracts"]),
    ],
)
def test_a_missing_extra_is_one_line_and_could_not_run(module: str, arguments: list[str]) -> None:
    ended = python("-c", WITHOUT.format(module=module, arguments=arguments))
    assert (ended.returncode, ended.stdout) == (2, "")
    (line,) = ended.stderr.splitlines()
    assert line.startswith(f"poolproof: {module}")
    assert line.endswith(" is not installed; run: pip install 'poolproof[verify]'")


def test_the_module_is_the_command() -> None:
    ended = python("-m", "poolproof_verification", "workload", str(DATA), "--limit", "2")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("pool  ")


def test_a_missing_module_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        missing(ModuleNotFoundError("No module named 'rich.text'", name="rich.text"))
    assert end.value.code == 2
    assert capsys.readouterr().err.startswith("poolproof: rich.text is not installed; run: pip ")


INTERRUPTED = """
import os, signal, sys
class Finder:
    def find_spec(self, name, path, target=None):
        if name == "poolproof_verification.cli":
            os.kill(os.getpid(), signal.{name})
sys.meta_path.insert(0, Finder())
from poolproof_verification.__main__ import main
main()
"""
IN_A_TEXT = """
import sys
from poolproof_verification import cli
from poolproof_verification.__main__ import main
def run():
    try:
        exec("raise KeyboardInterrupt")
    except KeyboardInterrupt:
        print("told")
        sys.exit(3)
cli.run = run
main()
"""


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_an_interrupt_while_the_command_starts_is_one_line_and_unknown(name: str) -> None:
    ended = python("-c", INTERRUPTED.format(name=name))
    assert (ended.returncode, ended.stdout) == (3, "")
    assert ended.stderr == "poolproof: interrupted; nothing is known\n"


def test_an_interrupt_inside_of_a_text_that_is_executed_does_not_kill_the_command(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "begun.py").write_text(IN_A_TEXT)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *filter(None, sys.path)]))
    ended = python("-m", "begun")
    assert (ended.returncode, ended.stdout, ended.stderr) == (3, "told\n", "")


LEAVES_A_THREAD = """
import sys, threading, time
from poolproof_verification import cli
from poolproof_verification.__main__ import main
def run():
    threading.Thread(target=time.sleep, args=(600,)).start()
    print("held")
    sys.exit(0)
cli.run = run
main()
"""


def test_a_thread_that_a_target_leaves_is_not_waited_for() -> None:
    words = [sys.executable, "-c", LEAVES_A_THREAD]
    ended = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "held\n", "")


def command(*arguments: str, **streams: Any) -> tuple[int, str]:
    """The exit code, and what was written where the one broken stream is not."""
    words = [sys.executable, "-m", "poolproof_verification", *arguments]
    options: dict[str, Any] = {"text": True, "check": False}
    options |= {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | streams
    ended = subprocess.run(words, **options)
    return ended.returncode, str(ended.stdout or ended.stderr)


@pytest.mark.parametrize(
    "arguments", [("--help",), ("fuzz", "--help"), ("prove", "--only", "lemma count of")]
)
def test_an_output_that_nobody_reads_or_holds_is_no_verdict(arguments: tuple[str, ...]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    code, errors = command(*arguments, stdout=writing)
    os.close(writing)
    assert code == 2
    assert errors.splitlines()[-1] == "poolproof: nobody reads the output any more"
    with open("/dev/full", "w") as full:
        code, errors = command(*arguments, stdout=full)
    assert code == 2
    assert errors.splitlines()[-1].startswith("poolproof: the output cannot be written: No space")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ("fuzz", "--examples", "2"),
            "poolproof: the output cannot be written: No space",
        ),
        (("fuzz", "--target", "nobody"), "poolproof: unknown target 'nobody'"),
    ],
)
def test_errors_that_cannot_be_written_are_told_on_the_output(
    arguments: tuple[str, ...], words: str
) -> None:
    with open("/dev/full", "w") as full:
        code, output = command(*arguments, stderr=full)
    assert code == 2
    assert output.startswith(words)
    assert output.count("\n") == 1


def closed(redirection: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command, started with a stream closed."""
    words = ["sh", "-c", f'exec "$@" {redirection}', "sh", sys.executable]
    words += ["-m", "poolproof_verification", *arguments]
    return subprocess.run(words, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("redirection", [">&-", "<&- >&-"])
def test_an_output_that_is_closed_is_no_verdict(redirection: str) -> None:
    for arguments in (("--help",), ("prove", "--only", "lemma count of")):
        ended = closed(redirection, *arguments)
        assert ended.returncode == 2
        last = ended.stderr.splitlines()[-1]
        assert last == "poolproof: the output cannot be written: Bad file descriptor"


def test_a_rendering_into_a_file_needs_no_output(tmp_path: Path) -> None:
    report = str(write(Report("poolproof", 0, ()), tmp_path))
    ended = closed(">&-", "report", report)
    assert ended.returncode == 2
    assert ended.stderr == "poolproof: the output cannot be written: Bad file descriptor\n"
    output = tmp_path / "a.txt"
    ended = closed(">&-", "report", report, "--output", str(output))
    assert (ended.returncode, ended.stderr) == (0, f"wrote {output}\n")
    assert "trust ledger: poolproof" in output.read_text()


def test_errors_that_are_closed_leave_exit_code_and_output(tmp_path: Path) -> None:
    report = str(write(Report("poolproof", 0, ()), tmp_path))
    for arguments, code in {("--exit-code",): 3, (): 0, ("--format", "x"): 2}.items():
        ended = closed("2>&-", "report", report, *arguments)
        assert (ended.returncode, bool(ended.stdout)) == (code, code != 2)

"""The command says plainly what is missing, in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from poolproof_verification.__main__ import missing

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

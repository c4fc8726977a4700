"""What a command prints can be pasted, and nothing that a target says steers a terminal or CI."""

from __future__ import annotations

import ast
import re
import textwrap
from pathlib import Path

import pytest
from tests.verification.conftest import Run

from poolproof_verification import cli_base
from poolproof_verification.cli_base import Output

EVIL = '''
from poolproof import BlockManager

Error = type("W\\x1b[31m\\u202e", (Exception,), {})
WORDS = "\\n::error::boo " + "x " * 40 + "::error::boo " * 90


class Pool(BlockManager):
    """Says what a terminal, or the CI that reads it, would obey."""

    def fork(self, parent, child):
        super().fork(parent, child)
        raise Error(WORDS)
'''
SMALL = ("--examples", "2", "--max-failures", "2")


@pytest.mark.usefixtures("import_path")
def test_no_foreign_word_reaches_a_terminal_raw_or_begins_a_line_as_a_command(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "evil_words.py").write_text(EVIL, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    ended = run("fuzz", "--target", "evil_words:Pool", *SMALL, "--out", "out")
    assert ended.code == 1
    report = (tmp_path / "out" / "report.txt").read_text(encoding="utf-8")
    for text in (ended.output, ended.errors, report):
        assert text.replace("\n", "").isprintable()
        assert not [line for line in text.splitlines() if line.strip().startswith("::")]
    for text in (ended.output, report):
        assert r"W\x1b[31m\u202e: ::error::boo" in text


def test_the_printed_test_can_be_pasted_from_a_narrow_terminal(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli_base, "console", lambda: Output(highlight=False, width=40))
    output = run("fuzz", "--target", "textbook", *SMALL).output
    tests = re.findall(r"  as a test:\n\n((?:(?:    .*)?\n)+)", output)
    assert tests
    for code in map(textwrap.dedent, tests):
        assert max(map(len, code.splitlines())) > 40
        assert ast.parse(code).body
    assert "differ:" in output

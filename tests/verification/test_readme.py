"""The figures of the README are the run's."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from poolproof import BlockManager
from poolproof_verification.adapters.example import Example
from poolproof_verification.explore import explore
from poolproof_verification.operations import Accepted, Operation
from poolproof_verification.proofs.matrix import figures
from poolproof_verification.proofs.prove import results_of
from poolproof_verification.replay import replay
from poolproof_verification.reports import FORMATS, folder, report_file
from poolproof_verification.reports.story_text import story
from poolproof_verification.scopes import Scope
from poolproof_verification.targets import find_target
from poolproof_verification.verdict import Outcome

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


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


def test_the_counterexample_told_is_the_one_found() -> None:
    scope = Scope(total=2, sequences=2, block_size=1, tokens=2)
    found, *_ = explore(find_target("textbook"), (scope,)).counterexamples
    told = [f"    {line}" for line in story(found).splitlines() if "  broken: " not in line]
    assert "\n".join(told) in README


def test_the_questions_named_are_those_there_are() -> None:
    (sentence,) = re.findall(r"may answer questions: ([^.]+)\.", " ".join(README.split()))
    named = set(re.findall(r"`(\w+)`", sentence))
    assert named == find_target("poolproof").traits.questions


def test_the_watchers_shown_are_made_as_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(
        r"^    from poolproof_verification.watching .*\n\n(?:    .*\n)+", README, re.M
    )
    names: dict[str, Any] = {"BlockManager": BlockManager, "Target": Example}
    exec(dedent(code), names)
    names["manager"].allocate("A", 1)
    names["manager"].watcher.close()
    assert names["adapter"].call(Operation("allocate", ("A", 1))) == Accepted([1000])
    assert replay(tmp_path / "pool.jsonl", "textbook").outcome is Outcome.HELD


def test_its_pictures_are_there_and_light() -> None:
    pictures = re.findall(r"!\[[^]]+\]\(([^)]+)\)", README)
    assert pictures
    for picture in pictures:
        assert (ROOT / picture).read_bytes().startswith(b"\x89PNG")
        assert (ROOT / picture).stat().st_size < 200_000


def test_every_file_of_the_folder_is_told_what_it_is_for() -> None:
    table = README.partition("| in `out/` | for |")[2].partition("\n\n")[0]
    named = re.findall(r"`([^`]+)`", "".join(re.findall(r"^\|(.*?)\|", table, re.M)))
    folders = (folder.COUNTEREXAMPLES, folder.OF_THE_MODEL, folder.TRACES, folder.EARLIER)
    files = (report_file.NAME, *FORMATS.values(), *(f"{name}/" for name in folders))
    assert sorted(named) == sorted(files)

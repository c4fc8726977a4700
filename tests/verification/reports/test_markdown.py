"""The job's summary tells the verdict, the ledger and each failure, within GitHub's limit."""

from __future__ import annotations

from dataclasses import replace

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token
from tests.verification.reports import made

from poolproof_verification.exhibits import Grid
from poolproof_verification.reports.markdown import MOST_BYTES, headline, render, size
from poolproof_verification.reports.markdown_words import code, fenced, in_cell
from poolproof_verification.verdict import Outcome


def tokens(text: str) -> list[Token]:
    """What a reader of Markdown makes of the text, whatever is inside of what."""
    parsed = MarkdownIt("commonmark").enable("table").parse(text)
    return [each for token in parsed for each in (token, *(token.children or ()))]


def words(text: str) -> str:
    """What is left to be read."""
    return "".join(each.content for each in tokens(text) if each.type in ("text", "code_inline"))


def test_the_verdict_comes_first_then_the_ledger_then_each_failure() -> None:
    lines = render(made.refuted()).splitlines()
    assert lines[0] == "## poolproof: refuted"
    assert lines[2].startswith("1 distinct failure of `engine`, seed 0.")
    where = [
        next(number for number, line in enumerate(lines) if line.startswith(start))
        for start in ("1. `block 0 is lost (after allocate", "| law | fuzz", "### 1. `block 0 is")
    ]
    assert where == sorted(where)


def test_the_ledger_is_a_table_with_a_row_a_law() -> None:
    text = render(made.refuted())
    assert "| **refuted, 7 operations** |" in text
    assert "| held, 7 operations |" in text
    assert "| **unknown, 7 operations** |" in text
    assert [token.type for token in tokens(text)].count("table_open") == 1


def test_a_failure_says_where_it_is_how_it_differs_and_how_to_reproduce_it() -> None:
    text = render(made.refuted())
    assert "breaks `partition`; found by `fuzz` on `engine`" in text
    assert "at `engine/pool.py:12`" in text
    assert "**First difference**, after step 2: `block 0 is lost, counted once" in text
    assert f"```python\n{made.counterexample().test().rstrip()}\n```" in text
    assert "The same once more: `poolproof fuzz --target engine`" in text
    assert "`poolproof replay --target engine counterexamples/partition-allocate-" in text


def test_one_block_of_one_slot_is_told_as_one() -> None:
    failure = (replace(made.counterexample(), total=1, block_size=1), "fuzz")
    assert "a pool of 1 block of 1 slot, in step" in headline(1, failure)


def test_a_run_that_held_or_was_interrupted_says_so() -> None:
    assert render(made.held()).startswith("## poolproof: held\n")
    interrupted = render(replace(made.held(), interrupted=True))
    assert interrupted.startswith("## poolproof: interrupted\n")
    assert "**Interrupted**" in interrupted


def test_fifty_failures_are_all_told_within_the_limit() -> None:
    text = render(made.many(50))
    assert len(text.encode()) <= MOST_BYTES
    assert text.count("\n### ") == 50


@pytest.mark.parametrize(("failures", "steps"), [(10, 60), (60, 9), (300, 1)])
def test_what_is_too_long_is_cut_and_says_where_the_rest_is(
    failures: int, steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("poolproof_verification.reports.markdown.MOST_BYTES", 40_000)
    text = render(made.many(failures, steps))
    assert len(text.encode()) <= 40_000
    told = text.count("\n### ")
    assert told == failures or f"**{failures - told:,} more failures are not shown here**" in text
    assert "`report.html` and `report.json` in the run's artifact have" in text
    types = [token.type for token in tokens(text)]
    assert types.count("html_block") % 2 == 0


def test_the_longest_failure_is_shortened_first(monkeypatch: pytest.MonkeyPatch) -> None:
    found = made.counterexample(), made.counterexample("a long story", steps=60)
    report = made.report(made.judgement(found=found))
    size = len(render(report).encode())
    monkeypatch.setattr("poolproof_verification.reports.markdown.MOST_BYTES", size)
    text = render(report)
    assert text.count("Shortened here") == 1
    assert text.index("a long story") < text.index("Shortened here")
    assert "def test_block_0_is_lost" in text


FOREIGN = [
    "[x](https://evil.example) ![i](https://evil.example/i.png)",
    "<script>alert(1)</script><!--",
    "a | b | `c` \\| \\",
    "`", "```", "` `` ```` x", "~~~", "</details>",
    "# heading", "- item", "> quote", "1. one", "***bold*** __b__ ~~s~~",
    "&lt;b&gt; &#64;", "@someone www.evil.example https://evil.example #1",
]  # fmt: skip
MARKUP = {"link_open", "image", "em_open", "strong_open", "heading_open", "html_block"}


def contents(text: str, kind: str) -> list[str]:
    return [each.content for each in tokens(text) if each.type == kind]


@pytest.mark.parametrize("foreign", FOREIGN)
def test_foreign_words_in_a_line_or_in_a_block_are_code(foreign: str) -> None:
    line, block = f"here {code(foreign)} and", fenced(foreign)
    assert contents(line, "code_inline") == [foreign]
    assert contents(block, "fence") == [f"{foreign}\n"]
    assert not MARKUP & {token.type for token in tokens(f"{line}\n\n{block}")}


@pytest.mark.parametrize("foreign", FOREIGN)
def test_foreign_words_in_a_cell_are_words(foreign: str) -> None:
    text = f"| a | b |\n|---|---|\n| {in_cell(foreign)} | second |\n"
    assert words(text) == f"ab{foreign}second"
    kinds = [token.type for token in tokens(text)]
    assert kinds.count("td_open") == 2
    assert not MARKUP & set(kinds)
    assert set(contents(text, "html_inline")) <= {"<!-- -->", "<code>", "</code>"}
    assert "@" not in text


def test_no_words_at_all_are_code_that_is_empty() -> None:
    (content,) = contents(f"here {code('')} and", "code_inline")
    assert not content.strip()


def test_the_tables_of_a_method_are_folded_and_within_the_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    grid = Grid("seeded bugs", ("bug", "explore"), (("lost", "1 of 1"),), "found by each")
    judged = made.judgement(made.verdict("counts", Outcome.HELD))
    report = made.report(replace(judged, grids=(grid,) * 3))
    text = render(report)
    assert text.count("<details><summary>seeded bugs</summary>") == 3
    assert text.count("| lost | 1 of 1 |") == 3
    assert [token.type for token in tokens(text)].count("table_open") == 4
    monkeypatch.setattr("poolproof_verification.reports.markdown.SHARE", MOST_BYTES // 200)
    assert "More tables are not shown here: `report.html`" in render(report)


def test_a_head_of_endless_words_leaves_it_within_the_limit() -> None:
    long = "@/" * 5_000
    judged = [replace(made.judgement(), method=f"{number}{long}") for number in range(40)]
    judged = [
        replace(each, verdicts=tuple(replace(law, unit=long) for law in made.held().verdicts))
        for each in judged
    ]
    report = replace(made.many(50), judgements=(*judged, *made.many(50).judgements))
    assert size(render(report)) <= MOST_BYTES


def test_a_method_that_was_not_begun_is_said_to_have_judged_nothing() -> None:
    text = render(made.report(made.judgement()))
    assert "(judged nothing)" in text
    assert "()" not in text

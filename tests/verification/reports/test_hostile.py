"""Whatever a target, an adapter or an engine says, no format breaks, and none does what it says."""

from __future__ import annotations

import json
import re
import unicodedata
from functools import cache
from pathlib import Path

import itf_py
import pytest
from junitparser import JUnitXml
from lxml import etree
from markdown_it import MarkdownIt
from sarif_kit.validate import validation_errors
from tests.verification.reports import made

from poolproof_verification.reports import FORMATS, renderer
from poolproof_verification.reports.report_file import as_json, read, write

SCHEMA = Path(__file__).parent / "data" / "junit-10.xsd"
WORDS = {
    "markup": "<script>alert(1)</script><img src=x onerror=alert(1)>' \"onload=x",
    "xml": "]]> <!-- --> &lt; &#0; <?xml version='1.0'?> <!DOCTYPE x>",
    "control characters": "\0\x01\x08\x0b\x0c\x7f\x85\x9b",
    "lines": "one\r\ntwo\rthree\n\u2028four\u2029five\v",
    "terminal escapes": "\x1b[31mred\x1b[0m\x1b]8;;https://evil.example\x07link\x1b]0;title\x07",
    "bidirectional marks": "\u202egnp.exe\u202c \u2066a\u2069 \u200f\u061c",
    "nothing to see": "\u200b\u2060\ufeff\u00ad\U000e0041",
    "no character": "\ud800 \udfff \uffff \ufffe",
    "commands": "\n::error::x\r\n::set-env name=PATH::x\n##[add-mask]x %0A%25::stop-commands::x",
    "markdown": "\n# x\n| a | b |\n[x](https://evil.example) ![i](x.png) @all ``` ` ~~~ </details>",
    "placeholders": "{0} {{}} %s [link](1) \\",
    "a megabyte": "x" * (1 << 20),
    "a megabyte of marks": "\u202e" * 170_000,
}
MANY = {
    "ten thousand steps": made.report(made.judgement(found=(made.counterexample(steps=10_000),))),
    "fifty failures": made.many(50),
    "fifty long failures": made.many(50, steps=100),
}
REPORTS = {name: made.nasty(words) for name, words in WORDS.items()} | MANY
MOST_BYTES = {"markdown": 1 << 20, "github": 1 << 20, "text": 4 << 20, "html": 32 << 20}
MOST_OF_OTHERS = 64 << 20
LONGEST_WORD = 5_000  # characters in a row without a blank or a mark of markup between


@cache
def rendered(name: str, what: str) -> str:
    """The text in this format."""
    return renderer(name)(REPORTS[what])


@pytest.mark.parametrize("what", REPORTS)
@pytest.mark.parametrize("name", FORMATS)
def test_every_format_renders_what_is_printable_and_not_too_much(name: str, what: str) -> None:
    text = rendered(name, what)
    raw = {character for character in text if unicodedata.category(character) in ("Cc", "Cf", "Cs")}
    assert raw <= {"\n"}
    assert not {"\u2028", "\u2029", "\uffff"} & set(text)
    assert len(text.encode("utf-8")) <= MOST_BYTES.get(name, MOST_OF_OTHERS)


@pytest.mark.parametrize("what", ["a megabyte", "a megabyte of marks"])
@pytest.mark.parametrize("name", FORMATS)
def test_what_is_long_is_shortened_in_the_middle(name: str, what: str) -> None:
    text = rendered(name, what)
    assert max(map(len, re.split(r"[\s<>]", text))) < LONGEST_WORD
    assert re.search(r"\[\.\.\.\s+[\d,]+\s+characters", text)


@pytest.mark.parametrize("what", REPORTS)
def test_junit_stays_valid(what: str) -> None:
    data = rendered("junit", what).encode("utf-8")
    etree.XMLSchema(file=str(SCHEMA)).assertValid(etree.fromstring(data))
    assert JUnitXml.fromstring(data).failures >= 1


@pytest.mark.parametrize("what", REPORTS)
def test_sarif_stays_valid(what: str) -> None:
    report = REPORTS[what]
    log = json.loads(rendered("sarif", what))
    assert validation_errors(log) == []
    assert len(log["runs"][0]["results"]) == len(report.failures)


@pytest.mark.parametrize("what", REPORTS)
def test_annotations_stay_one_command_a_line(what: str) -> None:
    lines = rendered("github", what).splitlines()
    assert 1 <= len(lines) <= 20
    for line in lines:
        assert re.fullmatch(r"::(error|warning) (\w+=[^:,]*)(,\w+=[^:,]*)*::.*", line)
        assert not re.search("%(?!25|0A|3A|2C)", line)


@pytest.mark.parametrize("what", [*WORDS, "fifty long failures"])
def test_a_trace_comes_back(what: str) -> None:
    trace = itf_py.trace_from_json(json.loads(rendered("itf", what)))
    assert len(trace.states) == len(REPORTS[what].failures[0].steps) + 1


def test_a_trace_has_all_of_ten_thousand_steps() -> None:
    assert len(json.loads(rendered("itf", "ten thousand steps"))["states"]) == 10_001


@pytest.mark.parametrize("what", REPORTS)
def test_the_summary_has_no_markup_but_its_own(what: str) -> None:
    text = rendered("markdown", what)
    parsed = MarkdownIt("commonmark").enable("table").parse(text)
    tokens = [each for token in parsed for each in (token, *(token.children or ()))]
    assert not {"link_open", "image", "em_open"} & {token.type for token in tokens}
    html = " ".join(token.content for token in tokens if token.type.startswith("html"))
    tags = set(re.findall(r"</?\w+[^>]*>|<!--.*?-->", html))
    assert tags <= {
        "<details>", "</details>", "<summary>", "</summary>", "<code>", "</code>", "<!-- -->",
    }  # fmt: skip
    assert html.count("<details>") == html.count("</details>")


@pytest.mark.parametrize("what", WORDS)
def test_report_json_has_all_of_it(what: str, tmp_path: Path) -> None:
    report = REPORTS[what]
    path = write(report, tmp_path)
    assert path.read_bytes().isascii()
    assert as_json(read(path)) == as_json(report)


def test_a_raw_mark_would_be_noticed() -> None:
    assert unicodedata.category("\u202e") == "Cf"
    assert unicodedata.category("\x1b") == "Cc"
    assert unicodedata.category("\ud800") == "Cs"

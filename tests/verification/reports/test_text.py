"""The report as text: pictures in lines and blocks, or nothing but ASCII."""

from __future__ import annotations

from dataclasses import replace
from html import unescape

import pytest
from tests.verification.reports import made

from poolproof_verification.counterexample_file import name_of
from poolproof_verification.exhibits import Grid
from poolproof_verification.ledger import MOST_ROWS
from poolproof_verification.reports import ABOUT, INSTALL, renderer
from poolproof_verification.reports.plain_records import replay_of
from poolproof_verification.reports.text import MOST_HEADLINES, WIDTH, render


def test_each_state_is_drawn() -> None:
    text = render(made.refuted())
    assert "│ ✗ lost x1 │ □ free │" in text
    assert "trust ledger: engine" in text


def test_a_failure_is_told_with_the_commands_that_find_and_replay_it() -> None:
    text = render(made.refuted())
    name = name_of(made.counterexample())
    assert "found again by: poolproof fuzz --target engine\n" in text
    replay = f"poolproof replay --target engine counterexamples/{name}"
    assert f"replayed, with --out's file, by: {replay}\n" in text


def test_what_replays_a_failure_is_named_after_its_true_names() -> None:
    found = made.counterexample(name="A" * 50_000)
    text = render(made.report(made.judgement(found=(found,))))
    assert f"counterexamples/{name_of(found)}\n" in text


def test_no_line_of_it_is_wider_than_a_log() -> None:
    assert max(map(len, render(made.refuted()).splitlines())) <= WIDTH


def test_in_ascii_the_ledger_and_every_name_are() -> None:
    report = made.report(made.judgement(found=(made.counterexample("\u00e9 is lost"),)))
    text = render(report, ascii_only=True)
    assert text.isascii()
    assert "| ! lost x1 | . free |" in text
    assert "\\xe9 is lost" in text


def test_a_command_is_never_broken_into_lines() -> None:
    found = made.counterexample(target=f"house.{'deep.' * 30}pool:Pool")
    assert f"{replay_of(found)}\n" in render(made.report(made.judgement(found=(found,))))


def test_the_tables_of_a_method_are_in_it_and_its_rows_are_bounded() -> None:
    rows = tuple((f"bug {number}", "1 of 1") for number in range(MOST_ROWS + 1))
    grid = Grid("seeded bugs", ("bug", "explore"), rows, "found by each")
    text = render(made.report(replace(made.judgement(), grids=(grid,))))
    assert "seeded bugs" in text
    assert f"bug {MOST_ROWS - 1} " in text
    assert "and 1 more row, in report.json" in text
    assert "found by each" in text


def test_what_came_out_is_told_first_and_last() -> None:
    lines = render(made.many(7)).splitlines()
    assert lines[0] == "poolproof: refuted: engine, seed 0, 7 distinct failures"
    assert lines[1] == "  1. block 0 is lost, after allocate('A', 0)"
    assert lines[1 + MOST_HEADLINES] == "  and 2 more"
    assert lines[-1] == "engine: refuted"
    assert render(made.held()).startswith("poolproof: held: engine, seed 0\n")


def test_a_run_that_was_ended_early_says_so_first_and_last() -> None:
    for report, words in (
        (made.refuted(), "interrupted, refuted by then"),
        (made.held(), "interrupted"),
    ):
        lines = render(replace(report, interrupted=True)).splitlines()
        assert lines[0].startswith(f"poolproof: {words}: engine")
        assert lines[-1] == f"engine: {words}"


@pytest.mark.parametrize("name", ["text", "html", "markdown"])
def test_a_newcomer_is_told_what_this_is_and_how_to_have_it(name: str) -> None:
    told = " ".join(unescape(renderer(name)(made.refuted())).split())
    assert ABOUT in told
    assert INSTALL in told
    assert "://" not in ABOUT + INSTALL

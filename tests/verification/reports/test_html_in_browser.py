"""The page in a real browser: offline, with script and without, wide and narrow, light and dark.

It is skipped where there is no chromium, unless POOLPROOF_BROWSER=required says that one must be.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, sync_playwright
from tests.verification.reports import made
from tests.verification.reports.test_html import proofs

from poolproof_verification.exhibits import Chart, Curve, Grid
from poolproof_verification.reports.html import render
from poolproof_verification.reports.report import Report
from poolproof_verification.verdict import Judgement

NAMES = ("chromium", "chromium-browser", "google-chrome")
WIDE, NARROW = 1200, 390  # pixels
ALERT = "<script>document.title = 'broken into'</script>"
Open = Callable[..., Page]


def browser_path() -> str:
    """The machine's own chromium."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        words = f"none of {', '.join(NAMES)} is installed"
        if os.environ.get("POOLPROOF_BROWSER") == "required":
            pytest.fail(words)
        pytest.skip(words)
    return found


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    path = browser_path()
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=flags)
        yield started
        started.close()


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Opens a report's page; afterwards nothing was asked for but the file, and nothing failed."""
    contexts, requests, complaints = [], [], []
    path = tmp_path / "report.html"

    def open_page(report: Report, width: int = WIDE, **options: Any) -> Page:
        path.write_text(render(report), "utf-8")
        context = browser.new_context(
            offline=True, viewport={"width": width, "height": 800}, **options
        )
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda request: requests.append(request.url))
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path.as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert set(requests) <= {path.as_uri()}
    assert complaints == []


def with_everything() -> Report:
    """A failure, a long one, a proof's, a table and a chart."""
    long = replace(made.counterexample("block 1 is lost", steps=30), headline="block 1 is lost")
    judged = made.judgement(found=(made.counterexample(), long))
    grid = Grid("mutants", ("bug", *map(str, range(60))), (("lost", *["0.1 s"] * 60),))
    chart = Chart("pool use", "seconds", "blocks", (Curve("held", ((0, 1), (9, 5))),))
    judged = replace(judged, grids=(grid,), charts=(chart,))
    return made.report(judged, *proofs("release never frees").judgements)


def shown(page: Page, failure: int = 1) -> list[str]:
    """The steps of a failure that can be seen, by their numbers."""
    steps = page.locator(f"#failure-{failure} .step:visible h3 .at").all_text_contents()
    return [words.split()[1] for words in steps]


def test_it_opens_at_the_failing_step_and_steps_with_buttons_and_slider(opened: Open) -> None:
    page = opened(with_everything())
    assert shown(page) == ["2"]
    page.locator("#failure-1 .back").click()
    assert shown(page) == ["1"]
    slider = page.locator("#failure-1 input[type=range]")
    assert slider.get_attribute("aria-valuetext") == "Step 1 of 2: allocate('A', 1)"
    assert page.locator("#failure-1 .where").inner_text() == "Step 1 of 2: allocate('A', 1)"
    slider.focus()
    page.keyboard.press("ArrowRight")
    assert shown(page) == ["2"]
    assert page.locator("#failure-1 .on").is_disabled()


def test_the_arrow_keys_step_through_the_failure_that_is_being_read(opened: Open) -> None:
    page = opened(with_everything(), reduced_motion="reduce")
    page.evaluate("document.querySelector('#failure-2 .walk').scrollIntoView()")
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    assert (shown(page, 1), shown(page, 2)) == (["2"], ["27"])
    page.keyboard.press("Control+ArrowLeft")
    assert shown(page, 2) == ["27"]


def test_all_steps_stand_in_a_column_when_asked_for_and_in_print(opened: Open) -> None:
    page = opened(with_everything())
    page.emulate_media(media="print")
    assert shown(page) == ["1", "2"]
    page.emulate_media(media="screen")
    assert shown(page) == ["2"]
    page.locator("#failure-1 .all").click()
    assert shown(page) == ["1", "2"]


def test_a_link_to_a_step_shows_it(opened: Open) -> None:
    page = opened(with_everything())
    page.evaluate("location.hash = '#failure-2-step-7'")
    page.wait_for_function("document.querySelector('#failure-2 input').value === '7'")
    assert shown(page, 2) == ["7"]


def test_without_script_all_steps_stand_in_a_column(opened: Open) -> None:
    page = opened(with_everything(), NARROW, java_script_enabled=False)
    assert shown(page) == ["1", "2"]
    assert len(shown(page, 2)) == 30
    assert not page.locator(".stepper").first.is_visible()
    assert page.locator("#failure-1 .step").last.get_by_text("First difference").is_visible()


@pytest.mark.parametrize("width", [320, NARROW, 700, WIDE])
def test_the_page_is_never_wider_than_the_window(opened: Open, width: int) -> None:
    page = opened(with_everything(), width)
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    page.evaluate("document.querySelectorAll('.all').forEach(each => each.click())")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("words", [ALERT, f"'\"></title></style>{ALERT}", "x" * (1 << 20)])
def test_hostile_names_stay_text_and_fit(opened: Open, words: str) -> None:
    page = opened(made.nasty(words), NARROW)
    assert "broken into" not in page.title() or "<script>" in page.title()
    assert page.locator("script").count() == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW
    assert words[:20] in page.locator("#headline-1").inner_text()


def test_ten_thousand_steps_can_be_stepped_through(opened: Open) -> None:
    long = made.report(made.judgement(found=(made.counterexample(steps=10_000),)))
    page = opened(long, NARROW)
    assert shown(page) == ["10000"]
    page.locator("#failure-1 input").press("Home")
    assert shown(page) == ["1"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [NARROW, WIDE])
def test_nothing_hinders_a_screen_reader_or_weak_eyes(
    opened: Open, scheme: str, width: int
) -> None:
    page = opened(with_everything(), width, color_scheme=scheme)
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def test_axe_sees_what_is_wrong(opened: Open) -> None:
    page = opened(made.held())
    page.evaluate("document.querySelector('table').append(document.createElement('input'))")
    assert Axe().run(page).violations_count > 0


@pytest.mark.parametrize(
    "alien", ["<style>h1 { display: none }</style>", ALERT, "<img src='report.html'>"]
)
def test_the_policy_stops_what_is_not_the_page_s_own(
    browser: Browser, tmp_path: Path, alien: str
) -> None:
    path = tmp_path / "report.html"
    path.write_text(render(made.held()).replace("<footer>", f"{alien}<footer>"), "utf-8")
    page = browser.new_page()
    refused: list[str] = []
    page.on("console", lambda message: refused.append(message.text))
    page.goto(path.as_uri())
    assert page.locator("h1").is_visible()
    assert page.title() != "broken into"
    assert any("Content Security Policy" in words for words in refused)
    page.close()


def test_a_missing_browser_fails_where_one_is_required(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("POOLPROOF_BROWSER", "required")
    with pytest.raises(pytest.fail.Exception, match="none of chromium"):
        browser_path()
    monkeypatch.delenv("POOLPROOF_BROWSER")
    with pytest.raises(pytest.skip.Exception):
        browser_path()


def test_an_empty_report_opens(opened: Open) -> None:
    page = opened(Report("engine", 0, (Judgement("fuzz", (), 0.0, "everything"),)))
    assert page.locator("h1").inner_text().split() == ["unknown", "engine"]

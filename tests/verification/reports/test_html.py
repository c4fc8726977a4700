"""The page is one file that loads nothing, and says what the report says."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from tests.verification.reports import made

from poolproof_verification.exhibits import Chart, Curve, Grid
from poolproof_verification.operations import View
from poolproof_verification.proofs.model_mutants import mutant_named
from poolproof_verification.proofs.model_mutants_judge import judge
from poolproof_verification.reports.html import MOST_LISTED, digest, part, render
from poolproof_verification.reports.html_failure import MOST_FAILURES, MOST_STEPS
from poolproof_verification.reports.report import Report
from poolproof_verification.verdict import Canary, Judgement, Outcome

VOID = {"meta", "input", "path", "rect", "br", "link", "img"}


class Elements(HTMLParser):
    """Every element with its attributes, and that each one is closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.words: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not {"script", "style"} & set(self.open):
            self.words += data.split()

    @property
    def text(self) -> str:
        """What is read, with single blanks."""
        return " ".join(self.words)


def proofs(wrong: str) -> Report:
    """What the proofs say of a wrong model: operations, and a step from a state."""
    refuted = judge(mutant_named(wrong)).refutation
    assert refuted.operations is not None and refuted.step is not None
    found = (refuted.operations, refuted.step)
    return made.report(Judgement("prove", (), 1.0, "the code", counterexamples=found))


def test_it_is_closed_and_loads_nothing() -> None:
    page = Elements(render(made.refuted()))
    assert page.open == []
    loading = {"src", "srcset", "action", "data", "background", "style", "onload", "onclick"}
    assert not [found for found in page.found if loading & set(found[1])]
    links = {attributes.get("href") for tag, attributes in page.found if tag == "a"}
    assert all(link and link.startswith("#") for link in links)


def test_its_policy_allows_its_own_style_and_script_and_nothing_else() -> None:
    page = render(made.refuted())
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]+)"', page)
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.S)
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.S)
    assert policy == (
        f"default-src 'none'; style-src '{digest(style)}'; script-src '{digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    assert (style, script) == (part("report.css"), part("report.js"))


def test_every_link_leads_somewhere_and_no_name_is_there_twice() -> None:
    page = Elements(render(made.many(5)))
    names = [attributes["id"] for _, attributes in page.found if "id" in attributes]
    assert len(names) == len(set(names))
    for tag, attributes in page.found:
        if tag == "a":
            assert (attributes["href"] or "").removeprefix("#") in names


def test_the_ledger_says_what_every_method_knows_and_does_not() -> None:
    text = Elements(render(made.refuted())).text
    assert "4 laws judged by 1 method: 2 refuted, 1 unknown, 1 held" in text
    assert "partition every block is either free or referenced" in text
    assert "not covered larger pools" in text
    assert "scope pools of 2" in text
    assert "seeded bug found: release loses a block" in text
    assert "release: unknown by fuzz: out of time" in text
    assert "order: refuted by fuzz: the answers differ" in text
    assert "Not judged in this run: counts" not in text


def test_what_nobody_should_believe_stands_out() -> None:
    report = replace(
        made.held(), interrupted=True, canaries=(Canary("fuzz", "a bug", False, "it escaped"),)
    )
    text = Elements(render(report)).text
    assert "unknown engine" in text
    assert "Interrupted." in text
    assert "ESCAPED, so these verdicts count for nothing: a bug" in text


def test_a_failure_says_what_broke_who_holds_it_and_how_to_repeat_it() -> None:
    text = Elements(render(made.refuted())).text
    assert "block 0 is lost, counted once; in the model held by A" in text
    assert "Step 2 of 2 allocate('A', 0)" in text
    assert "broken in step 2 · at engine/pool.py:12" in text
    assert "expected [0] observed []" in text
    assert "2 blocks: 1 free, 1 lost" in text
    assert "First difference block 0 is lost" in text
    assert "poolproof fuzz --target engine" in text
    assert re.search(
        r"poolproof replay --target engine counterexamples/partition-allocate-[0-9a-f]{12}\.json",
        text,
    )
    assert re.search(r"counterexamples/test_partition_allocate_[0-9a-f]{12}\.py", text)
    assert "def test_block_0_is_lost() -> None: manager = Pool(2, 1)" in text


def test_failures_with_the_same_headline_are_told_apart_by_operation_and_owner() -> None:
    other = made.counterexample(name="B")
    fork = replace(other.steps[-1], operation="fork('A', 'B')")
    other = replace(other, steps=(other.steps[0], fork))
    text = Elements(render(made.report(made.judgement(found=(made.counterexample(), other))))).text
    listed = text[text.index("What broke") : text.index("What is known of each law")]
    for operation, name in (("allocate('A', 0)", "A"), ("fork('A', 'B')", "B")):
        assert f"{operation} : block 0 is lost step 2: block 0 is lost" in listed
        assert f"in the model held by {name}, at engine/pool.py:12" in listed


def test_a_long_trace_keeps_its_ends_and_says_what_is_left_out() -> None:
    page = Elements(render(made.report(made.judgement(found=(made.counterexample(steps=10_000),)))))
    steps = [found for found in page.found if "step" in (found[1].get("class") or "").split()]
    assert len(steps) == MOST_STEPS
    assert "9,800 steps are left out here; report.json has them all." in page.text
    assert "Step 10000 of 10000" in page.text


def test_of_many_failures_the_first_are_drawn() -> None:
    page = Elements(render(made.many(MOST_FAILURES + 2)))
    drawn = [found for found in page.found if (found[1].get("class") or "") == "failure"]
    assert len(drawn) == MOST_FAILURES
    assert "and 2 more, in report.json" in page.text


def test_many_failures_do_not_push_the_ledger_away() -> None:
    page = render(made.many(7))
    listed = page[page.index('<ol class="broke">') : page.index('id="ledger"')]
    shown, folded = listed.split("<details")
    assert (shown.count("<li>"), folded.count("<li>")) == (MOST_LISTED, 7 - MOST_LISTED)
    assert 'start="6"' in folded
    assert f"{7 - MOST_LISTED} more" in folded


def test_every_part_of_the_report_is_a_click_away_from_its_top() -> None:
    def parts(report: Report) -> list[str]:
        (contents,) = re.findall(r'<nav class="parts".*?</nav>', render(report), re.S)
        return re.findall(r'<a href="#(\w+)">', contents)

    grid = Grid("the mutants", ("bug",), (("lost",),), "")
    judged = made.judgement(found=(made.counterexample(),))
    assert parts(made.report(replace(judged, grids=(grid,)))) == ["broke", "ledger", "exhibits"]
    assert parts(made.held()) == ["ledger"]


def test_a_counterexample_to_induction_has_the_reachable_operations_beside_it() -> None:
    text = Elements(render(proofs("release never frees"))).text
    beside = text[text.index("Counterexample to induction 2 of 2") :]
    assert "not inductive that release preserves partition" in beside
    assert "The clause that breaks, with its values: partition: partition does not hold" in beside
    assert "The first need not be reachable" in beside
    assert "Reached from an empty pool" in beside
    assert "allocate(sequence='A', length=1, prompt=Prompt(first=10)) release" in beside
    assert "poolproof replay" not in beside


def test_tables_are_a_click_away_and_charts_are_drawn() -> None:
    grid = Grid("the mutants", ("bug", "fuzz"), (("lost", "0.1 s"),), "seconds")
    curves = (Curve("held", ((0, 1), (10, 50))), Curve("none", ()))
    chart = Chart("pool use", "seconds", "blocks", curves, "a note")
    judged = replace(made.judgement(), grids=(grid,), charts=(chart,))
    page = Elements(render(made.report(judged)))
    assert "the mutants 1 rows" not in page.text
    assert "the mutants 1 row" in page.text
    assert "held: from 1 to 50, at least 1, at most 50" in page.text
    assert "none: no figures" in page.text
    points = [attributes["points"] for tag, attributes in page.found if tag == "polyline"]
    assert [str(each).count(",") for each in points] == [2, 0]


def test_the_manager_s_own_calls_are_told_where_they_are_known() -> None:
    found = replace(made.counterexample(), own_calls=("x = pool.take(1)", "pool.free(x)"))
    text = Elements(render(made.report(made.judgement(found=(found,))))).text
    assert "In the manager's own calls: x = pool.take(1) pool.free(x)" in text


@pytest.mark.parametrize("free", [[0], 1])
def test_a_state_that_is_not_shown_is_a_reason(free: list[int] | int) -> None:
    found = made.counterexample()
    steps = (replace(found.steps[-1], shown="it shows <b>nothing</b>", model=View(free, None, {})),)
    text = Elements(render(made.report(made.judgement(found=(replace(found, steps=steps),))))).text
    assert "manager it shows <b>nothing</b>" in text


def test_an_empty_report_is_a_page_too() -> None:
    page = Elements(render(Report("engine", 0, ())))
    assert page.open == []
    assert "0 laws judged by 0 methods: nothing held" in page.text
    assert Outcome.UNKNOWN.value in page.text

"""The report as one HTML file: the trust ledger, then each failure, step by step, drawn.

It loads nothing: style and script are inside, and its content security policy allows these two
texts and no more. Whatever the report quotes is shown as text.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup, escape

from poolproof_verification.reports import ABOUT, INSTALL, ONCE_MORE, TO_HAVE_IT
from poolproof_verification.reports.html_chart import drawing
from poolproof_verification.reports.html_failure import failures_of
from poolproof_verification.reports.html_ledger import ledger_of
from poolproof_verification.reports.plain_records import LONGEST_COMMAND
from poolproof_verification.reports.plain_words import visible, visible_lines
from poolproof_verification.reports.report import Report
from poolproof_verification.words import plural

FOLDER = "page"  # beside this module: the template, the style, the script
MOST_LISTED = 5  # failures before the ledger; the others are a click away


def render(report: Report) -> str:
    """The page."""
    style, script = part("report.css"), part("report.js")
    policy = (
        f"default-src 'none'; style-src '{digest(style)}'; script-src '{digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    told = failures_of(report)
    page = environment().get_template("report.html")
    return page.render(
        report=report,
        policy=policy,
        style=Markup(style),
        script=Markup(script),
        ledger=ledger_of(report, told),
        failures=told,
        listed=MOST_LISTED,
        about=ABOUT,
        install=INSTALL,
        to_have_it=TO_HAVE_IT,
        once_more=ONCE_MORE,
        grids=[grid for each in report.judgements for grid in each.grids],
        charts=[drawing(chart) for each in report.judgements for chart in each.charts],
    )


@cache
def part(name: str) -> str:
    """One of the page's parts, as it is in the package."""
    return files(__package__).joinpath(FOLDER, name).read_text("utf-8")


def digest(text: str) -> str:
    """How a content security policy names a text that it allows."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


@cache
def environment() -> Environment:
    """Templates in which every value is escaped, and shown as text that steers nothing."""
    made = Environment(
        loader=FunctionLoader(part),
        autoescape=True,
        finalize=as_text,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["lines"] = lambda text: Markup(escape(visible_lines(text, LONGEST_COMMAND)))
    made.filters["short"] = visible
    made.filters["counted"] = plural
    return made


def as_text(value: Any) -> Any:
    """The value as one line, not too long; what the templates made themselves stays as it is."""
    return value if isinstance(value, Markup) else visible(value)

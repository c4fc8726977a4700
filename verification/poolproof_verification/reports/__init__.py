"""One report, many renderings: each format is a function of the report and of nothing else."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from poolproof_verification.reports.report import Report

# Each format's file. The module of the format's name has `render`, which makes the text of it.
FORMATS = {
    "text": "report.txt",
    "html": "report.html",
    "junit": "junit.xml",
    "sarif": "report.sarif",
    "markdown": "summary.md",
    "github": "annotations.txt",
    "itf": "trace.itf.json",
}
# For whoever has never seen this project.
ABOUT = (
    "poolproof checks the KV-cache block managers of LLM servers against a model of what is right, "
    "and tells the shortest operations found that break a law."
)
INSTALL = "pip install '.[verify]'"  # no index has it
TO_HAVE_IT = "To have the command, in a checkout of poolproof:"
ONCE_MORE = "Once more, where the target can be imported, with the file in the folder of the run:"
Render = Callable[[Report], str]


def renderer(name: str) -> Render:
    """The function that renders reports in this format, one of `FORMATS`."""
    render: Render = import_module(f"{__name__}.{name}").render
    return render

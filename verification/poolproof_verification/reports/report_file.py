"""`report.json`: everything a run found, as plain data, written whole or not at all.

It is the only source of every rendering: what is read back is what was written.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from poolproof_verification.counterexample_file import (
    REPORT,
    Malformed,
    check_digest,
    counterexample_of,
    parsed,
    wrong,
)
from poolproof_verification.exhibits import Chart, Curve, Grid
from poolproof_verification.files import read_whole, write_whole
from poolproof_verification.laws import LAWS
from poolproof_verification.reports.report import Report
from poolproof_verification.verdict import (
    Canary,
    CouldNotRun,
    Evidence,
    Judgement,
    Outcome,
    Verdict,
)

NAME = "report.json"
MOST_BYTES = 256 << 20


def as_json(report: Report) -> dict[str, Any]:
    """The report as plain data; `timings` apart, so that the rest of two runs can be compared."""
    return {
        "report": REPORT,
        "version": report.version,
        "target": report.target,
        "seed": report.seed,
        "command": report.command,
        "outcome": report.result,
        "interrupted": report.interrupted,
        "laws": LAWS,
        "methods": [method_as_json(judgement) for judgement in report.judgements],
        "canaries": [vars(canary) for canary in report.canaries],
        "timings": {
            "seconds": report.seconds,
            "methods": [
                {"cpu_seconds": each.seconds, "notes": list(each.timings)}
                for each in report.judgements
            ],
        },
    }


def method_as_json(judgement: Judgement) -> dict[str, Any]:
    """One method's part."""
    return {
        "method": judgement.method,
        "measures": judgement.measures,
        "not_covered": judgement.not_covered,
        "notes": list(judgement.notes),
        "verdicts": [verdict_as_json(verdict, judgement) for verdict in judgement.verdicts],
        "counterexamples": [each.as_json() for each in judgement.counterexamples],
        "grids": [grid_as_json(grid) for grid in judgement.grids],
        "charts": [chart_as_json(chart) for chart in judgement.charts],
    }


def verdict_as_json(verdict: Verdict, judgement: Judgement) -> dict[str, Any]:
    """One law's part; its counterexample by its number among the method's."""
    found = verdict.counterexample
    told = judgement.counterexamples
    return {
        "law": verdict.law,
        "outcome": verdict.outcome.value,
        "evidence": verdict.evidence.value,
        "count": verdict.count,
        "unit": verdict.unit,
        "scope": verdict.scope,
        "detail": verdict.detail,
        "counterexample": told.index(found) if found in told else None,
    }


def grid_as_json(grid: Grid) -> dict[str, Any]:
    """A table."""
    return vars(grid) | {"columns": list(grid.columns), "rows": list(map(list, grid.rows))}


def chart_as_json(chart: Chart) -> dict[str, Any]:
    """A chart."""
    curves = [
        {"name": curve.name, "points": list(map(list, curve.points))} for curve in chart.curves
    ]
    return vars(chart) | {"curves": curves}


# --- reading --------------------------------------------------------------------------------------


def read(path: Path) -> Report:
    """The file's report; CouldNotRun says what is wrong with the file."""
    text = read_whole(path, MOST_BYTES)
    try:
        return report_of(parsed(text, "report"))
    except Malformed as malformed:
        raise wrong(path, malformed) from None


def report_of(data: dict[str, Any]) -> Report:
    """The report that became this data; Malformed."""
    if unknown := set(data["laws"]) - set(LAWS):
        raise Malformed(f"law {min(unknown)!r} is unknown")
    timings = data["timings"]
    if len(timings["methods"]) != len(data["methods"]):
        raise Malformed("the timings are not those of its methods")
    parts = zip(data["methods"], timings["methods"], strict=True)
    report = Report(
        target=data["target"],
        seed=data["seed"],
        judgements=tuple(judgement_of(method, timing) for method, timing in parts),
        canaries=tuple(Canary(**canary) for canary in data["canaries"]),
        seconds=float(timings["seconds"]),
        command=data["command"],
        interrupted=data["interrupted"],
        version=data["version"],
    )
    if report.result != data["outcome"]:
        raise Malformed(f"its outcome is {report.result!r}, not {data['outcome']!r}")
    return report


def judgement_of(data: dict[str, Any], timing: dict[str, Any]) -> Judgement:
    """One method's part; Malformed."""
    for counterexample in data["counterexamples"]:
        check_digest(counterexample)
    found = tuple(map(counterexample_of, data["counterexamples"]))
    check_agreement(data)
    return Judgement(
        method=data["method"],
        verdicts=tuple(verdict_of(data["method"], each, found) for each in data["verdicts"]),
        seconds=float(timing["cpu_seconds"]),
        not_covered=data["not_covered"],
        notes=tuple(data["notes"]),
        counterexamples=found,
        timings=tuple(timing["notes"]),
        grids=tuple(map(grid_of, data["grids"])),
        charts=tuple(map(chart_of, data["charts"])),
        measures=data["measures"],
    )


def check_agreement(method: dict[str, Any]) -> None:
    """Its verdicts are those of its counterexamples, and a measurement has neither; Malformed."""
    outcomes, found = {each["outcome"] for each in method["verdicts"]}, method["counterexamples"]
    if method["measures"] and (outcomes or found):
        raise Malformed(f"{method['method']} measures, and yet has verdicts or counterexamples")
    if found and Outcome.REFUTED.value not in outcomes:
        raise Malformed(f"{method['method']} has counterexamples, and yet refutes no law")


def verdict_of(method: str, data: dict[str, Any], found: tuple[Any, ...]) -> Verdict:
    """One law's part; Malformed."""
    if data["law"] not in LAWS:
        raise Malformed(f"law {data['law']!r} is unknown")
    number = data["counterexample"]
    if number is not None and number >= len(found):
        raise Malformed(f"{data['law']}: there is no counterexample {number}")
    values = {
        "outcome": Outcome(data["outcome"]),
        "evidence": Evidence(data["evidence"]),
        "counterexample": None if number is None else found[number],
    }
    return Verdict(**{**data, **values, "method": method})


def grid_of(data: dict[str, Any]) -> Grid:
    """The table that became this data; Malformed."""
    rows = tuple(map(tuple, data["rows"]))
    if any(len(row) != len(data["columns"]) for row in rows):
        raise Malformed(f"a row of {data['title']!r} has not as many cells as there are columns")
    return Grid(**{**data, "columns": tuple(data["columns"]), "rows": rows})


def chart_of(data: dict[str, Any]) -> Chart:
    """The chart that became this data."""
    curves = tuple(
        Curve(
            curve["name"],
            tuple((float(across), float(upward)) for across, upward in curve["points"]),
        )
        for curve in data["curves"]
    )
    return Chart(**{**data, "curves": curves})


# --- writing --------------------------------------------------------------------------------------


def prepare(folder: Path) -> None:
    """Make the folder, so that a run does not end in nothing; CouldNotRun if that is impossible."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise CouldNotRun(f"cannot write into {folder}: it is no folder") from None
    except OSError as error:
        raise CouldNotRun(f"cannot write into {folder}: {error.strerror or error}") from error
    if not os.access(folder, os.W_OK):
        raise CouldNotRun(f"cannot write into {folder}: permission denied")


def write(report: Report, folder: Path) -> Path:
    """Write `report.json` into the folder; CouldNotRun if that is impossible."""
    return write_whole(folder / NAME, f"{json.dumps(as_json(report), indent=2)}\n")

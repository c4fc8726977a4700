"""`report.json`: everything a run found, as plain data, written whole or not at all."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from poolproof_verification.files import write_whole
from poolproof_verification.laws import LAWS
from poolproof_verification.suite import Report
from poolproof_verification.verdict import CouldNotRun, Judgement, Verdict

SCHEMA = 1


def as_json(report: Report) -> dict[str, Any]:
    """The report as plain data; `timings` apart, so that the rest of two runs can be compared."""
    return {
        "schema": SCHEMA,
        "target": report.target,
        "seed": report.seed,
        "outcome": report.outcome.value,
        "laws": LAWS,
        "methods": [method_as_json(judgement) for judgement in report.judgements],
        "canaries": [
            {"method": each.method, "bug": each.bug, "refuted": each.refuted, "how": each.how}
            for each in report.canaries
        ],
        "timings": {
            "seconds": round(report.seconds, 2),
            "cpu_seconds": {each.method: round(each.seconds, 2) for each in report.judgements},
            "notes": [line for each in report.judgements for line in each.timings],
        },
    }


def method_as_json(judgement: Judgement) -> dict[str, Any]:
    """One method's part."""
    return {
        "method": judgement.method,
        "not_covered": judgement.not_covered,
        "notes": list(judgement.notes),
        "verdicts": [verdict_as_json(verdict) for verdict in judgement.verdicts],
        "counterexamples": [each.as_json() for each in judgement.counterexamples],
    }


def verdict_as_json(verdict: Verdict) -> dict[str, Any]:
    """One law's part."""
    return {
        "law": verdict.law,
        "outcome": verdict.outcome.value,
        "evidence": verdict.evidence.value,
        "count": verdict.count,
        "unit": verdict.unit,
        "scope": verdict.scope,
        "detail": verdict.detail,
    }


def prepare(folder: Path) -> None:
    """Make the folder, so that a run does not end in nothing; CouldNotRun if that is impossible."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CouldNotRun(f"cannot write into {folder}: {error.strerror or error}") from error
    if not os.access(folder, os.W_OK):
        raise CouldNotRun(f"cannot write into {folder}: permission denied")


def write(report: Report, folder: Path) -> Path:
    """Write `report.json` into the folder; CouldNotRun if that is impossible."""
    return write_whole(folder / "report.json", f"{json.dumps(as_json(report), indent=2)}\n")

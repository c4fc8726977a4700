"""A workload's run as a report: its figures, its charts, and what was checked meanwhile.

Does not cover: anything that the workload did not ask of the manager.
"""

from __future__ import annotations

from collections.abc import Iterator

from poolproof_verification.reports.report import Report
from poolproof_verification.targets import SHIPPED
from poolproof_verification.verdict import Evidence, Judgement, Outcome, Verdict
from poolproof_verification.workloads.figures import Figures
from poolproof_verification.workloads.recorder import Recorder, charts, grid
from poolproof_verification.workloads.simulation import REQUESTS_BETWEEN_CHECKS

METHOD = "workload"
NOT_COVERED = "anything that the workload did not ask of the manager"
BESIDE_THE_MODEL = ("partition", "counts", "tables", "lengths", "results", "refusals")


def report_of(
    figures: Figures, recorder: Recorder, command: str, operations: int = 0, seconds: float = 0.0
) -> Report:
    """`operations`: how many the model judged, each of them rightly done; `seconds`: CPU."""
    judgement = Judgement(
        method=METHOD,
        verdicts=tuple(verdicts(figures, operations)),
        seconds=seconds,
        not_covered=NOT_COVERED,
        grids=(grid(figures),),
        charts=charts(recorder, figures),
    )
    return Report(SHIPPED, 0, (judgement,), seconds=seconds, command=command)


def verdicts(figures: Figures, operations: int) -> Iterator[Verdict]:
    """What held all along, as a run in which anything had not would have ended in no figures."""
    scope = f"{figures.requests:,} requests of one workload"
    for law in BESIDE_THE_MODEL if operations else ():
        yield Verdict(METHOD, law, Outcome.HELD, Evidence.CASES, operations, "operations", scope)
    looks = -(-figures.requests // REQUESTS_BETWEEN_CHECKS)
    unit = "looks at usage()"
    yield Verdict(METHOD, "questions", Outcome.HELD, Evidence.CASES, looks, unit, scope)

"""A workload's run as a report: its figures, its charts, and what was checked meanwhile.

Does not cover: anything that the workload did not ask of the manager.
"""

from __future__ import annotations

from collections.abc import Iterator

from poolproof_verification.reports.report import Report
from poolproof_verification.targets import SHIPPED
from poolproof_verification.verdict import Evidence, Judgement, Outcome, Verdict
from poolproof_verification.workloads.figures import Figures
from poolproof_verification.workloads.judged import Disagreement
from poolproof_verification.workloads.recorder import Recorder, charts, grid

METHOD = "workload"
UNIT = "operations"
ENDED = "one workload, up to the operation that the manager and the model disagree at"
JUDGED_NOTHING = "the model judged nothing here: --lockstep has it judge every operation"
NOT_COVERED = "anything that the workload did not ask of the manager"
BESIDE_THE_MODEL = ("partition", "counts", "tables", "lengths", "results", "refusals")


def report_of(
    figures: Figures, recorder: Recorder, command: str, operations: int = 0, seconds: float = 0.0
) -> Report:
    """`operations`: how many the model judged, each of them rightly done; `seconds`: CPU.

    Where it judged none, no law is held: what the workload itself looks at is a part of one.
    """
    judgement = Judgement(
        method=METHOD,
        verdicts=tuple(verdicts(figures, operations)),
        seconds=seconds,
        not_covered=NOT_COVERED,
        notes=() if operations else (JUDGED_NOTHING,),
        grids=(grid(figures),),
        charts=charts(recorder, figures),
        measures=not operations,
    )
    return Report(SHIPPED, 0, (judgement,), command=command)


def verdicts(figures: Figures, operations: int) -> Iterator[Verdict]:
    """What held all along, as a run in which anything had not would have ended in no figures."""
    scope = f"{figures.requests:,} requests of one workload"
    for law in BESIDE_THE_MODEL if operations else ():
        yield Verdict(METHOD, law, Outcome.HELD, Evidence.CASES, operations, UNIT, scope)


def refuted(disagreement: Disagreement, command: str, seconds: float) -> Report:
    """The run ended where an operation broke these laws; of the others it says nothing."""
    number, details = disagreement.number, dict[str, str]()
    for law, words in disagreement.broken:
        details.setdefault(law, f"{disagreement.operation}: {words}")
    found = tuple(
        Verdict(METHOD, law, Outcome.REFUTED, Evidence.CASES, number, UNIT, ENDED, detail)
        for law, detail in details.items()
    )
    judgement = Judgement(METHOD, found, seconds, NOT_COVERED)
    return Report(SHIPPED, 0, (judgement,), command=command)

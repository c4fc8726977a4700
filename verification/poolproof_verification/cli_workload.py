"""The command `workload`: a real serving trace on the manager, and what it comes to."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Annotated

import typer

from poolproof import BlockManager
from poolproof_verification.cli_base import OutIfAny, app, leave, left_behind, prepare, write
from poolproof_verification.progress import at, shown
from poolproof_verification.verdict import Outcome


@app.command()
def workload(
    file: Annotated[Path, typer.Argument(help="Azure CSV or Mooncake JSONL, plain or gzip.")],
    block_size: Annotated[int, typer.Option(help="Slots in a block.")] = 16,
    blocks: Annotated[
        int | None, typer.Option(help="Blocks in the pool; without it, it is never full.")
    ] = None,
    samples: Annotated[int, typer.Option(help="Samples a prompt, by fork.")] = 1,
    limit: Annotated[int | None, typer.Option(help="The first requests only.")] = None,
    format: Annotated[str | None, typer.Option(help="azure or mooncake; else detected.")] = None,
    lockstep: Annotated[
        bool,
        typer.Option(help="The model judges every operation; slow in large pools, see --limit."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    out: OutIfAny = None,
) -> None:
    """Run a real serving workload through the manager, and read waste and sharing off it."""
    from poolproof_verification.reports.report import command_of
    from poolproof_verification.targets import SHIPPED, find_target
    from poolproof_verification.workloads import run as replay
    from poolproof_verification.workloads.judged import Disagreement, JudgedManager
    from poolproof_verification.workloads.recorder import Recorder
    from poolproof_verification.workloads.report import METHOD, refuted, report_of
    from poolproof_verification.workloads.table import lines

    judges: list[JudgedManager] = []

    def judged(total: int, size: int) -> JudgedManager:
        judges.append(JudgedManager(total, size, find_target(SHIPPED)))
        return judges[-1]

    def told(done: int) -> None:
        at(f"{done:,} requests", done / limit if limit else None)

    recorder, started = None if out is None else Recorder(), time.process_time()
    prepare(out)
    command = command_of(
        "workload", file, block_size=block_size, blocks=blocks, samples=samples, limit=limit,
        format=format, lockstep=lockstep,
    )  # fmt: skip
    try:
        with left_behind(out, METHOD, command), shown("workload"):
            figures = replay(
                file, format, block_size, blocks, samples, limit,
                judged if lockstep else BlockManager, told, recorder,
            )  # fmt: skip
    except Disagreement as disagreement:
        write(refuted(disagreement, command, time.process_time() - started), out)
        print(f"the manager and the model disagree at {disagreement}")
        leave(Outcome.REFUTED)
    if recorder is not None:
        operations = judges[-1].operations if judges else 0
        seconds = time.process_time() - started
        write(report_of(figures, recorder, command, operations, seconds), out)
    if as_json:
        print(json.dumps(figures.as_dict(), indent=2))
    else:
        print("\n".join(lines(figures)))
        if lockstep:
            print("the model judged every operation: held")

"""Search an engine's front door: `python -m poolproof_verification.engines ENGINE`.

Exit codes as everywhere: 0 nothing found, 1 a fault found, 2 could not run, 3 nothing settled.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from poolproof_verification.engines.front_door import (
    ANSWERED,
    Fault,
    Found,
    FrontDoor,
    search,
)
from poolproof_verification.engines.transformers_batches import TransformersBatches
from poolproof_verification.engines.vllm_requests import VllmRequests
from poolproof_verification.verdict import COULD_NOT_RUN, EXIT_CODES, CouldNotRun, Outcome
from poolproof_verification.words import plural

DOORS: dict[str, Callable[[], FrontDoor[Any]]] = {
    "transformers": TransformersBatches,
    "vllm": VllmRequests,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Search, print what was found, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m poolproof_verification.engines")
    parser.add_argument("engine", choices=DOORS)
    parser.add_argument("--seed", type=int, default=0, help="what the uses are drawn from")
    parser.add_argument("--uses", type=int, default=40, help="how many are drawn")
    given = parser.parse_args(arguments)
    try:
        return searched(DOORS[given.engine](), given.seed, given.uses)
    except CouldNotRun as error:
        print(f"poolproof: {error}", file=sys.stderr)
        return COULD_NOT_RUN


def searched(door: FrontDoor[Any], seed: int, uses: int) -> int:
    """Search one front door and tell of it."""
    start = time.monotonic()
    result = search(door, seed, uses)
    for fault in result.faults:
        print("\n".join(told(door.engine, fault)))
    for refusal in result.refusals:
        print(f"{door.engine} refuses, and tells its caller: {refusal}")
    outcome = outcome_of(result)
    drawn = f"{plural(uses, 'use')} drawn from seed {seed}"
    kinds = ", ".join(f"{kind}: {count}" for kind, count in sorted(result.kinds.items()))
    seconds = f"{time.monotonic() - start:.0f} s"
    print(f"front door: {outcome.value}: {door.engine}, {drawn} ({kinds or 'none'}), {seconds}")
    return EXIT_CODES[outcome]


def outcome_of(result: Found) -> Outcome:
    """Refuted by a fault; held only where something was answered."""
    if result.faults:
        return Outcome.REFUTED
    return Outcome.HELD if result.kinds.get(ANSWERED) else Outcome.UNKNOWN


def told(engine: str, fault: Fault) -> list[str]:
    """The fault, with the code that shows it."""
    lines = [f"{engine}: {fault.seen.kind}: {fault.seen.harm}"]
    if fault.seen.logged:
        lines.append(f"  the engine writes: {fault.seen.logged}")
    lines.append(f"  first in use {fault.number}, made smaller by {plural(fault.tried, 'other')}:")
    return [*lines, "", *(f"    {line}".rstrip() for line in fault.code.splitlines()), ""]


if __name__ == "__main__":
    sys.exit(main())

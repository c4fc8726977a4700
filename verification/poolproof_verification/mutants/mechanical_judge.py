"""What becomes of the mechanical mutants: refuted by some method, or explained as equivalent.

Each is judged by the methods in the order of their cost, up to the first that refutes it. One that
does not end is noticed by that. A survivor without an explanation is a fault; so is an explanation
for a mutant that is noticed, or no longer made.

Does not cover: what only Hypothesis' machine or the symbolic search of the contracts would find;
they are slow, and are measured by the seeded bugs.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from poolproof import BlockManager
from poolproof_verification.contracts.catalogue import CONTRACTS
from poolproof_verification.draws import HOLES, Shape
from poolproof_verification.driver import Driver
from poolproof_verification.exhibits import Grid
from poolproof_verification.limits import NOT_ENDED, patient_once
from poolproof_verification.mutants.endless import Endless, ends, within
from poolproof_verification.mutants.equivalent import EQUIVALENT
from poolproof_verification.mutants.mechanical import CodeMutant, by_name, code_mutants
from poolproof_verification.mutants.methods import (
    ENDLESS,
    Found,
    asked,
    explored,
    first,
    swept,
)
from poolproof_verification.mutants.patches import REAL, forget, load_text, renamed, sources
from poolproof_verification.progress import at
from poolproof_verification.record import Record
from poolproof_verification.scopes import SMALL_SCOPES
from poolproof_verification.targets import ClassTarget
from poolproof_verification.verdict import CouldNotRun
from poolproof_verification.words import error_told
from poolproof_verification.workers import judged

PACKAGE = f"{REAL}_mutant_of_code"
RUNS = 80  # of the random driver: a number, so that a slow machine searches as much as a fast one
STAGE_SECONDS = 4.0  # CPU, for one method, which takes less than one where every call ends
CLOCK = 120.0  # seconds for one mutant, before its process is ended
REFUTED, HANGS, SURVIVES = "refuted", "hangs", "survives"


def fitting(manager: type[BlockManager]) -> Found | None:
    """Small cases of the contracts in plain Python."""
    words = filter(None, (swept(contract, manager) for contract in CONTRACTS))
    return next((Found(0.0, 1, each) for each in words), None)


def driven(manager: type[BlockManager], shape: Shape | None = None) -> Found | None:
    """So many runs of the random driver; `shape`: of all its pools."""
    driver = Driver(Record(ClassTarget("mutant", manager)), 0, shape)
    while not driver.record.faults and driver.number < RUNS:
        driver.run()
    return first(driver.record, 0.0, shorten=False)


STAGES: dict[str, Callable[[type[BlockManager]], Found | None]] = {
    "random": driven,
    "holes": lambda manager: driven(manager, HOLES),
    "asking": asked,
    "contracts": fitting,
    "explore": lambda manager: explored(manager, SMALL_SCOPES[:3], shorten=False),
}
# What is tried first: the random driver where nothing is said.
FIRST = {
    "block_pool.py": "holes",
    "errors.py": "asking",
    "usage.py": "asking",
    "violations.py": "asking",
}


@dataclass(frozen=True)
class Fate:
    """What became of one mutant."""

    name: str
    wrong: str
    outcome: str  # refuted, hangs or survives
    method: str = ""
    words: str = ""
    seconds: float = 0.0  # CPU

    def __str__(self) -> str:
        """One line for a log."""
        if self.outcome == SURVIVES:
            return f"{self.wrong}: survives: {EQUIVALENT.get(self.name, 'not explained')}"
        return f"{self.wrong}: {self.outcome} ({self.method}, {self.seconds:.2f} s): {self.words}"


def fate(name: str) -> Fate:
    """Judge the mutant of this name."""
    mutant, started = by_name()[name], time.process_time()
    outcome, method, words = outcome_of(mutant.file, mutant.text)
    seconds = time.process_time() - started
    return Fate(name, mutant.wrong, outcome, method, words, seconds)


def outcome_of(file: str, text: str) -> tuple[str, str, str]:
    """(outcome, method, words) of the manager with another text in this file."""
    try:
        manager = load_text(PACKAGE, renamed(sources() | {file: text}, PACKAGE))
    except Exception as error:
        return REFUTED, "import", error_told(error)
    try:
        if not ends(manager):
            return HANGS, "probe", f"some call {ENDLESS}"
        for method in in_order(file):
            with patient_once():
                found = within(STAGE_SECONDS, STAGES[method], manager)
            if found:
                endless = any(sign in found.words for sign in (NOT_ENDED, ENDLESS))
                return HANGS if endless else REFUTED, method, found.words
    except Endless:
        return HANGS, method, f"some call {ENDLESS}"
    except CouldNotRun as error:  # it makes no manager of some size
        return REFUTED, "constructor", str(error)
    finally:
        forget(PACKAGE)
    return SURVIVES, "", ""


def in_order(file: str) -> Iterator[str]:
    """The methods, the likeliest for this file first."""
    first = FIRST.get(file, "random")
    yield first
    yield from (method for method in STAGES if method != first)


@dataclass(frozen=True)
class MechanicalReport:
    """All that were judged."""

    fates: tuple[Fate, ...]

    @property
    def survivors(self) -> tuple[Fate, ...]:
        """Those that nothing notices."""
        return tuple(each for each in self.fates if each.outcome == SURVIVES)

    def count(self, outcome: str) -> int:
        """How many ended so."""
        return sum(each.outcome == outcome for each in self.fates)

    def faults(self) -> tuple[str, ...]:
        """What is wrong with the checks or with the explanations: each a line."""
        surviving = {each.name for each in self.survivors}
        noticed = {each.name for each in self.fates} - surviving
        made = set(by_name())
        return (
            *(f"{e.wrong}: escapes" for e in self.survivors if e.name not in EQUIVALENT),
            *(f"{name}: explained, yet noticed" for name in EQUIVALENT if name in noticed),
            *(f"{name}: explained, yet not made" for name in EQUIVALENT if name not in made),
        )

    def lines(self) -> list[str]:
        """The figures, and every survivor with its explanation."""
        seconds = sum(each.seconds for each in self.fates)
        methods = dict.fromkeys(each.method for each in self.fates if each.method)
        by = (f"{sum(e.method == method for e in self.fates)} by {method}" for method in methods)
        figures = (
            f"{len(self.fates)} mechanical mutants: {self.count(REFUTED)} refuted, "
            f"{self.count(HANGS)} hang, {self.count(SURVIVES)} survive; {', '.join(by)}; "
            f"{seconds:.0f} CPU s"
        )
        return [figures, *map(str, self.survivors)]

    def grid(self) -> Grid:
        """What became of how many, by file, and each survivor with its explanation."""
        outcomes = REFUTED, HANGS, SURVIVES
        files = dict.fromkeys(each.name.partition(":")[0] for each in self.fates)
        counts = {
            file: Counter(e.outcome for e in self.fates if e.name.startswith(f"{file}:"))
            for file in files
        }
        rows = [
            (file, *(str(counts[file][each]) for each in outcomes), "") for file in sorted(files)
        ]
        rows += [(e.wrong, "", "", "1", EQUIVALENT.get(e.name, "")) for e in self.survivors]
        columns = "file or survivor", *outcomes, "why nothing can notice it"
        return Grid("bugs made by machine", columns, tuple(rows))

    def counted(self) -> tuple[int, str]:
        """How many were hunted, and where."""
        return len(self.fates), "bugs made by machine in every file of the manager"

    def as_json(self) -> dict[str, Any]:
        """Plain data for the report."""
        return {
            "judged": len(self.fates),
            "refuted": self.count(REFUTED),
            "hangs": self.count(HANGS),
            "survivors": {each.name: EQUIVALENT.get(each.name, "") for each in self.survivors},
            "fates": [asdict(each) for each in self.fates],
            "faults": list(self.faults()),
        }


def mechanical(
    mutants: Iterable[CodeMutant] | None = None,
    progress: Callable[[str], None] = lambda line: None,
    workers: int = 2,
) -> MechanicalReport:
    """Judge these mutants, or all; `progress` gets a line for each."""
    tasks = tuple(mutant.name for mutant in (code_mutants() if mutants is None else mutants))
    fates: dict[int, Fate] = {}
    for index, answer in judged(fate, tasks, CLOCK, workers):
        name = tasks[index]
        late = Fate(name, by_name()[name].wrong, HANGS, "the clock", f"more than {CLOCK:g} s")
        fates[index] = answer or late
        progress(str(fates[index]))
        at(f"{len(fates)} of {len(tasks)} mutants; {fates[index].wrong}", len(fates) / len(tasks))
    return MechanicalReport(tuple(fates[index] for index in range(len(tasks))))

"""The seeded bugs against the methods: which finds which, how soon, how short the counterexample.

The shipped manager is hunted, too: a method that finds something there finds nothing anywhere.

Does not cover: bugs that are not in the catalogue.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from poolproof import BlockManager
from poolproof_verification.exhibits import Grid
from poolproof_verification.mutants.catalogue import MUTANTS
from poolproof_verification.mutants.methods import DRAWING, METHODS, Found, hunt
from poolproof_verification.mutants.patches import Mutant, load
from poolproof_verification.progress import at
from poolproof_verification.words import plural
from poolproof_verification.workers import judged

SECONDS = 10.0  # CPU, within which some method must refute a bug
# CPU seconds after which a method gives up; what it has not found by then it hardly ever finds.
PATIENCE = {"explore": 10.0, "random": 4.0, "machine": 2.0, "contracts": 10.0, "asking": 10.0}
CLOCK = 300.0  # seconds for one bug and method, before its process is ended
SEEDS = (0, 1, 2)
SHIPPED = "(the shipped manager)"
NOTE = "how long the counterexample is that each method finds; - where it finds none"


@dataclass(frozen=True)
class Cell:
    """What one method made of one bug."""

    method: str
    tried: int  # seeds
    found: int  # of these
    seconds: float = 0.0  # CPU, of the slowest
    length: int = 0  # operations of the counterexample of the first seed
    words: str = ""

    @property
    def refuted(self) -> bool:
        """With every seed, in time."""
        return 0 < self.tried == self.found and self.seconds <= SECONDS

    def __str__(self) -> str:
        """The cell of a table."""
        if not self.refuted:
            return "-" if not self.found else f"({self.found} of {self.tried})"
        return f"{self.seconds:.2f} s, {self.length}"


@dataclass(frozen=True)
class Row:
    """What all methods made of one bug."""

    name: str
    law: str
    wrong: str
    unbounded: bool
    seen: str
    cells: tuple[Cell, ...]

    @property
    def refuted(self) -> bool:
        """By at least one method."""
        return any(cell.refuted for cell in self.cells)

    def by(self, method: str) -> bool:
        """By this method."""
        return any(cell.refuted for cell in self.cells if cell.method == method)


@dataclass(frozen=True)
class Matrix:
    """All bugs and all methods."""

    methods: tuple[str, ...]
    rows: tuple[Row, ...]
    shipped: Row | None  # what the methods made of the manager as it is; None if not asked

    def faults(self) -> tuple[str, ...]:
        """What is wrong with the methods: each a line."""
        false = [cell for cell in self.shipped.cells if cell.found] if self.shipped else []
        lazy = [each for each in self.methods if self.shipped and not self.caught(each)]
        return (
            *(f"{row.name} escapes: {row.wrong}" for row in self.rows if not row.refuted),
            *(f"{row.name} escapes the contracts" for row in self.rows if self.too_large(row)),
            *(f"{cell.method} refutes the shipped manager: {cell.words}" for cell in false),
            *(f"{method} refutes nothing" for method in lazy),
        )

    def too_large(self, row: Row) -> bool:
        """A bug beyond a large number that the contracts do not refute; only they must."""
        return "contracts" in self.methods and row.unbounded and not row.by("contracts")

    def caught(self, method: str) -> int:
        """How many bugs the method refutes."""
        return sum(row.by(method) for row in self.rows)

    def lines(self) -> list[str]:
        """The matrix as text: seconds and operations; what escapes a method has a dash."""
        width = max(map(len, (SHIPPED, *(row.name for row in self.rows))))
        rows = (*self.rows, *filter(None, (self.shipped,)))
        counts = [f"{self.caught(method)} of {len(self.rows)}" for method in self.methods]
        table = [
            ("CPU s, operations", "law", self.methods),
            *((row.name, row.law, row.cells) for row in rows),
            ("refuted by", "", counts),
        ]
        return [
            "  ".join((name.ljust(width), law.ljust(11), *(f"{cell!s:>12}" for cell in cells)))
            for name, law, cells in table
        ]

    def grid(self) -> Grid:
        """The same as an exhibit, without the seconds, which are others in every run."""
        rows = [(row.name, row.law, row.wrong, *map(found_by, row.cells)) for row in self.rows]
        if self.shipped:
            cells = map(found_by, self.shipped.cells)
            rows.append((SHIPPED, "", self.shipped.wrong, *cells))
        counts = (f"{self.caught(method)} of {len(self.rows)}" for method in self.methods)
        rows.append(("refuted by", "", "", *counts))
        columns = "bug", "law", "what is wrong", *self.methods
        return Grid("seeded bugs", columns, tuple(rows), NOTE)

    def counted(self) -> tuple[int, str]:
        """How many were hunted, and where."""
        return len(self.rows), f"the catalogued bugs, by {', '.join(self.methods)}"

    def as_json(self) -> dict[str, Any]:
        """Plain data for the report."""
        return {
            "methods": list(self.methods),
            "rows": [asdict(row) | {"refuted": row.refuted} for row in self.rows],
            "refuted_by": {method: self.caught(method) for method in self.methods},
            "faults": list(self.faults()),
        }


def found_by(cell: Cell) -> str:
    """What the method made of the bug, the same in every run."""
    if not cell.refuted:
        return "-" if not cell.found else f"{cell.found} of {cell.tried} seeds"
    return plural(cell.length, "operation")


Task = tuple[Mutant | None, str, tuple[int, ...]]


def cell(task: Task) -> Cell:
    """Hunt one bug, or nothing at all, by one method with every seed; stop at one that misses."""
    mutant, method, seeds = task
    manager = load(mutant) if mutant else BlockManager
    found: list[Found] = []
    tried = 0
    for seed in seeds if method in DRAWING else seeds[:1]:
        tried += 1
        one = hunt(method, manager, seed, PATIENCE[method], shorten=not found)
        if one is None:
            break
        found.append(one)
    if not found:
        return Cell(method, tried, 0)
    slowest = max(each.seconds for each in found)
    return Cell(method, tried, len(found), slowest, found[0].length, found[0].words)


def matrix(
    mutants: Iterable[Mutant] = MUTANTS,
    methods: Sequence[str] = tuple(METHODS),
    seeds: tuple[int, ...] = SEEDS,
    progress: Callable[[str], None] = lambda line: None,
    workers: int = 2,
    control: bool = True,
) -> Matrix:
    """Hunt each bug by each method; `control`: and the shipped manager, in which there is none."""
    hunted = (*mutants, *((None,) if control else ()))
    tasks: list[Task] = [(mutant, method, seeds) for mutant in hunted for method in methods]
    cells: dict[int, Cell] = {}
    for index, answer in judged(cell, tasks, CLOCK, workers):
        mutant, method, _ = tasks[index]
        cells[index] = answer or Cell(method, 1, 0, words=f"not ended after {CLOCK:g} s")
        line = f"{mutant.name if mutant else SHIPPED}, {method}: {cells[index]}"
        progress(line)
        at(f"{len(cells)} of {len(tasks)} hunts; {line}", len(cells) / len(tasks))
    width = len(methods)
    rows = [
        row_of(mutant, tuple(cells[at * width + i] for i in range(width)))
        for at, mutant in enumerate(hunted)
    ]
    return Matrix(
        tuple(methods), tuple(rows[:-1] if control else rows), rows[-1] if control else None
    )


def row_of(mutant: Mutant | None, cells: tuple[Cell, ...]) -> Row:
    """The bug's row; without a bug, the shipped manager's."""
    if mutant is None:
        return Row(SHIPPED, "", "nothing is known to be wrong", False, "", cells)
    about = mutant.name, mutant.law, mutant.wrong, mutant.unbounded, mutant.seen
    return Row(*about, cells)

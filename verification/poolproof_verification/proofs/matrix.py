"""The obligation matrix: a row a transition, a column an invariant, each cell a verdict and a time.

Below the matrix stands everything else by name, in groups and in words that a programmer reads.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from typing import Any

from poolproof_model.invariants import INVARIANTS
from poolproof_model.promises import FRAMES
from poolproof_model.system import TRANSITIONS, Clause, Transition
from poolproof_verification.exhibits import Grid
from poolproof_verification.proofs.goals import Obligation
from poolproof_verification.proofs.solve import Result

INITIALLY = "initially"
OTHERS = "obligation", "group", "verdict", "why not"
OF_THE_MODEL = "held: proved of the model, for any size"
NOT_TRIED = "-"  # not selected, or not reached before the end
GROUPS = (
    "invariants",
    "complete postconditions",
    "safety goals",
    "frames",
    "exact admission",
    "loops",
    "footprint",
    "lemmas",
)
# Promises that say what must never happen; any other promise is part of a postcondition.
SAFETY = {
    "release_frees_exactly_the_last_held",
    "release_frees_no_held_block",
    "release_loses_no_block",
    "writes_only_its_own_blocks",
    "all free",
}
OTHER = {
    "frame": "frames",
    "admission": "exact admission",
    "admits": "exact admission",
    "loop": "loops",
}
# What an invariant's name means to somebody who has not read it.
PHRASES = {
    "partition": "the split into free and referenced blocks",
    "counts": "reference counts",
    "lengths": "the lengths of tables",
    "contents": "what every sequence reads",
    "holders": "who holds a block",
    "tables": "block tables",
}


def group_of(obligation: Obligation, invariants: Iterable[Clause] = INVARIANTS) -> str:
    """The part of the report that the obligation stands in."""
    clause = obligation.clause
    if obligation.name.startswith("lemma "):
        return "lemmas"
    if clause in {invariant.__name__ for invariant in invariants}:
        return "invariants"
    if clause in SAFETY:
        return "safety goals"
    if clause in {frame.__name__ for frame in FRAMES}:
        return "frames"
    if clause.startswith("footprint"):
        return "footprint"
    return OTHER.get(clause, "complete postconditions")


def words_of(obligation: Obligation) -> str:
    """The obligation in words: its name, with an invariant's meaning for an invariant's name."""
    phrase = PHRASES.get(obligation.clause, obligation.clause)
    words = obligation.name.removesuffix(obligation.clause)
    return (words + phrase if words != obligation.name else words).replace("_", " ")


def verdict_of(result: Result, refuted: Container[str]) -> str:
    """Held, refuted by concrete operations, or unknown."""
    if result.proved:
        return "held"
    return "refuted" if result.name in refuted else "unknown"


def line_of(result: Result, refuted: Container[str] = ()) -> str:
    """One obligation in one line."""
    told = f"{words_of(result.obligation)}: {verdict_of(result, refuted)}"
    why = "" if result.proved else f" ({result.reason})"
    return f"{told}{why}, {result.milliseconds:.0f} ms"


def cells(
    results: Iterable[Result], refuted: Container[str], invariants: Iterable[Clause]
) -> dict[tuple[str, str], Result]:
    """The results about invariants, by row and column."""
    return {
        (row_of(result.obligation), result.obligation.clause): result
        for result in results
        if group_of(result.obligation, invariants) == "invariants"
    }


def row_of(obligation: Obligation) -> str:
    """The row of the matrix that the obligation stands in."""
    return INITIALLY if obligation.transition == "initial" else obligation.transition


def matrix(
    results: Iterable[Result],
    refuted: Container[str] = (),
    transitions: Iterable[Transition] = TRANSITIONS,
    invariants: Iterable[Clause] = INVARIANTS,
) -> Iterator[str]:
    """The matrix as lines of text, initiation first."""
    columns = [invariant.__name__ for invariant in invariants]
    found = cells(results, refuted, invariants)
    rows = [["", *columns]]
    for row in (INITIALLY, *(transition.name for transition in transitions)):
        rows.append([row, *(cell(found.get((row, column)), refuted) for column in columns)])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for each in rows:
        padded = (words.ljust(width) for words, width in zip(each, widths, strict=True))
        yield "  ".join(padded).rstrip()


def grids(
    results: Iterable[Result],
    refuted: Container[str] = (),
    transitions: Iterable[Transition] = TRANSITIONS,
    invariants: Iterable[Clause] = INVARIANTS,
) -> tuple[Grid, Grid]:
    """The matrix and everything else as exhibits, without times, which are others in every run."""
    results, invariants = tuple(results), tuple(invariants)
    columns = [invariant.__name__ for invariant in invariants]
    found = {
        place: verdict_of(result, refuted)
        for place, result in cells(results, refuted, invariants).items()
    }
    rows = [
        (row, *(found.get((row, column), NOT_TRIED) for column in columns))
        for row in (INITIALLY, *(transition.name for transition in transitions))
    ]
    grouped = [(group_of(each.obligation, invariants), each) for each in results]
    others = [
        (words_of(each.obligation), group, verdict_of(each, refuted), each.reason)
        for group in GROUPS[1:]
        for known, each in grouped
        if known == group
    ]
    return (
        Grid("each transition keeps each invariant", ("", *columns), tuple(rows), OF_THE_MODEL),
        Grid("all other proof obligations", OTHERS, tuple(others), OF_THE_MODEL),
    )


def cell(result: Result | None, refuted: Container[str]) -> str:
    """One cell's verdict and time."""
    if result is None:
        return NOT_TRIED
    return f"{verdict_of(result, refuted)} {result.milliseconds:.0f} ms"


def listing(
    results: Iterable[Result],
    refuted: Container[str] = (),
    invariants: Iterable[Clause] = INVARIANTS,
) -> Iterator[str]:
    """Every obligation in one line, in groups."""
    results = tuple(results)
    for group in GROUPS:
        about = [each for each in results if group_of(each.obligation, invariants) == group]
        if about:
            held = sum(each.proved for each in about)
            yield f"{group}: {held} of {len(about)} proved of the model"
            yield from (f"  {line_of(each, refuted)}" for each in about)


def figures(
    results: Iterable[Result], invariants: Iterable[Clause] = INVARIANTS
) -> Iterator[tuple[str, int]]:
    """How many obligations of each group are proved of the model."""
    results = tuple(results)
    for group in GROUPS:
        about = [each for each in results if group_of(each.obligation, invariants) == group]
        yield group, sum(each.proved for each in about)


def as_json(
    results: Iterable[Result],
    refuted: Container[str] = (),
    invariants: Iterable[Clause] = INVARIANTS,
) -> list[dict[str, Any]]:
    """Every result, to be read by a program."""
    return [
        {
            "name": result.name,
            "words": words_of(result.obligation),
            "sentence": result.obligation.sentence,
            "group": group_of(result.obligation, invariants),
            "transition": result.obligation.transition,
            "clause": result.obligation.clause,
            "law": result.obligation.law,
            "hypotheses": [name for name, _ in result.obligation.hypotheses],
            "lemmas": [lemma.name for lemma in result.obligation.lemmas],
            "verdict": verdict_of(result, refuted),
            "reason": result.reason,
            "milliseconds": round(result.milliseconds, 1),
        }
        for result in results
    ]

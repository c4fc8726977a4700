"""What a manager does in a loop over blocks is what the model's effect says of all blocks at once.

The model writes an effect pointwise; code walks a list of blocks, one pass each. For any number
of passes: the loop's invariant holds before the first pass (base), each pass keeps it (step), and
after the last pass counts and free blocks are the effect's (exit).

Does not cover: that some code has this loop; exploration and fuzzing look at code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import z3

from poolproof_model.algebra import Truth, choose
from poolproof_verification.proofs.claims import Step
from poolproof_verification.proofs.goals import Formula
from poolproof_verification.proofs.symbols import for_all
from poolproof_verification.proofs.term import INTEGER, SET, Term, bare, formula

Pass = Callable[[Any, Any, Any], tuple[Any, Any]]  # counts, free blocks, a block -> the same after

COUNTS = z3.Const("counts so far", z3.ArraySort(INTEGER, INTEGER))
FREE = z3.Const("free so far", SET)
DONE = z3.Int("passes done")


@dataclass(frozen=True)
class Loop:
    """Passes 0 .. end - 1, of which pass i is for `block(i)`; `place` is the inverse of `block`."""

    law: str
    end: Any
    block: Callable[[Any], Any]
    place: Callable[[Any], Any]
    listed: Callable[[Any], Truth]
    run: Pass


def over_table(law: str, source: str, run: Pass) -> Callable[[Step], Loop]:
    """A loop over the block table of the argument of this name."""

    def loop(step: Step) -> Loop:
        sequence, before = step.arguments[source], step.before
        return Loop(
            law,
            before.table_length(sequence),
            lambda index: before.block_at(sequence, index),
            lambda block: before.index_of(sequence, block),
            lambda block: before.holds(sequence, block),
            run,
        )

    return loop


def over_choice(law: str, run: Pass) -> Callable[[Step], Loop]:
    """A loop over the chosen blocks."""
    return lambda step: Loop(
        law,
        step.needed,
        step.choice.block,
        step.choice.index_of,
        lambda block: step.choice.takes(step.needed, block),
        run,
    )


def take(counts: Any, free: Any, block: Any) -> tuple[Any, Any]:
    """The block is referenced once and no longer free."""
    return z3.Store(counts, block, 1), z3.Store(free, block, False)


def share(counts: Any, free: Any, block: Any) -> tuple[Any, Any]:
    """The block is referenced once more."""
    return z3.Store(counts, block, counts[block] + 1), free


def let_go(counts: Any, free: Any, block: Any) -> tuple[Any, Any]:
    """The block is referenced once less, and free if that was the last."""
    fewer = counts[block] - 1
    return z3.Store(counts, block, fewer), z3.If(fewer == 0, z3.Store(free, block, True), free)


LOOPS: dict[str, Callable[[Step], Loop]] = {
    "allocate": over_choice("promises", take),
    "fork": over_table("counts", "parent", share),
    "release": over_table("release", "sequence", let_go),
}


def loop_cases(
    step: Step, loop: Loop, block: Term
) -> Iterator[tuple[str, tuple[Formula, ...], Formula]]:
    """The three things to prove of a loop, at any block: each its name, hypotheses and goal."""
    before, after, done = step.before, step.after, Term(DONE)

    def so_far(counts: Any, free: Any, done: Any, at: Any) -> Truth:
        """Blocks whose pass is done are as after the transition, all others as before it."""
        passed = loop.listed(at) & (loop.place(at) < done)
        count = choose(passed, after.reference_count(at), before.reference_count(at))
        is_free = choose(passed, after.free(at), before.free(at))
        return (counts(at) == count) & (free(at) == is_free)

    def stored(array: Any) -> Callable[[Any], Any]:
        return lambda at: Term(array[bare(at)])

    assumed = for_all(
        lambda block: so_far(stored(COUNTS), stored(FREE), done, block),
        {"block": "Block"},
        "loop invariant",
    )
    start = so_far(before.reference_count, before.free, 0, block)
    yield "base", (), formula(start)
    counts, free = loop.run(COUNTS, FREE, bare(loop.block(done)))
    running = formula((done >= 0) & (done < loop.end))
    yield "step", (assumed, running), formula(so_far(stored(counts), stored(free), done + 1, block))
    finished = (stored(COUNTS)(block) == after.reference_count(block)) & (
        stored(FREE)(block) == after.free(block)
    )
    yield "exit", (assumed, formula(done == loop.end)), formula(finished)

"""One run told by another: other names, or two operations the other way round, change nothing.

Names: outcomes, results and every state must be the same up to the names. Order: each of the two
operations must have the same outcome and result (two releases together the same freed blocks), and
both orders lead to the same state. Where any free block may be taken, blocks count as the same that
stand at the same places.

Does not cover: what is wrong in both runs alike; questions; more than two operations swapped; names
whose hash changes from one process to the next in more than the one order that it has here.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from poolproof_verification.lives import Life, Lives, shortest
from poolproof_verification.mutants import Mutant, load
from poolproof_verification.other_names import kinds_for, told_by_names
from poolproof_verification.other_order import pairs_after, told_by_order
from poolproof_verification.progress import at
from poolproof_verification.seen import NeverEnds, Tally
from poolproof_verification.targets import ClassTarget, KnownTarget
from poolproof_verification.verdict import INTERRUPTED, Canary, CouldNotRun, Judgement

METHOD = "metamorphic"
LAWS = ("names", "order")
RUNS = 150
UNIT = "pairs of runs"
SCOPE = "random runs of up to 24 operations on pools of up to 8 blocks, each told by another"
NOT_COVERED = "what is wrong in both runs alike; questions; larger pools"


class Search:
    """Random lives, each judged by the laws that are not broken yet."""

    def __init__(self, target: KnownTarget, seed: int) -> None:
        """Nothing is judged yet."""
        self.target, self.lives, self.tally = target, Lives(target.traits, seed), Tally()
        self.kinds = kinds_for(target)

    def run(self) -> None:
        """One more life; NeverEnds."""
        life = self.lives.draw()
        try:
            for words in self.kinds:
                self.judge("names", life, partial(told_by_names, kind=self.kinds[words]), words)
            for pair in pairs_after(self.lives, life):
                self.judge("order", life, partial(told_by_order, pair=pair), "")
        except CouldNotRun:  # no pool of this size is made
            return

    def judge(
        self, law: str, life: Life, told: Callable[[KnownTarget, Life], str], by: str
    ) -> None:
        """Keep the shortest life that breaks the law so, if this one does."""
        if law in self.tally.broken:
            return
        self.tally.judged(law)
        told_of = partial(told, self.target)
        if told_of(life):
            least = shortest(life, told_of)
            self.tally.broken[law] = "; ".join(
                filter(None, (f"{told_of(least)}: after {least}", by))
            )


def check(target: KnownTarget, seed: int, runs: int = RUNS) -> Judgement:
    """Judge so many random lives by both laws."""
    started, tally, notes = time.process_time(), Tally(), []
    try:
        search = Search(target, seed)
        tally, notes = search.tally, [f"the names: {', '.join(search.kinds)}"]
        for number in range(runs):
            at(tally.told(), number / runs)
            search.run()
    except NeverEnds as error:
        tally.ended = str(error)
    except KeyboardInterrupt:
        tally.ended = INTERRUPTED
    judged = [law for law in LAWS if law in tally.counts or law == "names"]
    verdicts = tally.verdicts(METHOD, dict.fromkeys(judged, UNIT), SCOPE)
    notes += [f"not judged: {law}: nothing to judge" for law in LAWS if law not in judged]
    return Judgement(METHOD, verdicts, time.process_time() - started, NOT_COVERED, tuple(notes))


# The names that other searches use begin with A to L, so they never come upon it.
BUG = Mutant(
    "late_names_get_one_block",
    "a sequence whose name sorts behind M gets one block, however many its tokens need",
    "names",
    "block_manager.py",
    "if count == 1 else",
    'if count == 1 or str(name) > "M" else',
)


def canary(seed: int) -> Canary:
    """Hunt the seeded bug."""
    search = Search(ClassTarget(BUG.name, load(BUG)), seed)
    for _ in range(RUNS):
        search.run()
        if search.tally.broken:
            break
    found = search.tally.broken.get(BUG.law, "")
    return Canary(METHOD, BUG.wrong, bool(found), found or "no difference found")

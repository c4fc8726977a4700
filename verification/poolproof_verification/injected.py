"""Faults injected into single operations: each of its blocks missing in turn, and interrupts.

Shortage: for each block that an operation takes, the pool is filled until this one is the first
that is missing. The operation must be refused and change nothing; once the blocks are there again,
it must lead where it leads without the shortage. Every target that refuses so is judged by it.
A life after which the manager is not where the model is tells nothing of either, and is left out.

Interrupts: see `interrupts`. Judged by it is a class that says in its docstring what a
KeyboardInterrupt leaves behind.

Does not cover: large pools; a fault in the midst of an operation of a target that promises nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial

from poolproof_model.execute import Pool
from poolproof_model.system import Refusal
from poolproof_verification.interrupts import interruptions, promised_by, told_by_interrupts
from poolproof_verification.lives import Life, Lives, after, menu, pool_after, shortest, unused
from poolproof_verification.mutants import Mutant, load
from poolproof_verification.operations import OPERATIONS, Accepted, Operation, live_in, names_in
from poolproof_verification.oracle import Oracle
from poolproof_verification.progress import at
from poolproof_verification.seen import (
    NeverEnds,
    Tally,
    as_modelled,
    continued,
    live_through,
    manager_of,
    outcome_of,
    state_of,
)
from poolproof_verification.targets import ClassTarget, KnownTarget
from poolproof_verification.verdict import INTERRUPTED, Canary, CouldNotRun, Judgement
from poolproof_verification.visibility import Traits
from poolproof_verification.words import plural

METHOD = "injected"
LAWS = ("shortage", "interrupts")
UNITS = {"shortage": "missing blocks", "interrupts": "interrupts"}
LIVES = 60
INTERRUPTED_ONE_IN = 2  # lives
LONGEST = 12  # operations before the one with the fault
SCOPE = "a fault in an operation after random lives of up to 12 on pools of up to 8 blocks"
NOT_COVERED = "large pools; interrupts inside C code, and of a target that promises nothing then"


def taken_by(traits: Traits, pool: Pool, operation: Operation) -> int:
    """How many free blocks the operation takes; none if it is refused."""
    oracle = Oracle(traits=traits)
    if oracle.refused(pool, operation) is not None:
        return 0
    return len(pool.free) - len(after(oracle, pool, operation).free)


def told_by_shortage(
    target: KnownTarget, life: Life, operation: Operation, there: int
) -> str | None:
    """What goes wrong with the operation after this life, while so many blocks are free.

    None where the pool cannot be filled so far, which is no fault that shows here.
    """
    pool = pool_after(target.traits, life)
    if pool is None or there >= taken_by(target.traits, pool, operation):
        return None
    filler = unused([*live_in(pool), *names_in((operation,))])
    manager = manager_of(target, life)
    continued(manager, *life.operations)
    tokens = (len(pool.free) - there) * life.block_size
    (filling,) = continued(manager, Operation("allocate", (filler, tokens)))
    if not isinstance(filling.response, Accepted):
        return None
    (seen,) = continued(manager, operation)
    short = f"{operation} with {plural(there, 'free block')}"
    if not manager.guarded.agrees(Refusal.OUT_OF_BLOCKS, seen.response):
        return f"{short} must be refused, yet it answers: {seen.response}"
    if seen.shown != seen.before:
        return f"{short} is refused, yet it changes {seen.before} to {seen.shown}"
    if "release" not in target.traits.operations:
        return ""
    late = continued(manager, Operation("release", (filler,)), operation)[-1]
    normal = live_through(target, life.then(operation))[-1]
    numbered = target.traits.any_free_block
    if outcome_of(late, numbered) != outcome_of(normal, numbered):
        return f"{short} is refused; once there are all it answers {late.response}, not as usual"
    if state_of(late.shown, numbered) != state_of(normal.shown, numbered):
        return f"{short} is refused; once there are all it leads to {late.shown}, not as usual"
    return ""


class Search:
    """Random lives, after each of which faults are injected into one operation."""

    def __init__(self, target: KnownTarget, seed: int) -> None:
        """Nothing is judged yet."""
        self.target, self.lives, self.tally = target, Lives(target.traits, seed), Tally()
        self.promised, self.number, self.left_out = promised_by(target), 0, 0
        self.refuses = Refusal.OUT_OF_BLOCKS not in target.traits.undefined
        self.struck = dict.fromkeys(OPERATIONS, 0)  # how often each was interrupted throughout

    def laws(self) -> list[str]:
        """The laws that the target can be judged by."""
        asked = {"shortage": self.refuses, "interrupts": self.promised}
        return [law for law in LAWS if asked[law]]

    def run(self) -> None:
        """One more life; NeverEnds."""
        life = self.lives.draw(LONGEST)
        self.number += 1
        pool = pool_after(self.lives.traits, life)
        assert pool is not None, "a drawn life has no undefined operation"
        choices = menu(self.lives.traits, pool, unused(live_in(pool)))
        try:
            if not self.is_right(life, pool):
                self.left_out += 1
                return
            if self.refuses and "shortage" not in self.tally.broken:
                self.run_short(life, pool, choices)
            often = self.number % INTERRUPTED_ONE_IN == 0
            if self.promised and often and "interrupts" not in self.tally.broken:
                self.interrupt(life, pool, choices)
        except CouldNotRun:  # no pool of this size is made
            return

    def is_right(self, life: Life, pool: Pool) -> bool:
        """The manager is where the model is, so that what goes wrong next is the fault's."""
        manager = manager_of(self.target, life)
        continued(manager, *life.operations)
        return as_modelled(manager, pool)

    def run_short(self, life: Life, pool: Pool, choices: list[Operation]) -> None:
        """Each block missing in turn, for each operation that takes some."""
        for operation in choices:
            for there in range(taken_by(self.lives.traits, pool, operation)):
                told = partial(told_by_shortage, self.target, operation=operation, there=there)
                words = told(life)
                if words is not None:
                    self.tally.judged("shortage")
                if words:
                    self.settle("shortage", life, told)
                    return

    def interrupt(self, life: Life, pool: Pool, choices: list[Operation]) -> None:
        """Every point of an operation of the kind that was interrupted the least so far.

        On a sequence that has blocks, if there is one.
        """
        kind = min((each.name for each in choices), key=self.struck.__getitem__)
        fit = [each for each in choices if each.name == kind]
        busy = {name for name, table in pool.tables.items() if table.blocks}
        fit = [each for each in fit if not busy.isdisjoint(names_in((each,)))] or fit
        operation = self.lives.random.choice(fit)
        self.struck[kind] += 1
        for words in interruptions(self.target, life, operation):
            self.tally.judged("interrupts")
            if words:
                told = partial(told_by_interrupts, self.target, operation=operation)
                self.settle("interrupts", life, told)
                return

    def settle(self, law: str, life: Life, told: Callable[[Life], str | None]) -> None:
        """Keep the shortest life with which the fault breaks the law."""
        least = shortest(life, told)
        self.tally.broken[law] = f"{told(least)}: after {least}"


def check(target: KnownTarget, seed: int, lives: int = LIVES) -> Judgement:
    """Inject faults after so many random lives."""
    started, search = time.process_time(), Search(target, seed)
    try:
        for number in range(lives):
            at(search.tally.told(), number / lives)
            search.run()
    except NeverEnds as error:
        search.tally.ended = str(error)
    except KeyboardInterrupt:
        search.tally.ended = INTERRUPTED
    units = {law: UNITS[law] for law in search.laws()}
    verdicts = search.tally.verdicts(METHOD, units, SCOPE)
    seconds = time.process_time() - started
    return Judgement(METHOD, verdicts, seconds, NOT_COVERED, tuple(notes(search)))


def notes(search: Search) -> Iterator[str]:
    """What was interrupted, and what could not be judged."""
    if not search.refuses:
        yield "not judged: shortage: the target leaves undefined what it does for want of blocks"
    if search.promised:
        counts = ", ".join(f"{name} {count}" for name, count in search.struck.items())
        yield f"operations interrupted at every opcode: {counts}"
    else:
        yield "not judged: interrupts: the target promises nothing, or cannot be recovered"
    if search.left_out:
        left_out = f"{search.left_out} of {search.number} lives"
        yield f"left out, as the manager was wrong before: {left_out}"


BUG = Mutant(
    "fork_counts_late",
    "fork counts the child's references only when the child has its table",
    "interrupts",
    "block_manager.py",
    """        self._pool.share(table.blocks)
        blocks = table.blocks.copy()
        self._sequences[child] = BlockTable(blocks, table.length, table.length, True)
""",
    """        blocks = table.blocks.copy()
        self._sequences[child] = BlockTable(blocks, table.length, table.length, True)
        self._pool.share(table.blocks)
""",
)


def canary(seed: int) -> Canary:
    """Hunt the seeded bug."""
    search = Search(ClassTarget(BUG.name, load(BUG)), seed)
    while search.number < LIVES and not search.tally.broken:
        search.run()
    found = search.tally.broken.get(BUG.law, "")
    return Canary(METHOD, BUG.wrong, bool(found), found or "no damage found")

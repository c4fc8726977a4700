"""Many random operations a second in lockstep with the model, each judged by all that it shows.

In each run a random part of the operations is drawn with random weights, on names that mostly live,
in pools that are mostly small. Whether the manager calls itself broken is asked every few
operations; everything else every so many, and at the end of a run on a large pool. What the model
says comes from an automaton of the states met so far; the first sign of a difference ends the run.
Then as many of its operations as possible are left out, and `Lockstep` repeats the rest one by one
to name what is broken.

What limits the rate, once the automaton knows most states: the manager's own call and view, a third
of the time; the comparisons and the shadow memory, another; drawing, and asking now and then.

Does not cover: concurrency, pools of more than a few hundred blocks; a search proves nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

from poolproof_verification.audit import Breach
from poolproof_verification.automaton import NEW, Automaton
from poolproof_verification.draws import Plan, Shape, draw, plan, shape_of
from poolproof_verification.exchange import Finding
from poolproof_verification.findings import Trace
from poolproof_verification.limits import LIMIT, TookTooLong, limited_to, made, timed
from poolproof_verification.lockstep import FRESH
from poolproof_verification.minimize import replay
from poolproof_verification.operations import Operation
from poolproof_verification.record import Record
from poolproof_verification.scopes import UNKNOWN_NAME
from poolproof_verification.verdict import CouldNotRun
from poolproof_verification.walk import QUESTIONS_EVERY, Differs, Walk

MANY_STATES = 50_000  # kept at a time, of all pools together
ENOUGH_SIGNS = 8  # of one operation and law: more of the same are not named
NOT_AGAIN = "seen once, and not again when the same operations were repeated"
Operations = tuple[Operation, ...]
Sign = tuple[str, str]  # the last operation and the law that seems broken


class Driver:
    """Random runs, one after the other, all drawn from one seed."""

    def __init__(self, record: Record, seed: int, shape: Shape | None = None) -> None:
        """`record`: what is judged, and what is seen of it; `shape`: of every run."""
        self.record, self.seed, self.shape = record, seed, shape
        self.traits = record.target.traits
        self.automata: dict[tuple[int, int], Automaton] = {}
        self.signs: Counter[Sign] = Counter()
        self.number = 0

    def run(self) -> bool:
        """The next run, to its end or its first finding; False where no such pool is made."""
        random = Random(f"{self.seed} {self.number}")
        shape = self.shape or shape_of(random, self.number)
        self.number += 1
        planned = plan(random, shape, self.traits)
        try:
            walk = self.walk(shape, self.record)
        except CouldNotRun:
            self.record.unmade.add((shape.total, shape.block_size))
            return False
        self.record.runs += 1
        try:
            with limited_to(LIMIT.seconds, LIMIT.clock):  # by which a run, not a call, is cut short
                timed(steps, walk, planned, random.random)
        except Differs as sign:
            self.seen(tuple(walk.operations), shape, sign)
        except TookTooLong:
            self.took_too_long(shape, tuple(walk.operations))
        return True

    def took_too_long(self, shape: Shape, operations: Operations) -> None:
        """Repeat the run call by call: only one that does not end by itself is a fault."""
        last = operations[-1] if operations else FRESH
        unknown = Finding(last, None, (Breach("refusals", "a call does not end"),))
        trace = Trace(shape.total, shape.block_size, operations, unknown)
        found = replay(self.record.target, trace)
        if found is None:
            self.record.slow += 1
        else:
            self.record.faults.add(found)

    def walk(self, shape: Shape, record: Record) -> Walk:
        """A fresh manager of this size beside the model; CouldNotRun."""
        adapter = made(self.record.target, shape.total, shape.block_size)
        return Walk(adapter, self.automaton(shape), shape, record)

    def automaton(self, shape: Shape) -> Automaton:
        """The states of this pool."""
        size = shape.total, shape.block_size
        if sum(len(each.states) for each in self.automata.values()) > MANY_STATES:
            self.automata.clear()
        if size not in self.automata:
            self.automata[size] = Automaton(*size, self.traits)
        return self.automata[size]

    def seen(self, operations: Operations, shape: Shape, sign: Differs) -> None:
        """Shorten the run and name what is broken in it, unless it is known well."""
        asked = sign.law == "questions"
        found = self.sign_of(shape, operations, asked)
        if found is None:
            self.name(operations, shape, sign)
            return
        kind, operations = found
        self.signs[kind] += 1
        if self.signs[kind] <= ENOUGH_SIGNS:
            self.name(self.shortened(shape, operations, kind, asked), shape, sign)

    def sign_of(
        self, shape: Shape, operations: Operations, asked: bool
    ) -> tuple[Sign, Operations] | None:
        """The first sign of a difference when these are repeated, and up to where they lead."""
        walk = self.walk(shape, Record(self.record.target))
        try:
            timed(walk.repeat, operations, asked)
        except Differs as sign:
            last = walk.operations[-1].name if walk.operations else ""
            return (last, sign.law), tuple(walk.operations)
        except TookTooLong:
            return None
        return None

    def shortened(
        self, shape: Shape, operations: Operations, kind: Sign, asked: bool
    ) -> Operations:
        """The same sign with fewer operations: halves are left out, then quarters, and so on."""
        width = len(operations) // 2
        while width:
            start = 0
            while start < len(operations):
                fewer = operations[:start] + operations[start + width :]
                found = self.sign_of(shape, fewer, asked)
                if found and found[0] == kind:
                    operations = found[1]
                else:
                    start += width
            width //= 2
        return operations

    def name(self, operations: Operations, shape: Shape, sign: Differs) -> None:
        """Repeat the operations in full to name what is broken, and keep that."""
        last = operations[-1] if operations else FRESH
        breach = Breach(sign.law, f"{sign.words}: {NOT_AGAIN}")
        seen = Trace(shape.total, shape.block_size, operations, Finding(last, None, (breach,)))
        self.record.faults.add(replay(self.record.target, seen) or seen)


def steps(walk: Walk, planned: Plan, random: Callable[[], float]) -> None:
    """A fresh manager, the run's operations, and a last close look; Differs."""
    walk.compare(walk.call(walk.adapter.view))
    walk.look_closely(ask=walk.record.runs % QUESTIONS_EVERY == 1)
    for _ in range(planned.steps):
        code = draw(random, planned, walk.state)
        new = walk.new_name(random) if code is not None and NEW in code else UNKNOWN_NAME
        if code is not None and new:
            walk.do(code, new)
    walk.look_closely(ask=planned.shape.is_large)

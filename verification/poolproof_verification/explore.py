"""Every reachable state of small pools, and every operation from each.

A state is what the model distinguishes: free blocks, tables, lengths. From each the manager is
built anew by replaying the shortest operations that lead there, and compared in full.

Does not cover: pools beyond the stated scopes, what the blocks contain, and hidden state that
depends on how a state was reached (one history stands for all); random runs do.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from functools import partial

from poolproof_model.execute import Pool, broken
from poolproof_model.system import Refusal
from poolproof_verification.counterexample import Counterexample
from poolproof_verification.exchange import Exchange
from poolproof_verification.findings import Faults, Trace
from poolproof_verification.judging import PATIENCE, asked, judge, unfinished, untried
from poolproof_verification.laws import OF_CODE
from poolproof_verification.limits import Unmade, made, patient_once
from poolproof_verification.lockstep import FRESH, Lockstep
from poolproof_verification.minimize import minimize, named, smallest
from poolproof_verification.operations import HIDDEN, Operation
from poolproof_verification.oracle import Oracle, key_of
from poolproof_verification.progress import at
from poolproof_verification.questions import false_alarm
from poolproof_verification.scopes import (
    SCOPES,
    UNKNOWN_NAME,
    Menu,
    Scope,
    offered,
    worth_trying,
)
from poolproof_verification.story import tell
from poolproof_verification.targets import KnownTarget
from poolproof_verification.verdict import CouldNotRun, Evidence, Judgement
from poolproof_verification.visibility import blind_spots, not_judged, start_of
from poolproof_verification.words import plural

NOT_COVERED = "larger pools, contents, and hidden state that depends on the history"
Path = tuple[Operation, ...]


@dataclass
class Exploration:
    """What was seen of one scope."""

    scope: Scope
    states: int = 0
    accepted: int = 0
    released: int = 0  # of those accepted
    untold: int = 0  # of those accepted: the manager does not tell what they returned
    refused: int = 0
    questions: int = 0
    faults: Faults = field(default_factory=Faults)
    oracle: Oracle = field(default_factory=Oracle)
    complete: bool = False  # every state was visited, or all but those beyond a fault

    def told(self, waiting: int) -> str:
        """How far it is: so many states are known, and still to be visited."""
        found = plural(len(self.faults), "fault")
        return f"{self.scope}: {plural(self.states, 'state')} visited, {waiting:,} to come, {found}"

    def has_tried(self) -> bool:
        """Some sequence came to be, without which there is but the fresh state."""
        return self.states > 1

    def __str__(self) -> str:
        """States and transitions in one line."""
        found = f"; {plural(len(self.faults), 'fault')}" if len(self.faults) else ""
        found += "" if self.complete else "; not all of it"
        return (
            f"{self.scope}: {plural(self.states, 'state')}, "
            f"{plural(self.accepted + self.refused, 'transition')} "
            f"({self.refused:,} refused){found}"
        )


def reach(target: KnownTarget, exploration: Exploration, pool: Pool, path: Path) -> Lockstep:
    """A fresh manager brought into a known state by the operations that lead there."""
    lockstep = fresh(target, exploration, pool)
    for operation in path:
        lockstep.guarded.call(operation)
    if lockstep.traits.any_free_block and lockstep.differs(lockstep.show(), pool):
        lockstep = fresh(target, exploration)  # it takes other blocks each time: follow it
        for operation in path:
            lockstep.do(operation)
    return lockstep


def fresh(target: KnownTarget, exploration: Exploration, pool: Pool | None = None) -> Lockstep:
    """A fresh manager; `pool`: the state to which it will be brought."""
    scope = exploration.scope
    return Lockstep(
        target, scope.total, scope.block_size, contents=False, invariants=False,
        oracle=exploration.oracle, pool=pool,
    )  # fmt: skip


def explore_scope(
    target: KnownTarget, scope: Scope, exploration: Exploration | None = None
) -> Exploration:
    """Visit every state of the scope; `exploration`: where to note them, a new one if not given."""
    start = start_of(scope.total, scope.block_size, target.traits, contents=False)
    seen, frontier = {key_of(start)}, deque([(start, Path())])
    exploration = exploration or Exploration(scope)
    adapter = made(target, scope.total, scope.block_size)
    if isinstance(adapter, Unmade):
        ask(target, exploration, reach(target, exploration, start, Path()), Path())
        return exploration
    operations = list(offered(adapter, scope))
    menus: dict[frozenset[Hashable], Menu] = {}
    while frontier:
        pool, path = frontier.popleft()
        at(exploration.told(len(frontier)))
        live = frozenset(pool.tables)
        if live not in menus:
            menus[live] = worth_trying(operations, scope, live)
        for after, operation in visit(target, exploration, pool, path, menus[live]):
            key = key_of(after)
            if key not in seen:
                seen.add(key)
                frontier.append((after, (*path, operation)))
    exploration.complete = True
    return exploration


def visit(
    target: KnownTarget,
    exploration: Exploration,
    pool: Pool,
    path: Path,
    operations: Menu,
) -> Iterator[tuple[Pool, Operation]]:
    """Ask everything and try every operation in one state; yields the states it leads to."""
    scope, oracle = exploration.scope, exploration.oracle
    exploration.states += 1
    resting = reach(target, exploration, pool, path)
    ask(target, exploration, resting, path)
    refusals, undefined = [], resting.traits.undefined
    for operation in operations:
        if reason := oracle.refused(pool, operation):
            if reason not in undefined:
                refusals.append((operation, reason))
            continue
        exploration.accepted += 1
        exploration.released += operation.name in ("release", "release_all")
        exchange = reach(target, exploration, pool, path).do(operation)
        exploration.untold += getattr(exchange.response, "value", None) is HIDDEN
        report(exploration, (*path, operation), exchange)
        if exchange.finding is None and within_scope(scope, exchange.after):
            yield exchange.after, operation
    exploration.refused += len(refusals)
    if not all_refused(reach(target, exploration, pool, path), refusals):
        refused = [operation for operation, _ in refusals]
        alone = [
            report(exploration, (*path, each), reach(target, exploration, pool, path).do(each))
            for each in refused
        ]
        if not any(alone):
            one_after_the_other(exploration, reach(target, exploration, pool, path), path, refused)


def one_after_the_other(
    exploration: Exploration, resting: Lockstep, path: Path, refused: list[Operation]
) -> None:
    """Where none of the refused operations breaks anything alone: find the first that does."""
    for operation in refused:
        path = (*path, operation)
        if report(exploration, path, resting.do(operation)):
            return


def all_refused(resting: Lockstep, refusals: list[tuple[Operation, Refusal]]) -> bool:
    """Each operation is refused for its reason, and after all of them the state is as before.

    They share one manager for speed; where anything is wrong, each is tried again on its own.
    """
    adapter = resting.guarded
    agreed = all(adapter.agrees(reason, adapter.call(operation)) for operation, reason in refusals)
    unharmed = not resting.compare(resting.show(), resting.pool) and false_alarm(adapter) is None
    return agreed and unharmed


def ask(target: KnownTarget, exploration: Exploration, resting: Lockstep, path: Path) -> None:
    """Ask every question, and whether the model's invariants hold."""
    exploration.questions += 1
    scope, last = exploration.scope, path[-1] if path else FRESH
    finding = resting.ask((*scope.names, UNKNOWN_NAME), last).finding
    if finding is not None:
        trace = Trace(scope.total, scope.block_size, path, finding)
        exploration.faults.add(named(target, trace))
    for name, where in broken(resting.pool):
        raise AssertionError(f"the model's invariant {name} is broken at {where} after {path}")


def within_scope(scope: Scope, pool: Pool) -> bool:
    """No sequence is longer than the scope allows."""
    return all(table.length <= scope.tokens for table in pool.tables.values())


def report(exploration: Exploration, operations: Path, exchange: Exchange) -> bool:
    """Keep what went wrong in the last of the operations, if anything did."""
    scope = exploration.scope
    if exchange.finding is not None:
        exploration.faults.add(Trace(scope.total, scope.block_size, operations, exchange.finding))
    return exchange.finding is not None


def explore_scopes(
    target: KnownTarget,
    scopes: tuple[Scope, ...] = SCOPES,
    progress: Callable[[str], None] = lambda line: None,
    explorations: list[Exploration] | None = None,
) -> list[Exploration]:
    """Every scope in turn, up to one in which faults are found: a larger one would repeat them.

    A scope is left out if the target makes no pool of its size; CouldNotRun if all are.
    `explorations`: to which each is added as it begins.
    """
    explorations = [] if explorations is None else explorations
    for scope in scopes:
        if explorations and len(explorations[-1].faults):
            break
        explorations.append(Exploration(scope))
        try:
            explore_scope(target, scope, explorations[-1])
        except CouldNotRun as error:
            explorations.pop()
            progress(f"{scope}: left out: {error}")
            if scope is scopes[-1] and not explorations:
                raise
        else:
            progress(str(explorations[-1]))
    return explorations


def counterexamples(
    target: KnownTarget, explorations: list[Exploration], patience: float = math.inf
) -> list[Counterexample]:
    """Each distinct fault, the most harmful first; none is shortened after so many seconds."""
    traces = [trace for exploration in explorations for trace in exploration.faults.traces()]
    short = smallest(traces, partial(minimize, target), patience)
    return [tell(target, trace, found_by="explore") for trace in short]


@patient_once()
def explore(
    target: KnownTarget,
    scopes: tuple[Scope, ...] = SCOPES,
    progress: Callable[[str], None] = lambda line: None,
) -> Judgement:
    """Explore, and say what was found law by law; after Ctrl-C what was found until then."""
    started = time.process_time()
    explorations: list[Exploration] = []
    try:
        explore_scopes(target, scopes, progress, explorations)
    except KeyboardInterrupt:
        found = counterexamples(target, explorations, PATIENCE)
        return unfinished(judgement(target, explorations, found, started))
    found = counterexamples(target, explorations)
    return judgement(target, explorations, found, started)


def judgement(
    target: KnownTarget,
    explorations: list[Exploration],
    found: list[Counterexample],
    started: float,
) -> Judgement:
    """What the explorations amount to. `started`: in CPU seconds."""
    states = sum(exploration.states for exploration in explorations)
    accepted = sum(exploration.accepted for exploration in explorations)
    refused = sum(exploration.refused for exploration in explorations)
    counts = dict.fromkeys(OF_CODE, accepted + refused)
    untold = sum(exploration.untold for exploration in explorations)
    counts |= {"results": accepted - untold, "choices": accepted, "refusals": refused}
    counts["release"] = sum(exploration.released for exploration in explorations)
    counts |= asked(target.traits.questions, states)
    counts |= dict.fromkeys(not_judged(target.traits), 0)
    del counts["contents"]  # which are not followed here
    scope = "; ".join(str(exploration.scope) for exploration in explorations)
    # Nothing is explored beyond a fault, so with faults not all states were visited.
    evidence = Evidence.SCOPE if found else Evidence.EXHAUSTED
    verdicts = judge("explore", evidence, scope, "transitions", counts, found)
    elapsed = time.process_time() - started
    notes = (*map(str, explorations), *blind_spots(target.traits, counts))
    judged = Judgement("explore", verdicts, elapsed, NOT_COVERED, notes, tuple(found))
    return judged if any(map(Exploration.has_tried, explorations)) else untried(judged)

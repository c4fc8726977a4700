"""A Hypothesis state machine in lockstep with the model: names mostly live, small pools.

It raises nothing: what breaks a law is recorded as concrete operations, and the run goes on with
the next one, so that distinct faults are kept apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import ClassVar

from hypothesis import HealthCheck, Phase, Verbosity, settings, strategies
from hypothesis import seed as seeded
from hypothesis.configuration import set_hypothesis_home_dir, storage_directory
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

from poolproof_verification.coverage import Names, goals_of
from poolproof_verification.exchange import Exchange
from poolproof_verification.findings import Trace
from poolproof_verification.lockstep import FRESH, Lockstep
from poolproof_verification.minimize import named
from poolproof_verification.operations import HIDDEN, Accepted, Operation, live_in
from poolproof_verification.progress import at
from poolproof_verification.record import Record as Record
from poolproof_verification.verdict import CouldNotRun

NAMES = "ABCDEF"
# Below 100: of larger numbers Hypothesis prefers those that loaded modules happen to have.
INDEX = strategies.integers(0, 15)
BLOCKS = strategies.one_of(strategies.integers(5, 8), strategies.integers(0, 8))
BLOCK_SIZE = strategies.integers(1, 4)
TOKENS = strategies.integers(-1, 9)
STRANGE: strategies.SearchStrategy[object] = strategies.sampled_from(
    [True, "1", 1.5, None, [], -5, 10**30]
)
EVERY = 16  # steps between two rounds of questions


class Machine(RuleBasedStateMachine):
    """One run: a fresh manager, and operations drawn one by one."""

    record: ClassVar[Record]

    def __init__(self) -> None:
        """Nothing is made before the sizes are drawn."""
        super().__init__()
        self.lockstep: Lockstep | None = None
        self.operations: list[Operation] = []
        self.used = Names()
        self.broken = False
        at(f"Hypothesis machine: {self.record.told()}")

    @initialize(total=BLOCKS, block_size=BLOCK_SIZE, tokens=TOKENS)
    def start(self, total: int, block_size: int, tokens: int) -> None:
        """A fresh manager with one sequence, if it has room for it."""
        try:
            self.lockstep = Lockstep(self.record.target, total, block_size)
        except CouldNotRun:  # another run draws another size
            self.record.unmade.add((total, block_size))
            self.broken = True
            return
        self.record.runs += 1
        self.record.block_sizes.add(block_size)
        self.keep(self.lockstep.ask((NAMES[-1],), FRESH))
        if not self.broken:
            self.do("allocate", NAMES[0], tokens)

    def live(self, index: int) -> str:
        """Mostly a live sequence, sometimes any name."""
        assert self.lockstep is not None
        names = sorted(live_in(self.lockstep.pool), key=str)
        return str(names[index % len(names)]) if names and index < 13 else NAMES[index % len(NAMES)]

    def new(self, index: int) -> str:
        """Mostly a name that is not in use, sometimes any name."""
        assert self.lockstep is not None
        names = [name for name in NAMES if name not in self.lockstep.pool.tables]
        return names[index % len(names)] if names and index < 13 else NAMES[index % len(NAMES)]

    def do(self, name: str, *arguments: object) -> None:
        """Carry out and judge one operation."""
        lockstep = self.lockstep
        assert lockstep is not None
        operation = Operation(name, arguments)
        if lockstep.leaves_open(operation):
            return
        self.operations.append(operation)
        asked = len(self.operations) % EVERY == 0
        names = (*live_in(lockstep.pool), NAMES[-1]) if asked else ()
        exchange = lockstep.do(operation, names)
        self.record.questions += asked and exchange.finding is None
        outcomes = self.record.accepted, self.record.refused
        outcomes[not isinstance(exchange.response, Accepted)][name] += 1
        self.record.untold += getattr(exchange.response, "value", None) is HIDDEN
        self.cover(exchange)
        self.keep(exchange)

    def cover(self, exchange: Exchange) -> None:
        """Count which cases of the model this was."""
        before, operation, reason = exchange.before, exchange.operation, exchange.reason
        self.record.reached[goals_of(before, operation, reason, exchange.after)] += 1
        if reason is None:
            self.record.reached[self.used.follow(operation, live_in(before))] += 1

    def keep(self, exchange: Exchange) -> None:
        """Record what went wrong, if anything did: then this run is over."""
        if exchange.finding is not None:
            assert self.lockstep is not None
            self.broken = True
            total, block_size = self.lockstep.total, self.lockstep.block_size
            operations = tuple(self.operations)
            trace = Trace(total, block_size, operations, exchange.finding)
            self.found(named(self.record.target, trace))

    def found(self, trace: Trace) -> None:
        """Keep what broke a law."""
        self.record.faults.add(trace)

    def has(self, name: str, *, live: bool = False) -> bool:
        """The run goes on, the manager has this operation, and a sequence lives if one must."""
        lockstep = self.lockstep
        if lockstep is None or self.broken or name not in lockstep.adapter.operations:
            return False
        return bool(live_in(lockstep.pool)) or not live

    def fitting(self, index: int, tokens: int) -> int:
        """Mostly a number of tokens for which there are blocks, sometimes any number."""
        assert self.lockstep is not None
        pool = self.lockstep.pool
        return tokens % (len(pool.free) * pool.block_size + 1) if index < 13 else tokens

    @precondition(lambda self: self.has("allocate"))
    @rule(index=INDEX, tokens=TOKENS)
    def allocate(self, index: int, tokens: int) -> None:
        """A new sequence."""
        self.do("allocate", self.new(index), self.fitting(index, tokens))

    @precondition(lambda self: self.has("fork", live=True))
    @rule(parent=INDEX, child=INDEX)
    def fork(self, parent: int, child: int) -> None:
        """A child of a sequence."""
        self.do("fork", self.live(parent), self.new(child))

    @precondition(lambda self: self.has("append", live=True))
    @rule(index=INDEX)
    def append(self, index: int) -> None:
        """One more token."""
        self.do("append", self.live(index))

    @precondition(lambda self: self.has("grow", live=True))
    @rule(index=INDEX, tokens=TOKENS)
    def grow(self, index: int, tokens: int) -> None:
        """More tokens."""
        self.do("grow", self.live(index), self.fitting(index, tokens))

    @precondition(lambda self: self.has("release", live=True))
    @rule(index=INDEX)
    def release(self, index: int) -> None:
        """The end of a sequence."""
        self.do("release", self.live(index))

    @precondition(lambda self: self.has("release_all"))
    @rule(index=INDEX)
    def release_all(self, index: int) -> None:
        """The end of all sequences, now and then."""
        if index == 7:
            self.do("release_all")

    @precondition(lambda self: self.has("allocate"))
    @rule(index=INDEX, strange=STRANGE)
    def misuse(self, index: int, strange: object) -> None:
        """An absurd argument."""
        if index % 2 or not self.has("grow"):
            self.do("allocate", self.new(index), strange)
        else:
            self.do("grow", self.live(index), strange)

    @precondition(lambda self: self.broken)
    @rule()
    def rest(self) -> None:
        """What broke is recorded, or there is no pool: nothing more happens in this run."""


# Each setting is ours, as Hypothesis has others by default where it finds itself in CI.
PROFILE = settings(
    phases=[Phase.generate],
    derandomize=False,
    database=None,
    deadline=None,
    verbosity=Verbosity.quiet,
    suppress_health_check=list(HealthCheck),
    report_multiple_bugs=True,
    print_blob=False,
    backend="hypothesis",
)


def campaign(record: Record, seed: int, examples: int, steps: int = 60) -> None:
    """`examples` runs of up to `steps` operations, all drawn from the seed."""
    machine = type("Machine", (Machine,), {"record": record})
    own = settings(PROFILE, max_examples=examples, stateful_step_count=steps)
    with notes_elsewhere(), interrupted_all_the_same():
        run_state_machine_as_test(seeded(seed)(machine), settings=own)


def run_unshrunk(machine: type[Machine], given: settings) -> None:
    """Runs with the user's settings, without the phases that make drawn steps short and clear."""
    phases = [phase for phase in given.phases if phase not in (Phase.shrink, Phase.explain)]
    run_state_machine_as_test(machine, settings=settings(given, phases=phases))


@contextmanager
def interrupted_all_the_same() -> Iterator[None]:
    """Within, an interrupt stays one, though Hypothesis, where it begins, asserts in its place."""
    try:
        yield
    except AssertionError as error:
        if isinstance(error.__context__, KeyboardInterrupt):
            raise error.__context__ from None
        raise


@contextmanager
def notes_elsewhere() -> Iterator[None]:
    """Within, Hypothesis keeps its notes in a folder that is deleted, and not in the user's."""
    before = storage_directory(intent_to_write=False).home_directory
    with TemporaryDirectory() as folder:
        set_hypothesis_home_dir(folder)
        try:
            yield
        finally:
            set_hypothesis_home_dir(before)

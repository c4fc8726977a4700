"""A recorded counterexample, or a watcher's log, is carried out once more beside the model.

Nothing that a file names is imported, except a manager that is shipped.

Does not cover: in a log, what the blocks contain, and the answers to questions. How long a log may
take: each of its operations costs the model as many steps as the pool has blocks.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from poolproof_model.system import Refusal
from poolproof_verification.counterexample import Counterexample, Step
from poolproof_verification.counterexample_file import read, wrong
from poolproof_verification.exchange import Exchange, Finding
from poolproof_verification.files import check_file
from poolproof_verification.lockstep import FRESH, Lockstep
from poolproof_verification.log_file import Log, is_log, open_log
from poolproof_verification.operations import Operation, integer, names_in
from poolproof_verification.oracle import Oracle
from poolproof_verification.reports.plain_words import visible
from poolproof_verification.scopes import UNKNOWN_NAME
from poolproof_verification.targets import BUILT_IN, KnownTarget, find_target
from poolproof_verification.verdict import CouldNotRun, Outcome
from poolproof_verification.visibility import not_judged
from poolproof_verification.words import plural
from poolproof_verification.workloads.lines import shown

MOST_SLOTS = 1 << 14  # of a counterexample's pool, as what they contain is followed
MOST_GROWTH = 1 << 27  # blocks in the pool times tokens: the model makes as many appends
ANSWERS = {
    Outcome.REFUTED: "still fails",
    Outcome.HELD: "fixed",
    Outcome.UNKNOWN: "stale",
}


@dataclass(frozen=True)
class Replay:
    """What became of a recorded failure."""

    path: Path
    target: str
    outcome: Outcome
    words: str
    law: str  # the one recorded; in a log without a fault the one that is broken now, or none
    operations: int  # carried out
    breaches: tuple[str, ...] = ()  # all laws broken, worst first

    def line(self) -> str:
        """The answer in a line."""
        answer = ANSWERS[self.outcome]
        if self.outcome is Outcome.HELD and not self.law:
            answer = "held"  # a log in which nothing was broken either
        found = f"{answer} on {self.target}: {visible(self.words)}"
        return f"{shown(self.path.name)}: {found}"

    def lines(self) -> list[str]:
        """The answer, and a line for each law that is broken."""
        return [self.line(), *(f"  broken: {visible(each)}" for each in self.breaches)]


class Stale(Exception):
    """Why the record says nothing of the target as it is today."""


def replay(path: Path, target: str | None = None) -> Replay:
    """Carry out what the file has on the target, or on the shipped one that the file names.

    CouldNotRun: the file is none of ours, or names a target that is not shipped.
    """
    check_file(path)
    if is_log(path):
        return replay_log(path, target)
    recorded = read(path)
    calls = tuple(step.call for step in recorded.steps if step.call is not None)
    if len(calls) < len(recorded.steps):
        found = recorded.found_by or recorded.target
        words = f"a counterexample of the model's ({found}), which no manager can replay"
        raise wrong(path, words)
    check_size(path, recorded, calls)
    known = found_target(path, recorded.target, target)
    try:
        return replay_counterexample(path, known, recorded, calls)
    except Stale as stale:
        return Replay(path, known.name, Outcome.UNKNOWN, str(stale), recorded.law, len(calls))


def check_size(path: Path, recorded: Counterexample, calls: tuple[Operation, ...]) -> None:
    """CouldNotRun where a counterexample asks for more than is replayed."""
    total, block_size = recorded.total, recorded.block_size
    if total * block_size > MOST_SLOTS:
        words = f"{pool_of(total, block_size)} has more than {MOST_SLOTS:,} slots"
        raise wrong(path, f"{words}, and is not replayed")
    for call in calls:
        check_growth(path, total, block_size, call)


def check_growth(path: Path, total: int, block_size: int, call: Operation) -> None:
    """CouldNotRun where the model would make too many appends."""
    tokens = integer(call.arguments[1]) if call.name == "grow" else 0
    most = MOST_GROWTH // max(total, 1)
    if tokens is not None and min(tokens, total * block_size) > most:
        words = f"grow by more than {plural(most, 'token')} is not replayed"
        raise wrong(path, f"{words} in {pool_of(total, block_size)}")


def pool_of(total: int, block_size: int) -> str:
    """The pool in words."""
    return f"a pool of {plural(total, 'block')} of {plural(block_size, 'slot')}"


def found_target(path: Path, recorded: str, named: str | None) -> KnownTarget:
    """The target that the caller names, or a shipped one; CouldNotRun."""
    if named is not None:
        return find_target(named)
    if recorded not in BUILT_IN:
        words = f"recorded on {recorded!r}, and what a file names is not imported: give --target"
        raise wrong(path, words)
    return find_target(recorded)


# --- a counterexample -----------------------------------------------------------------------------


def replay_counterexample(
    path: Path, target: KnownTarget, recorded: Counterexample, calls: tuple[Operation, ...]
) -> Replay:
    """Carry out step by step, and ask everything after each; Stale."""
    lockstep = started(target, recorded.total, recorded.block_size)
    names = (*names_in(calls), UNKNOWN_NAME)
    finding = lockstep.ask(names, FRESH).finding
    number = 0
    for number, (step, call) in enumerate(zip(recorded.steps, calls, strict=True), 1):
        if finding is not None or call == FRESH:
            break
        check_possible(lockstep, call)
        exchange = lockstep.do(call, names)
        check_expected(number, step, exchange, recorded, lockstep)
        finding = exchange.finding
        if finding is not None:
            break
    if finding is None:
        check_judged(lockstep, (recorded.law,))
        words = f"no law is broken in {plural(len(calls), 'step')}"
        return Replay(path, target.name, Outcome.HELD, words, recorded.law, len(calls))
    number = 0 if finding.operation == FRESH else number
    words = f"{finding.worst.law}: {finding.worst.words}, {where(number, finding)}"
    words += compared(recorded, calls, number, finding)
    return failed(path, target, finding, words, recorded.law, number)


def where(number: int, finding: Finding) -> str:
    """In which step."""
    return f"in step {number}, {finding.operation}" if number else "in a fresh manager"


def compared(
    recorded: Counterexample, calls: tuple[Operation, ...], number: int, finding: Finding
) -> str:
    """Whether this is what was recorded."""
    last = 0 if calls[-1] == FRESH else len(calls)
    laws = {breach.law for breach in finding.breaches}
    if number == last and recorded.law in laws:
        return ", as recorded"
    place = f"in step {last}" if last else "in a fresh manager"
    return f"; recorded was {recorded.law} {place}"


def started(target: KnownTarget, total: int, block_size: int) -> Lockstep:
    """A fresh manager beside the model; Stale: the target makes no such pool."""
    try:
        return Lockstep(target, total, block_size, oracle=Oracle(remembers=False))
    except CouldNotRun as error:
        raise Stale(f"no such pool is made: {error}") from error


def check_possible(lockstep: Lockstep, operation: Operation) -> None:
    """The target has the operation, and promises something of it here; Stale."""
    if operation.name not in lockstep.traits.operations:
        raise Stale(f"the target has no {operation.name}")
    if lockstep.leaves_open(operation):
        raise Stale(f"the target leaves undefined what {operation} does here")


def check_judged(lockstep: Lockstep, laws: Iterable[str]) -> None:
    """The target shows enough to break these laws visibly; Stale."""
    impossible = not_judged(lockstep.traits)
    for law in laws:
        if law in impossible:
            raise Stale(f"{law} cannot be judged: {impossible[law]}")


def check_expected(
    number: int, step: Step, exchange: Exchange, recorded: Counterexample, lockstep: Lockstep
) -> None:
    """The model expects today what it expected then; Stale.

    A manager that may take any free block has results of its own.
    """
    then = step.expected
    if isinstance(exchange.expected, Refusal):
        now = f"refused: {exchange.expected.value}"
        same = then == now or then.startswith(f"{now}: ")
    else:
        now = repr(exchange.expected)
        free = recorded.any_free_block or lockstep.traits.any_free_block
        same = not then.startswith("refused: ") if free else then == now
    if not same:
        broken = exchange.finding
        besides = f"; {broken.worst.law} is broken there, too" if broken else ""
        words = f"step {number}, {exchange.operation}: {then} was to be expected, now {now}"
        raise Stale(words + besides)


def failed(
    path: Path, target: KnownTarget, finding: Finding, words: str, law: str, operations: int
) -> Replay:
    """A law is broken."""
    breaches = tuple(f"{each.law}: {each.words}" for each in finding.breaches)
    return Replay(path, target.name, Outcome.REFUTED, words, law, operations, breaches)


# --- a log ----------------------------------------------------------------------------------------


def replay_log(path: Path, named: str | None) -> Replay:
    """Carry out a log's operations up to the first that breaks a law."""
    log, operations = open_log(path)
    target = found_target(path, log.target, named)
    try:
        finding = first_finding(target, log, operations)
    except Stale as stale:
        law = next(iter(log.faults.values()), "")
        return Replay(path, target.name, Outcome.UNKNOWN, str(stale), law, log.operations)
    if not log.operations:
        raise wrong(path, "no operation is in it")
    if finding is None:
        law = next(iter(log.faults.values()), "")
        words = f"no law is broken in {plural(log.operations, 'operation')}; {log.end}"
        return Replay(path, target.name, Outcome.HELD, words, law, log.operations)
    number = log.operations
    next(operations, None)  # the line that follows says whether the watcher found it, too
    found = ", as the watcher found" if number in log.faults else ""
    words = f"{finding.worst.law}: {finding.worst.words}, in operation {number:,}, "
    words += f"{finding.operation}{found}"
    law = next(iter(log.faults.values()), finding.worst.law)
    return failed(path, target, finding, words, law, number)


def first_finding(target: KnownTarget, log: Log, operations: Iterable[Operation]) -> Finding | None:
    """What the operations break first, if anything; Stale."""
    try:
        lockstep = Lockstep(
            target,
            log.total,
            log.block_size,
            contents=False,
            invariants=False,
            oracle=Oracle(remembers=False),  # a workload does not come back to a state
        )
    except CouldNotRun as error:
        raise Stale(f"no such pool is made: {error}") from error
    for operation in operations:
        check_growth(log.path, log.total, log.block_size, operation)
        check_possible(lockstep, operation)
        finding = lockstep.do(operation).finding
        if finding is not None:
            return finding
    check_judged(lockstep, log.faults.values())
    return None

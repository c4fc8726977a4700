"""When a contract counts: four conditions, since a confirmed search alone may be wrong.

1. The function has exactly one checkable condition, confirmed over all paths.
2. Its canary, the same function with a postcondition that is never true, is refuted.
3. A sweep of the same function in plain Python runs enough cases, none fails, all agree with the
   model.
4. Seeded bugs are refuted by a call that fails in plain Python too.

Does not cover: what the form leaves out, by day more than 3 blocks (4 where a sequence is
allocated) and more than one table in full; contents, the order of hidden dictionaries, arguments
that are no integers.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from poolproof import BlockManager
from poolproof_verification.contracts.cases import NoContract, precondition
from poolproof_verification.contracts.catalogue import CONTRACTS, DAY, Contract, Form
from poolproof_verification.contracts.replay import Broken, replay
from poolproof_verification.contracts.search import Search, search
from poolproof_verification.contracts.subject import check_fields, under_test
from poolproof_verification.contracts.sweep import Sweep, sweep
from poolproof_verification.judging import unfinished
from poolproof_verification.laws import LAWS
from poolproof_verification.mutants import Mutant, load, mutant_named
from poolproof_verification.progress import at
from poolproof_verification.verdict import Canary, Evidence, Judgement, Outcome, Verdict

METHOD = "contracts"
CANARY_BUDGET = 10.0  # CPU s; a canary falls on its first path


@dataclass(frozen=True)
class Finding:
    """What is known of one contract."""

    contract: Contract
    outcome: Outcome
    paths: int
    words: str  # how it held, why it is unknown, or what is broken
    broken: tuple[str, ...] = ()  # laws
    seconds: float = 0.0  # CPU, of the search

    def line(self) -> str:
        """For the reader of a report."""
        return f"{self.contract.name}: {self.words}"


def examine(
    contract: Contract, manager: type[BlockManager], budget: float, seed: int = 0
) -> Finding:
    """Judge one contract of this class by all four conditions; the search has the CPU seconds."""
    try:
        swept = sweep(contract, manager, seed)
    except NoContract as nothing:
        return Finding(contract, Outcome.UNKNOWN, 0, f"nothing checked: {nothing}")
    if swept.disagreement:
        words = f"at odds with the model: {swept.disagreement}"
        return Finding(contract, Outcome.UNKNOWN, 0, words)
    found = searched(contract, manager, budget)
    return replace(weigh(contract, manager, swept, found), seconds=found.seconds)


def weigh(contract: Contract, manager: type[BlockManager], swept: Sweep, found: Search) -> Finding:
    """What the sweep and the search amount to, after the canary and the seeded bugs."""
    if found.refuted:
        return refutation(contract, manager, found)
    if swept.broken:
        words = f"a case in plain Python refutes what the search has not: {swept.broken.words}"
        return Finding(contract, Outcome.REFUTED, found.paths, words, swept.broken.laws)
    doubts = [*doubts_of_search(found), *doubts_of_sweep(contract, swept)]
    if not doubts:
        doubts = [*doubts_of_canary(contract, manager), *doubts_of_bugs(contract)]
    if doubts:
        return Finding(contract, Outcome.UNKNOWN, found.paths, "; ".join(doubts))
    words = (
        f"confirmed, exhausted, {found.paths} paths; canary refuted; "
        f"{swept.cases:,} cases agree with the model; bugs refuted: {', '.join(contract.bugs)}"
    )
    return Finding(contract, Outcome.HELD, found.paths, words)


def searched(
    contract: Contract, manager: type[BlockManager], budget: float, *, canary: bool = False
) -> Search:
    """CrossHair's search of the contract function, speaking of this class."""
    with under_test(manager):
        return search(contract.function, budget, canary=canary)


def refutation(contract: Contract, manager: type[BlockManager], found: Search) -> Finding:
    """A counterexample counts if the call is admitted and fails in plain Python, too."""
    broken = replayed(contract, manager, found)
    if broken is None:
        words = f"{found.state}, but the call does not fail in plain Python: {found.message}"
        return Finding(contract, Outcome.UNKNOWN, found.paths, words)
    return Finding(contract, Outcome.REFUTED, found.paths, broken.words, broken.laws)


def replayed(contract: Contract, manager: type[BlockManager], found: Search) -> Broken | None:
    """What the search's counterexample breaks in plain Python."""
    arguments = found.counterexample
    if arguments is None or not precondition(contract.function)(arguments):
        return None
    return replay(contract.function, manager, arguments)[1]


def doubts_of_search(found: Search) -> Iterable[str]:
    """Condition 1."""
    if not found.confirmed:
        yield f"not confirmed ({found.state}, {found.paths} paths, {found.seconds:.1f} CPU s)"


def doubts_of_canary(contract: Contract, manager: type[BlockManager]) -> Iterable[str]:
    """Condition 2."""
    found = searched(contract, manager, CANARY_BUDGET, canary=True)
    if found.state != "POST_FAIL":
        yield f"the canary was not refuted ({found.state})"


def doubts_of_sweep(contract: Contract, swept: Sweep) -> Iterable[str]:
    """Condition 3, as far as no case failed."""
    if swept.cases < contract.least_cases:
        yield f"only {swept.cases} cases in plain Python, not {contract.least_cases}"
    if swept.compared < swept.cases:
        yield f"only {swept.compared} of {swept.cases} cases could be compared with the model"


def doubts_of_bugs(contract: Contract) -> Iterable[str]:
    """Condition 4."""
    if not contract.bugs:
        yield "no seeded bug to refute"
    for name in contract.bugs:
        manager = load(mutant_named(name))
        if not replayed(contract, manager, searched(contract, manager, CANARY_BUDGET)):
            yield f"the seeded bug {name} was not refuted"


def check(
    target: type[BlockManager] | None = None,
    budget: float = 60.0,
    seed: int = 0,
    form: Form = DAY,
) -> Judgement:
    """Judge every contract of the form; the searches share so many CPU seconds.

    After Ctrl-C, what is known by then. CouldNotRun: a class whose hidden fields are not the
    shipped manager's.
    """
    manager = target or BlockManager
    check_fields(manager)
    start = time.process_time()
    findings = list[Finding]()
    try:
        for finding in examined(manager, form, budget, seed):
            findings.append(finding)
    except KeyboardInterrupt:
        return unfinished(judgement(findings, form, start))
    return judgement(findings, form, start)


def examined(
    manager: type[BlockManager], form: Form, budget: float, seed: int
) -> Iterator[Finding]:
    """What is known of each contract; the searches share so many CPU seconds."""
    left = budget
    for number, contract in enumerate(form.contracts):
        words = f"{number} of {len(form.contracts)} contracts, now {contract.name}"
        at(words, number / len(form.contracts))
        finding = examine(contract, manager, max(left, 0.1), seed)
        left -= finding.seconds
        yield finding


def judgement(findings: list[Finding], form: Form, start: float) -> Judgement:
    """What the findings amount to. `start`: in CPU seconds."""
    return Judgement(
        method=METHOD,
        verdicts=verdicts(findings, form.scope),
        seconds=time.process_time() - start,
        not_covered=form.not_covered,
        notes=tuple(finding.line() for finding in findings),
        timings=(f"CPU seconds of the searches: {', '.join(map(timing, findings))}",),
    )


def timing(finding: Finding) -> str:
    """How long the search took."""
    return f"{finding.contract.name} {finding.seconds:.1f}"


def verdicts(findings: list[Finding], scope: str) -> tuple[Verdict, ...]:
    """One verdict for each law that some contract speaks for, or breaks."""
    found = []
    for law in LAWS:
        about = [f for f in findings if law in f.contract.laws or law in f.broken]
        if not about:
            continue
        broken = [finding.line() for finding in about if law in finding.broken]
        undecided = [finding.line() for finding in about if finding.outcome is not Outcome.HELD]
        outcome = Outcome.REFUTED if broken else Outcome.UNKNOWN if undecided else Outcome.HELD
        paths = sum(finding.paths for finding in about)
        details = "\n".join(broken or undecided)
        found.append(Verdict(METHOD, law, outcome, Evidence.SCOPE, paths, "paths", scope, details))
    return tuple(found)


def canary(mutant: Mutant, budget: float = 60.0) -> Canary:
    """Hunt the seeded bug with every contract; a refutation must replay.

    Contracts that a case in plain Python refutes come first, since their search is short.
    """
    manager, start = load(mutant), time.process_time()
    likely = sorted(CONTRACTS, key=lambda contract: sweep(contract, manager, 0).broken is None)
    for contract in likely:
        left = budget - (time.process_time() - start)
        broken = replayed(contract, manager, searched(contract, manager, max(left, 0.1)))
        if broken:
            return Canary(METHOD, mutant.wrong, True, broken.words)
    return Canary(METHOD, mutant.wrong, False, f"no contract refutes it in {budget:.0f} CPU s")

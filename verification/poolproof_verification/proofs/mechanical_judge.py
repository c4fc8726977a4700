"""What becomes of the mechanical mutants: refuted by concrete steps, or proved and explained.

A mutant that nothing concrete breaks, and of which some obligation has no proof, is open: neither
refuted nor equivalent, and a fault. So is a survivor without an explanation, and an explanation for
a mutant that is refuted or no longer made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from poolproof_model.algebra import Sequence, Truth, absent
from poolproof_model.execute import Pool
from poolproof_model.invariants import INVARIANTS
from poolproof_model.state import State
from poolproof_model.system import Clause
from poolproof_verification.counterexample import Counterexample, Step
from poolproof_verification.operations import view_of
from poolproof_verification.proofs.claims import holds_in, law_of, sentence_of, variables_of
from poolproof_verification.proofs.goals import Lemma
from poolproof_verification.proofs.induction import NAMES, filled
from poolproof_verification.proofs.mechanical import TextMutant, text_mutants
from poolproof_verification.proofs.model_mutants_admission import judged_results
from poolproof_verification.proofs.model_mutants_exact import judged_claims
from poolproof_verification.proofs.model_mutants_judge import TIMEOUT, first_step, shortest
from poolproof_verification.proofs.obligations import initiation
from poolproof_verification.proofs.search import FAILURES, values_of
from poolproof_verification.proofs.solve import discharge, in_order, prove_lemmas
from poolproof_verification.proofs.symbols import any_state, constants
from poolproof_verification.proofs.term import formula
from poolproof_verification.verdict import CouldNotRun

NOT_LIVE = "a sequence that is not live has some length or other: nothing asks for it"
LIVE_ONLY = "a live sequence is one of the run's, as the invariant `lengths` says"
# Survivors by name, and why each is the same model in other words.
EQUIVALENT: dict[str, str] = {
    "initial:2:drop table_length": NOT_LIVE,
    "initial:2:drop length": NOT_LIVE,
    "initial:7:one more": NOT_LIVE,
    "initial:7:one less": NOT_LIVE,
    "initial:8:one more": NOT_LIVE,
    "initial:8:one less": NOT_LIVE,
    "parent_is_live:2:drop the left operand": LIVE_ONLY,
    "sequence_is_live:2:drop the left operand": LIVE_ONLY,
    "append:11:drop the left operand": (
        "where no block is taken, the target is the last block, which the sequence alone holds: "
        "held, counted once and not free it is already"
    ),
    "release:9:drop table_length": NOT_LIVE,
    "release:9:drop length": NOT_LIVE,
    "release:14:one more": NOT_LIVE,
    "release:14:one less": NOT_LIVE,
    "release:15:one more": NOT_LIVE,
    "release:15:one less": NOT_LIVE,
}


@dataclass(frozen=True)
class TextFate:
    """One mechanical mutant: what refutes it, or else what is no longer proved of it."""

    mutant: TextMutant
    counterexample: Counterexample | None
    unproved: tuple[str, ...] = ()  # looked at only where nothing concrete refutes it

    @property
    def refuted(self) -> bool:
        """A concrete counterexample was found."""
        return self.counterexample is not None

    @property
    def survives(self) -> bool:
        """Nothing breaks it, and all of it is proved."""
        return not self.refuted and not self.unproved

    def __str__(self) -> str:
        """One line for a log."""
        if self.counterexample:
            return f"{self.mutant.wrong}: refuted: {self.counterexample.line()}"
        if self.unproved:
            return f"{self.mutant.wrong}: open: not proved: {', '.join(self.unproved)}"
        reason = EQUIVALENT.get(self.mutant.name, "not explained")
        return f"{self.mutant.wrong}: survives, all of it proved of the model: {reason}"


@dataclass(frozen=True)
class TextReport:
    """All that were judged."""

    fates: tuple[TextFate, ...]

    @property
    def survivors(self) -> tuple[TextFate, ...]:
        """Those that nothing breaks and that are proved as the model is."""
        return tuple(fate for fate in self.fates if fate.survives)

    def faults(self) -> tuple[str, ...]:
        """What is wrong with the proofs or with the explanations: each a line."""
        surviving = [fate.mutant.name for fate in self.survivors]
        judged = {fate.mutant.name for fate in self.fates}
        made = {mutant.name for mutant in text_mutants()}
        idle = judged - set(surviving)
        unexplained = [name for name in surviving if name not in EQUIVALENT]
        unneeded = [name for name in EQUIVALENT if name in idle or name not in made]
        return (
            *(str(fate) for fate in self.fates if not fate.refuted and fate.unproved),
            *(f"{name}: survives without explanation" for name in unexplained),
            *(f"{name}: explained, and refuted or not made" for name in unneeded),
        )

    def as_json(self) -> dict[str, Any]:
        """Plain data for the report."""
        return {
            "judged": len(self.fates),
            "refuted": sum(fate.refuted for fate in self.fates),
            "survivors": {f.mutant.name: EQUIVALENT.get(f.mutant.name, "") for f in self.survivors},
            "faults": list(self.faults()),
        }


def judge_text(
    mutants: Iterable[TextMutant] | None = None,
    timeout: int = TIMEOUT,
    seed: int = 0,
    progress: Callable[[str], None] = lambda line: None,
) -> TextReport:
    """Judge these mutants, or all; `progress` gets a line for each."""
    fates = []
    for mutant in text_mutants() if mutants is None else mutants:
        fate = fate_of(mutant, timeout, seed)
        progress(str(fate))
        fates.append(fate)
    return TextReport(tuple(fates))


def fate_of(mutant: TextMutant, timeout: int = TIMEOUT, seed: int = 0) -> TextFate:
    """Look for what breaks it; where nothing does, try to prove all of it."""
    if mutant.function == "initial":
        start = start_counterexample(mutant)
        return TextFate(mutant, start, () if start else start_unproved(mutant, timeout, seed))
    affected = mutant.affected
    if not affected:
        return TextFate(mutant, None, (f"no transition uses {mutant.function}",))
    claims = [claim for each in affected for claim in judged_claims(each, INVARIANTS)]
    found, _ = shortest(claims, mutant.transitions, affected)
    if found:
        return TextFate(mutant, found)
    try:
        results = judged_results(affected, INVARIANTS, timeout, seed)
        unproved = tuple(result.name for result in results if not result.proved)
    except CouldNotRun as error:
        unproved = (str(error),)
    step = first_step((claim for claim in claims if claim.name in unproved), False)
    return TextFate(mutant, step, unproved)


# --- the initial state ----------------------------------------------------------------------------


def nobody_is_live(state: State, sequence: Sequence) -> Truth:
    """No sequence is live yet."""
    return absent(state.live(sequence))


START: tuple[Clause, ...] = (*INVARIANTS, nobody_is_live)  # what the initial state is judged by


def start_unproved(mutant: TextMutant, timeout: int, seed: int) -> tuple[str, ...]:
    """What is not proved of the initial state that the changed text makes."""
    start = mutant.module().__dict__["initial"](any_state())
    proved: set[Lemma] = set()
    unproved = []
    for clause, right in zip(START, initiation(START), strict=True):
        goal = formula(holds_in(start, clause, constants(variables_of(clause), "any")))
        list(prove_lemmas(in_order(right.lemmas), proved, timeout, seed))
        result = discharge(replace(right, goal=goal), proved, timeout, seed)
        unproved += [] if result.proved else [result.name]
    return tuple(unproved)


def start_counterexample(mutant: TextMutant) -> Counterexample | None:
    """Sizes and names of some pool from which the changed `initial` makes a broken state."""
    initial = mutant.module().__dict__["initial"]
    for pool in (filled(2, {}), filled(2, {NAMES[0]: ((1, 0), 3), NAMES[1]: ((1,), 2)})):
        for clause in START:
            for fault in start_faults(initial, pool, clause):
                return told_start(mutant, pool, clause, fault)
    return None


def start_faults(initial: Callable[[State], State], pool: Pool, *clauses: Clause) -> Iterator[str]:
    """Where one of the clauses does not hold in the state that `initial` makes of the pool."""
    for clause in clauses:
        for values in values_of(variables_of(clause), NAMES[:2]):
            where = ", ".join(f"{name} {value!r}" for name, value in values.items())
            try:
                if not holds_in(initial(pool.state()), clause, values):
                    yield f"{clause.__name__.replace('_', ' ')} does not hold at {where}"
            except FAILURES as error:
                yield f"the model's text fails: {type(error).__name__}: {error}"


def told_start(mutant: TextMutant, pool: Pool, clause: Clause, fault: str) -> Counterexample:
    """The broken initial state as a counterexample: of one step, from sizes and names."""
    law, shown = law_of("initial", clause.__name__), str(view_of(pool))
    tables = {name: (table.blocks, table.length) for name, table in pool.tables.items()}
    operation = f"initial(filled({pool.total}, {tables!r}).state())"
    asserted = f"assert not [*start_faults(initial, filled({pool.total}, {tables!r}), *START)]"
    return Counterexample(
        target="the model",
        import_line="from poolproof_model.execute import empty_pool\n"
        "from poolproof_model.transitions import initial\n"
        "from poolproof_verification.proofs.induction import filled\n"
        "from poolproof_verification.proofs.mechanical_judge import START, start_faults",
        class_name="empty_pool",
        total=pool.total,
        block_size=pool.block_size,
        law=law,
        headline=f"not true that the initial state has {clause.__name__}: {sentence_of(clause)}",
        breaches=(f"{law}: {fault}",),
        steps=(Step(operation, "", "", shown, shown, asserted),),
        found_by="the initial state made of a small pool",
    )

"""The initial state on concrete pools: what is proved of it, and where a wrong one breaks that.

Does not cover: other pools than two, one of them with sequences that must be forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from poolproof_model.execute import Pool
from poolproof_model.invariants import INVARIANTS
from poolproof_model.promises import INITIALLY
from poolproof_model.state import State
from poolproof_model.system import Clause
from poolproof_model.transitions import initial
from poolproof_verification.counterexample import Counterexample, Step
from poolproof_verification.operations import view_of
from poolproof_verification.proofs.claims import holds_in, law_of, sentence_of, variables_of
from poolproof_verification.proofs.induction import NAMES, filled
from poolproof_verification.proofs.runs import FAILURES
from poolproof_verification.proofs.search import values_of

Begin = Callable[[State], State]
POOLS = filled(2, {}), filled(2, {NAMES[0]: ((1, 0), 3), NAMES[1]: ((1,), 2)})
IMPORTS = """from poolproof_model.execute import empty_pool
from poolproof_model.transitions import initial
from poolproof_verification.proofs.induction import filled
from poolproof_verification.proofs.starting import start_faults"""


def start_clauses(invariants: tuple[Clause, ...] = INVARIANTS) -> tuple[Clause, ...]:
    """What the initial state must have."""
    return (*invariants, *INITIALLY)


def start_counterexample(
    clauses: tuple[Clause, ...], begin: Begin = initial
) -> Counterexample | None:
    """Sizes and names of some pool from which `begin` makes a state that breaks a clause."""
    for pool in POOLS:
        for clause in clauses:
            for fault in start_faults(begin, pool, clause):
                return told_start(pool, clause, fault)
    return None


def start_faults(begin: Begin, pool: Pool, *clauses: Clause) -> Iterator[str]:
    """Where one of the clauses does not hold in the state that `begin` makes of the pool."""
    for clause in clauses or start_clauses():
        for values in values_of(variables_of(clause), NAMES[:2]):
            where = ", ".join(f"{name} {value!r}" for name, value in values.items())
            try:
                if not holds_in(begin(pool.state()), clause, values):
                    yield f"{clause.__name__.replace('_', ' ')} does not hold at {where}"
            except FAILURES as error:
                yield f"the model's text fails: {type(error).__name__}: {error}"


def told_start(pool: Pool, clause: Clause, fault: str) -> Counterexample:
    """The broken initial state as a counterexample: of one step, from sizes and names."""
    law, shown = law_of("initial", clause.__name__), view_of(pool)
    tables = {name: (table.blocks, table.length) for name, table in pool.tables.items()}
    made = f"filled({pool.total}, {tables!r})"
    return Counterexample(
        target="the model",
        import_line=IMPORTS,
        class_name="empty_pool",
        total=pool.total,
        block_size=pool.block_size,
        law=law,
        headline=f"not true that the initial state has {clause.__name__}: {sentence_of(clause)}",
        breaches=(f"{law}: {fault}",),
        steps=(
            Step(
                f"initial({made}.state())",
                "a state that has it",
                "a state that has it not",
                shown,
                shown,
                f"assert not [*start_faults(initial, {made})]",
            ),
        ),
        found_by="the initial state made of a small pool",
    )

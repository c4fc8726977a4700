"""What a proof of the model rests on without being proved: read it before believing the rest."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Trusted:
    """One thing that remains trusted, where it is relied on, and what tests it all the same."""

    what: str
    relied_on: str
    tests: tuple[str, ...]  # files of tests, or commands
    not_tested: str = ""  # the part that nothing tests

    def __str__(self) -> str:
        """Four short lines, or three."""
        lines = [self.what, f"relied on: {self.relied_on}", f"tested by: {', '.join(self.tests)}"]
        return "\n".join([*lines, *([f"not tested: {self.not_tested}"] if self.not_tested else [])])


def trusted() -> tuple[Trusted, ...]:
    """Everything that remains trusted."""
    return SOLVERS + MATHEMATICS + READING + MODEL


SOLVERS = (
    Trusted(
        "z3: what it answers unsat has no model",
        "every obligation",
        ("poolproof prove --solver both", "poolproof prove --seeds 10", "poolproof prove --export"),
        "a mistake that both solvers share",
    ),
    Trusted(
        "the solvers' integers are Python's, and their div and mod are // and % for a block size "
        "of at least 1",
        "the lemmas 'quotient and remainder', 'no blocks have no slots', 'more blocks have more "
        "slots'",
        ("tests/verification/proofs/test_agreement.py", "tests/verification/proofs/test_lemmas.py"),
    ),
)
MATHEMATICS = (
    Trusted(
        "induction over the natural numbers: base and step are discharged, the schema is not",
        "the lemmas that have a base and a step; the loops over blocks",
        ("tests/verification/proofs/test_lemmas.py", "tests/verification/proofs/test_loops.py"),
        "the schema itself",
    ),
    Trusted(
        "induction over runs: what holds initially and is preserved by each transition holds in "
        "every reachable state",
        "reading the matrix as a statement about all runs",
        ("poolproof explore", "tests/model/test_invariants.py"),
        "the schema itself",
    ),
    Trusted(
        "the recursive definition of counting members, of a greatest member, of the members in "
        "order and of the members not yet picked: each defines one function",
        "the lemmas on counting, enumerating and picking",
        ("tests/verification/proofs/test_lemmas.py", "poolproof prove --audit"),
    ),
    Trusted(
        "a run uses finitely many names, however many; names are numbers to the solver",
        "counting the sequences that hold a block",
        ("poolproof fuzz", "tests/model/test_execute.py"),
        "a run with infinitely many names, which no machine has",
    ),
)
READING = (
    Trusted(
        "the symbolic wrapper turns the model's text into the formulas it means",
        "every obligation",
        ("tests/verification/proofs/test_term.py", "tests/verification/proofs/test_agreement.py"),
    ),
    Trusted(
        "the concrete driver, which runs the model on a transition's footprint only; outside of "
        "the footprint nothing changes, which is proved of the model",
        "counterexamples, witnesses, and every comparison of code with the model",
        ("tests/model/test_execute.py", "tests/verification/proofs/test_agreement.py"),
    ),
    Trusted(
        "block size, pool size and names are the same throughout a run",
        "every obligation: they are the same constants before and after a step",
        ("tests/impl/test_block_manager.py", "poolproof fuzz"),
    ),
)
MODEL = (
    Trusted(
        "refusals: by construction in the model, tested on the code. The model has no step where "
        "a guard fails, so nothing changes",
        "the law 'refusals', beyond exact admission, which is proved of the model",
        ("tests/model/test_refusals.py", "poolproof explore", "poolproof fuzz"),
    ),
    Trusted(
        "the model's clauses say what is wanted: each is one line of prose beside its formula",
        "whatever one concludes from a proof",
        ("poolproof prove --mutants", "poolproof prove --audit", "tests/model/test_promises.py"),
        "that nothing else is wanted",
    ),
)

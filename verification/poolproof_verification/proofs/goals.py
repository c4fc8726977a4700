"""What is to be proved, and what it may rest on: obligations and lemmas.

A lemma has ONE statement. Its proof obligations are derived from it, and so is the hypothesis that
other proofs use: neither can be changed without the other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import z3

from poolproof_verification.laws import LAWS
from poolproof_verification.proofs.term import BLOCK_SIZE, DIV, INTEGER, MOD, MUL
from poolproof_verification.verdict import CouldNotRun

Formula = Any  # z3 carries no types
Case = tuple[str, tuple[Formula, ...], Formula]  # a proof's step: its name, hypotheses, goal
Proof = Callable[[Formula], tuple[Case, ...]]


@dataclass(frozen=True, eq=False)
class Obligation:
    """One thing to prove: from the hypotheses and the lemmas, the goal."""

    name: str
    sentence: str
    goal: Formula
    hypotheses: tuple[tuple[str, Formula], ...] = ()
    lemmas: tuple[Lemma, ...] = ()
    transition: str = ""
    clause: str = ""
    law: str = ""  # a key of `laws.LAWS`

    def __post_init__(self) -> None:
        """CouldNotRun: no law would be unknown if this is not proved."""
        if self.law not in LAWS:
            raise CouldNotRun(f"{self.name}: there is no law {self.law!r} that it could belong to")


@dataclass(frozen=True, eq=False)
class Lemma:
    """A fact about sets, counts or block sizes, true for all values of its variables."""

    name: str
    law: str  # which one needs it most
    sentence: str
    variables: tuple[Any, ...]
    statement: Formula
    triggers: tuple[Formula, ...]
    proof: Proof
    uses: tuple[Lemma, ...] = ()

    def hypothesis(self) -> Formula:
        """The statement for all values, as other proofs use it."""
        if not self.variables:
            return self.statement
        return z3.ForAll(
            self.variables, self.statement, patterns=self.triggers, qid=self.name.replace(" ", "_")
        )

    def obligations(self) -> tuple[Obligation, ...]:
        """What must be proved before anything may rest on this lemma."""
        return tuple(
            Obligation(
                f"lemma {self.name}: {step}",
                self.sentence,
                goal,
                tuple((f"{step} {number}", each) for number, each in enumerate(hypotheses)),
                self.uses,
                clause=self.name,
                law=self.law,
            )
            for step, hypotheses, goal in self.proof(self.statement)
        )


def by_induction(variable: Any, *definitions: Formula) -> Proof:
    """Base at 0, and the step from each n >= 0 to n + 1. `definitions`: instances used, at n."""

    def cases(statement: Formula) -> tuple[Case, ...]:
        base = z3.substitute(statement, (variable, z3.IntVal(0)))
        step = z3.substitute(statement, (variable, variable + 1))
        before = (*definitions, variable >= 0, statement)
        return ("base", definitions, base), ("step", before, step)

    return cases


def directly(*definitions: Formula) -> Proof:
    """In one step from the lemmas it uses and from instances of definitions."""
    return lambda statement: (("direct", definitions, statement),)


def by_arithmetic(statement: Formula) -> tuple[Case, ...]:
    """With DIV, MOD and MUL replaced by the solver's own arithmetic, for any block size >= 1."""
    x = z3.Var(0, INTEGER)
    meanings = ((DIV, x / BLOCK_SIZE), (MOD, x % BLOCK_SIZE), (MUL, x * BLOCK_SIZE))
    return (("arithmetic", (BLOCK_SIZE >= 1,), z3.substitute_funs(statement, *meanings)),)

"""An obligation as SMT-LIB 2 text that any solver reads: unsat means proved of the model.

The text has no options: a logic, declarations, assertions (the hypotheses, the lemmas for all
values, the goal negated) and one `check-sat`. The same obligation is the same bytes in every run.

Does not cover: whether a solver answers the text as it answers the terms; `recheck` asks it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import z3

from poolproof_verification.proofs.goals import Formula, Obligation


def text_of(obligation: Obligation) -> str:
    """The obligation as a file; a comment says what each assertion is."""
    told = list(assertions(obligation))
    lines = [f"; {obligation.name}", "(set-logic ALL)"]
    lines += [symbol.sexpr() for symbol in symbols(formula for _, formula in told)]
    for words, formula in told:
        lines += [f"; {words}", f"(assert {formula.sexpr()})"]
    return "\n".join((*lines, "(check-sat)", ""))


def assertions(obligation: Obligation) -> Iterator[tuple[str, Formula]]:
    """What each formula is, in words, and the formula. Together they must be contradictory."""
    for name, hypothesis in obligation.hypotheses:
        yield f"hypothesis: {name}", hypothesis
    for lemma in obligation.lemmas:
        yield f"lemma: {lemma.name}", lemma.hypothesis()
    yield "the goal, negated", z3.Not(obligation.goal)


def symbols(formulas: Iterable[Formula]) -> list[Any]:
    """The functions and constants that the formulas mention, each once, by name."""
    found: dict[str, Any] = {}
    seen: set[int] = set()
    waiting = list(formulas)
    while waiting:
        term = waiting.pop()
        if term.get_id() in seen:
            continue
        seen.add(term.get_id())
        waiting += term.children()
        if z3.is_quantifier(term):
            waiting += [term.pattern(number) for number in range(term.num_patterns())]
        elif z3.is_app(term) and term.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            found[term.decl().name()] = term.decl()
    return [found[name] for name in sorted(found)]

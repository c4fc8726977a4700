"""At which terms a solver uses a statement about all values: read off the statement itself.

A trigger only guides the search for a proof. A poor one makes an obligation unknown, never proved.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import z3

from poolproof_verification.proofs.goals import Formula
from poolproof_verification.proofs.term import COUNT, DIV, MOD, MUL

OF_LEMMAS = tuple(function.name() for function in (COUNT, DIV, MOD, MUL))


def triggers(variables: list[Any], body: Formula) -> list[Any]:
    """The least applications of state functions in the body that mention all variables.

    Where none does alone, one trigger of several that do together.
    """
    wanted = {variable.get_id() for variable in variables}
    found = {term.get_id(): term for term in subterms(body) if is_trigger(term)}
    complete = [term for term in found.values() if wanted <= ids(term)]
    if complete:
        return [term for term in complete if not any(inside(other, term) for other in complete)]
    together: list[Any] = []
    for term in found.values():
        if (wanted & ids(term)) - {each for chosen in together for each in ids(chosen)}:
            together.append(term)
    covered = {each for chosen in together for each in ids(chosen)}
    return [z3.MultiPattern(*together)] if wanted <= covered else []


def subterms(term: Any) -> Iterator[Any]:
    """The term and everything in it, the innermost first."""
    for child in term.children():
        yield from subterms(child)
    yield term


def ids(term: Any) -> set[int]:
    """What tells the parts of a term apart."""
    return {part.get_id() for part in subterms(term)}


def inside(part: Any, whole: Any) -> bool:
    """The part lies properly within the whole."""
    return part.get_id() != whole.get_id() and part.get_id() in ids(whole)


def is_trigger(term: Any) -> bool:
    """A state function applied to terms without arithmetic or logic of their own."""
    applied = term.num_args() > 0 and term.decl().name() not in OF_LEMMAS
    return applied and all(is_plain(part) for part in subterms(term))


def is_plain(term: Any) -> bool:
    """A function of the state or of a lemma, a set asked for a member, a constant, a number."""
    plain = (z3.Z3_OP_UNINTERPRETED, z3.Z3_OP_SELECT, z3.Z3_OP_ANUM)
    return z3.is_app(term) and term.decl().kind() in plain

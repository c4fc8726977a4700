"""What a proof of the model rests on without being proved: read it before believing the rest."""

from __future__ import annotations


def trusted() -> tuple[str, ...]:
    """Each thing that remains trusted, in a sentence."""
    return (
        "z3, which finds the proofs; and that its integers are Python's, its div and mod Python's "
        "// and % for a block size of at least 1",
        "induction over the natural numbers: base and step are discharged, the schema is not",
        "the recursive definitions of counting members, of a greatest member, of the members in "
        "order and of the members not yet picked",
        "that a run uses finitely many names, however many; names are numbers to the solver",
        "that block size, pool size and names are the same throughout a run, as the model says",
        "the symbolic wrapper, which turns the model's text into formulas: an operator it got "
        "wrong would go unseen but for its tests and the executed counterexamples",
        "the program that runs the model on concrete states: it is tested, and looks at a "
        "transition's footprint only, outside of which nothing changes (proved of the model)",
        "refusals: the model has no step where a guard fails, so nothing changes; that the code "
        "refuses likewise is tested, searched and explored",
        "that the model's clauses say what is wanted: each is one line of prose beside its formula",
    )

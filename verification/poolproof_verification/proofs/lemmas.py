"""The lemmas: counting by induction, block arithmetic, and when a lawful choice of blocks exists.

COUNT, WITNESS, ENUMERATE and UNUSED are defined by recursion over the naturals (`defined_...`); the
lemmas are proved from instances of those definitions, at the constants of the lemma itself.
"""

from __future__ import annotations

from typing import Any

import z3

from poolproof_verification.proofs.goals import (
    Formula,
    Lemma,
    by_arithmetic,
    by_induction,
    directly,
)
from poolproof_verification.proofs.term import BLOCK_SIZE, COUNT, DIV, INTEGER, MOD, MUL, SET

A = z3.Const("A", SET)
n, s, t, i, k, b, x, p, q = z3.Ints("n s t i k b x p q")
member = z3.Bool("member")
EMPTY = z3.K(INTEGER, z3.BoolVal(False))


def within(value: Any, end: Any) -> Formula:
    """The value is one of 0 .. end - 1."""
    return z3.And(value >= 0, value < end)


def one_if(condition: Formula) -> Formula:
    """1 where the condition holds, else 0."""
    return z3.If(condition, 1, 0)


# --- counting -------------------------------------------------------------------------------------


def defined_count(members: Any, end: Any) -> Formula:
    """COUNT: nothing below 0; one more below n + 1 exactly if n is a member."""
    more = COUNT(members, end + 1) == COUNT(members, end) + one_if(members[end])
    return z3.And(COUNT(members, 0) == 0, z3.Implies(end >= 0, more))


WITNESS = z3.Function("witness", SET, INTEGER, INTEGER)


def defined_witness(members: Any, end: Any) -> Formula:
    """WITNESS: the greatest member below n, if there is one."""
    greater = z3.If(members[end], end, WITNESS(members, end))
    return z3.Implies(end >= 0, WITNESS(members, end + 1) == greater)


NATURAL = Lemma(
    name="count is natural",
    law="counts",
    sentence="No set has a negative number of members.",
    variables=(A, n),
    statement=z3.Implies(n >= 0, COUNT(A, n) >= 0),
    triggers=(COUNT(A, n),),
    proof=by_induction(n, defined_count(A, n)),
)
CHANGED = z3.Store(A, s, member)
CHANGE = Lemma(
    name="count after one change",
    law="counts",
    sentence="A set that changes at one point counts one more, one less, or the same.",
    variables=(A, s, member, n),
    statement=z3.Implies(
        n >= 0,
        COUNT(CHANGED, n) == COUNT(A, n) + z3.If(within(s, n), one_if(member) - one_if(A[s]), 0),
    ),
    triggers=(COUNT(CHANGED, n),),
    proof=by_induction(n, defined_count(A, n), defined_count(CHANGED, n)),
)
NOBODY = Lemma(
    name="count of nobody",
    law="counts",
    sentence="The empty set has no members.",
    variables=(n,),
    statement=z3.Implies(n >= 0, COUNT(EMPTY, n) == 0),
    triggers=(COUNT(EMPTY, n),),
    proof=by_induction(n, defined_count(EMPTY, n)),
)
ONE = Lemma(
    name="count of one",
    law="counts",
    sentence="A set with a member counts at least one.",
    variables=(A, s, n),
    statement=z3.Implies(z3.And(within(s, n), A[s]), COUNT(A, n) >= 1),
    triggers=(z3.MultiPattern(COUNT(A, n), A[s]),),
    proof=by_induction(n, defined_count(A, n)),
    uses=(NATURAL,),
)
TWO = Lemma(
    name="count of two",
    law="counts",
    sentence="A set with two members counts at least two.",
    variables=(A, s, t, n),
    statement=z3.Implies(z3.And(within(s, n), within(t, n), s != t, A[s], A[t]), COUNT(A, n) >= 2),
    triggers=(z3.MultiPattern(COUNT(A, n), A[s], A[t]),),
    proof=by_induction(n, defined_count(A, n)),
    uses=(ONE,),
)
SOMEBODY = Lemma(
    name="count has a witness",
    law="counts",
    sentence="A set that counts more than none has a member.",
    variables=(A, n),
    statement=z3.Implies(
        z3.And(n >= 0, COUNT(A, n) > 0), z3.And(within(WITNESS(A, n), n), A[WITNESS(A, n)])
    ),
    triggers=(COUNT(A, n),),
    proof=by_induction(n, defined_count(A, n), defined_witness(A, n)),
)
COUNTING = (NATURAL, CHANGE, NOBODY, ONE, TWO, SOMEBODY)

# --- block sizes ----------------------------------------------------------------------------------

DIVISION = Lemma(
    name="quotient and remainder",
    law="lengths",
    sentence="A number is its quotient times the block size plus a remainder below it.",
    variables=(x,),
    statement=z3.And(MUL(DIV(x)) + MOD(x) == x, within(MOD(x), BLOCK_SIZE)),
    triggers=(DIV(x), MOD(x)),
    proof=by_arithmetic,
)
NO_BLOCKS = Lemma(
    name="no blocks have no slots",
    law="lengths",
    sentence="Zero blocks have zero slots.",
    variables=(),
    statement=MUL(0) == 0,
    triggers=(),
    proof=by_arithmetic,
)
MORE_BLOCKS = Lemma(
    name="more blocks have more slots",
    law="lengths",
    sentence="Each block more is a block size more of slots.",
    variables=(p, q),
    statement=z3.And(
        z3.Implies(q == p + 1, MUL(p) + BLOCK_SIZE == MUL(q)),
        z3.Implies(p < q, MUL(p) + BLOCK_SIZE <= MUL(q)),
        z3.Implies(p + 1 < q, MUL(p) + BLOCK_SIZE + BLOCK_SIZE <= MUL(q)),
    ),
    triggers=(z3.MultiPattern(MUL(p), MUL(q)),),
    proof=by_arithmetic,
)
ARITHMETIC = (DIVISION, NO_BLOCKS, MORE_BLOCKS)

# --- choices: enough free blocks, or not ----------------------------------------------------------

ENUMERATE = z3.Function("enumerate", SET, INTEGER, INTEGER, INTEGER)


def defined_enumerate(members: Any, end: Any, index: Any) -> Formula:
    """ENUMERATE: entry i of the members below n, in ascending order."""
    newest = z3.And(members[end], index == COUNT(members, end))
    entry = z3.If(newest, end, ENUMERATE(members, end, index))
    return z3.Implies(end >= 0, ENUMERATE(members, end + 1, index) == entry)


ENUMERATION = Lemma(
    name="members can be enumerated",
    law="admission",
    sentence="A set that counts c has entries 0 .. c - 1: members, each at its own place.",
    variables=(A, n, i),
    statement=z3.Implies(
        z3.And(n >= 0, within(i, COUNT(A, n))),
        z3.And(
            within(ENUMERATE(A, n, i), n),
            A[ENUMERATE(A, n, i)],
            COUNT(A, ENUMERATE(A, n, i)) == i,
        ),
    ),
    triggers=(ENUMERATE(A, n, i),),
    proof=by_induction(n, defined_count(A, n), defined_enumerate(A, n, i)),
)

# Any choice whatever: functions and a number of which the lemmas assume nothing else.
NEEDED = z3.Int("needed")
PICK = z3.Function("pick", INTEGER, INTEGER)
PLACE = z3.Function("place", INTEGER, INTEGER)
UNUSED = z3.Function("unused", SET, INTEGER, SET)


def distinct_picks(members: Any, end: Any) -> Formula:
    """Picks 0 .. NEEDED - 1 are members below n, and PLACE is the inverse of PICK on them."""
    pick = z3.And(within(PICK(i), end), members[PICK(i)], PLACE(PICK(i)) == i)
    return z3.ForAll([i], z3.Implies(within(i, NEEDED), pick), patterns=[PICK(i)])


def defined_unused(members: Any, picks: Any) -> Formula:
    """UNUSED: the members without the first k picks."""
    fewer = UNUSED(members, picks + 1) == z3.Store(UNUSED(members, picks), PICK(picks), False)
    return z3.And(UNUSED(members, 0) == members, z3.Implies(picks >= 0, fewer))


AFTER_PICKS = z3.And(n >= 0, within(k, NEEDED + 1), distinct_picks(A, n))
STILL_THERE = Lemma(
    name="a pick is still there",
    law="admission",
    sentence="Distinct picks: a member stays until it is picked.",
    variables=(A, n, k, b),
    statement=z3.Implies(
        z3.And(AFTER_PICKS, A[b], z3.Not(z3.And(within(PLACE(b), k), PICK(PLACE(b)) == b))),
        UNUSED(A, k)[b],
    ),
    triggers=(z3.MultiPattern(COUNT(A, n), UNUSED(A, k)[b]),),
    proof=by_induction(k, defined_unused(A, k)),
)
ONE_FEWER = Lemma(
    name="each pick leaves one fewer",
    law="admission",
    sentence="After k distinct picks, k fewer members are left.",
    variables=(A, n, k),
    statement=z3.Implies(AFTER_PICKS, COUNT(UNUSED(A, k), n) == COUNT(A, n) - k),
    triggers=(COUNT(UNUSED(A, k), n),),
    proof=by_induction(k, defined_unused(A, k)),
    uses=(STILL_THERE, CHANGE),
)
LEFT = z3.Int("members left")  # a name for a term, which puts it in the solver's sight
PIGEONHOLE = Lemma(
    name="distinct picks need as many members",
    law="admission",
    sentence="No set offers more distinct picks than it has members.",
    variables=(A, n),
    statement=z3.Implies(z3.And(n >= 0, distinct_picks(A, n)), COUNT(A, n) >= NEEDED),
    triggers=(COUNT(A, n),),
    proof=directly(COUNT(UNUSED(A, NEEDED), n) == LEFT),
    uses=(ONE_FEWER, NATURAL),
)
CHOICES = (ENUMERATION, STILL_THERE, ONE_FEWER, PIGEONHOLE)
LEMMAS = COUNTING + ARITHMETIC + CHOICES

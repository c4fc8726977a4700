"""Nothing in the model is idle: each branch of each effect is replaced by an unknown in turn.

A component's new value is one term over its point (a block, a sequence and an index ...). Its
branches are the sides of its choices, the operands of its `&`, `|` and negations, the members of
its sets, and the value as a whole; each occurrence is one of its own. Put a function of which
nothing is known in the place of one: some obligation about the transition must then lose its proof,
or that part of the text could say anything.

Does not cover: conditions that are wrong rather than unknown (the mutants do); that an obligation
without a proof is false. The loops are left out: they restate counts and free blocks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import z3

from poolproof_model.invariants import INVARIANTS
from poolproof_model.state import State
from poolproof_model.system import TRANSITIONS, Clause, Transition
from poolproof_verification.proofs.claims import COMPONENTS, Claim, Step, claims_of, kinds_of
from poolproof_verification.proofs.goals import Formula
from poolproof_verification.proofs.obligations import Setting, consecution, setting_of
from poolproof_verification.proofs.solve import solver_for
from poolproof_verification.proofs.symbols import constants
from poolproof_verification.proofs.term import INTEGER, bare, formula, wrapped

TIMEOUT = 10_000  # milliseconds an obligation
EFFORT = 250_000  # the solver's own units, the same on any machine: twice what the hardest needs
# Which operands of an operator are branches; the condition of a choice and the point of a set's
# change are none.
BRANCHING = {
    z3.Z3_OP_ITE: slice(1, None),
    z3.Z3_OP_STORE: slice(2, None),
    z3.Z3_OP_AND: slice(None),
    z3.Z3_OP_OR: slice(None),
    z3.Z3_OP_NOT: slice(None),
}
ARITHMETIC = (z3.Z3_OP_ADD, z3.Z3_OP_SUB, z3.Z3_OP_UMINUS)  # looked into, but no branches

Place = tuple[int, ...]  # which operand of which operand ... of a term

# Branches whose loss no obligation notices, each with the reason why none should.
NO_TABLE = "what is not live has no table: every clause about one asks first whether it is live"
EXPLAINED = {
    "release, table_length, operand 1: 0": NO_TABLE,
    "release, length, operand 1: 0": NO_TABLE,
}


@dataclass(frozen=True)
class Branch:
    """One part of a component's new value, and the obligation that its loss leaves unproved."""

    transition: str
    component: str
    place: Place
    part: str  # the solver's notation
    noticed_by: str  # nothing where no obligation notices

    @property
    def name(self) -> str:
        """What tells it apart from all others."""
        operand = " of ".join(map(str, reversed(self.place)))
        where = f", operand {operand}" if self.place else ""
        return f"{self.transition}, {self.component}{where}: {self.part}"

    @property
    def explanation(self) -> str:
        """Why no obligation needs it, if that is known."""
        return EXPLAINED.get(self.name, "")

    @property
    def settled(self) -> bool:
        """An obligation notices, or it is explained why none does."""
        return bool(self.noticed_by or self.explanation)

    def __str__(self) -> str:
        """One line for a log."""
        if self.noticed_by:
            return f"{self.name}: noticed by: {self.noticed_by}"
        return f"{self.name}: no obligation notices: {self.explanation or 'NOT EXPLAINED'}"


def branches(
    transitions: tuple[Transition, ...] = TRANSITIONS, invariants: tuple[Clause, ...] = INVARIANTS
) -> Iterator[Branch]:
    """Every branch of every component of every transition, and who notices its loss."""
    for transition in transitions:
        setting = setting_of(transition, invariants)
        judges = [Judge(setting, claim) for claim in claims_of(transition, invariants)]
        for component in COMPONENTS:
            point = [z3.Int(f"at {number}") for number, _ in enumerate(kinds_of(component.type))]
            value = value_at(setting.step.after, component.name, point)
            for place, part in parts(value):
                changed = with_unknown(setting.step, component.name, point, value, place)
                judge = next((each for each in judges if not each.proves(changed)), None)
                if judge:  # it notices what is next to this as well, as a rule: so ask it first
                    judges = [judge, *(each for each in judges if each is not judge)]
                name = judge.claim.name if judge else ""
                yield Branch(transition.name, component.name, place, told(part), name)


def unneeded_explanations(found: Iterable[Branch]) -> Iterator[str]:
    """Explanations of what an obligation notices, or of no branch."""
    idle = {each.name for each in found if not each.noticed_by}
    for name in EXPLAINED:
        if name not in idle:
            yield f"{name}: explained, and noticed or no branch"


def value_at(state: State, component: str, point: list[Any]) -> Formula:
    """The component's value at this point, as a term."""
    value = formula(getattr(state, component)(*map(wrapped, point)))
    return z3.IntVal(value) if isinstance(value, int) else value


def parts(value: Formula) -> Iterator[tuple[Place, Formula]]:
    """The value itself and its branches, each with its place in the value, the outermost first."""
    yield (), value
    yield from branches_in(value, ())


def branches_in(value: Formula, place: Place) -> Iterator[tuple[Place, Formula]]:
    """The branches below this place of a value."""
    kind, operands = value.decl().kind(), list(enumerate(value.children()))
    for number, operand in operands[BRANCHING.get(kind, slice(0))]:
        yield (*place, number), operand
        yield from branches_in(operand, (*place, number))
    if kind in ARITHMETIC:
        for number, operand in operands:
            yield from branches_in(operand, (*place, number))


def replaced(value: Formula, place: Place, part: Formula) -> Formula:
    """The value with another part in this place."""
    if not place:
        return part
    operands = value.children()
    operands[place[0]] = replaced(operands[place[0]], place[1:], part)
    return value.decl()(*operands)


def with_unknown(
    step: Step, component: str, point: list[Any], value: Formula, place: Place
) -> Step:
    """The same step, but for an unknown in this place of the component's value after it."""
    sort = next(part.sort() for where, part in parts(value) if where == place)
    unknown = z3.Function("unknown", *(INTEGER for _ in point), sort)
    changed = replaced(value, place, unknown(*point))

    def component_after(*arguments: Any) -> Any:
        given = (z3.IntVal(each) if isinstance(each, int) else bare(each) for each in arguments)
        return wrapped(z3.substitute(changed, *zip(point, given, strict=True)))

    return ending_in(step, replace(step.after, **{component: component_after}))


def ending_in(step: Step, after: State) -> Step:
    """The same step, but for the state it ends in."""
    return replace(step, transition=replace(step.transition, effect=lambda: after))


class Judge:
    """One claim about a transition, with the hypotheses ready, asked of one step after another."""

    def __init__(self, setting: Setting, claim: Claim) -> None:
        """`setting`: of the transition as it is; what a proof may assume is the same for all."""
        self.claim = claim
        self.obligation = consecution(setting, claim)

    def proves(self, step: Step) -> bool:
        """The claim is still proved of the model whose step this is."""
        values = constants(self.claim.variables, "any")
        goal = formula(self.claim.holds(step, values))
        solver = solver_for(self.obligation, TIMEOUT, seed=0)
        solver.set(rlimit=EFFORT)
        solver.add(z3.Not(goal))
        return bool(solver.check() == z3.unsat)


def told(part: Formula) -> str:
    """The part in one line."""
    words = " ".join(str(part).split())
    return words if len(words) <= 80 else f"{words[:77]}..."

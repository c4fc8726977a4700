"""Every proof obligation, built from the model's own lists: nothing here names a transition.

Initiation and consecution of each invariant, each promise, frame and footprint of each transition,
and exact admission: it is where the transition promises it, and there a lawful choice exists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import z3

from poolproof_model.algebra import absent, implies
from poolproof_model.promises import INITIALLY
from poolproof_model.state import Choice, State, lawful
from poolproof_model.system import Clause, Transition, call
from poolproof_model.transitions import initial
from poolproof_verification.proofs.claims import (
    Claim,
    Kinds,
    Step,
    Values,
    admission_name,
    claims_of,
    holds_in,
    law_of,
    parameters_of,
    sentence_of,
    variables_of,
)
from poolproof_verification.proofs.goals import Formula, Obligation
from poolproof_verification.proofs.lemmas import (
    ARITHMETIC,
    COUNTING,
    ENUMERATE,
    ENUMERATION,
    NEEDED,
    PIGEONHOLE,
)
from poolproof_verification.proofs.loops import LOOPS, loop_cases
from poolproof_verification.proofs.symbols import (
    CHOICE,
    SIZES,
    any_state,
    constants,
    for_all,
    in_sight,
    instances,
)
from poolproof_verification.proofs.term import COUNT, TOTAL, Term, bare, formula
from poolproof_verification.verdict import CouldNotRun

Named = tuple[tuple[str, Formula], ...]
BASICS = COUNTING + ARITHMETIC
SIZED: Named = tuple((f"sizes {number}", each) for number, each in enumerate(SIZES))


@dataclass(frozen=True)
class Setting:
    """Any step of one transition, from any state in which the invariants hold."""

    step: Step
    invariants: tuple[Clause, ...]
    always: Named  # sizes, invariants
    guards: Named
    lawful: Named  # the choice

    def hypotheses(self, variables: Kinds, values: Values) -> Named:
        """All of them; each invariant also at the constants in sight, which steadies proofs."""
        return self.always + self.guards + self.lawful + self.in_sight(variables, values)

    def in_sight(self, variables: Kinds, values: Values) -> Named:
        """Each invariant at the arguments and at these constants."""
        parameters = parameters_of(self.step.transition)
        sight = in_sight((parameters, self.step.arguments), (variables, values))
        return tuple(
            (f"{invariant.__name__} in sight {number}", instance)
            for invariant in self.invariants
            for number, instance in enumerate(instances(invariant, self.step.before, sight))
        )


def setting_of(transition: Transition, invariants: tuple[Clause, ...]) -> Setting:
    """What the proofs about a transition may assume."""
    step = Step(transition, any_state(), constants(parameters_of(transition), "given"), CHOICE)
    guards = tuple(
        (condition.__name__, formula(call(condition, step.values)))
        for _, condition in transition.requirements
    )
    choice = for_all(
        lambda index: lawful(step.before, CHOICE, step.needed, index), {"index": "Index"}, "choice"
    )
    always = SIZED + assumed(step.before, invariants)
    return Setting(step, invariants, always, guards, (("choice is lawful", choice),))


def assumed(state: State, invariants: Iterable[Clause]) -> Named:
    """Each invariant, for all values of its variables."""

    def stated(clause: Clause) -> Formula:
        return for_all(
            lambda **values: holds_in(state, clause, values), variables_of(clause), clause.__name__
        )

    return tuple((clause.__name__, stated(clause)) for clause in invariants)


def obligations(
    transitions: Iterable[Transition], invariants: tuple[Clause, ...]
) -> Iterator[Obligation]:
    """Everything there is to prove of this model."""
    with stated_of("the initial state"):
        yield from initiation(invariants)
    for transition in transitions:
        with stated_of(transition.name):
            setting = setting_of(transition, invariants)
            for claim in claims_of(transition, invariants):
                yield consecution(setting, claim)
            yield admits(setting)
            yield from admission(setting)
            yield from loop(setting)
    yield all_free(invariants)


@contextmanager
def stated_of(name: str) -> Iterator[None]:
    """Say whose text it is that cannot be read symbolically."""
    try:
        yield
    except (TypeError, AttributeError, z3.Z3Exception) as error:
        raise CouldNotRun(f"the model's text for {name} cannot be stated: {error}") from error


def initiation(
    invariants: Iterable[Clause], begin: Callable[[State], State] = initial
) -> Iterator[Obligation]:
    """The initial state has each invariant, and what is promised of it."""
    start = begin(any_state())
    for clause in (*invariants, *INITIALLY):
        values = constants(variables_of(clause), "any")
        yield Obligation(
            f"the initial state has {clause.__name__}",
            sentence_of(clause),
            formula(holds_in(start, clause, values)),
            SIZED,
            BASICS,
            "initial",
            clause.__name__,
            law_of("initial", clause.__name__),
        )


def consecution(setting: Setting, claim: Claim) -> Obligation:
    """The claim holds of any step, whatever values its variables have."""
    values = constants(claim.variables, "any")
    return Obligation(
        claim.name,
        claim.sentence,
        formula(claim.holds(setting.step, values)),
        setting.hypotheses(claim.variables, values),
        BASICS,
        claim.transition.name,
        claim.clause,
        claim.law,
    )


def admits(setting: Setting) -> Obligation:
    """The guards and `needed <= num_free` hold exactly where the transition promises them to."""
    step = setting.step
    enough = formula(step.needed <= step.before.num_free())
    admitted = z3.And(*(guard for _, guard in setting.guards), enough)
    return Obligation(
        admission_name(step.transition),
        sentence_of(step.transition.admits),
        admitted == formula(call(step.transition.admits, step.values)),
        setting.always + setting.in_sight({}, {}),
        BASICS,
        step.transition.name,
        "admits",
        "admission",
    )


def admission(setting: Setting) -> Iterator[Obligation]:
    """The guards and `needed <= num_free` hold exactly where a lawful choice exists."""
    step, name = setting.step, setting.step.transition.name
    enough = formula(step.needed <= step.before.num_free())
    free, index = bare(step.before.free), constants({"index": "Index"}, "any")["index"]
    lowest = Choice(
        lambda place: Term(ENUMERATE(free, TOTAL, bare(place))),
        lambda block: Term(COUNT(free, bare(block))),
    )
    yield Obligation(
        f"{name} has a lawful choice where enough blocks are free",
        "Who is admitted can go on: as many free, distinct blocks as needed exist.",
        formula(lawful(step.before, lowest, step.needed, index)),
        setting.always + setting.guards + (("enough blocks are free", enough),),
        (*BASICS, ENUMERATION),
        name,
        "admission",
        "admission",
    )
    same = bare(step.needed) == NEEDED
    yield Obligation(
        f"{name} has no lawful choice elsewhere",
        "Who is refused for want of blocks could not go on: any lawful choice means enough.",
        enough,
        setting.always + setting.guards + setting.lawful + (("as many as needed", same),),
        (*BASICS, PIGEONHOLE),
        name,
        "admission",
        "admission",
    )


def loop(setting: Setting) -> Iterator[Obligation]:
    """The loop over blocks, where code has one, amounts to the effect."""
    name = setting.step.transition.name
    if name not in LOOPS:
        return
    described = LOOPS[name](setting.step)
    block = constants({"block": "Block"}, "any")
    for case, hypotheses, goal in loop_cases(setting.step, described, block["block"]):
        named = tuple((f"{case} {number}", each) for number, each in enumerate(hypotheses))
        yield Obligation(
            f"{name}'s loop over blocks: {case}",
            "One pass for each block of the list makes the very counts and free blocks.",
            goal,
            setting.hypotheses({"block": "Block"}, block) + named,
            BASICS,
            name,
            "loop",
            described.law,
        )


def all_free(invariants: Iterable[Clause]) -> Obligation:
    """Nothing leaks: without live sequences the pool is whole."""
    state, block = any_state(), constants({"block": "Block"}, "any")["block"]
    nobody = for_all(
        lambda sequence: absent(state.live(sequence)), {"sequence": "Sequence"}, "nobody"
    )
    return Obligation(
        "every block is free when no sequence is live",
        "Once everybody has let go, the pool is whole again.",
        formula(implies(state.is_block(block), state.free(block))),
        SIZED + assumed(state, invariants) + (("no sequence is live", nobody),),
        BASICS,
        "",
        "all free",
        "partition",
    )

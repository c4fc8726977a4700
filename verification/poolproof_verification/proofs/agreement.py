"""The executed model is the proved model: solver terms and Python values agree on random steps.

One text is read twice. Here the solver terms of each transition, with a random concrete state put
in, must say what the same text says when Python runs it: every component after the step, every
guard, how many blocks are needed, and every claim about the step. The executed model, which looks
at a step's footprint only, must agree too, wherever the description cares.

Does not cover: pools larger than those of `sampling`; what no seed has drawn so far.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import product
from random import Random
from typing import Any

import z3

from poolproof_model.execute import empty_pool, refusal_in
from poolproof_model.invariants import INVARIANTS
from poolproof_model.state import State
from poolproof_model.system import TRANSITIONS, Clause, Transition, call
from poolproof_verification.proofs.claims import (
    COMPONENTS,
    Claim,
    Step,
    claims_of,
    kinds_of,
    parameters_of,
)
from poolproof_verification.proofs.goals import Formula
from poolproof_verification.proofs.interpretation import (
    Interpretation,
    interpretation,
    literal,
    ranges_of,
)
from poolproof_verification.proofs.sampling import LARGEST, NAMES, Sample, cared_for, samples
from poolproof_verification.proofs.symbols import CHOICE, any_state, constants
from poolproof_verification.proofs.term import formula

Saying = Callable[[Step], Any]  # one thing said of a step, symbolic or concrete as the step is
RANGES = ranges_of(empty_pool(*LARGEST).state(), NAMES)


def disagreements(
    steps: int,
    seed: int = 0,
    transitions: tuple[Transition, ...] = TRANSITIONS,
    invariants: tuple[Clause, ...] = INVARIANTS,
) -> Iterator[str]:
    """What solver terms and execution say differently, over so many random steps."""
    random = Random(seed)
    readings = {each.name: Reading(each, invariants) for each in transitions}
    for sample in samples(transitions, steps, random):
        yield from readings[sample.step.transition.name].disagreements(sample, random)
        yield from executed_otherwise(sample)


@dataclass(frozen=True)
class Reading:
    """One transition as solver terms, built once; each sample gives them values."""

    transition: Transition
    invariants: tuple[Clause, ...]

    @cached_property
    def step(self) -> Step:
        """Any step of it."""
        given = constants(parameters_of(self.transition), "given")
        return Step(self.transition, any_state(), given, CHOICE)

    @cached_property
    def claims(self) -> tuple[Claim, ...]:
        """Everything claimed of it."""
        return tuple(claims_of(self.transition, self.invariants))

    @cached_property
    def variables(self) -> dict[str, str]:
        """What the claims' variables range over."""
        return {name: kind for claim in self.claims for name, kind in claim.variables.items()}

    @cached_property
    def terms(self) -> dict[str, Formula]:
        """Whatever is said of any step, as solver terms."""
        said = {name: formula(saying(self.step)) for name, saying in sayings(self.transition)}
        values = constants(self.variables, "any")
        return said | {claim.name: formula(claim.holds(self.step, values)) for claim in self.claims}

    @cached_property
    def expected(self) -> dict[str, Formula]:
        """A constant for what each of them should be."""
        return {
            name: z3.Const(f"expected {name}", expression(term).sort())
            for name, term in self.terms.items()
        }

    @cached_property
    def agreement(self) -> Formula:
        """All are what they should be."""
        return z3.And([self.terms[name] == self.expected[name] for name in self.terms])

    def disagreements(self, sample: Sample, random: Random) -> Iterator[str]:
        """What the terms say differently from Python, for this sample."""
        values = {name: random.choice(RANGES.get(kind, range(7))) for name, kind in self.drawn}
        concrete = {name: saying(sample.step) for name, saying in sayings(self.transition)}
        concrete |= {claim.name: claim.holds(sample.step, values) for claim in self.claims}
        means = self.meaning(sample, values)
        should = [(self.expected[name], literal(value)) for name, value in concrete.items()]
        if z3.is_true(z3.simplify(means.also(should).of(self.agreement))):
            return
        for name, value in concrete.items():
            found = z3.simplify(means.of(expression(self.terms[name])))
            if not z3.eq(found, literal(value)):
                yield f"{name}: the solver's term is {found}, Python says {value}: {sample}"

    @property
    def drawn(self) -> Iterator[tuple[str, str]]:
        """The claims' variables, to draw values for."""
        yield from self.variables.items()

    def meaning(self, sample: Sample, values: dict[str, int]) -> Interpretation:
        """The sample as an interpretation, with values for the claims' variables."""
        kinds, step = parameters_of(self.transition), sample.step
        known = interpretation(step.before, NAMES, step.arguments, kinds, sample.blocks)
        return known.also((z3.Int(f"any {name}"), literal(each)) for name, each in values.items())


def expression(term: Formula) -> Formula:
    """A term, though the model may give a plain number."""
    return z3.IntVal(term) if isinstance(term, int) else term


def sayings(transition: Transition) -> Iterator[tuple[str, Saying]]:
    """What the text says of a step: guards, needs, and each component after it at each point."""
    for number, (_, condition) in enumerate(transition.requirements):
        yield f"guard {number}", partial(guard, condition)
    yield "needs", lambda step: step.needed
    yield "free blocks suffice", lambda step: step.needed <= step.before.num_free()
    for name, point in POINTS:
        yield f"{name}{point}", partial(afterwards, name, point)


def guard(condition: Clause, step: Step) -> Any:
    """The guard, before the step."""
    return call(condition, step.values)


def afterwards(component: str, point: tuple[int, ...], step: Step) -> Any:
    """The component's value at this point after the step."""
    return value_at(step.after, component, point)


def points() -> Iterator[tuple[str, tuple[int, ...]]]:
    """Where to look at the state: each component at each point; a row, at each sequence."""
    for component in COMPONENTS:
        kinds = kinds_of(component.type)
        asked = (*kinds, "Sequence") if component.type.endswith("Row]") else kinds
        for point in product(*(RANGES[kind] for kind in asked)):
            yield component.name, point


POINTS = tuple(points())
ARITY = {component.name: len(kinds_of(component.type)) for component in COMPONENTS}


def value_at(state: State, component: str, point: tuple[int, ...]) -> Any:
    """The component's value at this point; of a row, whether the last number is a member."""
    known, member = point[: ARITY[component]], point[ARITY[component] :]
    value = getattr(state, component)(*known)
    return value.contains(*member) if member else value


def executed_otherwise(sample: Sample) -> Iterator[str]:
    """Where the executed model, on its footprint, differs from the text on the whole state."""
    found, step = sample.after.state(), sample.step
    refused = refusal_in(step.before, step.transition, dict(step.arguments))
    if refused is not None:
        yield f"executed, and refused where values nobody cares for differ ({refused}): {sample}"
    whole = step.after
    for name, point in POINTS:
        if cared_for(found, name, *point):
            one, other = value_at(found, name, point), value_at(whole, name, point)
            if one != other:
                yield f"{name}{point}: executed {one!r}, the text says {other!r}: {sample}"

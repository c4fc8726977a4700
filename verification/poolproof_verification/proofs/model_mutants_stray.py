"""Mutants that reach too far: each changes one component outside its transition's footprint.

One for each transition and component, and one for each transition that makes the pool larger; the
executed model, which looks at the footprint only, would never see them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import Field
from typing import Any

from poolproof_model.algebra import absent, choose
from poolproof_model.system import ALLOCATE, APPEND, FORK, RELEASE, Transition
from poolproof_verification.proofs import (
    model_mutants_allocate,
    model_mutants_append,
    model_mutants_fork,
    model_mutants_release,
)
from poolproof_verification.proofs.claims import COMPONENTS, Step, kinds_of

PARTS = {
    ALLOCATE.name: model_mutants_allocate.but,
    FORK.name: model_mutants_fork.but,
    APPEND.name: model_mutants_append.but,
    RELEASE.name: model_mutants_release.but,
}


def outside(component: Field[Any]) -> Callable[[Step], dict[str, Any]]:
    """The component has another value wherever the transition should not touch it."""
    kinds, result = kinds_of(component.type), str(component.type).rpartition(", ")[2]

    def change(step: Step) -> dict[str, Any]:
        before, after = getattr(step.before, component.name), getattr(step.after, component.name)

        def value(*point: Any) -> Any:
            own = step.touches(point[0]) if kinds[0] == "Block" else step.acting == point[0]
            return choose(own, after(*point), another(result, before(*point), step))

        return {component.name: value}

    return change


def another(kind: str, value: Any, step: Step) -> Any:
    """A value of this kind other than the given one."""
    if kind.startswith("Truth"):
        return absent(value)
    if kind.startswith("Row"):
        return value.with_member(step.acting, absent(value.contains(step.acting)))
    return -7 if kind.startswith("Token") else value + 1  # no token in use is negative


def larger(step: Step) -> dict[str, Any]:
    """The pool has one more block."""
    return {"total": step.before.total + 1}


def strays() -> Iterator[tuple[str, Transition]]:
    """All of them."""
    for name, but in PARTS.items():
        for component in COMPONENTS:
            words = component.name.replace("_", " ")
            yield f"{name} changes {words} outside its footprint", but(outside(component))
        yield f"{name} makes the pool larger", but(larger)


WRONG: dict[str, Transition] = dict(strays())

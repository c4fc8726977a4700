"""Mutants of `release`: each is wrong in one way that a reader of the model could overlook."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from poolproof_model.algebra import absent, choose, one_if
from poolproof_model.state import Choice, State
from poolproof_model.system import RELEASE, Transition
from poolproof_verification.proofs.claims import Step


def but(change: Callable[[Step], dict[str, Any]], **others: Any) -> Transition:
    """The right transition, with these components of the state after it made otherwise."""

    def effect(state: State, choice: Choice, sequence: Any) -> State:
        step = Step(RELEASE, state, {"sequence": sequence}, choice)
        return replace(step.after, **change(step))

    return replace(RELEASE, effect=effect, **others)


def nothing(state: State, choice: Choice, sequence: Any) -> State:
    """Everything stays as it was."""
    return state


def freeing(when: Callable[[State, State, Any, Any], Any]) -> Transition:
    """A block it holds becomes free under another condition."""

    def change(step: Step) -> dict[str, Any]:
        before, after, sequence = step.before, step.after, step.acting

        def free(block: Any) -> Any:
            held = before.holds(sequence, block)
            return before.free(block) | (held & when(before, after, sequence, block))

        return {"free": free}

    return but(change)


def not_the_last(before: State, after: State, sequence: Any, block: Any) -> Any:
    """The count is zero, and the block is not the last of the table."""
    return (after.reference_count(block) == 0) & absent(block == before.last_block(sequence))


def undecremented(step: Step) -> dict[str, Any]:
    """Counts stay; a block held once is free."""
    return {"reference_count": step.before.reference_count}


def kept_table(step: Step) -> dict[str, Any]:
    """The sequence lives on with its table."""
    before = step.before
    return {"live": before.live, "table_length": before.table_length, "length": before.length}


def wiped(step: Step) -> dict[str, Any]:
    """The slots of its blocks are cleared."""
    before, sequence = step.before, step.acting

    def content(block: Any, offset: Any) -> Any:
        return choose(before.holds(sequence, block), 0, before.content(block, offset))

    return {"content": content}


def others_end(step: Step) -> dict[str, Any]:
    """Every sequence that holds a block of this one's ends too."""
    before, last = step.before, step.before.last_block(step.acting)
    return {"live": lambda s: step.after.live(s) & absent(before.holds(s, last))}


def twice(step: Step) -> dict[str, Any]:
    """A block that others hold too counts two less."""
    before, after, sequence = step.before, step.after, step.acting

    def count(block: Any) -> Any:
        shared = before.holds(sequence, block) & (before.reference_count(block) > 1)
        return after.reference_count(block) - one_if(shared)

    return {"reference_count": count}


WRONG: dict[str, Transition] = {
    "release does nothing": replace(RELEASE, effect=nothing),
    "release frees at any count": freeing(lambda before, after, sequence, block: True),
    "release frees at a count of one": freeing(
        lambda before, after, sequence, block: after.reference_count(block) <= 1
    ),
    "release never frees": but(lambda step: {"free": step.before.free}),
    "release does not free the last block": freeing(not_the_last),
    "release does not count down": but(undecremented),
    "release counts shared blocks down twice": but(twice),
    "release keeps the table": but(kept_table),
    "release still holds its blocks": but(lambda step: {"holders": step.before.holders}),
    "release clears its blocks": but(wiped),
    "release asks for a block it does not take": replace(RELEASE, needs=lambda state: 1),
    "release ends whoever shares its last block": but(others_end),
}

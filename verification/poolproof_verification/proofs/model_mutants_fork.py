"""Mutants of `fork`: each is wrong in one way that a reader of the model could overlook."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from poolproof_model.algebra import absent, choose, one_if
from poolproof_model.state import Choice, State
from poolproof_model.system import FORK, Transition
from poolproof_verification.proofs.claims import Step


def but(change: Callable[[Step], dict[str, Any]], **others: Any) -> Transition:
    """The right transition, with these components of the state after it made otherwise."""

    def effect(state: State, choice: Choice, parent: Any, child: Any) -> State:
        step = Step(FORK, state, {"parent": parent, "child": child}, choice)
        return replace(step.after, **change(step))

    return replace(FORK, effect=effect, **others)


def nothing(state: State, choice: Choice, parent: Any, child: Any) -> State:
    """Everything stays as it was."""
    return state


def counted(share: Callable[[State, Any, Any], Any]) -> Transition:
    """Each block is referenced this much more."""

    def change(step: Step) -> dict[str, Any]:
        before, parent = step.before, step.arguments["parent"]
        more = {
            "reference_count": lambda block: (
                before.reference_count(block) + share(before, parent, block)
            )
        }
        return more

    return but(change)


def before_the_last(state: State, parent: Any, block: Any) -> Any:
    """1 for a block of the parent's that is not the last of its table."""
    last = block == state.last_block(parent)
    return one_if(state.holds(parent, block) & absent(last))


def swapped(step: Step) -> dict[str, Any]:
    """The first two entries of the child's table change places."""
    after, child = step.after, step.acting
    several = after.table_length(child) > 1

    def other(index: Any) -> Any:
        return choose((index < 2) & (index >= 0) & several, 1 - index, index)

    def block_at(sequence: Any, index: Any) -> Any:
        place = choose(sequence == child, other(index), index)
        return after.block_at(sequence, place)

    def index_of(sequence: Any, block: Any) -> Any:
        index = after.index_of(sequence, block)
        return choose(sequence == child, other(index), index)

    return {"block_at": block_at, "index_of": index_of}


def one_token_less(step: Step) -> dict[str, Any]:
    """The child misses the parent's last token, if it leaves the table as it is."""
    after, child = step.after, step.acting
    length = after.length(child)
    partial = absent(length % step.before.block_size == 1) & (length > 0)
    return {"length": lambda s: choose((s == child) & partial, length - 1, after.length(s))}


def parent_ends(step: Step) -> dict[str, Any]:
    """The parent is no longer live: its table has moved."""
    after, parent = step.after, step.arguments["parent"]
    return {"live": lambda s: after.live(s) & absent(s == parent)}


def parent_longer(step: Step) -> dict[str, Any]:
    """The parent counts one more token."""
    after, parent = step.after, step.arguments["parent"]
    return {"length": lambda s: after.length(s) + one_if(s == parent)}


UNKNOWN, EXISTS = FORK.requirements
WRONG: dict[str, Transition] = {
    "fork does nothing": replace(FORK, effect=nothing),
    "fork does not count": but(lambda step: {"reference_count": step.before.reference_count}),
    "fork counts twice": counted(
        lambda state, parent, block: choose(state.holds(parent, block), 2, 0)
    ),
    "fork does not count the last block": counted(before_the_last),
    "fork swaps two entries of the table": but(swapped),
    "fork drops the last token": but(one_token_less),
    "fork ends the parent": but(parent_ends),
    "fork changes the length of the parent": but(parent_longer),
    "fork forgets what the parent was given": but(lambda step: {"history": step.before.history}),
    "fork overwrites a live child": replace(FORK, requirements=(UNKNOWN,)),
    "fork admits a parent that is not live": replace(FORK, requirements=(EXISTS,)),
    "fork asks for a block it does not take": replace(FORK, needs=lambda state: 1),
}

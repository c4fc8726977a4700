"""Mutants of `allocate`: each is wrong in one way that a reader of the model could overlook."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from poolproof_model import transitions
from poolproof_model.algebra import absent, choose, one_if
from poolproof_model.state import Choice, State
from poolproof_model.system import ALLOCATE, Refusal, Transition
from poolproof_verification.proofs.claims import Step


def but(change: Callable[[Step], dict[str, Any]], **others: Any) -> Transition:
    """The right transition, with these components of the state after it made otherwise."""

    def effect(state: State, choice: Choice, sequence: Any, length: Any, prompt: Any) -> State:
        given = {"sequence": sequence, "length": length, "prompt": prompt}
        step = Step(ALLOCATE, state, given, choice)
        return replace(step.after, **change(step))

    return replace(ALLOCATE, effect=effect, **others)


def nothing(state: State, choice: Choice, sequence: Any, length: Any, prompt: Any) -> State:
    """Everything stays as it was."""
    return state


def another_prompt(state: State, choice: Choice, sequence: Any, length: Any, prompt: Any) -> State:
    """The same wrong token at every position, in memory and in the history."""
    return transitions.allocate(state, choice, sequence, length, lambda position: 0)


def one_short(length: Any) -> Any:
    """One token less, if there is any."""
    return length - one_if(length > 0)


def blocks_for_one_less(state: State, length: Any) -> Any:
    """The blocks for one token less."""
    return transitions.blocks_for(state, one_short(length))


def short(state: State, choice: Choice, sequence: Any, length: Any, prompt: Any) -> State:
    """The last token of the prompt is dropped, consistently."""
    return transitions.allocate(state, choice, sequence, one_short(length), prompt)


def rounded_down(state: State, length: Any) -> Any:
    """No block for the tokens that do not fill one."""
    return length // state.block_size


def one_more(state: State, length: Any) -> Any:
    """A block more where the tokens fill their blocks exactly."""
    return length // state.block_size + 1


def taking(needs: Callable[[State, Any], Any]) -> Transition:
    """The right transition, but for the number of blocks it takes."""

    def effect(state: State, choice: Choice, sequence: Any, length: Any, prompt: Any) -> State:
        # Asked for this many slots, the right effect takes that many blocks.
        slots = needs(state, length) * state.block_size
        after = transitions.allocate(state, choice, sequence, slots, prompt)
        return replace(after, length=lambda s: choose(s == sequence, length, state.length(s)))

    return replace(ALLOCATE, effect=effect, needs=needs)


def one_block_less(state: State, length: Any) -> Any:
    """One block less than the tokens need, if they need any."""
    return transitions.blocks_for(state, length) - one_if(length > 0)


def one_block_more(state: State, length: Any) -> Any:
    """One block more than the tokens need."""
    return transitions.blocks_for(state, length) + 1


def counted_twice(step: Step) -> dict[str, Any]:
    """Every block taken counts 2."""
    before, after = step.before, step.after

    def count(block: Any) -> Any:
        taken = before.free(block) & absent(after.free(block))
        return choose(taken, 2, before.reference_count(block))

    return {"reference_count": count}


def others_longer(step: Step) -> dict[str, Any]:
    """Every other sequence counts one more token."""
    own, length = step.acting, step.before.length
    return {"length": lambda s: choose(s == own, step.after.length(s), length(s) + 1)}


NEGATIVE, EXISTS = ALLOCATE.requirements
WRONG: dict[str, Transition] = {
    "allocate does nothing": replace(ALLOCATE, effect=nothing),
    "allocate leaves its blocks free": but(lambda step: {"free": step.before.free}),
    "allocate counts each block twice": but(counted_twice),
    "allocate leaves its blocks uncounted": but(
        lambda step: {"reference_count": step.before.reference_count}
    ),
    "allocate rounds its blocks down": taking(rounded_down),
    "allocate takes a block more for full blocks": taking(one_more),
    "allocate asks for one block too few": replace(ALLOCATE, needs=one_block_less),
    "allocate asks for one block too many": replace(ALLOCATE, needs=one_block_more),
    "allocate drops the last token": replace(ALLOCATE, effect=short, needs=blocks_for_one_less),
    "allocate stores another prompt in memory and history alike": replace(
        ALLOCATE, effect=another_prompt
    ),
    "allocate writes no token": but(lambda step: {"content": step.before.content}),
    "allocate changes the length of other sequences": but(others_longer),
    "allocate takes a name in use": replace(
        ALLOCATE,
        requirements=(NEGATIVE, (Refusal.EXISTS, transitions.length_is_natural)),
    ),
    "allocate admits a negative length": replace(ALLOCATE, requirements=(EXISTS,)),
}

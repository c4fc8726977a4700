"""Mutants of `append`: each is wrong in one way that a reader of the model could overlook."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from poolproof_model import transitions
from poolproof_model.algebra import absent, choose, one_if
from poolproof_model.state import Choice, State
from poolproof_model.system import APPEND, Transition
from poolproof_verification.proofs.claims import Step


def but(change: Callable[[Step], dict[str, Any]], **others: Any) -> Transition:
    """The right transition, with these components of the state after it made otherwise."""

    def effect(state: State, choice: Choice, sequence: Any, token: Any) -> State:
        step = Step(APPEND, state, {"sequence": sequence, "token": token}, choice)
        return replace(step.after, **change(step))

    return replace(APPEND, effect=effect, **others)


def nothing(state: State, choice: Choice, sequence: Any, token: Any) -> State:
    """Everything stays as it was."""
    return state


def zero(state: State, choice: Choice, sequence: Any, token: Any) -> State:
    """The same wrong token in memory and in the history."""
    return transitions.append(state, choice, sequence, 0)


def none_for_a_copy(state: State, sequence: Any) -> Any:
    """No block for a copy."""
    return one_if(transitions.at_boundary(state, sequence))


def none_at_a_boundary(state: State, sequence: Any) -> Any:
    """No block where the last one is full."""
    return one_if(transitions.copies_on_write(state, sequence))


def always_one(state: State, sequence: Any) -> Any:
    """One block, needed or not."""
    return 1


def in_place(state: State, choice: Choice, sequence: Any, token: Any) -> State:
    """The token is written into a shared block."""
    alone = replace(state, reference_count=lambda block: one_if(state.reference_count(block) > 0))
    after = transitions.append(alone, choice, sequence, token)

    def count(block: Any) -> Any:
        taken = state.free(block) & absent(after.free(block))
        return choose(taken, 1, state.reference_count(block))

    return replace(after, reference_count=count)


def copied_alone(state: State, choice: Choice, sequence: Any, token: Any) -> State:
    """A block that nobody else holds counts as shared."""
    return transitions.append(seen_as_shared(state), choice, sequence, token)


def seen_as_shared(state: State) -> State:
    """The state in which a count of one more than there is decides what is copied."""
    return replace(state, reference_count=lambda block: state.reference_count(block) + 1)


def late(state: State, choice: Choice, sequence: Any, token: Any) -> State:
    """The token beyond a full block goes nowhere: no block is taken for it."""
    after = transitions.append(state, choice, sequence, token)
    full = transitions.at_boundary(state, sequence) & (state.length(sequence) > 0)
    longer = after.length(sequence)
    kept = replace(state, length=lambda s: choose(s == sequence, longer, state.length(s)))
    return either(full, kept, after)


def late_needs(state: State, sequence: Any) -> Any:
    """No block where a full one is the last."""
    full = transitions.at_boundary(state, sequence) & (state.length(sequence) > 0)
    return choose(full, 0, transitions.one_block_or_none(state, sequence))


def either(condition: Any, then: State, otherwise: State) -> State:
    """The state with the components of one or the other that `append` changes."""

    def picked(name: str) -> Callable[..., Any]:
        one, other = getattr(then, name), getattr(otherwise, name)
        return lambda *point: choose(condition, one(*point), other(*point))

    names = ("free", "reference_count", "table_length", "block_at", "length", "index_of")
    chosen: dict[str, Any] = {
        name: picked(name) for name in (*names, "holders", "content", "history")
    }
    return replace(otherwise, **chosen)


def copy(step: Step) -> tuple[Any, Any]:
    """Whether a block is copied, and which."""
    sequence = step.acting
    shared = transitions.copies_on_write(step.before, sequence)
    return shared, step.before.last_block(sequence)


def uncopied(step: Step) -> dict[str, Any]:
    """The new block has the new token, and nothing of the old one."""
    before, after = step.before, step.after
    target, slot = after.last_block(step.acting), before.length(step.acting) % before.block_size
    token = step.arguments["token"]

    def content(block: Any, offset: Any) -> Any:
        written = (block == target) & (offset == slot)
        return choose(written, token, before.content(block, offset))

    return {"content": content}


def copied_but_one(step: Step) -> dict[str, Any]:
    """The last of the slots to copy is forgotten."""
    before, after = step.before, step.after
    shared, _ = copy(step)
    target = after.last_block(step.acting)
    last = before.length(step.acting) % before.block_size - 1

    def content(block: Any, offset: Any) -> Any:
        forgotten = shared & (block == target) & (offset == last)
        return choose(forgotten, before.content(block, offset), after.content(block, offset))

    return {"content": content}


def undecremented(step: Step) -> dict[str, Any]:
    """The block copied from keeps its count."""
    before, after = step.before, step.after
    shared, last = copy(step)

    def count(block: Any) -> Any:
        kept = shared & (block == last)
        return choose(kept, before.reference_count(block), after.reference_count(block))

    return {"reference_count": count}


def freed_after_copy(step: Step) -> dict[str, Any]:
    """The block copied from is free, though another sequence still holds it."""
    shared, last = copy(step)
    return {"free": lambda block: step.after.free(block) | (shared & (block == last))}


def still_held(step: Step) -> dict[str, Any]:
    """The sequence still counts among the holders of the block it copied."""
    before, after, sequence = step.before, step.after, step.acting

    def holders(block: Any) -> Any:
        held = before.holds(sequence, block) | after.holds(sequence, block)
        return after.holders(block).with_member(sequence, held)

    return {"holders": holders}


def in_block_zero(step: Step) -> dict[str, Any]:
    """The token is written to block 0, whatever the table says."""
    before, token = step.before, step.arguments["token"]
    slot = before.length(step.acting) % before.block_size

    def content(block: Any, offset: Any) -> Any:
        return choose((block == 0) & (offset == slot), token, before.content(block, offset))

    return {"content": content}


def rewritten(step: Step) -> dict[str, Any]:
    """The last block's earlier tokens become the new one, in memory and in the history alike."""
    before, after, sequence = step.before, step.after, step.acting
    token, end = step.arguments["token"], before.length(sequence)
    slot, target = end % before.block_size, after.last_block(sequence)

    def content(block: Any, offset: Any) -> Any:
        earlier = (block == target) & (offset < slot)
        return choose(earlier, token, after.content(block, offset))

    def history(other: Any, position: Any) -> Any:
        earlier = (other == sequence) & (position >= end - slot) & (position < end)
        return choose(earlier, token, after.history(other, position))

    return {"content": content, "history": history}


def counted_when_taking(step: Step) -> dict[str, Any]:
    """The token counts only if a block is taken for it."""
    before, after, sequence = step.before, step.after, step.acting
    more = before.length(sequence) + step.needed
    return {"length": lambda s: choose(s == sequence, more, after.length(s))}


def others_longer(step: Step) -> dict[str, Any]:
    """Every other sequence counts one more token."""
    after = step.after
    return {"length": lambda s: after.length(s) + one_if(absent(s == step.acting))}


def history_of_others(step: Step) -> dict[str, Any]:
    """Every sequence of this length was given the token."""
    end, token = step.before.length(step.acting), step.arguments["token"]

    def history(sequence: Any, position: Any) -> Any:
        return choose(position == end, token, step.before.history(sequence, position))

    return {"history": history}


WRONG: dict[str, Transition] = {
    "append does nothing": replace(APPEND, effect=nothing),
    "append stores 0 in memory and history alike": replace(APPEND, effect=zero),
    "append writes into shared blocks": replace(APPEND, effect=in_place, needs=none_for_a_copy),
    "append rewrites earlier tokens in memory and history alike": but(rewritten),
    "append copies nothing on write": but(uncopied),
    "append forgets the last slot of a copy": but(copied_but_one),
    "append copies without counting down": but(undecremented),
    "append frees a shared block it has copied": but(freed_after_copy),
    "append keeps holding what it has copied": but(still_held),
    "append copies a block it alone holds": replace(
        APPEND,
        effect=copied_alone,
        needs=lambda state, sequence: transitions.one_block_or_none(
            seen_as_shared(state), sequence
        ),
    ),
    "append leaves the block free": but(lambda step: {"free": step.before.free}),
    "append takes a block one token late": replace(APPEND, effect=late, needs=late_needs),
    "append writes into block 0": but(in_block_zero),
    "append counts a token only with a block": but(counted_when_taking),
    "append changes the length of other sequences": but(others_longer),
    "append changes what others were given": but(history_of_others),
    "append asks for no block at a boundary": replace(APPEND, needs=none_at_a_boundary),
    "append asks for no block for a copy": replace(APPEND, needs=none_for_a_copy),
    "append always asks for a block": replace(APPEND, needs=always_one),
    "append admits a sequence that is not live": replace(APPEND, requirements=()),
}

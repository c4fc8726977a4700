"""Bugs seeded into the model: proofs that still go through would prove nothing.

Each must lose a proof and be refuted by concrete operations. Invariants alone notice half of them;
it takes the promises to see a transition that does nothing, or the wrong thing consistently.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from poolproof_model import transitions
from poolproof_model.algebra import absent, choose, one_if
from poolproof_model.invariants import INVARIANTS
from poolproof_model.state import Choice, State
from poolproof_model.system import ALLOCATE, APPEND, FORK, RELEASE, TRANSITIONS, Transition
from poolproof_verification.proofs.prove import METHOD, breaks_behind, results_of
from poolproof_verification.verdict import Canary

TIMEOUT = 1000  # milliseconds an obligation; most that have no proof give up in a few


@dataclass(frozen=True)
class ModelBug:
    """A transition with something wrong."""

    wrong: str
    transition: Transition

    @property
    def transitions(self) -> tuple[Transition, ...]:
        """The model's list with this transition in place of the right one."""
        return tuple(
            self.transition if each.name == self.transition.name else each for each in TRANSITIONS
        )


def release_nothing(state: State, choice: Choice, sequence: Any) -> State:
    """Everything stays as it was."""
    return state


def release_at_any_count(state: State, choice: Choice, sequence: Any) -> State:
    """A block is freed though others still hold it."""
    return replace(
        transitions.release(state, choice, sequence),
        free=lambda block: state.free(block) | state.holds(sequence, block),
    )


def release_without_freeing(state: State, choice: Choice, sequence: Any) -> State:
    """A block is counted down, and lost at zero."""
    return replace(transitions.release(state, choice, sequence), free=state.free)


def append_zero(state: State, choice: Choice, sequence: Any, token: Any) -> State:
    """The same wrong token in memory and in the history."""
    return transitions.append(state, choice, sequence, 0)


def append_needs(state: State, sequence: Any) -> Any:
    """No block for a copy."""
    return one_if(transitions.at_boundary(state, sequence))


def append_in_place(state: State, choice: Choice, sequence: Any, token: Any) -> State:
    """The token is written into a shared block."""
    alone = replace(state, reference_count=lambda block: one_if(state.reference_count(block) > 0))
    after = transitions.append(alone, choice, sequence, token)

    def count(block: Any) -> Any:
        taken = state.free(block) & absent(after.free(block))
        return choose(taken, 1, state.reference_count(block))

    return replace(after, reference_count=count)


def append_without_copying(state: State, choice: Choice, sequence: Any, token: Any) -> State:
    """The new block has the new token, and nothing of the old one."""
    after = transitions.append(state, choice, sequence, token)
    target, slot = after.last_block(sequence), state.length(sequence) % state.block_size

    def content(block: Any, offset: Any) -> Any:
        return choose((block == target) & (offset == slot), token, state.content(block, offset))

    return replace(after, content=content)


def fork_uncounted(state: State, choice: Choice, parent: Any, child: Any) -> State:
    """The child's references are not counted."""
    return replace(
        transitions.fork(state, choice, parent, child), reference_count=state.reference_count
    )


def one_short(length: Any) -> Any:
    """One token less, if there is any."""
    return length - one_if(length > 0)


def allocate_needs(state: State, length: Any) -> Any:
    """The blocks for one token less."""
    return transitions.blocks_for(state, one_short(length))


def allocate_short(state: State, choice: Choice, sequence: Any, length: Any, prompt: Any) -> State:
    """The last token of the prompt is dropped, consistently."""
    return transitions.allocate(state, choice, sequence, one_short(length), prompt)


def effect(transition: Transition, wrong: Callable[..., State]) -> Transition:
    """The transition with another effect."""
    return replace(transition, effect=wrong)


BUGS = (
    ModelBug("release does nothing", effect(RELEASE, release_nothing)),
    ModelBug("release frees at any count", effect(RELEASE, release_at_any_count)),
    ModelBug("release never frees", effect(RELEASE, release_without_freeing)),
    ModelBug("append stores 0 in memory and history alike", effect(APPEND, append_zero)),
    ModelBug(
        "append writes into shared blocks",
        replace(APPEND, effect=append_in_place, needs=append_needs),
    ),
    ModelBug("append copies nothing on write", effect(APPEND, append_without_copying)),
    ModelBug("fork does not count", effect(FORK, fork_uncounted)),
    ModelBug(
        "allocate drops the last token",
        replace(ALLOCATE, effect=allocate_short, needs=allocate_needs),
    ),
)


def canary(seed: int = 0) -> Canary:
    """One of the bugs, drawn by the seed, and whether the proofs notice it."""
    return released(random.Random(seed).choice(BUGS))


def released(bug: ModelBug, timeout: int = TIMEOUT) -> Canary:
    """The bug must be proved nowhere that matters, and break something on concrete states."""
    mutant = (bug.transition,)
    unproved = [r for r in results_of(None, timeout, 0, mutant, INVARIANTS) if not r.proved]
    if not unproved:
        return Canary(METHOD, bug.wrong, False, "every obligation is still proved of the model")
    breaks = breaks_behind(unproved, bug.transitions, INVARIANTS)
    if not breaks:
        names = ", ".join(result.name for result in unproved)
        return Canary(METHOD, bug.wrong, False, f"no concrete operations break {names}")
    shortest = min(breaks.values(), key=lambda found: len(found.run.operations))
    return Canary(METHOD, bug.wrong, True, str(shortest))

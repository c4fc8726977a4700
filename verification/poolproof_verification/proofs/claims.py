"""What is claimed of one transition, read off the model: true for all values of its variables.

A claim is asked of a step, whose states may be symbolic or concrete: the proofs state it of every
step there can be, the search for a counterexample evaluates it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import Field, dataclass, fields
from functools import cached_property
from typing import Any

from poolproof_model.algebra import Truth, absent, implies, within
from poolproof_model.promises import FRAMES
from poolproof_model.state import Choice, State
from poolproof_model.system import Clause, Transition, call, names_of
from poolproof_verification.laws import LAWS

Values = Mapping[str, Any]
Kinds = dict[str, str]  # what each variable ranges over: Sequence, Block, Index ...

FRAME = ("total", "block_size", "is_sequence", "how_many")  # of a run: no transition changes it
COMPONENTS = tuple(field for field in fields(State) if field.name not in FRAME)

LAW_OF = {
    "holders": "tables",
    "others_keep_their_tables": "tables",
    "others_keep_their_tokens": "contents",
    "others_keep_their_contents": "contents",
    "writes_only_its_own_blocks": "contents",
    "allocate_takes_free_blocks": "promises",
    "allocate_takes_no_other_block": "promises",
}


@dataclass(frozen=True)
class Step:
    """One admitted transition from a state, with its arguments and a lawful choice of blocks."""

    transition: Transition
    before: State
    arguments: Values
    choice: Choice

    @cached_property
    def values(self) -> dict[str, Any]:
        """What the transition's own functions may ask for."""
        return {"state": self.before, "choice": self.choice, **self.arguments}

    @cached_property
    def needed(self) -> Any:
        """How many free blocks it takes."""
        return call(self.transition.needs, self.values)

    @cached_property
    def after(self) -> State:
        """The state that its effect makes."""
        state: State = call(self.transition.effect, self.values)
        return state

    @property
    def acting(self) -> Any:
        """The sequence whose table it writes."""
        return self.arguments[self.transition.acting]

    def touches(self, block: Any) -> Truth:
        """The block lies in the footprint: chosen, or in the table of the source from there on."""
        source = self.arguments[self.transition.source]
        first = call(self.transition.touches, {**self.values, "source": source})
        entry = self.before.index_of(source, block) >= first
        return self.choice.takes(self.needed, block) | (self.before.holds(source, block) & entry)


@dataclass(frozen=True)
class Claim:
    """One clause of one transition: it holds of every step, whatever values its variables have."""

    name: str
    sentence: str
    law: str
    transition: Transition
    clause: str
    variables: Kinds
    holds: Callable[[Step, Values], Truth]


def claims_of(transition: Transition, invariants: Iterable[Clause]) -> Iterator[Claim]:
    """Everything claimed of this transition: invariants, promises, frames, footprint, blocks."""
    for invariant in invariants:
        yield preserves(transition, invariant)
    promises: tuple[Clause, ...] = (*transition.promises, *FRAMES)
    for promise in promises:
        yield keeps(transition, promise)
    yield Claim(
        f"{transition.name} leaves the frame as it is",
        "The pool's size, the block size and the names a run uses never change.",
        "promises",
        transition,
        "frame",
        {"sequence": "Sequence"},
        lambda step, values: same_frame(step.before, step.after, values["sequence"]),
    )
    for component in COMPONENTS:
        yield stays_inside(transition, component)
    yield takes_what_it_asks_for(transition)


def preserves(transition: Transition, invariant: Clause) -> Claim:
    """The invariant holds after the transition, if all of them held before."""
    name = invariant.__name__
    return Claim(
        f"{transition.name} preserves {name}",
        sentence_of(invariant),
        law_of(transition.name, name),
        transition,
        name,
        variables_of(invariant),
        lambda step, values: holds_in(step.after, invariant, values),
    )


def holds_in(state: State, invariant: Clause, values: Values) -> Truth:
    """The invariant holds in this state, at these values of its variables."""
    return call(invariant, {"state": state, **values})


def keeps(transition: Transition, promise: Clause) -> Claim:
    """The promise holds between the states before and after the transition."""
    words = promise.__name__.replace("_", " ")
    named = words if words.startswith(transition.name) else f"{transition.name}: {words}"
    known = {*transition.parameters, "acting"}
    return Claim(
        named,
        sentence_of(promise),
        law_of(transition.name, promise.__name__),
        transition,
        promise.__name__,
        {name: kind for name, kind in variables_of(promise).items() if name not in known},
        lambda step, values: call(
            promise,
            {
                **step.values,
                "before": step.before,
                "after": step.after,
                "acting": step.acting,
                **values,
            },
        ),
    )


def same_frame(before: State, after: State, sequence: Any) -> Truth:
    """What no transition changes is the same after as before."""
    return (
        (after.total == before.total)
        & (after.block_size == before.block_size)
        & (after.is_sequence(sequence) == before.is_sequence(sequence))
        & (after.how_many(before.free) == before.how_many(before.free))
    )


def stays_inside(transition: Transition, component: Field[Any]) -> Claim:
    """A component keeps its values at blocks not touched, and at sequences other than `acting`.

    This is what lets the executed model look at a transition's footprint only.
    """
    name, kinds = component.name, kinds_of(component.type)
    variables = {kind.lower(): kind for kind in kinds}

    def holds(step: Step, values: Values) -> Truth:
        point = [values[variable] for variable in variables]
        inside = step.touches(point[0]) if kinds[0] == "Block" else step.acting == point[0]
        return inside | (getattr(step.after, name)(*point) == getattr(step.before, name)(*point))

    return Claim(
        f"{transition.name} changes {name.replace('_', ' ')} inside its footprint only",
        "Only the chosen blocks, those of its source and the acting sequence can change.",
        "promises",
        transition,
        f"footprint of {name}",
        variables,
        holds,
    )


def admission_name(transition: Transition) -> str:
    """What is claimed of any call, admitted or not."""
    return f"{transition.name} admits exactly what it promises to"


def takes_what_it_asks_for(transition: Transition) -> Claim:
    """None of the blocks it chooses is free afterwards."""
    return Claim(
        f"{transition.name} takes every block it asks for",
        "Who asks for more blocks than it takes is refused where it could go on.",
        "admission",
        transition,
        "admission",
        {"index": "Index"},
        lambda step, values: implies(
            within(values["index"], step.needed),
            absent(step.after.free(step.choice.block(values["index"]))),
        ),
    )


def kinds_of(annotation: Any) -> tuple[str, ...]:
    """What a function's arguments range over: `Callable[[Sequence, Index], Block]` has two."""
    arguments = re.fullmatch(r"Callable\[\[([\w, ]*)\], \w+\]", annotation)
    return tuple(arguments[1].split(", ")) if arguments else ()


def variables_of(clause: Callable[..., Any]) -> Kinds:
    """The names a clause asks for, other than states and the choice, and what they range over.

    A name without an annotation ranges over the integers.
    """
    names = (
        name for name in names_of(clause) if name not in ("state", "before", "after", "choice")
    )
    return {name: str(clause.__annotations__.get(name, "Count")) for name in names}


def parameters_of(transition: Transition) -> Kinds:
    """What the transition's parameters range over, as one of its functions annotates them."""
    kinds: Kinds = {}
    guards = (condition for _, condition in transition.requirements)
    for function in (transition.effect, transition.needs, *guards, *transition.promises):
        kinds |= {name: str(kind) for name, kind in function.__annotations__.items()}
    return {name: kinds.get(name, "Count") for name in transition.parameters}


def sentence_of(clause: Callable[..., Any]) -> str:
    """The first line of the clause's docstring."""
    return (clause.__doc__ or clause.__name__).splitlines()[0]


def law_of(transition: str, clause: str) -> str:
    """The law a clause belongs to: its own name, where it is listed, or its transition's."""
    names = (clause, LAW_OF.get(clause), transition)
    return next((name for name in names if name in LAWS), "promises")

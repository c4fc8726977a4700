"""The one list of transitions, each with its guards, effect and promises."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from poolproof_model import promises, transitions
from poolproof_model.algebra import Count, Index, Sequence, Truth
from poolproof_model.state import State

Clause = Callable[..., Truth]


class Refusal(Enum):
    """Why an operation is refused; where several reasons apply, the first of these."""

    WRONG_TYPE = "an argument of the wrong type"  # not a matter of states: judged at the interface
    NEGATIVE = "a negative number of tokens"
    UNKNOWN = "no such sequence"
    EXISTS = "the name is in use"
    OUT_OF_BLOCKS = "too few free blocks"


def none_needed(state: State) -> Count:
    """NEEDS: no block."""
    return 0


def whole_table(state: State, source: Sequence) -> Index:
    """TOUCHES: the source's table from its first entry."""
    return 0


def last_entry(state: State, source: Sequence) -> Index:
    """TOUCHES: the source's table from its last entry."""
    return state.table_length(source) - 1


@dataclass(frozen=True)
class Transition:
    """One transition. Its functions ask for arguments by name; `parameters` are the names it has.

    It is admitted where its requirements hold and `needs` blocks are free, and any choice of them
    is lawful; `admits` says the same, written apart. `source` and `acting` name two of its
    parameters: it touches the chosen blocks and those in the source's table from entry `touches`
    on, and writes the table of `acting`; nothing else.
    """

    name: str
    parameters: tuple[str, ...]
    source: str
    acting: str
    requirements: tuple[tuple[Refusal, Clause], ...]
    needs: Callable[..., Count]
    touches: Callable[..., Index]
    effect: Callable[..., State]
    admits: Clause
    promises: tuple[Clause, ...]


def names_of(function: Callable[..., Any]) -> tuple[str, ...]:
    """The names of a function's parameters."""
    code = function.__code__
    return code.co_varnames[: code.co_argcount]


def call(function: Callable[..., Any], values: dict[str, Any]) -> Any:
    """The function, given those of the values that it asks for by name."""
    return function(*[values[name] for name in names_of(function)])


ALLOCATE = Transition(
    name="allocate",
    parameters=("sequence", "length", "prompt"),
    source="sequence",
    acting="sequence",
    requirements=(
        (Refusal.NEGATIVE, transitions.length_is_natural),
        (Refusal.EXISTS, transitions.sequence_is_new),
    ),
    needs=transitions.blocks_for,
    touches=whole_table,
    effect=transitions.allocate,
    admits=promises.allocate_admits,
    promises=(
        promises.allocate_makes_it_live,
        promises.allocate_writes_the_prompt,
        promises.allocate_takes_free_blocks,
        promises.allocate_takes_no_other_block,
    ),
)
FORK = Transition(
    name="fork",
    parameters=("parent", "child"),
    source="parent",
    acting="child",
    requirements=(
        (Refusal.UNKNOWN, transitions.parent_is_live),
        (Refusal.EXISTS, transitions.child_is_new),
    ),
    needs=none_needed,
    touches=whole_table,
    effect=transitions.fork,
    admits=promises.fork_admits,
    promises=(
        promises.fork_shares_the_table,
        promises.fork_shares_the_tokens,
        promises.fork_counts_each_block_once_more,
    ),
)
APPEND = Transition(
    name="append",
    parameters=("sequence", "token"),
    source="sequence",
    acting="sequence",
    requirements=((Refusal.UNKNOWN, transitions.sequence_is_live),),
    needs=transitions.one_block_or_none,
    touches=last_entry,
    effect=transitions.append,
    admits=promises.append_admits,
    promises=(
        promises.append_adds_the_token,
        promises.append_keeps_earlier_tokens,
        promises.append_keeps_earlier_blocks,
        promises.append_frees_nothing,
    ),
)
RELEASE = Transition(
    name="release",
    parameters=("sequence",),
    source="sequence",
    acting="sequence",
    requirements=((Refusal.UNKNOWN, transitions.sequence_is_live),),
    needs=none_needed,
    touches=whole_table,
    effect=transitions.release,
    admits=promises.release_admits,
    promises=(
        promises.release_ends_the_sequence,
        promises.release_drops_one_reference,
        promises.release_frees_exactly_the_last_held,
        promises.release_frees_no_held_block,
        promises.release_loses_no_block,
        promises.release_writes_nothing,
    ),
)
TRANSITIONS = (ALLOCATE, FORK, APPEND, RELEASE)

"""Coverage of the model, not of lines: the cases that a search of full size must come upon.

A goal is an operation accepted at a boundary of its effect, or refused for one of its reasons.

Does not cover: which of the free blocks a manager takes, and in which order cases follow each
other, but for names that are used again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from poolproof_model.execute import Pool
from poolproof_model.system import APPEND, TRANSITIONS, Refusal, Transition, none_needed
from poolproof_verification.cases import Case, case_of
from poolproof_verification.operations import Operation
from poolproof_verification.oracle import written
from poolproof_verification.visibility import Traits

# What a manager must be able to do for some goals.
SHARES = "has fork"
LATER = "copies a shared block when it is written"
AT_ONCE = "copies a partly filled block at a fork"
SLOTS = "has blocks of several slots"
NO_ROOM = Refusal.OUT_OF_BLOCKS
Reached = tuple[str, ...]  # the names of the goals that one operation reaches


@dataclass(frozen=True)
class Goal:
    """A case to come upon; without `holds`, whenever the operation has this outcome."""

    words: str  # that continue the operation's name
    holds: Callable[[Case], bool] | None = None
    needs: tuple[str, ...] = ()
    reason: Refusal | None = None  # of a refusal


def goal(
    words: str, holds: Callable[[Case], bool], *needs: str, reason: Refusal | None = None
) -> Goal:
    """A goal as the catalogue has it."""
    return Goal(words, holds, needs, reason)


def refused(reasons: Iterable[Refusal], *needs: str) -> Iterator[Goal]:
    """To be refused for each of these reasons."""
    for reason in reasons:
        yield Goal(f"refused: {reason.value}", None, needs, reason)


def reasons_of(transition: Transition) -> Iterator[Refusal]:
    """Why the model refuses the transition."""
    yield Refusal.WRONG_TYPE
    yield from (reason for reason, _ in transition.requirements)
    if transition.needs is not none_needed:
        yield NO_ROOM


ACCEPTED: dict[str, tuple[Goal, ...]] = {
    "allocate": (
        goal("of no token", lambda case: case.tokens == 0),
        goal("of no token where no block is free", lambda case: case.tokens == 0 and case.full),
        goal("to the end of a block", lambda case: case.tokens > 0 and case.boundary_after),
        goal("to the middle of a block", lambda case: not case.boundary_after, SLOTS),
        goal("of several blocks", lambda case: case.taken > 1),
        goal("of the last free block", lambda case: case.takes_last),
    ),
    "fork": (
        goal("of an empty sequence", lambda case: not case.counts),
        goal("of a full last block", lambda case: case.last > 0 and case.boundary),
        goal("of a partly filled last block", lambda case: not case.boundary, SLOTS),
        goal("of several blocks", lambda case: len(case.counts) > 1),
        goal("of a block that is shared already", lambda case: case.most > 1),
        goal("where no block is free", lambda case: case.full),
        goal("with a copy", lambda case: case.taken > 0, AT_ONCE, SLOTS),
        goal("with a copy to the last free block", lambda case: case.takes_last, AT_ONCE, SLOTS),
    ),
    "append": (
        goal("to an empty sequence", lambda case: not case.counts),
        goal("at a boundary", lambda case: case.last > 0 and case.boundary),
        goal("after a full shared block", lambda case: case.last > 1 and case.boundary, SHARES),
        goal("of the last free block", lambda case: case.boundary and case.takes_last),
        goal("in place", lambda case: case.in_place, SLOTS),
        goal(
            "in place after shared blocks",
            lambda case: case.in_place and case.most > 1,
            SHARES,
            SLOTS,
        ),
        goal("in place where no block is free", lambda case: case.in_place and case.full, SLOTS),
        goal("to a last slot", lambda case: case.boundary_after and not case.boundary, SLOTS),
        goal("with a copy", lambda case: case.copies and case.last == 2, LATER, SLOTS),
        goal(
            "with a copy of a block held by three or more",
            lambda case: case.copies and case.last > 2,
            LATER,
            SLOTS,
        ),
        goal(
            "with a copy to the last free block",
            lambda case: case.copies and case.takes_last,
            LATER,
            SLOTS,
        ),
    ),
    "grow": (
        goal("by no token", lambda case: case.tokens == 0),
        goal("by no token where no block is free", lambda case: case.tokens == 0 and case.full),
        goal("from an empty sequence", lambda case: case.tokens > 0 and not case.counts),
        goal("within the last block", lambda case: case.tokens > 0 and case.taken == 0, SLOTS),
        goal("to the end of a block", lambda case: case.tokens > 0 and case.boundary_after),
        goal("over several blocks", lambda case: case.added > 1),
        goal("to the last free block", lambda case: case.takes_last),
        goal("with a copy", lambda case: case.copies and case.taken == 1, LATER, SLOTS),
        goal(
            "with a copy and further blocks",
            lambda case: case.copies and case.taken > 1,
            LATER,
            SLOTS,
        ),
    ),
    "release": (
        goal("of an empty sequence", lambda case: not case.counts),
        goal("of blocks that nobody else holds", lambda case: case.most == 1),
        goal("of shared blocks alone", lambda case: min(case.counts, default=0) > 1, SHARES),
        goal(
            "of shared blocks and others",
            lambda case: case.most > 1 and min(case.counts) == 1,
            SHARES,
        ),
        goal("of a block held by three or more", lambda case: case.most > 2, SHARES),
        goal("of the only sequence", lambda case: case.live == 1),
        goal("where no block was free", lambda case: case.makes_room),
    ),
    "release_all": (
        goal("of no sequence", lambda case: case.live == 0),
        goal("of several sequences", lambda case: case.live > 1),
        goal("of shared blocks", lambda case: case.shares, SHARES),
        goal("where no block was free", lambda case: case.makes_room),
    ),
}
REFUSED: dict[str, tuple[Goal, ...]] = {
    "allocate": (
        goal("refused where no block is free", lambda case: case.full, reason=NO_ROOM),
        goal("refused for want of one block", lambda case: case.lacking == 1, reason=NO_ROOM),
        goal(
            "refused for two reasons, first: a negative number",
            lambda case: case.is_live(0),
            reason=Refusal.NEGATIVE,
        ),
        goal(
            "refused for two reasons, first: the name is in use",
            lambda case: case.lacking > 0,
            reason=Refusal.EXISTS,
        ),
    ),
    "fork": (
        *refused((NO_ROOM,), AT_ONCE, SLOTS),
        goal(
            "refused into itself",
            lambda case: case.arguments[0] == case.arguments[1],
            reason=Refusal.EXISTS,
        ),
        goal(
            "refused for two reasons, first: no such sequence",
            lambda case: case.is_live(1),
            reason=Refusal.UNKNOWN,
        ),
    ),
    "append": (
        goal("refused at a boundary", lambda case: case.boundary, reason=NO_ROOM),
        goal("refused for want of a copy", lambda case: case.copies, LATER, SLOTS, reason=NO_ROOM),
    ),
    "grow": (
        *refused((Refusal.NEGATIVE, *reasons_of(APPEND))),
        goal(
            "refused for want of a copy",
            lambda case: case.copies and case.full,
            LATER,
            SLOTS,
            reason=NO_ROOM,
        ),
        goal("refused though one token has room", lambda case: case.has_room, reason=NO_ROOM),
        goal(
            "refused for two reasons, first: a negative number",
            lambda case: not case.is_live(0),
            reason=Refusal.NEGATIVE,
        ),
    ),
}
AGAIN = {name: f"{name} of a name that was released" for name in ("allocate", "fork")}


def catalogue() -> dict[tuple[str, Refusal | None], tuple[Goal, ...]]:
    """All goals, by operation and outcome."""
    found: dict[tuple[str, Refusal | None], tuple[Goal, ...]] = {}
    by_guard = {each.name: tuple(refused(reasons_of(each))) for each in TRANSITIONS}
    for name, accepted in ACCEPTED.items():
        found[name, None] = accepted
        for each in (*by_guard.get(name, ()), *REFUSED.get(name, ())):
            found[name, each.reason] = (*found.get((name, each.reason), ()), each)
    return found


GOALS = catalogue()


def goals_of(before: Pool, operation: Operation, reason: Refusal | None, after: Pool) -> Reached:
    """The goals that the operation reaches; `reason`: of its refusal, which changes nothing."""
    name, goals = operation.name, GOALS.get((operation.name, reason), ())
    case = case_of(before, operation.arguments, after)
    return tuple(f"{name} {each.words}" for each in goals if each.holds is None or each.holds(case))


def possible(traits: Traits, block_sizes: Iterable[int]) -> tuple[str, ...]:
    """The goals that a manager allows which is like this and has blocks of these sizes."""
    able, have = set(), traits.operations
    if "fork" in have:
        able |= {SHARES, AT_ONCE if traits.copies_at_fork else LATER}
    if max(block_sizes, default=0) > 1:
        able.add(SLOTS)
    single = (
        f"{name} {each.words}"
        for (name, reason), goals in GOALS.items()
        for each in goals
        if name in have and reason not in traits.undefined and able.issuperset(each.needs)
    )
    again = AGAIN.items() if not have.isdisjoint({"release", "release_all"}) else ()
    return (*single, *(words for name, words in again if name in have))


class Names:
    """The names that were live in one run, and were released."""

    def __init__(self) -> None:
        """None yet."""
        self.released: set[object] = set()

    def follow(self, operation: Operation, live: Iterable[object]) -> Reached:
        """What an accepted operation reaches by its names; `live`: those before it."""
        name = operation.name
        if name == "release":
            self.released.add(operation.arguments[0])
        elif name == "release_all":
            self.released.update(live)
        elif name in AGAIN and written(operation) in self.released:
            return (AGAIN[name],)
        return ()

"""KeyboardInterrupt before every opcode of an operation, and what it may leave behind.

Judged is what the shipped manager says in its docstring: the sequences that the operation named
may be half-way and can be released, no other sequence changes, no block in a table is free,
`violations` names the lost blocks, and after `release_all` everything is as in a new manager.

Does not cover: interrupts inside C code, which strike between opcodes only; a second one while the
first is recovered from; a sequence spared by an interrupted `release_all`, which names them all.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from types import FrameType
from typing import Any

from poolproof_verification.limits import TookTooLong, timed, why
from poolproof_verification.lives import Life, pool_after
from poolproof_verification.lockstep import Lockstep
from poolproof_verification.operations import Accepted, Operation, View, live_in, names_in
from poolproof_verification.seen import continued, manager_of
from poolproof_verification.targets import ClassTarget, KnownTarget


class InterruptAt:
    """Raises KeyboardInterrupt before the opcode of this number below the traced call."""

    def __init__(self, point: int) -> None:
        """`point`: how many opcodes are executed before."""
        self.left, self.struck = point, False

    def __call__(self, frame: FrameType, event: str, argument: Any) -> InterruptAt:
        """Called for each event in each frame that the traced call makes."""
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        if event == "opcode":
            if self.left == 0:
                self.struck = True
                raise KeyboardInterrupt
            self.left -= 1
        return self


def interrupted(call: Callable[[], object], point: int) -> bool:
    """The call was still under way at this point, and was interrupted there."""
    outer, interrupt = sys.gettrace(), InterruptAt(point)
    # Python 3.12 reports opcodes only if some frame wants them when tracing begins.
    sys._getframe().f_trace_opcodes = True
    sys.settrace(interrupt)
    try:
        call()
    except KeyboardInterrupt:
        if not interrupt.struck:  # the user's own
            raise
    except Exception:  # into which the manager has turned the interrupt
        return interrupt.struck
    finally:
        sys.settrace(outer)
    return interrupt.struck


def promised_by(target: KnownTarget) -> bool:
    """The target is a class that speaks of interrupts in its docstring, and can be recovered."""
    if not isinstance(target, ClassTarget):
        return False
    recovers = {"release", "release_all"} <= target.traits.operations
    return recovers and "KeyboardInterrupt" in (target.manager_class.__doc__ or "")


@dataclass(frozen=True)
class Usual:
    """What there is without an interrupt."""

    fresh: View | str
    before: View | str
    after: View | str
    named: tuple[str, ...]  # the sequences that may be half-way


def usual(target: KnownTarget, life: Life, operation: Operation) -> Usual | None:
    """The same without an interrupt; None where the operation is not carried out then."""
    pool = pool_after(target.traits, life)
    if pool is None:
        return None
    named = names_in((operation,)) or tuple(live_in(pool))
    manager = manager_of(target, life)
    fresh = manager.show()
    continued(manager, *life.operations)
    (seen,) = continued(manager, operation)
    if not isinstance(seen.response, Accepted):
        return None
    return Usual(fresh, seen.before, seen.shown, named)


def interruptions(target: KnownTarget, life: Life, operation: Operation) -> Iterator[str]:
    """What the interrupt breaks, point by point, up to the end of the operation after this life."""
    normal = usual(target, life, operation)
    point = 0
    while normal is not None:
        manager = manager_of(target, life)
        for each in life.operations:
            manager.guarded.call(each)
        method = getattr(vars(manager.adapter)["manager"], operation.name)
        where = f"{operation} interrupted at opcode {point}"
        try:
            if not timed(interrupted, partial(method, *operation.arguments), point):
                return
        except TookTooLong as error:
            yield f"{where}: {why(error)}"
            return
        found = next(damage(manager, normal, life.then(operation)), "")
        yield f"{where}: {found}" if found else ""
        point += 1


def told_by_interrupts(target: KnownTarget, life: Life, operation: Operation) -> str:
    """What the first interrupt that breaks something breaks; nothing where none does."""
    return next(filter(None, interruptions(target, life, operation)), "")


def damage(manager: Lockstep, normal: Usual, life: Life) -> Iterator[str]:
    """All that is broken right after an interrupt, and while it is recovered from."""
    yield from damage_shown(manager, normal, "")
    yield from unnamed(manager)
    shown = manager.show()
    for name in normal.named:
        if isinstance(shown, View) and name in shown.seqs:
            (seen,) = continued(manager, Operation("release", (name,)))
            if not isinstance(seen.response, Accepted):
                yield f"{seen.operation} then answers {seen.response}"
            yield from damage_shown(manager, normal, f", once {name!r} is released")
    (seen,) = continued(manager, Operation("release_all"))
    if not isinstance(seen.response, Accepted) or seen.shown != normal.fresh:
        yield f"release_all then leads to {seen.shown}, not {normal.fresh}"
    if alarms := violations_of(manager):
        yield f"after release_all violations says {alarms}"
    again = continued(manager, *life.operations)[-1]
    if again.shown != normal.after:
        yield f"after release_all the same operations lead to {again.shown}, not {normal.after}"


def damage_shown(manager: Lockstep, normal: Usual, when: str) -> Iterator[str]:
    """A block in a table is free, or a sequence that was not named has changed."""
    shown, before = manager.show(), normal.before
    if isinstance(shown, str) or isinstance(before, str):
        yield f"the state is not shown{when}: {shown}"
        return
    free = set(shown.free) if isinstance(shown.free, list) else set()
    for block in sorted(free & held(shown)):
        yield f"block {block} is free while a table has it{when}: {shown}"
    for name in dict.fromkeys((*before.seqs, *shown.seqs)):
        was, now = before.seqs.get(name), shown.seqs.get(name)
        if name not in normal.named and was != now:
            yield f"{name!r} was {was} and is {now}{when}"


def held(shown: View) -> set[int]:
    """The blocks in tables."""
    return {block for table in shown.seqs.values() for block in table["blocks"]}


def unnamed(manager: Lockstep) -> Iterator[str]:
    """Blocks that are neither free nor in a table, and that `violations` does not name."""
    shown = manager.show()
    asked = "violations" in manager.traits.questions
    if asked and isinstance(shown, View) and isinstance(shown.free, list):
        lost = set(range(manager.total)) - held(shown) - set(shown.free)
        named = {block for each in violations_of(manager) for block in getattr(each, "blocks", ())}
        if lost - named:
            yield f"violations does not name the lost blocks {sorted(lost - named)}: {shown}"


def violations_of(manager: Lockstep) -> list[Any]:
    """What the manager finds wrong with itself, if it can be asked; a junk answer is wrong, too."""
    if "violations" not in manager.traits.questions:
        return []
    response = manager.guarded.ask("violations")
    if isinstance(response, Accepted) and isinstance(response.value, list):
        return response.value
    return [response]

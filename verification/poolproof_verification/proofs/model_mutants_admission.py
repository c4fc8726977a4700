"""Exact admission: a transition is refused nowhere but where it could not go on.

Compares the model's guards, on concrete states, with rules that are written apart from them: no
proof notices a guard that is too strong.

Does not cover: which of several reasons a refusal gives; transitions without a rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import islice
from typing import Any

from poolproof_model.execute import Pool, refusal_in
from poolproof_model.system import Clause, Transition
from poolproof_verification.counterexample import Counterexample, Step
from poolproof_verification.operations import view_of
from poolproof_verification.proofs.claims import Claim
from poolproof_verification.proofs.refutation import counterexample_of
from poolproof_verification.proofs.runs import (
    FAILURES,
    SCOPES,
    Operation,
    Run,
    asked,
    reached,
    state_of,
)
from poolproof_verification.proofs.search import Break

IMPORTS = """from poolproof_model.execute import empty_pool, refusal, step
from poolproof_model.system import ALLOCATE, APPEND, FORK, RELEASE
from poolproof_verification.proofs.runs import Prompt
from poolproof_verification.proofs.search import breaches"""


def may_allocate(pool: Pool, sequence: Any, length: int) -> bool:
    """The name is new, and the free blocks have a slot for each token."""
    fits = 0 <= length <= len(pool.free) * pool.block_size
    return fits and sequence not in pool.tables


def may_fork(pool: Pool, parent: Any, child: Any) -> bool:
    """There is such a parent, and no such child."""
    return parent in pool.tables and child not in pool.tables


def may_append(pool: Pool, sequence: Any) -> bool:
    """There is a free block, or room in a block that the sequence alone has."""
    if sequence not in pool.tables:
        return False
    own = pool.tables[sequence]
    others = (each.blocks for name, each in pool.tables.items() if name != sequence)
    room = own.length < len(own.blocks) * pool.block_size
    alone = room and not any(own.blocks[-1] in blocks for blocks in others)
    return alone or bool(pool.free)


def may_release(pool: Pool, sequence: Any) -> bool:
    """There is such a sequence."""
    return sequence in pool.tables


RULES: dict[str, Callable[..., bool]] = {
    "allocate": may_allocate,
    "fork": may_fork,
    "append": may_append,
    "release": may_release,
}


def allowed(run: Run) -> bool:
    """The rule's answer for the last operation, in a run with these names."""
    last = run.operations[-1]
    given = {name: last.arguments[name] for name in last.arguments if name in rule_names(last)}
    named = [value for value in given.values() if isinstance(value, str)]
    return set(named) <= set(run.names) and RULES[last.transition.name](run.before, **given)


def rule_names(operation: Operation) -> tuple[str, ...]:
    """The arguments that the rule asks for."""
    code = RULES[operation.transition.name].__code__
    return code.co_varnames[1 : code.co_argcount]


def model_admits(run: Run) -> bool:
    """The model's own answer; a guard that fails admits nothing."""
    last = run.operations[-1]
    try:
        state = state_of(run.before, run.names)
        return refusal_in(state, last.transition, last.arguments) is None
    except FAILURES:
        return False


def admission_break(
    transitions: tuple[Transition, ...],
    judged: Iterable[Transition],
    invariants: tuple[Clause, ...],
) -> Break | None:
    """The shortest run whose last operation is refused wrongly, or admitted wrongly."""
    judged = tuple(each for each in judged if each.name in RULES)
    for names, limit in SCOPES:
        for operations, pool, _ in islice(reached(transitions, invariants, names), limit // 20):
            for transition, arguments in asked(judged, names, len(operations)):
                last = Operation(transition, arguments, ())
                run = Run((*operations, last), pool, names)
                if allowed(run) != model_admits(run):
                    return Break(admission_claim(run), {}, run)
    return None


def admission_claim(run: Run) -> Claim:
    """The claim that this run breaks."""
    transition = run.operations[-1].transition
    return Claim(
        f"{transition.name} is admitted exactly where it can go on",
        RULES[transition.name].__doc__ or "",
        "admission",
        transition,
        "refused wrongly" if allowed(run) else "admitted wrongly",
        {},
        lambda step, values: allowed(run) == model_admits(run),
    )


def admission_counterexample(found: Break) -> Counterexample:
    """The operations, the last of which is refused, or admitted, as it should not be."""
    told, last = counterexample_of(found), found.run.operations[-1]
    answers = {True: "admitted", False: "refused"}
    shown = str(view_of(found.run.before))
    asked = f"refusal(manager, {last.transition.name.upper()}, {last.arguments!r})"
    final = Step(
        str(last),
        answers[allowed(found.run)],
        answers[model_admits(found.run)],
        shown,
        shown,
        f"assert ({asked} is None) is {allowed(found.run)}",
    )
    return replace(told, import_line=IMPORTS, steps=(*told.steps[:-1], final))

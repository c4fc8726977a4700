"""Exact admission on concrete states: the shortest operations after which a guard is wrong.

Compares the model's guards with what the transition promises to admit.

Does not cover: which of several reasons a refusal gives; larger pools, which the proof does.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import islice

from poolproof_model.execute import refusal_in
from poolproof_model.system import Clause, Transition, call
from poolproof_verification.counterexample import Counterexample, Step
from poolproof_verification.operations import view_of
from poolproof_verification.proofs.claims import Claim, admission_name, sentence_of
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


def allowed(run: Run) -> bool:
    """What the promise says of the last operation, in a run with these names."""
    last = run.operations[-1]
    state = state_of(run.before, run.names)
    return bool(call(last.transition.admits, {"state": state, **last.arguments}))


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
    judged = tuple(judged)
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
        admission_name(transition),
        sentence_of(transition.admits),
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
    shown = view_of(found.run.before)
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

"""The report's worst counterexample as an ITF trace, for the viewers of the TLA+ family.

State 0 is the fresh pool, where it is known; each step gives one more. The variables are what the
manager shows and what the model has: `free`, `counts` and `tables` of each; `mbt::actionTaken` and
`mbt::nondetPicks` tell the operation, `expected` and `observed` what came back.

Does not cover: what a manager does not show, in whose place the reason is; arguments of another
kind than numbers and text, which are told as text.
"""

from __future__ import annotations

import json
from typing import Any

from poolproof_verification.counterexample import Counterexample, Step
from poolproof_verification.plain import LONGEST_DECIMAL
from poolproof_verification.reports.plain_records import plain
from poolproof_verification.reports.plain_words import visible
from poolproof_verification.reports.report import Report
from poolproof_verification.views import Shown

PARTS = ("free", "counts", "tables")
SIDES = ("manager", "model")
ACTION, PICKS = "mbt::actionTaken", "mbt::nondetPicks"
VARIABLES = [ACTION, PICKS, "expected", "observed"]
VARIABLES += [f"{side}_{part}" for side in SIDES for part in PARTS]
PARAMETERS = {
    "allocate": ("name", "tokens"),
    "fork": ("parent", "child"),
    "append": ("name",),
    "grow": ("name", "tokens"),
    "release": ("name",),
}
NOT_SHOWN = "not shown"
Data = dict[str, Any]


def render(report: Report) -> str:
    """The trace of the first failure; one without states where there is none."""
    if report.failures:
        return trace(report.failures[0])
    told = f"{visible(report.target)}: {report.result}, no counterexample"
    return written({"description": told, "status": report.result}, [])


def trace(found: Counterexample) -> str:
    """One counterexample."""
    told = f"{visible(found.law)}: {visible(found.headline)}"
    about = {"description": told, "status": "violation", "source": visible(found.target)}
    states = [state_of(step) for step in found.steps]
    first = found.steps[0].call
    if found.start and (first is None or first.name != "__init__"):
        states.insert(0, fresh(found.start))
    return written(about, states)


def fresh(start: Shown) -> Data:
    """The state before the first step, which is as it should be, or else that step tells."""
    told = {ACTION: "init", PICKS: {}, "expected": "", "observed": ""}
    return told | side_of("manager", start) | side_of("model", start)


def written(about: Data, states: list[Data]) -> str:
    """The trace as text."""
    numbered = [{"#meta": {"index": number}} | state for number, state in enumerate(states)]
    meta = {
        "format": "ITF",
        "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
    }
    return (
        f"{json.dumps({'#meta': meta | about, 'vars': VARIABLES, 'states': numbered}, indent=1)}\n"
    )


def state_of(step: Step) -> Data:
    """What there is after the step, and the step."""
    told = {ACTION: visible(step.operation.partition("(")[0]), PICKS: picks_of(step)}
    told |= {"expected": visible(step.expected), "observed": visible(step.observed)}
    return told | side_of("manager", step.shown) | side_of("model", step.model)


def picks_of(step: Step) -> Data:
    """The arguments by their names, each a choice that was made."""
    if step.call is None:
        return {}
    names = PARAMETERS.get(step.call.name, ())
    return {name: value_of(value) for name, value in zip(names, step.call.arguments, strict=False)}


def side_of(side: str, shown: Shown) -> Data:
    """The variables of one side."""
    state = plain(shown)
    if isinstance(state, str):
        return {f"{side}_{part}": f"{NOT_SHOWN}: {state}" for part in PARTS}
    counts = NOT_SHOWN if state.ref is None else mapping(state.ref)
    tables = {
        name: {"blocks": value_of(table["blocks"]), "tokens": value_of(table["len"])}
        for name, table in state.seqs.items()
    }
    values = value_of(state.free), counts, {"#map": [[name, each] for name, each in tables.items()]}
    return {f"{side}_{part}": value for part, value in zip(PARTS, values, strict=True)}


def mapping(values: dict[int, int]) -> Data:
    """A function from numbers to numbers."""
    return {"#map": [[value_of(key), value_of(value)] for key, value in values.items()]}


def value_of(value: object) -> Any:
    """A value in the words of the format: integers of any size, lists, truth, else text."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        short = -LONGEST_DECIMAL < value < LONGEST_DECIMAL
        return {"#bigint": str(value)} if short else visible(hex(value))
    if isinstance(value, list):
        return [value_of(each) for each in value]
    return visible(value)

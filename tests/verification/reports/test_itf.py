"""An ITF trace comes back as the states it was made of."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import itf_py
from tests.verification.reports import made

from poolproof_verification.counterexample import Counterexample
from poolproof_verification.operations import Operation, View
from poolproof_verification.reports.itf import VARIABLES, render


def parsed(text: str) -> itf_py.Trace:
    """The trace, in which each state has each variable."""
    trace = itf_py.trace_from_json(json.loads(text))
    assert trace.vars == VARIABLES
    assert all(sorted(state.values) == sorted(VARIABLES) for state in trace.states)
    return trace


def states(found: Counterexample) -> list[dict[str, Any]]:
    text = render(made.report(made.judgement(found=(found,))))
    return [state.values for state in parsed(text).states]


def test_a_trace_has_the_fresh_pool_and_a_state_a_step() -> None:
    fresh, first, last = states(made.counterexample())
    assert fresh["mbt::actionTaken"] == "init"
    assert fresh["manager_free"] == fresh["model_free"] == [0, 1]
    assert [each["mbt::actionTaken"] for each in (first, last)] == ["allocate", "allocate"]
    picks = last["mbt::nondetPicks"]
    assert (picks.name, picks.tokens) == ("A", 0)
    assert (last["expected"], last["observed"]) == ("[0]", "[]")


def test_the_states_of_manager_and_model_come_back() -> None:
    last = states(made.counterexample())[-1]
    assert last["manager_free"] == [1]
    assert last["manager_counts"] == last["model_counts"] == {0: 1}
    assert last["manager_tables"]["A"]._asdict() == {"blocks": [], "tokens": 0}
    assert last["model_tables"]["A"]._asdict() == {"blocks": [0], "tokens": 1}


def test_a_block_that_is_free_twice_is_there_twice() -> None:
    found = made.counterexample()
    step = replace(found.steps[0], shown=View([1, 1], {}, {}))
    assert states(replace(found, steps=(step,)))[-1]["manager_free"] == [1, 1]


def test_what_is_not_shown_says_so() -> None:
    found = made.counterexample()
    step = replace(found.steps[0], shown="it broke", model=View(2, None, {}))
    last = states(replace(found, steps=(step,)))[-1]
    assert last["manager_free"] == last["manager_tables"] == "not shown: it broke"
    assert (last["model_free"], last["model_counts"]) == (2, "not shown")


def test_a_manager_that_is_wrong_when_it_is_made_has_no_state_before() -> None:
    found = made.counterexample()
    step = replace(found.steps[0], call=Operation("__init__"), operation="Pool(2, 1)")
    (only,) = states(replace(found, steps=(step,)))
    assert only["mbt::actionTaken"] == "Pool"


def test_a_trace_that_has_no_fresh_state_begins_with_the_first_step() -> None:
    found = made.counterexample()
    assert [each["mbt::actionTaken"] for each in states(replace(found, start=""))] == [
        "allocate", "allocate",
    ]  # fmt: skip


def test_integers_of_any_size_come_back() -> None:
    found = made.counterexample()
    for number in (2**70, -(10**3999)):
        step = replace(found.steps[0], call=Operation("allocate", ("A", number)))
        assert states(replace(found, steps=(step,)))[1]["mbt::nondetPicks"].tokens == number
    step = replace(found.steps[0], call=Operation("allocate", ("A", 10**5000)))
    value = states(replace(found, steps=(step,)))[1]["mbt::nondetPicks"].tokens
    assert value.startswith("0x")


def test_every_number_is_written_as_one_of_any_size() -> None:
    def numbers(value: Any) -> Iterator[int]:
        if isinstance(value, int):
            yield value
        elif isinstance(value, dict | list):
            for each in value.values() if isinstance(value, dict) else value:
                yield from numbers(each)

    for state in json.loads(render(made.refuted()))["states"]:
        del state["#meta"]
        assert list(numbers(state)) == []


def test_a_run_without_a_failure_is_a_trace_without_states() -> None:
    trace = parsed(render(made.held()))
    assert trace.states == []
    assert trace.meta["status"] == "held"

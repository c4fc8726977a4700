"""Two things seen are the same up to names, and to the numbers of blocks where any may be taken."""

from __future__ import annotations

from typing import Any

import pytest
from tests.verification.faulty_managers import Strict

from poolproof_verification.limits import limited_to
from poolproof_verification.lives import Life, pool_after
from poolproof_verification.operations import HIDDEN, Accepted, Failed, Operation, Refused, View
from poolproof_verification.seen import (
    NOTHING,
    NeverEnds,
    Seen,
    Tally,
    as_modelled,
    continued,
    live_through,
    manager_of,
    outcome_of,
    state_of,
)
from poolproof_verification.targets import ClassTarget, find_target
from poolproof_verification.verdict import Outcome


def view(**tables: list[int]) -> View:
    seqs = {name: {"blocks": blocks, "len": len(blocks)} for name, blocks in tables.items()}
    counts = {block: 1 for blocks in tables.values() for block in blocks}
    return View([9], counts, seqs)


def test_states_are_compared_up_to_names() -> None:
    assert state_of(view(A=[1]), False) == state_of(view(x=[1]), False, {"x": "A"})
    assert state_of(view(A=[1]), False) != state_of(view(x=[1]), False)
    assert state_of("not shown", True) == "not shown"


def test_states_are_compared_up_to_blocks_where_any_may_be_taken() -> None:
    one, other = view(A=[1, 2], B=[3]), view(B=[7], A=[5, 1])
    assert state_of(one, True) == state_of(other, True)
    assert state_of(one, False) != state_of(other, False)
    assert state_of(one, True) != state_of(view(A=[1, 3], B=[3]), True)
    counted_twice = View([9], {1: 1, 2: 1, 3: 2}, one.seqs)
    assert state_of(one, True) != state_of(counted_twice, True)


def outcome(value: Any, name: str = "allocate", numbered: bool = False) -> tuple[Any, ...]:
    seen = Seen(Operation(name), Accepted(value), view(A=[4, 6]), view(A=[6, 4]))
    return outcome_of(seen, numbered)


def test_results_are_compared_up_to_blocks_where_any_may_be_taken() -> None:
    assert outcome([6, 4], numbered=True) == ("accepted", [0, 1])
    assert outcome(([6], (4, 6)), numbered=True) == ("accepted", ([0], (1, 0)))
    assert outcome([6, 4], "release", numbered=True) == ("accepted", [0, 1])
    assert outcome([6, 4], "release") == ("accepted", [6, 4])
    assert outcome(HIDDEN) == ("accepted", HIDDEN)
    assert outcome(True) != outcome(1)


def test_refusals_are_compared_by_their_error_and_not_by_its_words() -> None:
    def refused(error: object) -> tuple[Any, ...]:
        seen = Seen(Operation("append"), Refused(None, error), view(), view())
        return outcome_of(seen, False)

    assert refused(KeyError("A")) == refused(KeyError("B")) != refused(ValueError("A"))
    failed = Seen(Operation("append"), Failed("A"), view(), view())
    assert outcome_of(failed, False) == ("failed",)


def test_a_life_is_seen_step_by_step() -> None:
    life = Life(2, 1, (Operation("allocate", ("A", 1)), Operation("release", ("A",))))
    target = find_target("poolproof")
    first, second = live_through(target, life)
    assert first.response == Accepted([0]) and first.shown == second.before
    pool, manager = pool_after(target.traits, life), manager_of(target, life)
    assert pool is not None and as_modelled(manager, pool)
    continued(manager, life.operations[0])
    assert not as_modelled(manager, pool)


def test_a_call_that_does_not_end_ends_all() -> None:
    class Endless(Strict):
        def append(self, name: object) -> bool:
            while True:
                pass

    life = Life(2, 1, (Operation("append", ("A",)),))
    with limited_to(0.05), pytest.raises(NeverEnds, match="not ended after"):
        live_through(ClassTarget("endless", Endless), life)


def test_a_search_cut_short_leaves_unbroken_laws_unknown() -> None:
    tally = Tally(broken={"order": "broken"}, ended="a call does not end")
    tally.judged("names")
    tally.judged("order")
    laws = {"names": "runs", "order": "runs", "others": "runs"}
    names, order, others = tally.verdicts("method", laws, "scope")
    assert (others.outcome, others.count) == (Outcome.UNKNOWN, 0)
    assert (names.outcome, names.detail) == (Outcome.UNKNOWN, "a call does not end")
    assert (order.outcome, order.detail, order.count) == (Outcome.REFUTED, "broken", 1)
    tally.ended = ""
    names, order, others = tally.verdicts("method", laws, "scope")
    assert (names.outcome, order.outcome) == (Outcome.HELD, Outcome.REFUTED)
    assert (others.outcome, others.detail) == (Outcome.UNKNOWN, NOTHING)

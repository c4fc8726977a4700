"""The manager's check of itself is held to the model's invariants, in both directions."""

from __future__ import annotations

from dataclasses import replace
from unittest.mock import patch

import pytest

from poolproof import BlockManager, Violation
from poolproof_verification import tampering
from poolproof_verification.hidden_state import build, read
from poolproof_verification.limits import limited_to
from poolproof_verification.mutants import load, mutant_named
from poolproof_verification.tampering import case_of, cases, disagreement, disagreements

MANAGER = BlockManager(4, 2)
MANAGER.allocate("A", 3)
MANAGER.fork("A", "B")
STATE = read(MANAGER)


def test_the_shipped_manager_agrees_with_the_model_in_every_state() -> None:
    assert list(disagreements(BlockManager)) == []
    assert len(cases()) > 1_000


def test_most_states_are_broken_in_every_clause_and_some_are_healthy() -> None:
    clauses = {clause for case in cases() for clause, _, _ in case.broken}
    assert clauses == {"partition", "counts", "tables", "lengths", "representation"}
    assert 20 < sum(not case.broken for case in cases()) < len(cases()) // 4


@pytest.mark.parametrize("name", ["lost_block_escapes", "leak_and_double_count_cancel"])
def test_a_check_that_overlooks_something_is_refuted(name: str) -> None:
    manager = load(mutant_named(name))
    assert any("violations() does not say [('counts'," in words for words in disagreements(manager))


@pytest.mark.parametrize(
    ("changed", "broken"),
    [
        (
            {"free_map": b"\1\0\1\1", "num_free": 3, "lowest": 0},
            {("partition", (0,), ("A", "B")), ("representation", (0,), ("A", "B"))},
        ),
        ({"free_map": b"\0\0\0\1", "num_free": 1}, {("counts", (2,), ())}),
        ({"extra": (1, 0, 0, 0)}, {("counts", (1,), ("A", "B"))}),
        ({"extra": (1, 1, 1, 0)}, {("representation", (2,), ())}),
        ({"num_free": 1}, {("representation", (), ())}),
        ({"lowest": 3}, {("representation", (), ())}),
        ({"extra": (1, 1)}, {("representation", (), ())}),
        ({"lowest": 0}, set()),
    ],
)
def test_what_is_broken_is_known_for_states_counted_by_hand(
    changed: dict[str, object], broken: set[tuple[object, ...]]
) -> None:
    assert set(case_of(replace(STATE, **changed)).broken) == broken  # type: ignore[arg-type]


def test_tables_are_judged_by_the_models_clauses() -> None:
    (name, table), other = STATE.tables
    strange = replace(STATE, tables=((name, replace(table, blocks=(0, 4))), other))
    assert ("tables", (4,), ("A",)) in case_of(strange).broken
    twice = replace(STATE, tables=((name, replace(table, blocks=(0, 0))), other))
    assert ("tables", (0,), ("A",)) in case_of(twice).broken
    longer = replace(STATE, tables=((name, replace(table, length=5)), other))
    assert ("lengths", (0, 1), ("A",)) in case_of(longer).broken
    further = replace(STATE, tables=((name, replace(table, limit=4)), other))
    assert set(case_of(further).broken) == {("representation", (0, 1), ("A",))}


def answer(found: object) -> str:
    """The disagreement if the manager answered this in a healthy state."""
    with patch.object(BlockManager, "violations", lambda manager: found):
        return disagreement(build(BlockManager, STATE), case_of(STATE))


def test_a_false_alarm_a_silent_message_and_a_wrong_text_are_told() -> None:
    alarm = Violation("counts", (0,), ("A", "B"), "block 0 is counted amiss, says 'A'")
    assert answer([alarm]).startswith("violations() says [('counts', (0,), ('A', 'B'))], which is")
    tampered = replace(STATE, extra=(0, 1, 0, 0))
    with patch.object(BlockManager, "violations", lambda manager: [alarm]):
        words = disagreement(build(BlockManager, tampered), case_of(tampered))
    assert words == f"the message {alarm.message!r} leaves out [\"'B'\"]"


def test_asking_must_change_nothing() -> None:
    def scribble(manager: BlockManager) -> list[Violation]:
        manager._pool.lowest = 0
        return []

    with patch.object(BlockManager, "violations", scribble):
        words = disagreement(build(BlockManager, STATE), case_of(STATE))
    assert words == "asking changes the state"


def test_check_invariants_must_say_the_same() -> None:
    with patch.object(BlockManager, "check_invariants", lambda manager: False):
        words = disagreement(build(BlockManager, STATE), case_of(STATE))
    assert words == "check_invariants() is False beside []"


def raising(manager: BlockManager) -> list[Violation]:
    raise KeyError("lost")


def endless(manager: BlockManager) -> list[Violation]:
    while True:
        pass


@pytest.mark.parametrize("violations", [raising, endless])
def test_a_check_that_raises_or_never_ends_is_told(violations: object) -> None:
    with patch.object(BlockManager, "violations", violations), limited_to(0.05):
        words = next(disagreements(BlockManager))
    assert words.startswith("violations() fails: ")
    assert "KeyError: 'lost'" in words or "not ended after" in words


def test_what_the_model_does_not_decide_is_left_open() -> None:
    (name, table), other = STATE.tables
    case = case_of(replace(STATE, tables=((name, replace(table, blocks=(0, 0))), other)))
    assert tampering.left_open(case, ("representation", (0,), ("A",)))
    assert not tampering.left_open(case, ("counts", (0,), ("A",)))
    assert not tampering.left_open(case_of(STATE), ("representation", (0,), ("A",)))


def test_a_block_that_a_table_lists_twice_is_held_once() -> None:
    (name, table), other = STATE.tables
    twice = replace(STATE, tables=((name, replace(table, blocks=(0, 0))), other))
    counts = {each for each in case_of(twice).broken if each[0] == "counts"}
    assert counts == {("counts", (1,), ("B",))}  # counted for A, too; block 0 is right

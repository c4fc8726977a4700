"""The automaton says what the oracle says, whatever sequences and blocks are called."""

from __future__ import annotations

import random
from typing import Any

import pytest

from poolproof_model.execute import Pool, broken, empty_pool
from poolproof_verification import automaton as automaton_module
from poolproof_verification.automaton import NEW, SLOTS, Automaton, Slot, in_order, named, numbered
from poolproof_verification.operations import Operation
from poolproof_verification.oracle import Oracle, carry_out
from poolproof_verification.visibility import EVERYTHING, Traits

TWO = Slot(2)


def test_names_and_numbers_come_back() -> None:
    order = ["A", "B", "C"]
    assert list(named((TWO, NEW, 7), order, "N")) == ["C", "N", 7]
    assert numbered([2, 0], [5, 6, 7], ascending=False) == [7, 5]
    assert numbered([2, 0], [5, 6, 7], ascending=True) == [5, 7]
    assert numbered(([1], (0, 2)), [5, 6, 7], ascending=False) == ([6], (5, 7))
    assert numbered(([], None), [], ascending=False) == ([], None)
    assert numbered(True, [5], ascending=False) is True


@pytest.mark.parametrize("copies", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_every_edge_is_what_the_oracle_says_of_the_real_state(seed: int, copies: bool) -> None:
    draw, traits = random.Random(seed), Traits(copies_at_fork=copies)
    oracle, automaton = Oracle(traits=traits), Automaton(5, 2, traits)
    pool: Pool = empty_pool(5, 2, contents=False)
    state, order, blocks = automaton.start, list[str](), list[int]()
    for _ in range(120):
        slot = SLOTS[draw.randrange(len(order))] if order and draw.random() < 0.8 else NEW
        code: Any = draw.choice(
            [("allocate", NEW, draw.randint(-1, 5)), ("append", slot), ("release", slot),
             ("fork", slot, NEW), ("grow", slot, draw.randint(0, 3)), ("release_all",)]
        )  # fmt: skip
        new = next(name for name in "ABCDEFGHIJKLMNOP" if name not in order)
        operation = Operation(code[0], tuple(named(code[1:], order, new)))
        reason = oracle.refused(pool, operation)
        edge = automaton.edge(state, code)
        assert edge.reason is reason
        if reason is not None:
            continue
        free = sorted(pool.free)
        pool, value = carry_out(pool, operation, copies_at_fork=copies)
        real = blocks + free[: edge.taken]
        assert numbered(edge.value, real, operation.name.startswith("release")) == value
        assert edge.after is not None
        order = [order[number] if number >= 0 else new for number in edge.slots]
        blocks, state = [real[block] for block in edge.blocks], edge.after
        shown = {
            name: (tuple(blocks[block] for block in table), length)
            for name, table, length in zip(order, state.tables, state.lengths, strict=True)
        }
        assert shown == {name: (each.blocks, each.length) for name, each in pool.tables.items()}
        assert dict(zip(blocks, state.counts, strict=True)) == dict(pool.counts)
        assert state.num_free == len(pool.free)
        assert not list(broken(state.pool))
    assert 1 < len(automaton.states) < 120


def test_states_that_differ_in_names_and_numbers_only_are_one() -> None:
    found = set()
    for first, second in (("A", "B"), ("B", "A")):
        automaton = Automaton(4, 1, EVERYTHING)
        pool = empty_pool(4, 1, contents=False)
        for name, length in ((first, 1), (second, 2)):
            pool, _ = carry_out(pool, Operation("allocate", (name, length)))
        names, blocks = in_order(pool)
        state = automaton.known(pool, names, blocks)
        found.add((tuple(state.tables), tuple(state.lengths)))
    assert found == {(((0,), (1, 2)), (1, 2))}


def test_a_broken_invariant_of_the_model_is_an_error_of_ours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(automaton_module, "broken", lambda pool: iter([("counts", "block 0")]))
    automaton = Automaton(2, 1, EVERYTHING)
    with pytest.raises(AssertionError, match="invariant counts is broken at block 0"):
        automaton.edge(automaton.start, ("allocate", NEW, 1))

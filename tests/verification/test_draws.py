"""What is drawn makes sense mostly, keeps to the traits, and depends on the seed alone."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from poolproof_model.system import Refusal
from poolproof_verification.automaton import NEW, Automaton, named
from poolproof_verification.draws import (
    HOLES,
    LARGE_ONE_IN,
    STANDARD,
    Shape,
    draw,
    large,
    plan,
    shape_of,
    small,
)
from poolproof_verification.operations import OPERATIONS, Operation, wrong_type
from poolproof_verification.visibility import EVERYTHING, Traits


def drawn(seed: int, shape: Shape = STANDARD, traits: Traits = EVERYTHING) -> list[Operation]:
    """A run's operations on the automaton alone."""
    random = Random(seed)
    planned, automaton = plan(random, shape, traits), Automaton(shape.total, 2, traits)
    state, order, operations = automaton.start, list[str](), list[Operation]()
    for _ in range(planned.steps):
        code = draw(random.random, planned, state)
        if code is None:
            continue
        new = next(name for name in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" if name not in order)
        operation = Operation(code[0], tuple(named(code[1:], order, new)))
        operations.append(operation)
        edge = None if wrong_type(operation) else automaton.edge(state, code)
        if edge is not None and edge.after is not None:
            order = [order[slot] if slot >= 0 else new for slot in edge.slots]
            state = edge.after
    return operations


def test_the_same_seed_draws_the_same_and_another_seed_something_else() -> None:
    assert drawn(3) == drawn(3)
    assert drawn(3) != drawn(4)


def test_every_operation_is_drawn_and_no_run_draws_all_alike() -> None:
    runs = [Counter(operation.name for operation in drawn(seed)) for seed in range(60)]
    assert set().union(*runs) == set(OPERATIONS)
    assert any("fork" not in run for run in runs)
    assert any("append" not in run for run in runs)


def test_what_the_manager_does_not_have_or_promise_is_not_drawn() -> None:
    traits = Traits(
        operations=frozenset({"allocate", "append", "release"}),
        undefined=frozenset({Refusal.WRONG_TYPE}),
    )
    runs = [operation for seed in range(60) for operation in drawn(seed, traits=traits)]
    assert {operation.name for operation in runs} == traits.operations
    assert not any(map(wrong_type, runs))
    promised = [operation for seed in range(60) for operation in drawn(seed)]
    assert any(map(wrong_type, promised))


def test_no_sequence_grows_beyond_its_shape_but_by_misuse() -> None:
    shape = Shape(total=6, block_size=2, names=3, tokens=4)
    random, automaton = Random(1), Automaton(6, 2, EVERYTHING)
    planned = plan(Random(0), shape, EVERYTHING)
    assert planned.misuse == 0
    state = automaton.start
    for _ in range(300):
        code = draw(random.random, planned, state)
        if code is None:
            continue
        edge = automaton.edge(state, code)
        state = edge.after or state
        assert len(state.lengths) <= 3
        assert max(state.lengths, default=0) <= 4


@pytest.mark.parametrize(("kind", "totals"), [(small, range(9)), (large, range(20, 301))])
def test_pools_are_small_or_large(kind: object, totals: range) -> None:
    assert callable(kind)
    shapes = {kind(Random(seed)) for seed in range(50)}
    assert len(shapes) > 5
    assert all(shape.total in totals for shape in shapes)
    assert len({shape.total for shape in shapes}) > 3


def test_most_pools_are_small_some_are_full_of_holes_and_a_few_are_large() -> None:
    shapes = [shape_of(Random(number), number) for number in range(4 * LARGE_ONE_IN)]
    small_ones = [shape for shape in shapes if shape.total <= 8]
    assert len(small_ones) > len(shapes) / 2
    assert shapes.count(HOLES) == len(shapes) / 4
    assert len(shapes) - len(small_ones) - shapes.count(HOLES) == 4


def test_an_empty_pool_has_no_sequence_to_name() -> None:
    planned = plan(Random(0), STANDARD, EVERYTHING)
    automaton = Automaton(6, 2, EVERYTHING)
    codes = [draw(Random(seed).random, planned, automaton.start) for seed in range(100)]
    slots = {argument for code in codes if code for argument in code if type(argument) is type(NEW)}
    assert slots == {NEW}

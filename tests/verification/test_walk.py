"""The fast walk notices whatever the full lockstep does, and nothing else."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import pytest
from tests.verification.faults import A1, A2, FAULTS, FORK, LIES, call
from tests.verification.faulty_managers import HighestFirst, Strict, TakesHeldBlock

from poolproof import BlockManager
from poolproof_model.system import Refusal
from poolproof_verification.adapters.lesson import LessonAdapter
from poolproof_verification.automaton import Automaton
from poolproof_verification.draws import Shape
from poolproof_verification.lockstep import Lockstep
from poolproof_verification.operations import HIDDEN, Accepted, Operation, Response, View
from poolproof_verification.record import Record
from poolproof_verification.targets import ClassTarget
from poolproof_verification.textbook import Textbook
from poolproof_verification.visibility import Traits
from poolproof_verification.walk import Differs, Walk

SHAPE = Shape(total=2, block_size=2, names=3, tokens=6)


def walk_of(adapter: Any, traits: Traits, shape: Shape = SHAPE) -> Walk:
    record = Record(ClassTarget("textbook", Textbook))
    return Walk(adapter, Automaton(shape.total, shape.block_size, traits), shape, record)


def walk(manager_class: type, shape: Shape = SHAPE) -> Walk:
    target = ClassTarget(manager_class.__name__, manager_class)
    return walk_of(target.make(shape.total, shape.block_size), target.traits, shape)


def differs(walk: Walk, *operations: Operation) -> Differs:
    with pytest.raises(Differs) as caught:
        walk.compare(walk.adapter.view())
        walk.repeat(operations, ask=True)
    return caught.value


@pytest.mark.parametrize(
    ("manager_class", "operations"),
    [(each[0], each[1]) for each in (*FAULTS, *LIES)],
    ids=[each[0].__name__ for each in (*FAULTS, *LIES)],
)
def test_every_fault_and_lie_is_noticed(manager_class: type, operations: list[Operation]) -> None:
    assert differs(walk(manager_class), *operations)
    walk(Strict).repeat(operations, ask=True)


MANY = [
    A2, FORK, call("append", "B"), call("append", "C"), call("allocate", "A", 0),
    call("fork", "A", "Z"), call("release", "Q"), call("grow", "B", 2), call("grow", "B", -1),
    call("allocate", "C", 1), call("allocate", "D", True), call("release", []),
    call("release", "A"), call("append", "B"), call("release_all"), call("allocate", "A", 4),
    call("release_all"),
]  # fmt: skip


def test_the_shipped_manager_walks_through_everything() -> None:
    shipped = walk(BlockManager)
    shipped.repeat(MANY, ask=True)
    assert shipped.operations == MANY
    assert shipped.order == []
    assert shipped.free == [0, 1]
    accepted, refused = shipped.record.accepted, shipped.record.refused
    assert sum(accepted.values()) + sum(refused.values()) == len(MANY)
    assert refused["release"] == 2
    assert accepted["release_all"] == 2


def test_the_walk_expects_what_the_full_lockstep_has() -> None:
    fast, full = walk(BlockManager), Lockstep(ClassTarget("poolproof", BlockManager), 2, 2)
    for operation in MANY:
        exchange = full.do(operation)
        assert exchange.finding is None
        fast.repeat([operation], ask=False)
        assert fast.expected == exchange.model


def test_a_choice_is_followed_where_any_free_block_may_be_taken() -> None:
    class Anywhere(LessonAdapter):
        any_free_block = True

    interface = ClassTarget("textbook", Textbook).interface
    traits = Traits(interface.operations, any_free_block=True)
    wide = Shape(4, 2, 3, 6)
    run = [call("allocate", "A", 3), FORK, call("append", "B"), call("release", "A")]
    highest = walk_of(Anywhere(HighestFirst(4, 2), interface), traits, wide)
    highest.repeat(run, ask=False)
    assert highest.expected.seqs == {"B": {"blocks": [3, 1], "len": 4}}
    assert highest.free == [0, 2]
    held = walk_of(Anywhere(TakesHeldBlock(4, 2), interface), traits, wide)
    run = [A2, call("allocate", "B", 0), call("append", "B")]
    assert differs(held, *run).law == "choices"


def test_what_is_not_told_is_not_judged_but_counted() -> None:
    class Silent(LessonAdapter):
        def call(self, operation: Operation) -> Response:
            response = super().call(operation)
            return Accepted(HIDDEN) if isinstance(response, Accepted) else response

    target = ClassTarget("textbook", Textbook)
    silent = walk_of(Silent(Textbook(2, 2), target.interface), target.traits)
    silent.repeat([A1, FORK, call("append", "B")], ask=True)
    assert silent.record.untold == 3


def test_only_the_number_of_free_blocks_is_compared_where_no_more_is_shown() -> None:
    class Number(LessonAdapter):
        def view(self) -> Any:
            whole = super().view()
            return View(len(whole.free), None, whole.seqs)

    target = ClassTarget("textbook", Textbook)
    traits = Traits(target.traits.operations, shows_free_blocks=False, shows_counts=False)
    walk_of(Number(Strict(2, 2), target.interface), traits).repeat([A1, FORK], ask=True)

    class Leaks(Strict):
        def release(self, name: Hashable) -> list[int]:
            freed = super().release(name)
            self.free.pop()
            return freed

    leaks = walk_of(Number(Leaks(2, 2), target.interface), traits)
    assert differs(leaks, A1, call("release", "A")).law == "tables"


def test_what_is_left_undefined_is_not_tried() -> None:
    target = ClassTarget("textbook", Textbook)
    traits = Traits(undefined=frozenset({Refusal.EXISTS, Refusal.NEGATIVE}))
    careless = walk_of(target.make(2, 2), traits)
    careless.repeat([A1, A1, call("allocate", "B", -1), call("release", "A")], ask=False)
    assert careless.operations == [A1, call("release", "A")]

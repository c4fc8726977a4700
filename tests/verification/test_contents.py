"""The shadow memory reads back every token, unless the manager led the engine astray."""

from __future__ import annotations

import random
from typing import Any

import pytest

from poolproof import BlockManager
from poolproof_model.execute import Pool, empty_pool
from poolproof_verification.contents import ShadowMemory
from poolproof_verification.operations import Operation, View, view_of
from poolproof_verification.oracle import Oracle, carry_out


def call(name: str, *arguments: Any) -> Operation:
    return Operation(name, arguments)


class Engine:
    """The model and a memory that is told what a manager says."""

    def __init__(self, total: int, block_size: int) -> None:
        self.pool: Pool = empty_pool(total, block_size)
        self.memory = ShadowMemory(block_size)
        self.serial = 0

    def tokens(self, sequence: Any, position: int) -> Any:
        return self.serial, position

    def do(self, operation: Operation, said: Any = None, shown: View | None = None) -> str:
        """Carry the operation out; `said` and `shown` in the place of what is right."""
        self.serial += 1
        self.pool, result = carry_out(self.pool, operation, None, self.tokens)
        value, view = result if said is None else said, shown or view_of(self.pool)
        self.memory.follow(operation, value, view, self.tokens)
        wrong = self.memory.wrong(self.pool)
        return wrong.words if wrong else ""


SHARED = (call("allocate", "A", 3), call("fork", "A", "B"))


def shared() -> Engine:
    """Two sequences that share the blocks 0 and 1, of two slots; one is filled in half."""
    engine = Engine(6, 2)
    assert [engine.do(operation) for operation in SHARED] == ["", ""]
    return engine


@pytest.mark.parametrize("seed", range(6))
def test_what_a_right_manager_says_keeps_every_token(seed: int) -> None:
    random_numbers = random.Random(seed)
    engine, oracle, manager = Engine(8, 2), Oracle(), BlockManager(8, 2)
    for _ in range(150):
        one, other = random_numbers.choices("ABC", k=2)
        operation = random_numbers.choice(
            [
                call("allocate", one, random_numbers.randint(0, 5)),
                call("fork", one, other),
                call("append", one),
                call("grow", one, random_numbers.randint(0, 5)),
                call("release", one),
            ]
        )
        if oracle.refused(engine.pool, operation) is None:
            result = getattr(manager, operation.name)(*operation.arguments)
            tables = {name: {**table} for name, table in manager.seqs.items()}
            shown = View(manager.free, manager.ref, tables)
            assert engine.do(operation, result, shown) == ""


def test_a_copy_that_is_not_reported_is_caught() -> None:
    wrong = shared().do(call("append", "B"), said=False)
    assert wrong == (
        "'B' no longer reads its token 2: slot 0 of block 2 was overwritten or never copied"
    )


def test_a_copy_that_is_reported_but_not_made_is_caught_when_the_other_writes() -> None:
    engine = shared()
    unchanged = view_of(engine.pool)
    assert engine.do(call("append", "B"), said=True, shown=unchanged) == ""
    wrong = engine.do(call("append", "A"), said=False, shown=unchanged)
    assert wrong.startswith("'B' no longer reads its token 3: slot 1 of block 1 was overwritten")


def test_a_copy_from_or_to_the_wrong_block_is_caught() -> None:
    assert shared().do(call("grow", "B", 1), said=([], (1, 2))) == ""
    assert "never copied" in shared().do(call("grow", "B", 1), said=([], (0, 2)))
    assert "slot 0 of block 3" in shared().do(call("grow", "B", 1), said=([], (5, 3)))


def test_a_growth_without_its_copy_overwrites_the_other_sequence() -> None:
    engine = shared()
    engine.do(call("grow", "A", 1), said=([], None))
    wrong = engine.do(call("grow", "B", 1), said=([], None))
    assert wrong.startswith("'A' no longer reads its token 3: slot 1 of block 1")


def test_a_block_given_to_two_sequences_is_caught() -> None:
    engine = Engine(6, 2)
    engine.do(call("allocate", "A", 2))
    wrong = engine.do(call("allocate", "B", 1), said=[0])
    assert wrong.startswith("'A' no longer reads its token 0: slot 0 of block 0")


def test_too_few_blocks_leave_tokens_without_a_slot() -> None:
    engine = Engine(6, 2)
    engine.do(call("allocate", "A", 3), said=[0])
    assert engine.memory.slot("A", 2) == (-1, 0)


def test_released_sequences_are_forgotten() -> None:
    engine = shared()
    engine.do(call("release", "A"))
    assert set(engine.memory.tables) == {"B"}
    engine.do(call("release_all"))
    assert engine.memory.tables == {} == engine.memory.lengths


def test_a_name_used_again_starts_anew() -> None:
    engine = shared()
    for operation in (call("release", "A"), call("allocate", "A", 2), call("append", "A")):
        assert engine.do(operation) == ""

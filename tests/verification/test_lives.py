"""Lives are drawn beside the model, and shortened as far as they break a law."""

from __future__ import annotations

from dataclasses import replace

from poolproof_model.system import Refusal
from poolproof_verification.lives import Life, Lives, menu, pool_after, shortest
from poolproof_verification.lockstep import Lockstep
from poolproof_verification.operations import Operation
from poolproof_verification.targets import find_target
from poolproof_verification.visibility import EVERYTHING, Traits


def call(name: str, *arguments: object) -> Operation:
    return Operation(name, arguments)


def test_the_same_seed_draws_the_same_lives() -> None:
    one, other, third = (Lives(EVERYTHING, seed) for seed in (3, 3, 4))
    drawn = [one.draw() for _ in range(20)]
    assert drawn == [other.draw() for _ in range(20)]
    assert drawn != [third.draw() for _ in range(20)]


def test_a_life_has_accepted_and_refused_operations_and_ends_where_the_model_says() -> None:
    target, lives = find_target("poolproof"), Lives(find_target("poolproof").traits, 0)
    accepted = refused = 0
    for _ in range(60):
        life = lives.draw()
        lockstep = Lockstep(target, life.total, life.block_size, contents=False)
        for operation in life.operations:
            exchange = lockstep.do(operation)
            accepted += exchange.reason is None
            refused += exchange.reason is not None
        pool = pool_after(target.traits, life)
        assert pool is not None and pool.tables == lockstep.pool.tables
    assert accepted > 200 and refused > 10


def test_what_a_target_leaves_undefined_is_not_drawn_and_has_no_end() -> None:
    traits = Traits(undefined=frozenset(Refusal) - {Refusal.OUT_OF_BLOCKS})
    lives = Lives(traits, 1)
    assert all(pool_after(traits, lives.draw()) is not None for _ in range(100))
    assert pool_after(traits, Life(2, 1, (call("append", "A"),))) is None


def test_a_menu_has_what_the_model_accepts() -> None:
    pool = pool_after(EVERYTHING, Life(2, 1, (call("allocate", "A", 1),)))
    assert pool is not None
    offered = menu(EVERYTHING, pool, "B")
    assert call("fork", "A", "B") in offered and call("grow", "A", 1) in offered
    assert call("allocate", "B", 3) not in offered
    only = menu(replace(EVERYTHING, operations=frozenset({"release"})), pool, "B")
    assert only == [call("release", "A")]


def test_the_shortest_has_nothing_to_leave_out() -> None:
    operations = call("allocate", "A", 5), call("append", "A"), call("release", "A")
    life = Life(4, 3, operations)
    least = shortest(life, lambda each: call("append", "A") in each.operations and each.total > 1)
    assert least == Life(2, 1, (call("append", "A"),))
    assert str(least) == "append('A') (on a pool of 2 blocks of 1)"
    assert str(Life(1, 1, ())) == "nothing (on a pool of 1 block of 1)"

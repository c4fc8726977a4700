from __future__ import annotations

from random import Random

from poolproof_model.execute import broken
from poolproof_model.system import TRANSITIONS
from poolproof_verification.proofs.sampling import NAMES, careless, is_read, samples

SAMPLES = tuple(samples(TRANSITIONS, 120, Random(0)))


def test_every_transition_is_drawn_and_leaves_a_sound_pool() -> None:
    assert {sample.step.transition.name for sample in SAMPLES} == {
        each.name for each in TRANSITIONS
    }
    assert not any(problem for sample in SAMPLES for problem in broken(sample.after))


def test_a_shared_block_that_is_not_full_is_written_to() -> None:
    copies = [
        sample
        for sample in SAMPLES
        if sample.step.transition.name == "append"
        and sample.blocks
        and sample.pool.tables[sample.step.acting].length % sample.pool.block_size
    ]
    assert copies


def test_what_is_cared_for_is_kept_and_the_rest_is_random() -> None:
    pool = max((sample.after for sample in SAMPLES), key=lambda pool: len(pool.tables))
    state, plain = careless(pool, Random(1)), pool.state()
    for sequence in range(NAMES):
        assert state.live(sequence) == plain.live(sequence)
        for position in range(plain.length(sequence)):
            assert state.read(sequence, position) == plain.history(sequence, position)
    unread = [
        (block, offset)
        for block in range(pool.total)
        for offset in range(pool.block_size)
        if not is_read(plain, block, offset)
    ]
    assert {state.content(*slot) for slot in unread} != {plain.content(*slot) for slot in unread}


def test_the_same_seed_draws_the_same_steps() -> None:
    assert list(map(str, samples(TRANSITIONS, 120, Random(0)))) == list(map(str, SAMPLES))

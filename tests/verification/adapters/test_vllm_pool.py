"""A pool that counts rightly has no fault; one that returns a block twice is refuted."""

from __future__ import annotations

import pytest
from tests.verification.adapters.fake_engines import Block, Pool, explored, install

from poolproof_verification.adapters.vllm_pool import VllmPool, VllmPoolAdapter
from poolproof_verification.operations import HIDDEN, Accepted, Operation, Refused
from poolproof_verification.verdict import CouldNotRun


class ReturnsTwice(Pool):
    """All counts go down first; then each entry with none left is returned."""

    def free_blocks(self, ordered_blocks: list[Block]) -> None:
        for block in ordered_blocks:
            block.ref_cnt -= 1
        self.idle += [block for block in ordered_blocks if block.ref_cnt == 0]


class ByGroups(Pool):
    """The earlier interface of touch."""

    def touch(self, blocks: tuple[list[Block], ...] | list[Block]) -> None:
        super().touch(blocks[0] if isinstance(blocks, tuple) else blocks)


def target(monkeypatch: pytest.MonkeyPatch, pool_class: type[Pool]) -> VllmPool:
    install(monkeypatch, "vllm.v1.core.block_pool", BlockPool=pool_class)
    return VllmPool()


@pytest.mark.parametrize("pool_class", [Pool, ByGroups])
def test_a_right_pool_has_no_fault(pool_class: type[Pool], monkeypatch: pytest.MonkeyPatch) -> None:
    assert explored(target(monkeypatch, pool_class)) == []


def test_a_pool_that_returns_a_block_twice_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    (worst, *_) = explored(target(monkeypatch, ReturnsTwice))
    assert worst.law == "partition"
    assert [str(step.operation) for step in worst.steps] == [
        "allocate('A', 1)", "fork('A', 'B')", "release_all()",
    ]  # fmt: skip


def test_the_pools_own_calls_are_told() -> None:
    adapter = VllmPoolAdapter(Pool(4, True), 2)
    for operation in (
        Operation("allocate", ("A", 3)), Operation("fork", ("A", "B")),
        Operation("append", ("B",)), Operation("release", ("A",)),
    ):  # fmt: skip
        assert isinstance(adapter.call(operation), Accepted)
    assert adapter.own_calls == [
        "get_new_blocks(2)", "touch([block(1), block(2)])", "get_new_blocks(1)",
        "free_blocks([block(2)])", "free_blocks([block(2), block(1)])",
    ]  # fmt: skip
    assert adapter.methods["fork"] is Pool.touch
    assert adapter.methods.keys() == adapter.operations
    assert adapter.view() == (1, {1: 1, 3: 1}, {"B": {"blocks": [1, 3], "len": 4}})
    assert adapter.call(Operation("release_all")) == Accepted(HIDDEN)
    assert isinstance(adapter.call(Operation("allocate", ("A", 7))), Refused)


def test_a_pool_of_another_interface_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    class Renamed(Pool):
        def get_new_blocks(self, count: int) -> list[Block]:
            return []

    with pytest.raises(CouldNotRun, match="get_new_blocks takes no num_blocks"):
        target(monkeypatch, Renamed)

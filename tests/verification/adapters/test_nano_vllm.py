"""Through a manager of the shape of nano-vllm's: right ones hold, others do not."""

from __future__ import annotations

from collections import deque
from types import SimpleNamespace

import pytest
from tests.verification.adapters.fake_engines import explored, install

from poolproof_verification.adapters.nano_vllm import NanoVllm
from poolproof_verification.operations import Accepted, Operation, Refused
from poolproof_verification.verdict import CouldNotRun


class Sequence:
    """Tokens, and the blocks that the manager has written down for them."""

    block_size = 256

    def __init__(self, token_ids: list[int]) -> None:
        self.token_ids = list(token_ids)
        self.block_table: list[int] = []

    def __len__(self) -> int:
        return len(self.token_ids)

    @property
    def num_blocks(self) -> int:
        return -(-len(self) // self.block_size)

    def append_token(self, token_id: int) -> None:
        self.token_ids.append(token_id)


class Manager:
    """The later generation: -1 where there is no room, else how many blocks are cached."""

    def __init__(self, num_blocks: int, block_size: int) -> None:
        self.block_size = block_size
        self.blocks = [SimpleNamespace(block_id=i, ref_count=0) for i in range(num_blocks)]
        self.free_block_ids = deque(range(num_blocks))

    def can_allocate(self, seq: Sequence) -> int:
        return 0 if seq.num_blocks <= len(self.free_block_ids) else -1

    def allocate(self, seq: Sequence, num_cached_blocks: int) -> None:
        assert num_cached_blocks == 0
        assert not seq.block_table
        for _ in range(seq.num_blocks):
            self.take(seq)

    def take(self, seq: Sequence) -> None:
        block = self.free_block_ids.popleft()
        self.blocks[block].ref_count = 1
        seq.block_table.append(block)

    def deallocate(self, seq: Sequence) -> None:
        for block in reversed(seq.block_table):
            self.blocks[block].ref_count -= 1
            self.free_block_ids.append(block)
        seq.block_table.clear()

    def can_append(self, seq: Sequence) -> bool:
        return len(self.free_block_ids) >= self.lacks_one(seq)

    def may_append(self, seq: Sequence) -> None:
        if self.lacks_one(seq):
            self.take(seq)

    def lacks_one(self, seq: Sequence) -> bool:
        return len(seq) % self.block_size == 1


class Earlier(Manager):
    """The earlier generation: there is room or there is none, and no more is said."""

    def can_allocate(self, seq: Sequence) -> bool:
        return super().can_allocate(seq) == 0

    def allocate(self, seq: Sequence) -> None:  # type: ignore[override]  # the older calls
        super().allocate(seq, 0)


class LooksOneTokenTooEarly(Manager):
    """A full block counts as one that lacks its successor, before there is a token for it."""

    def lacks_one(self, seq: Sequence) -> bool:
        return len(seq) % self.block_size == 0


class KeepsTheTail(Manager):
    """The last block of a longer table is not given back."""

    def deallocate(self, seq: Sequence) -> None:
        del seq.block_table[1:]
        super().deallocate(seq)


def target(monkeypatch: pytest.MonkeyPatch, manager_class: type[Manager]) -> NanoVllm:
    install(monkeypatch, "nanovllm.engine.block_manager", BlockManager=manager_class)
    install(monkeypatch, "nanovllm.engine.sequence", Sequence=Sequence)
    return NanoVllm()


@pytest.mark.parametrize("manager_class", [Manager, Earlier])
def test_a_right_manager_of_either_generation_has_no_fault(
    manager_class: type[Manager], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert explored(target(monkeypatch, manager_class)) == []
    assert Sequence.block_size == 256  # as the engine has set it


@pytest.mark.parametrize(
    ("manager_class", "law"), [(LooksOneTokenTooEarly, "can"), (KeepsTheTail, "partition")]
)
def test_a_seeded_bug_is_refuted(
    manager_class: type[Manager], law: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert law in {each.law for each in explored(target(monkeypatch, manager_class))}


def test_a_token_that_was_refused_a_slot_gets_the_next_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    adapter = target(monkeypatch, Manager).make(2, 2)
    for name in ("A", "B"):
        assert isinstance(adapter.call(Operation("allocate", (name, 2))), Accepted)
    append = Operation("append", ("A",))
    assert isinstance(adapter.call(append), Refused)
    assert isinstance(adapter.call(append), Refused)
    adapter.call(Operation("release", ("B",)))
    assert adapter.call(append) == Accepted(False)
    assert len(adapter.sequences["A"]) == adapter.lengths["A"] == 3
    assert [call.partition("(")[0] for call in adapter.own_calls[-3:]] == [
        "deallocate", "can_append", "may_append",
    ]  # fmt: skip
    assert adapter.methods["append"] is Manager.may_append
    assert adapter.methods.keys() == adapter.operations


def test_an_absurd_number_of_tokens_is_refused_without_making_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    adapter = target(monkeypatch, Manager).make(2, 2)
    assert isinstance(adapter.call(Operation("allocate", ("A", 10**30))), Refused)
    assert adapter.ask("can_allocate", 10**30) == Accepted(False)


def test_what_the_engine_does_not_have_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CouldNotRun, match="no blocks of one slot"):
        target(monkeypatch, Manager).make(4, 1)

    class Renamed(Manager):
        may_append = None  # type: ignore[assignment]  # as where it is called otherwise

    with pytest.raises(
        CouldNotRun, match="its interface is none that is known here: Renamed has no may_append"
    ):
        target(monkeypatch, Renamed)

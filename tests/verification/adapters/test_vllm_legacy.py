"""Asked first, a manager has no fault that only those meet who do not ask."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from tests.verification.adapters.fake_engines import explored, install

from poolproof_verification.adapters.vllm_legacy import VllmLegacy, VllmLegacyUnasked
from poolproof_verification.lockstep import Lockstep
from poolproof_verification.operations import Accepted, Operation, Refused
from poolproof_verification.reports.story_text import story
from poolproof_verification.targets import AdapterTarget


class NoFreeBlocksError(ValueError):
    """The engine's refusal."""


class Sequence:
    def __init__(self, seq_id: int, inputs: list[int], block_size: int) -> None:
        self.seq_id = seq_id
        self.tokens = list(inputs)
        self.status = "waiting"

    def get_len(self) -> int:
        return len(self.tokens)

    def append_token_id(self, token: int, probabilities: dict[int, float]) -> None:
        assert token in probabilities
        self.tokens.append(token)


class Manager:
    """Of the block-space manager's interface; what runs out half-way is not undone."""

    def __init__(
        self, block_size: int, num_gpu_blocks: int, num_cpu_blocks: int, watermark: float
    ) -> None:
        self.block_size = block_size
        self.stack = list(range(num_gpu_blocks))
        self.counts = [0] * num_gpu_blocks
        self.tables: dict[int, list[int]] = {}

    def take(self) -> int:
        if not self.stack:
            raise NoFreeBlocksError
        self.counts[self.stack[-1]] = 1
        return self.stack.pop()

    def drop(self, block: int) -> None:
        self.counts[block] -= 1
        if self.counts[block] == 0:
            self.stack.append(block)

    def lacking(self, group: Any) -> int:
        return self.blocks_of(group) - len(self.stack)

    def blocks_of(self, group: Any) -> int:
        tokens: int = group.seqs[0].get_len()
        return -(-tokens // self.block_size)

    def can_allocate(self, group: Any) -> str:
        return "later" if self.lacking(group) > 0 else "ok"

    def allocate(self, group: Any) -> None:
        self.tables[group.seqs[0].seq_id] = [self.take() for _ in range(self.blocks_of(group))]

    def can_append_slots(self, group: Any, num_lookahead_slots: int) -> bool:
        assert group.seqs[0].status == "running"
        return bool(self.stack)  # the worst case: a block is needed

    def append_slots(self, seq: Sequence, num_lookahead_slots: int) -> list[tuple[int, int]]:
        table = self.tables[seq.seq_id]
        if seq.get_len() > len(table) * self.block_size:
            table.append(self.take())
        elif self.counts[table[-1]] > 1:
            source = table[-1]
            self.drop(source)
            table[-1] = self.take()
            return [(source, table[-1])]
        return []

    def fork(self, parent_seq: Sequence, child_seq: Sequence) -> None:
        self.tables[child_seq.seq_id] = list(self.tables[parent_seq.seq_id])
        for block in self.tables[child_seq.seq_id]:
            self.counts[block] += 1

    def free(self, seq: Sequence) -> None:
        for block in self.tables.pop(seq.seq_id):
            self.drop(block)

    def get_block_table(self, seq: Sequence) -> list[int]:
        return self.tables[seq.seq_id]

    def get_num_free_gpu_blocks(self) -> int:
        return len(self.stack)


class Group(SimpleNamespace):
    def __init__(self, request_id: str, seqs: list[Sequence], arrival: float, **_: Any) -> None:
        super().__init__(request_id=request_id, seqs=seqs)


@pytest.fixture(autouse=True)
def engine(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, "vllm.core.block_manager", SelfAttnBlockSpaceManager=Manager)
    install(monkeypatch, "vllm.core.interfaces", AllocStatus=SimpleNamespace(OK="ok"))
    allocator = SimpleNamespace(NoFreeBlocksError=NoFreeBlocksError)
    install(monkeypatch, "vllm.core.block.interfaces", BlockAllocator=allocator)
    install(
        monkeypatch, "vllm.sequence", Sequence=Sequence, SequenceGroup=Group, Logprob=float,
        SequenceStatus=SimpleNamespace(RUNNING="running"),
    )  # fmt: skip
    install(monkeypatch, "vllm.inputs", token_inputs=list)
    install(monkeypatch, "vllm.sampling_params", SamplingParams=SimpleNamespace)


def test_asked_first_it_has_no_fault() -> None:
    assert explored(VllmLegacy()) == []


def test_called_at_once_it_keeps_what_it_took_before_it_refused() -> None:
    (worst, *_) = explored(VllmLegacyUnasked())
    assert worst.law == "partition"
    assert "was refused, yet changed the state" in story(worst)


def test_called_at_once_it_drops_a_reference_before_it_refuses_to_copy() -> None:
    lockstep = Lockstep(AdapterTarget("unasked", VllmLegacyUnasked()), 1, 2)
    for name, *arguments in (("allocate", "A", 1), ("fork", "A", "B"), ("append", "B")):
        assert lockstep.do(Operation(name, tuple(arguments))).finding is None
    finding = lockstep.do(Operation("release", ("A",))).finding
    assert finding is not None
    assert "1 counted as free though held" in finding.worst.words


def test_what_is_asked_and_called_is_told() -> None:
    adapter = VllmLegacy().make(2, 2)
    assert adapter.call(Operation("allocate", ("A", 1))) == Accepted([1])
    assert adapter.call(Operation("fork", ("A", "B"))) == Accepted([1])
    assert adapter.call(Operation("append", ("B",))) == Accepted(True)
    assert isinstance(adapter.call(Operation("append", ("B",))), Refused)
    adapter.call(Operation("release", ("A",)))
    assert adapter.own_calls == [
        "can_allocate(request('0'))", "allocate(request('0'))", "fork(sequence(0), sequence(1))",
        "can_append_slots(request('1'), 0)", "append_slots(sequence(1), 0)",
        "can_append_slots(request('1'), 0)", "free(sequence(0))",
    ]  # fmt: skip
    assert adapter.methods["append"] is Manager.append_slots
    assert adapter.methods.keys() == adapter.operations


def test_a_sequence_is_made_with_its_first_token() -> None:
    adapter = VllmLegacy().make(1, 2)
    assert adapter.call(Operation("allocate", ("A", 0))) == Accepted([])
    assert adapter.call(Operation("fork", ("A", "B"))) == Accepted([])
    assert adapter.own_calls == []
    assert adapter.call(Operation("append", ("A",))) == Accepted(False)
    assert isinstance(adapter.call(Operation("append", ("B",))), Refused)
    assert adapter.view().seqs == {
        "A": {"blocks": [0], "len": 1}, "B": {"blocks": [], "len": 0},
    }  # fmt: skip


def test_it_answers_whether_there_is_room() -> None:
    adapter = VllmLegacy().make(2, 2)
    room = {tokens: adapter.ask("can_allocate", tokens) for tokens in (-1, 0, 4, 5, 10**30)}
    assert room == {
        tokens: Accepted(expected)
        for tokens, expected in zip(room, (False, True, True, False, False), strict=True)
    }
    assert adapter.ask("num_free") == Accepted(2)

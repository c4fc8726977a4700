"""A manager of slots that refuses with None has no fault; one that takes before it refuses has."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from tests.verification.adapters.fake_engines import Block, Pool, explored

from poolproof_verification.adapters.vllm_manager import Interface, VllmManagerAdapter
from poolproof_verification.operations import Accepted, Operation, Refused
from poolproof_verification.reports.story_text import story


class Request:
    """Tokens, of which so many have slots."""

    def __init__(self, request_id: str, prompt: list[int]) -> None:
        self.request_id = request_id
        self.tokens = list(prompt)
        self.num_computed_tokens = 0
        self.status = "waiting"

    @property
    def num_tokens(self) -> int:
        return len(self.tokens)

    def append_output_token_ids(self, token: int) -> None:
        self.tokens.append(token)


class Slots:
    """The blocks added, in one group of layers."""

    def __init__(self, blocks: list[Block]) -> None:
        self.blocks = blocks

    def get_block_ids(self) -> tuple[list[int]]:
        return ([block.block_id for block in self.blocks],)


class Manager:
    """Of the v1 manager's interface."""

    def __init__(self, total: int, block_size: int) -> None:
        self.block_pool = Pool(total + 1, True)
        self.block_size = block_size
        self.tables: dict[str, list[Block]] = {}

    def get_computed_blocks(self, request: Request) -> tuple[Slots, int, int]:
        return Slots([]), 0, 0

    def allocate_slots(
        self, request: Request, new: int, hits: int = 0, computed: Slots | None = None
    ) -> Slots | None:
        table = self.tables.get(request.request_id, [])
        assert request.num_computed_tokens + new <= request.num_tokens
        lacking = -(-(request.num_computed_tokens + new) // self.block_size) - len(table)
        if lacking > self.block_pool.get_num_free_blocks():
            self.before_refusal()
            return None
        blocks = self.block_pool.get_new_blocks(lacking)
        self.tables[request.request_id] = table + blocks
        return Slots(blocks)

    def before_refusal(self) -> None: ...

    def free(self, request: Request) -> None:
        self.block_pool.free_blocks(self.tables.pop(request.request_id)[::-1])

    def get_block_ids(self, request_id: str) -> tuple[list[int]]:
        return Slots(self.tables[request_id]).get_block_ids()


class TakesOneAndRefuses(Manager):
    """What it found before it refused stays with nobody."""

    def before_refusal(self) -> None:
        if self.block_pool.get_num_free_blocks():
            self.block_pool.get_new_blocks(1)


def request(request_id: str, prompt_token_ids: list[int], **_: Any) -> Request:
    return Request(request_id, prompt_token_ids)


INTERFACE = Interface(
    Manager, None, None, None, request, SimpleNamespace, lambda *_: None, None, "running"
)


class Target:
    name = "manager of slots"

    def __init__(self, manager_class: type[Manager]) -> None:
        self.manager_class = manager_class

    def make(self, total: int, block_size: int) -> VllmManagerAdapter:
        manager = self.manager_class(total, block_size)
        return VllmManagerAdapter(manager, INTERFACE, total, block_size)


def test_a_right_manager_has_no_fault() -> None:
    assert explored(Target(Manager)) == []


def test_a_manager_that_takes_before_it_refuses_is_refuted() -> None:
    (worst, *_) = explored(Target(TakesOneAndRefuses))
    assert worst.law == "partition"
    assert "was refused, yet changed the state" in story(worst)


def test_a_request_is_made_with_its_first_token_and_those_refused_wait() -> None:
    adapter = Target(Manager).make(2, 2)
    assert adapter.call(Operation("allocate", ("A", 0))) == Accepted([])
    assert adapter.own_calls == []
    assert adapter.call(Operation("grow", ("A", 3))) == Accepted(([1, 2], None))
    assert isinstance(adapter.call(Operation("grow", ("A", 10**30))), Refused)
    assert adapter.call(Operation("append", ("A",))) == Accepted(False)
    assert adapter.requests["A"].num_tokens == 8  # 3, and as many more as fit no pool of 2
    assert adapter.view().seqs == {"A": {"blocks": [1, 2], "len": 4}}
    adapter.call(Operation("release", ("A",)))
    assert adapter.own_calls[-1] == "free(request('A'))"
    assert adapter.methods["grow"] is Manager.allocate_slots
    assert adapter.methods.keys() == adapter.operations
    assert adapter.ask("num_free") == Accepted(2)


def test_a_request_that_was_refused_is_forgotten() -> None:
    adapter = Target(Manager).make(1, 2)
    allocate = Operation("allocate", ("A", 3))
    assert isinstance(adapter.call(allocate), Refused)
    assert adapter.view() == (1, {}, {})
    assert adapter.call(Operation("allocate", ("A", 2))) == Accepted([1])

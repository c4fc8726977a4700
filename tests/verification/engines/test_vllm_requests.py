"""Requests in an engine that swaps; an abort that loses blocks is found and made small.

The engine here is the test's own, of the real one's interface.
"""

from __future__ import annotations

from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from tests.verification.adapters.fake_engines import install

from poolproof_verification.engines import front_door
from poolproof_verification.engines.front_door import ANSWERED, REFUSED, search
from poolproof_verification.engines.vllm_requests import VllmRequests
from poolproof_verification.engines.vllm_session import ABORT, ADD, STEP, Call, Session
from poolproof_verification.verdict import CouldNotRun


class Base:
    """The executors' base class."""

    def __init__(self) -> None:
        self._init_executor()

    def _init_executor(self) -> None:
        raise NotImplementedError


class Engine:
    """Makes a token a step for each request, and swaps out whoever finds no block for it."""

    wrong = ""

    def __init__(self, arguments: Any) -> None:
        self.arguments = arguments
        cpu = arguments.distributed_executor_backend().determine_num_available_blocks()[1]
        gpu = arguments.num_gpu_blocks_override
        self.cache_config = SimpleNamespace(num_gpu_blocks=gpu, num_cpu_blocks=cpu)
        self.scheduler = [SimpleNamespace(block_manager=self)]
        self.lengths: dict[str, int] = {}
        self.ends: dict[str, int] = {}
        self.sequences: dict[str, int] = {}
        self.running: set[str] = set()
        self.swapped: set[str] = set()
        self.lost = 0

    @classmethod
    def from_engine_args(cls, arguments: Any) -> Engine:
        return cls(arguments)

    def blocks(self, request: str, more: int = 0) -> int:
        length = self.lengths[request] + more
        return self.sequences[request] * -(-length // int(self.arguments.block_size))

    def get_num_free_gpu_blocks(self) -> int:
        return int(self.cache_config.num_gpu_blocks - sum(map(self.blocks, self.running)))

    def get_num_free_cpu_blocks(self) -> int:
        held = sum(map(self.blocks, self.swapped))
        return int(self.cache_config.num_cpu_blocks - held - self.lost)

    def has_unfinished_requests(self) -> bool:
        return bool(self.lengths) and self.wrong != "forgets"

    def add_request(self, request: str, prompt: Any, sampling: Any) -> None:
        self.lengths[request] = len(prompt.prompt_token_ids)
        self.ends[request] = self.lengths[request] + sampling.max_tokens
        self.sequences[request] = getattr(sampling, "n", 1)

    def step(self) -> None:
        for request in list(self.lengths) if self.wrong != "never ends" else ():
            free = self.get_num_free_gpu_blocks()
            held = self.blocks(request) if request in self.running else 0
            if self.blocks(request, 1) <= free + held:
                self.swapped.discard(request)
                self.running.add(request)
                self.lengths[request] += 1
                if self.lengths[request] == self.ends[request]:
                    self.leave(request)
            elif request in self.running:
                if self.wrong == "swap":
                    raise RuntimeError("Aborted due to the lack of CPU swap space.")
                self.running.remove(request)
                self.swapped.add(request)

    def leave(self, request: str) -> None:
        self.running.discard(request)
        self.swapped.discard(request)
        del self.lengths[request]

    def abort_request(self, request: str) -> None:
        if request not in self.lengths:
            return
        breaks = self.wrong == "abort" and self.arguments.enable_prefix_caching
        if request in self.swapped and breaks:
            self.lost += self.blocks(request)
            self.leave(request)
            raise KeyError(4)
        self.leave(request)


@pytest.fixture
def door(monkeypatch: pytest.MonkeyPatch) -> VllmRequests:
    """With an engine in which nothing is wrong, yet."""
    monkeypatch.setattr(Engine, "wrong", "")
    monkeypatch.delenv("VLLM_NO_USAGE_STATS", raising=False)
    monkeypatch.setattr(front_door, "alone", lambda run, use, seconds: run(use))  # for speed
    install(monkeypatch, "vllm.executor.executor_base", ExecutorBase=Base)
    install(monkeypatch, "vllm.model_executor.layers.sampler", SamplerOutput=list)
    outputs = {"CompletionSequenceGroupOutput": pair, "SequenceOutput": triple, "Logprob": float}
    install(monkeypatch, "vllm.sequence", **outputs)
    install(monkeypatch, "vllm.platforms", current_platform=SimpleNamespace())
    registry = SimpleNamespace(register_model=lambda name, model: model)
    classes: dict[str, Any] = {"EngineArgs": SimpleNamespace, "ModelRegistry": registry}
    arguments = {"SamplingParams": SimpleNamespace, "TokensPrompt": SimpleNamespace}
    install(monkeypatch, "vllm", LLMEngine=Engine, **classes, **arguments)
    install(monkeypatch, "torch.nn", Module=object)
    return VllmRequests()


def pair(*values: Any) -> tuple[Any, ...]:
    return values


def triple(*values: Any) -> tuple[Any, ...]:
    return values


def call_anyhow(door: VllmRequests, engine: Engine, call: Call) -> bool:
    if call.name == STEP:
        engine.step()
        return True
    engine.add_request("0", SimpleNamespace(prompt_token_ids=[1]), SimpleNamespace(max_tokens=2))
    return True


def test_an_engine_that_gives_all_back_holds(door: VllmRequests) -> None:
    assert search(door, 0, 10).kinds == {ANSWERED: 10}


def test_every_request_drawn_fits_alone(door: VllmRequests) -> None:
    random = Random(1)
    sessions = [door.draw(random) for _ in range(100)]
    assert all(session.needed <= session.blocks for session in sessions)
    assert {call.name for session in sessions for call in session.calls} == {ADD, STEP, ABORT}
    smaller = [each for session in sessions[:5] for each in door.smaller(session)]
    assert all(session.needed <= session.blocks for session in smaller)


def test_an_abort_that_loses_blocks_ends_as_the_fewest_calls(
    door: VllmRequests, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Engine, "wrong", "abort")
    (fault,) = search(door, 1, 25).faults
    assert fault.seen.kind == "abort_request raises KeyError"
    assert "CPU blocks are never given back" in fault.seen.harm
    calls = [line for line in fault.code.splitlines() if line.startswith("engine.")]
    assert calls[-1] == 'engine.abort_request("0")'
    assert len(calls) <= 8
    assert "enable_prefix_caching=True" in fault.code
    compile(fault.code, "code", "exec")


@pytest.mark.parametrize(
    ("wrong", "kind"),
    [
        ("", ANSWERED),
        ("never ends", "requests that do not end"),
        ("forgets", "lost blocks"),
    ],
)
def test_what_comes_of_a_session(
    door: VllmRequests, monkeypatch: pytest.MonkeyPatch, wrong: str, kind: str
) -> None:
    monkeypatch.setattr(Engine, "wrong", wrong)
    if wrong == "forgets":  # once it has begun
        monkeypatch.setattr(VllmRequests, "made_call", call_anyhow)
    calls = (Call(ADD, 0, 1, 2), Call(STEP))
    assert door.run(Session("swap", True, False, 3, 1, calls)).kind == kind


def test_an_engine_that_asks_for_swap_space_refuses(
    door: VllmRequests, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Engine, "wrong", "swap")
    calls = (Call(ADD, 0, 1, 2), Call(ADD, 1, 1, 2), Call(STEP), Call(STEP))
    assert door.run(Session("swap", True, False, 2, 1, calls)).kind == REFUSED


def test_the_executor_answers_every_sequence_of_a_step(door: VllmRequests) -> None:
    groups = [SimpleNamespace(seq_data={3: None, 4: None}), SimpleNamespace(seq_data={9: None})]
    request = SimpleNamespace(seq_group_metadata_list=groups)
    (output,) = door.executor().execute_model(request)
    assert [[sampled[:2] for sampled in group] for group, _ in output] == [
        [(3, 7), (4, 7)],
        [(9, 7)],
    ]


def test_a_release_without_this_engine_is_told(
    door: VllmRequests, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "vllm.executor.executor_base", None)
    with pytest.raises(CouldNotRun, match="executor_base does not import"):
        VllmRequests()

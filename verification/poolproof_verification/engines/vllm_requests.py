"""Requests are added to vLLM's `LLMEngine`, stepped and aborted: nothing raises, no block is lost.

The calls and the engine's arguments are documented ones. What is no part of the engine is the
model: an executor, handed over as one may hand over one's own, answers the same token for ever.
Every request drawn fits the pool alone. When all have ended, every block must be free again.

Does not cover: the engine that has replaced this one, in which nothing is swapped; what is
answered; an accelerator. That blocks are free is read from the engine's block manager.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

from poolproof_verification.adapters.engine import found, release_of
from poolproof_verification.engines.arguments import fitting, keywords
from poolproof_verification.engines.front_door import ANSWERED, REFUSED, Seen
from poolproof_verification.engines.vllm_session import (
    ABORT,
    ADD,
    STEP,
    Call,
    Session,
    call_code,
    call_name,
    candidates,
    sampling_arguments,
    tokens,
)
from poolproof_verification.engines.vllm_without_model import executor, model_class, model_folder
from poolproof_verification.words import error_told, plural

ENGINE = "vllm"
MOST_REQUESTS = 15
MOST_STEPS = 400  # in which all requests drawn end many times over
TOO_LITTLE_SWAP = "lack of CPU swap space"  # an error that tells what to do


class VllmRequests:
    """The engine."""

    seconds = 60.0

    def __init__(self) -> None:
        """Imports the engine; CouldNotRun."""
        os.environ["VLLM_NO_USAGE_STATS"] = "1"
        names = ("EngineArgs", "LLMEngine", "ModelRegistry", "SamplingParams", "TokensPrompt")
        self.engine_args, self.llm_engine, registry, self.sampling, self.prompt = found(
            ENGINE, ENGINE, *names
        )
        (base,) = found(ENGINE, "vllm.executor.executor_base", "ExecutorBase")
        (output,) = found(ENGINE, "vllm.model_executor.layers.sampler", "SamplerOutput")
        sequence = ("CompletionSequenceGroupOutput", "SequenceOutput", "Logprob")
        self.executor = executor(base, output, *found(ENGINE, "vllm.sequence", *sequence))
        registry.register_model("Nothing", model_class())
        (platform,) = found(ENGINE, "vllm.platforms", "current_platform")
        platform.device_type = "cpu"  # a source tree has no platform of its own
        self.engine = f"{ENGINE} {release_of(ENGINE)}"

    def draw(self, random: Random) -> Session:
        """A few requests, added, stepped and aborted in any order, in a pool too small for all."""
        block_size = random.choice((1, 8))
        names = random.choices((ADD, STEP, ABORT), (3, random.randint(2, 9), 1), k=60)
        calls: list[Call] = []
        added = 0
        for name in names[: random.randint(5, 60)]:
            if name == ADD and added < MOST_REQUESTS:
                sizes = (random.randint(1, block_size + 4), random.randint(1, 12))
                calls.append(Call(ADD, added, *sizes, random.choice((1, 1, 1, 2))))
                added += 1
            elif name == ABORT and added:
                calls.append(Call(ABORT, random.randrange(max(0, added - 4), added)))
            else:
                calls.append(Call(STEP))
        session = Session(
            preemption_mode=random.choice(("swap", "recompute")),
            prefix_caching=random.random() < 0.5,
            chunked_prefill=random.random() < 0.3,
            blocks=0,
            block_size=block_size,
            calls=tuple(calls),
        )
        return replace(session, blocks=session.needed + random.randint(0, 2))

    def run(self, session: Session) -> Seen:
        """Make the calls, let all requests end, and count the free blocks."""
        engine = self.made(session)
        for call in (*session.calls, None):
            try:
                ended = self.made_call(engine, call) if call else drained(engine)
            except Exception as error:
                if TOO_LITTLE_SWAP in str(error):
                    return Seen(REFUSED, error_told(error))
                self.abort_all(engine, session)
                name = call_name(call)
                harm = f"its caller gets {error_told(error)}; {left(engine)}"
                return Seen(f"{name} raises {type(error).__name__}", harm)
        if not ended:
            return Seen("requests that do not end", f"not in {MOST_STEPS} further steps")
        return Seen("lost blocks", left(engine)) if any(taken(engine)) else Seen(ANSWERED)

    def made(self, session: Session) -> Any:
        """An engine with an empty pool; of the model it reads the configuration."""
        with model_folder() as folder:
            arguments = self.engine_args(
                model=folder,
                load_format="dummy",
                distributed_executor_backend=self.executor,
                disable_log_stats=True,
                **session.arguments(),
            )
            return self.llm_engine.from_engine_args(arguments)

    def made_call(self, engine: Any, call: Call) -> bool:
        """One call; the engine steps on by itself where nothing is left to do."""
        if call.name == ADD:
            sampling = self.sampling(**sampling_arguments(call))
            prompt = self.prompt(prompt_token_ids=tokens(call))
            engine.add_request(str(call.request), prompt, sampling)
        elif call.name == ABORT:
            engine.abort_request(str(call.request))
        elif engine.has_unfinished_requests():
            engine.step()
        return True

    def abort_all(self, engine: Any, session: Session) -> None:
        """What a user may still do: abort every request."""
        for call in session.calls:
            try:
                engine.abort_request(str(call.request))
            except Exception:
                continue  # one fault is told already

    def smaller(self, session: Session) -> Iterator[Session]:
        """Fewer calls, fewer options, smaller numbers; each request still fits alone."""
        yield from fitting(session, candidates(session))

    def code(self, session: Session) -> str:
        """The calls, for any model that one has."""
        return "\n".join((
            "from vllm import EngineArgs, LLMEngine, SamplingParams, TokensPrompt",
            "",
            f"arguments = EngineArgs(model=MODEL, {keywords(session.arguments())})",
            "engine = LLMEngine.from_engine_args(arguments)",
            *map(call_code, session.calls),
        ))  # fmt: skip


def drained(engine: Any) -> bool:
    """Step until every request has ended; whether they do."""
    for _ in range(MOST_STEPS):
        if not engine.has_unfinished_requests():
            return True
        engine.step()
    return False


def taken(engine: Any) -> tuple[int, int]:
    """How many blocks are not free, of the accelerator's and of the CPU's memory."""
    (scheduler,) = engine.scheduler
    manager, cache = scheduler.block_manager, engine.cache_config
    return (
        cache.num_gpu_blocks - manager.get_num_free_gpu_blocks(),
        cache.num_cpu_blocks - manager.get_num_free_cpu_blocks(),
    )


def left(engine: Any) -> str:
    """What became of the blocks once no request is left, in words."""
    gpu, cpu = taken(engine)
    cache = engine.cache_config
    lost = [
        f"{number} of {plural(of_all, kind)}"
        for number, of_all, kind in (
            (gpu, cache.num_gpu_blocks, "block"),
            (cpu, cache.num_cpu_blocks, "CPU block"),
        )
        if number
    ]
    if not lost:
        return "all blocks are free once every request is aborted"
    return f"with no request left, {' and '.join(lost)} are never given back"

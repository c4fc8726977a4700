"""What is asked of one vLLM engine: its arguments and the calls of it, as data and as code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from poolproof_verification.adapters.engine import blocks_for
from poolproof_verification.engines.arguments import keywords, less

ADD, STEP, ABORT = "add", "step", "abort"


@dataclass(frozen=True)
class Call:
    """One call of the engine."""

    name: str
    request: int = 0  # which is added or aborted
    prompt: int = 0  # tokens
    new_tokens: int = 0
    sequences: int = 1


@dataclass(frozen=True)
class Session:
    """An engine's arguments, and the calls of it."""

    preemption_mode: str
    prefix_caching: bool
    chunked_prefill: bool
    blocks: int
    block_size: int
    calls: tuple[Call, ...]

    @property
    def needed(self) -> int:
        """The blocks that the largest request needs with nothing shared."""
        return max(
            (
                each.sequences * blocks_for(each.prompt + each.new_tokens, self.block_size)
                for each in self.calls
                if each.name == ADD
            ),
            default=0,
        )

    def arguments(self) -> dict[str, Any]:
        """The engine's arguments."""
        return {
            "skip_tokenizer_init": True,
            "disable_async_output_proc": True,
            "preemption_mode": self.preemption_mode,
            "enable_prefix_caching": self.prefix_caching,
            "enable_chunked_prefill": self.chunked_prefill,
            "block_size": self.block_size,
            "num_gpu_blocks_override": self.blocks,
            "max_model_len": 64,
            "max_num_seqs": 8,
        }


def call_name(call: Call | None) -> str:
    """The engine's method."""
    return {ADD: "add_request", ABORT: "abort_request"}.get(call.name if call else STEP, STEP)


def call_code(call: Call) -> str:
    """A call as one writes it."""
    if call.name == STEP:
        return "engine.step()"
    if call.name == ABORT:
        return f'engine.abort_request("{call.request}")'
    prompt = f"TokensPrompt(prompt_token_ids={tokens(call)})"
    sampling = f"SamplingParams({keywords(sampling_arguments(call))})"
    return f'engine.add_request("{call.request}", {prompt}, {sampling})'


def tokens(call: Call) -> list[int]:
    """The request's prompt; every other request begins alike."""
    return [30 * (call.request % 2) + position for position in range(call.prompt)]


def sampling_arguments(call: Call) -> dict[str, Any]:
    """No token ends a sequence early."""
    wanted = {"max_tokens": call.new_tokens, "ignore_eos": True, "detokenize": False}
    return wanted if call.sequences == 1 else {"n": call.sequences, **wanted}


def candidates(session: Session) -> Iterator[Session]:
    """Sessions with less in them, whether or not their requests fit."""
    calls = session.calls
    for kept in (len(calls) // 2, len(calls) * 3 // 4):
        yield replace(session, calls=calls[:kept])
    for width in (8, 4, 2, 1):
        for start in range(len(calls) - width, -1, -1):
            yield replace(session, calls=calls[:start] + calls[start + width :])
    if session.chunked_prefill:
        yield replace(session, chunked_prefill=False)
    if session.prefix_caching:
        yield replace(session, prefix_caching=False)
    if session.preemption_mode == "swap":
        yield replace(session, preemption_mode="recompute")
    yield from in_blocks_of_one_token(session)
    yield from with_a_token_less(session)
    yield from (replace(session, blocks=fewer) for fewer in less(session.blocks, 1))
    for index, call in enumerate(calls):
        for smaller in smaller_calls(call):
            yield replace(session, calls=(*calls[:index], smaller, *calls[index + 1 :]))
    yield from renumbered(session)


def smaller_calls(call: Call) -> Iterator[Call]:
    """The same call with a smaller number."""
    yield from (replace(call, prompt=fewer) for fewer in less(call.prompt, 1))
    yield from (replace(call, new_tokens=fewer) for fewer in less(call.new_tokens, 1))
    yield from (replace(call, sequences=fewer) for fewer in less(call.sequences, 1))


def with_a_token_less(session: Session) -> Iterator[Session]:
    """All requests a token shorter, with a step less or with as many."""
    if all(call.name != ADD or call.new_tokens > 1 for call in session.calls):
        calls = tuple(
            replace(call, new_tokens=call.new_tokens - 1) if call.name == ADD else call
            for call in session.calls
        )
        for index, call in enumerate(calls):
            if call.name == STEP:
                yield replace(session, calls=calls[:index] + calls[index + 1 :])
        yield replace(session, calls=calls)


def in_blocks_of_one_token(session: Session) -> Iterator[Session]:
    """Prompts of as many blocks as before, of one token each."""
    size = session.block_size
    if size > 1:
        calls = tuple(replace(call, prompt=-(-call.prompt // size)) for call in session.calls)
        smaller = replace(session, block_size=1, calls=calls)
        yield smaller
        yield replace(smaller, blocks=smaller.needed)


def renumbered(session: Session) -> Iterator[Session]:
    """Requests called 0, 1, ... in the order in which they are named."""
    order = {call.request: 0 for call in session.calls if call.name != STEP}
    numbers = dict(zip(order, range(len(order)), strict=True))
    if any(old != new for old, new in numbers.items()):
        calls = tuple(
            replace(call, request=numbers[call.request]) if call.name != STEP else call
            for call in session.calls
        )
        yield replace(session, calls=calls)

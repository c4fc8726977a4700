"""Every prompt of transformers' `generate_batch` that fits the pool is answered, or refused aloud.

The calls are those of its guide to continuous batching, on a tiny model with random weights. Each
prompt drawn fits the pool alone, with all its sequences and nothing shared, so that no answer may
be missing: at worst the prompts wait for each other.

Does not cover: what is answered, as the weights are random; more than one layer; an accelerator.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from poolproof_verification.adapters.engine import blocks_for, found, release_of, takes
from poolproof_verification.engines.arguments import MODEL, fitting, keywords, less
from poolproof_verification.engines.front_door import ANSWERED, REFUSED, Seen
from poolproof_verification.words import plural

ENGINE = "transformers"
LEAST_BLOCK = 4  # tokens: fewer are not taken by every version


@dataclass(frozen=True)
class Batch:
    """The arguments of one call."""

    prompts: tuple[int, ...]  # their lengths
    sequences: int  # to return for each
    new_tokens: int
    blocks: int
    block_size: int

    @property
    def needed(self) -> int:
        """The blocks that the longest prompt needs with all its sequences and nothing shared."""
        return self.sequences * blocks_for(max(self.prompts) + self.new_tokens, self.block_size)

    def inputs(self) -> list[list[int]]:
        """Prompts that differ from the first token on."""
        return [[(first + i) % 60 for i in range(n)] for first, n in enumerate(self.prompts, 1)]


class TransformersBatches:
    """The engine."""

    seconds = 60.0

    def __init__(self) -> None:
        """Imports the engine and makes its model; CouldNotRun."""
        self.llama, self.model_config, self.generation = found(
            ENGINE, ENGINE, "LlamaForCausalLM", "LlamaConfig", "GenerationConfig"
        )
        module = "transformers.generation.configuration_utils"
        (self.batching,) = found(ENGINE, module, "ContinuousBatchingConfig")
        self.engine = f"{ENGINE} {release_of(ENGINE)}"
        # What newer releases call it.
        self.size_name = "page_size" if takes(self.batching, "page_size") else "block_size"
        self.torch, set_threads = found("torch", "torch", "manual_seed", "set_num_threads")
        set_threads(1)  # or no process can be forked
        self.torch(0)
        self.model = self.llama(self.model_config(**MODEL)).eval()

    def draw(self, random: Random) -> Batch:
        """Few short prompts, in a pool that often is too small for all of them at once."""
        batch = Batch(
            prompts=tuple(random.randint(1, 12) for _ in range(random.randint(1, 4))),
            sequences=random.choice((1, 1, 2, 3, 4, 6)),
            new_tokens=random.randint(1, 8),
            blocks=0,
            block_size=random.choice((4, 4, 8)),
        )
        return replace(batch, blocks=batch.needed + random.randint(0, batch.needed))

    def run(self, batch: Batch) -> Seen:
        """Generate, and see which prompts are answered in full."""
        outputs = self.model.generate_batch(
            inputs=batch.inputs(), progress_bar=False, **self.configs(batch)
        )
        answers = [
            [each for each in outputs.values() if each.prompt_ids[:1] == prompt[:1]]
            for prompt in batch.inputs()
        ]
        return judged(batch, answers)

    def configs(self, batch: Batch) -> dict[str, Any]:
        """The configurations, as the engine's objects."""
        generation, batching = self.arguments(batch)
        return {
            "generation_config": self.generation(**generation),
            "continuous_batching_config": self.batching(**batching),
        }

    def arguments(self, batch: Batch) -> tuple[dict[str, Any], dict[str, Any]]:
        """What the two configurations are given. No token ends a sequence early."""
        sampling = {"do_sample": True, "eos_token_id": -1, "pad_token_id": 0}
        sizes = {"num_blocks": batch.blocks, self.size_name: batch.block_size}
        return (
            {
                "num_return_sequences": batch.sequences,
                "max_new_tokens": batch.new_tokens,
                **sampling,
            },
            {**sizes, "max_batch_tokens": 64, "max_memory_percent": 0.2},
        )

    def smaller(self, batch: Batch) -> Iterator[Batch]:
        """Fewer prompts, then smaller numbers; each prompt still fits alone."""
        yield from fitting(batch, candidates(batch))

    def code(self, batch: Batch) -> str:
        """The call, with the model that it is made on."""
        generation, batching = map(keywords, self.arguments(batch))
        return "\n".join((
            "from transformers import GenerationConfig, LlamaConfig, LlamaForCausalLM",
            "from transformers.generation import ContinuousBatchingConfig",
            "",
            f"model = LlamaForCausalLM(LlamaConfig({keywords(MODEL)})).eval()",
            "outputs = model.generate_batch(",
            f"    inputs={batch.inputs()},",
            f"    generation_config=GenerationConfig({generation}),",
            f"    continuous_batching_config=ContinuousBatchingConfig({batching}),",
            ")",
        ))  # fmt: skip


def judged(batch: Batch, answers: list[list[Any]]) -> Seen:
    """The worst that came of a prompt, `answers` being the outputs of each."""
    of_all = len(batch.prompts)
    errors = [output.error for outputs in answers for output in outputs if output.error]
    if errors:
        return Seen(REFUSED, " ".join(str(errors[0]).split()))
    silent = sum(not outputs for outputs in answers)
    if silent:
        lost = f"{silent} of {plural(of_all, 'prompt')} get no answer and no error"
        return Seen("prompts without an answer", f"{lost}, though each fits the pool alone")
    fewest = min(map(len, answers))
    if fewest < batch.sequences:
        asked = f"of {batch.sequences} sequences asked for a prompt, {fewest} come back"
        return Seen("sequences that are missing", f"{asked}, without an error")
    lengths = {len(output.generated_tokens) for outputs in answers for output in outputs}
    if lengths != {batch.new_tokens} or max(map(len, answers)) > batch.sequences:
        return Seen("answers of a wrong size", f"{batch.new_tokens} tokens asked, {lengths} come")
    return Seen(ANSWERED)


def candidates(batch: Batch) -> Iterator[Batch]:
    """Batches with less in them, whether or not their prompts fit."""
    prompts = batch.prompts
    for index, length in enumerate(prompts):
        if len(prompts) > 1:
            yield replace(batch, prompts=prompts[:index] + prompts[index + 1 :])
        for fewer in less(length, 1):
            yield replace(batch, prompts=(*prompts[:index], fewer, *prompts[index + 1 :]))
    yield from (replace(batch, sequences=fewer) for fewer in less(batch.sequences, 1))
    yield from (replace(batch, new_tokens=fewer) for fewer in less(batch.new_tokens, 1))
    yield from (replace(batch, block_size=fewer) for fewer in less(batch.block_size, LEAST_BLOCK))
    yield from (replace(batch, blocks=fewer) for fewer in less(batch.blocks, 1))

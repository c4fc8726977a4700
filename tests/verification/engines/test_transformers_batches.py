"""Batches of which every prompt fits alone; an answer that is missing is found and made small.

The engine here is the test's own, of the real one's interface.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from tests.verification.adapters.fake_engines import install

from poolproof_verification.engines.front_door import ANSWERED, REFUSED, search
from poolproof_verification.engines.transformers_batches import Batch, TransformersBatches
from poolproof_verification.verdict import CouldNotRun

pytestmark = pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")  # it forks


@dataclass
class Output:
    """An answer."""

    prompt_ids: list[int]
    generated_tokens: list[int] = field(default_factory=list)
    error: str | None = None


class Model:
    """Answers in full, but for what is wrong with it."""

    wrong = ""

    def __init__(self, config: Any) -> None:
        self.config = config

    def eval(self) -> Model:
        return self

    def generate_batch(
        self,
        inputs: list[list[int]],
        generation_config: Any,
        continuous_batching_config: Any,
        progress_bar: bool,
    ) -> dict[str, Output]:
        sequences, tokens = generation_config.num_return_sequences, generation_config.max_new_tokens
        size, room = continuous_batching_config.block_size, continuous_batching_config.num_blocks
        needed = sum(-(-len(prompt) // size) * sequences for prompt in inputs)
        if self.wrong == "dies" and sequences > 1 and needed > room:
            print("ValueError: Failed to fork blocks for request req_0", flush=True)
            return {}
        if self.wrong == "one each":
            sequences = 1
        return {
            f"{number}#{sequence}": Output(
                prompt,
                [0] * (tokens - (self.wrong == "short")),
                "no room" if self.wrong == "refuses" else None,
            )
            for number, prompt in enumerate(inputs)
            for sequence in range(sequences)
        }


def batching(num_blocks: int, block_size: int, **others: Any) -> SimpleNamespace:
    return SimpleNamespace(num_blocks=num_blocks, block_size=block_size)


@pytest.fixture
def door(monkeypatch: pytest.MonkeyPatch) -> TransformersBatches:
    """With an engine in which nothing is wrong, yet."""
    monkeypatch.setattr(Model, "wrong", "")
    module = "transformers.generation.configuration_utils"
    install(monkeypatch, module, ContinuousBatchingConfig=batching)
    classes = {"LlamaConfig": SimpleNamespace, "GenerationConfig": SimpleNamespace}
    install(monkeypatch, "transformers", LlamaForCausalLM=Model, **classes)
    install(monkeypatch, "torch", manual_seed=int, set_num_threads=int)
    return TransformersBatches()


def test_an_engine_that_answers_holds(door: TransformersBatches) -> None:
    assert search(door, 0, 20).kinds == {ANSWERED: 20}


def test_every_prompt_drawn_fits_alone(door: TransformersBatches) -> None:
    random = Random(1)
    batches = [door.draw(random) for _ in range(200)]
    assert all(batch.needed <= batch.blocks for batch in batches)
    assert any(len(batch.prompts) * batch.needed > batch.blocks for batch in batches)
    smaller = [each for batch in batches for each in door.smaller(batch)]
    assert all(batch.needed <= batch.blocks for batch in smaller)


def test_answers_that_are_lost_when_forks_find_no_room_end_as_the_smallest_batch(
    door: TransformersBatches, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Model, "wrong", "dies")
    (fault,) = search(door, 0, 40).faults
    assert fault.seen.kind == "prompts without an answer"
    assert fault.seen.logged == "ValueError: Failed to fork blocks for request req_0"
    assert fault.code == door.code(Batch((1, 1), 2, 1, 2, 4))
    compile(fault.code, "code", "exec")
    assert "num_blocks=2, block_size=4" in fault.code


@pytest.mark.parametrize(
    ("wrong", "kind"),
    [
        ("one each", "sequences that are missing"),
        ("short", "answers of a wrong size"),
        ("refuses", REFUSED),
    ],
)
def test_what_comes_of_a_batch(
    door: TransformersBatches, monkeypatch: pytest.MonkeyPatch, wrong: str, kind: str
) -> None:
    monkeypatch.setattr(Model, "wrong", wrong)
    assert door.run(Batch((3, 2), 2, 4, 8, 4)).kind == kind


def test_the_newer_name_of_a_block_size_is_used(
    door: TransformersBatches, monkeypatch: pytest.MonkeyPatch
) -> None:
    def newer(num_blocks: int, page_size: int) -> None: ...

    module = "transformers.generation.configuration_utils"
    install(monkeypatch, module, ContinuousBatchingConfig=newer)
    classes = {"LlamaConfig": SimpleNamespace, "GenerationConfig": SimpleNamespace}
    install(monkeypatch, "transformers", LlamaForCausalLM=Model, **classes)
    assert "page_size=4" in TransformersBatches().code(Batch((1,), 1, 1, 1, 4))


def test_an_absent_engine_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "transformers", None)
    with pytest.raises(CouldNotRun, match="transformers is not installed here"):
        TransformersBatches()

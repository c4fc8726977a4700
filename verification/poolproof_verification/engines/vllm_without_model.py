"""Stands in for the model that vLLM's engine would run: the same token is next for ever.

An engine may be handed an executor and a model class of one's own; both are its documented ways.
"""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from poolproof_verification.adapters.engine import found
from poolproof_verification.engines.arguments import MODEL

CPU_BLOCKS = 64  # more than all requests drawn could be swapped out to


def model_folder() -> TemporaryDirectory[str]:
    """A model's folder, with nothing but its configuration."""
    folder = TemporaryDirectory(prefix="poolproof-")
    config = {**MODEL, "model_type": "llama", "architectures": ["Nothing"], "dtype": "float32"}
    Path(folder.name, "config.json").write_text(json.dumps(config), encoding="utf-8")
    return folder


def model_class() -> Any:
    """A model for the engine's registry, of which nothing is ever called."""
    base: Any = found("torch", "torch.nn", "Module")[0]

    class Nothing(base):  # type: ignore[misc]
        """What the registry asks of a model that generates."""

        def __init__(self, *, vllm_config: Any, prefix: str = "") -> None:
            """Never called."""

        def get_input_embeddings(self, input_ids: Any) -> Any:
            """Never called."""

        def forward(self, input_ids: Any, positions: Any) -> Any:
            """Never called."""

        def compute_logits(self, hidden_states: Any, sampling_metadata: Any) -> Any:
            """Never called."""

    return Nothing


def executor(base: Any, output: Any, group: Any, sampled: Any, log_probability: Any) -> Any:
    """An executor that has no model: token 7 is next, whatever came before."""

    class WithoutModel(base):  # type: ignore[misc]
        """What the engine calls of an executor."""

        uses_ray = False

        def _init_executor(self) -> None:
            """Nothing to load."""

        def collective_rpc(self, *arguments: Any, **named: Any) -> list[Any]:
            """No worker is there to answer."""
            return []

        def determine_num_available_blocks(self) -> tuple[int, int]:
            """The first of the two is overridden."""
            return CPU_BLOCKS, CPU_BLOCKS

        def initialize_cache(self, num_gpu_blocks: int, num_cpu_blocks: int) -> None:
            """No memory is taken."""

        def check_health(self) -> None:
            """It is well."""

        def execute_model(self, execute_model_req: Any) -> list[Any]:
            """A token for every sequence of the step."""
            return [
                output([
                    group([sampled(each, 7, {7: log_probability(0.0)}) for each in data], None)
                    for data in (m.seq_data for m in execute_model_req.seq_group_metadata_list)
                ])
            ]  # fmt: skip

    return WithoutModel

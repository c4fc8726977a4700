"""A contract function's call in plain Python: does it fail there too, and which laws break?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from poolproof import BlockManager
from poolproof_verification.contracts.cases import Arguments
from poolproof_verification.contracts.step import Step
from poolproof_verification.contracts.subject import under_test


@dataclass(frozen=True)
class Broken:
    """A call that fails in plain Python."""

    laws: tuple[str, ...]
    words: str  # the call, what was expected and what was observed


def replay(
    function: Callable[..., bool], manager: type[BlockManager], arguments: Arguments
) -> tuple[Step | None, Broken | None]:
    """The step that the call makes, if any, and what it breaks; an error breaks the results."""
    steps: list[Step] = []
    call = call_text(function, arguments)
    with under_test(manager, steps.append):
        try:
            kept = function(**arguments)
        except Exception as error:
            words = f"{call} raises {type(error).__name__}: {error}"
            return None, Broken(("results",), words)
    step = steps[-1] if steps else None
    if kept:
        return step, None
    if step is None:
        return None, Broken(("results",), f"{call} is false")
    return step, Broken(tuple(step.broken()), f"{call} is false: {step}")


def call_text(function: Callable[..., bool], arguments: Mapping[str, object]) -> str:
    """The call as code."""
    return f"{function.__name__}({', '.join(f'{k}={v!r}' for k, v in arguments.items())})"

"""CrossHair's search of one contract function: every path, or how far it came.

Does not cover: CrossHair's own faults. It has been seen to confirm a false contract, which is why
a confirmed search counts for little by itself.
"""

from __future__ import annotations

import dataclasses
import inspect
import operator
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from crosshair.core import register_patch
from crosshair.core_and_libs import AnalysisKind, MessageType, analyze_function
from crosshair.options import AnalysisOptionSet
from crosshair.util import CrossHairInternal

from poolproof_verification.contracts.cases import Arguments
from poolproof_verification.contracts.replay import call_text

REFUTED = (MessageType.POST_FAIL, MessageType.POST_ERR, MessageType.EXEC_ERR)
ONE_CONTRACT = (1, ["_"])  # one `pre:` and `post: _`
INDEX = operator.index


def index_of_int(value: Any) -> Any:
    """`operator.index`, which is the identity on an int; CrossHair would pick a value for it."""
    return value if isinstance(value, int) else INDEX(value)


register_patch(operator.index, index_of_int)


@dataclass(frozen=True)
class Search:
    """What a search found."""

    state: str  # CrossHair's word, or why there is none
    confirmed: bool = False  # and exhausted
    paths: int = 0
    seconds: float = 0.0  # CPU
    counterexample: Arguments | None = None
    message: str = ""

    @property
    def refuted(self) -> bool:
        """There is a call that breaks the contract, as far as CrossHair can tell."""
        return self.counterexample is not None


def search(function: Callable[..., bool], budget: float, *, canary: bool = False) -> Search:
    """All paths of the function under its one `pre:`, within so many CPU seconds.

    A canary has the same function and precondition, and a postcondition that is never true.
    """
    statistics: Counter[str] = Counter()
    options = AnalysisOptionSet(
        analysis_kind=[AnalysisKind.PEP316],
        per_condition_timeout=budget,
        per_path_timeout=budget,
        max_uninteresting_iterations=0,  # no such limit
        report_all=True,
        stats=statistics,
    )
    found = analyze_function(function, options)
    if [written(each) for each in found] != [ONE_CONTRACT]:
        return Search(f"nothing checked: {len(found)} conditions, {list(map(written, found))}")
    seen: list[Arguments] = []
    checkable = dataclasses.replace(
        found[0], conditions=watched(found[0].conditions, seen, canary=canary)
    )
    start = time.process_time()
    try:
        messages = list(checkable.analyze())
    except CrossHairInternal as error:
        return Search(f"CrossHair failed: {error}")
    seconds = time.process_time() - start
    if not messages:
        return Search("no verdict", False, statistics["num_paths"], seconds)
    worst = max(messages, key=lambda message: message.state)
    return Search(
        state=worst.state.name,
        confirmed=worst.state is MessageType.CONFIRMED and statistics["exhaustion"] > 0,
        paths=statistics["num_paths"],
        seconds=seconds,
        counterexample=seen[-1] if seen and worst.state in REFUTED else None,
        message=worst.message,
    )


def written(checkable: Any) -> tuple[int, list[str]]:
    """How many preconditions there are, and the postconditions as written.

    A misspelt `post` leaves an empty one, which CrossHair confirms.
    """
    conditions = getattr(checkable, "conditions", None)
    if conditions is None:
        return 0, []
    return len(conditions.pre), [post.expr_source for post in conditions.post]


def watched(conditions: Any, seen: list[Arguments], *, canary: bool) -> Any:
    """The conditions, which write down the arguments of a counterexample."""

    def describe(
        arguments: inspect.BoundArguments, value: object, representations: object
    ) -> tuple[str, str]:
        seen.append(dict(arguments.arguments))
        return call_text(conditions.src_fn, arguments.arguments), repr(value)

    (post,) = conditions.post
    if canary:
        post = dataclasses.replace(post, evaluate=never)
    return dataclasses.replace(conditions, post=[post], counterexample_description_maker=describe)


def never(values: Mapping[str, object]) -> bool:
    """The canary's postcondition."""
    return False

"""What can be seen of a manager in constant time, or in as many steps as a table has blocks.

A lesson-shaped manager is asked its questions. Where it has none, its `free`, `ref` and `seqs` are
read if they are plain attributes, not properties that copy. Counts of single blocks are read inside
the shipped manager. An adapter is asked, or shows its whole view.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from poolproof_verification.adapters.adapter import Adapter
from poolproof_verification.operations import Accepted


class Glimpse:
    """Looks at one manager; what cannot be seen in so little time is None."""

    num_free: Callable[[], int] | None
    count: Callable[[int], int] | None

    def __init__(self, manager: Any) -> None:
        """`manager`: lesson-shaped."""
        self.num_free = number_free(manager)
        self.count = counting(manager)
        table, length = getattr(manager, "table", None), getattr(manager, "length", None)
        last = getattr(manager, "last_block", None)
        self.table: Callable[[Hashable], list[int]] = (
            table if callable(table) else lambda name: list(manager.seqs[name]["blocks"])
        )
        self.length: Callable[[Hashable], int] = (
            length if callable(length) else lambda name: manager.seqs[name]["len"]
        )
        self.last_block: Callable[[Hashable], int] = (
            last if callable(last) else lambda name: self.table(name)[-1]
        )


class AdapterGlimpse(Glimpse):
    """The same through an adapter: what it does not answer costs a whole view."""

    def __init__(self, adapter: Adapter) -> None:
        """`adapter`: any."""

        def asked(question: str, *arguments: Any) -> Any:
            response = adapter.ask(question, *arguments)
            if isinstance(response, Accepted):
                return response.value
            raise LookupError(str(response))

        questions, self.count = adapter.questions, None
        self.num_free = (lambda: asked("num_free")) if "num_free" in questions else None
        self.table = lambda name: (
            asked("table", name) if "table" in questions else adapter.view().seqs[name]["blocks"]
        )
        self.length = lambda name: (
            asked("length", name) if "length" in questions else adapter.view().seqs[name]["len"]
        )
        self.last_block = lambda name: (
            asked("last_block", name) if "last_block" in questions else self.table(name)[-1]
        )


def plain(manager: Any, name: str) -> bool:
    """The attribute is the manager's own container, and no property that makes one."""
    return hasattr(manager, name) and not isinstance(getattr(type(manager), name, None), property)


def number_free(manager: Any) -> Callable[[], int] | None:
    """How to learn how many blocks are free."""
    if hasattr(manager, "num_free"):
        asked = manager.num_free
        return asked if callable(asked) else lambda: manager.num_free
    return (lambda: len(manager.free)) if plain(manager, "free") else None


def counting(manager: Any) -> Callable[[int], int] | None:
    """How to learn a block's reference count."""
    pool: Any = getattr(manager, "_pool", None)
    if hasattr(pool, "free_map") and hasattr(pool, "extra"):
        return lambda block: 0 if pool.free_map[block] else 1 + pool.extra[block]
    return (lambda block: manager.ref.get(block, 0)) if plain(manager, "ref") else None

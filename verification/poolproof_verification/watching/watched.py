"""The manager as a server uses it: it answers and raises what the manager does, and is watched.

Does not cover: operations called on the manager itself or on copies of it, several threads at a
time, and what an engine writes into the blocks.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

from poolproof import BlockManager
from poolproof_verification.adapters.adapter import Adapter
from poolproof_verification.adapters.lesson import LessonAdapter, interface_of
from poolproof_verification.operations import (
    OPERATIONS,
    Accepted,
    Failed,
    Operation,
    Response,
    View,
    no_response,
)
from poolproof_verification.textbook import Textbook
from poolproof_verification.verdict import CouldNotRun
from poolproof_verification.visibility import traits_of
from poolproof_verification.watching.full_pass import unusable
from poolproof_verification.watching.glimpse import AdapterGlimpse, Glimpse
from poolproof_verification.watching.log import MOST_BYTES, WatchLog
from poolproof_verification.watching.watcher import EVERY, OnFault, Watcher, warn
from poolproof_verification.words import class_of, plural, told

NO_COPY = "what is watched cannot be copied or pickled: copy its manager, and watch the copy"
ARITIES = {"allocate": 2, "fork": 2, "append": 1, "grow": 2, "release": 1, "release_all": 0}
SHIPPED = {BlockManager: "poolproof", Textbook: "textbook"}


class Watched:
    """A lesson-shaped manager that is watched; use it in the place of the manager.

    It has whatever the manager has. `watcher` is the judge: its `faults` are the last that were
    found, `counted` how many there were, `operations` how many operations were judged.

    Threads: as the manager's own; one at a time.
    """

    def __init__(self, manager: Any, adapter: LessonAdapter, watcher: Watcher) -> None:
        """`adapter`, `watcher`: of this very manager."""
        self.manager, self.watcher = manager, watcher
        self._adapter = adapter
        self._append = manager.append
        self._slow_append = self._watched("append", manager.append)
        self._in_place = watcher.append_in_place

    def __getattr__(self, name: str) -> Any:
        """What is no operation is the manager's own affair."""
        found = getattr(self.manager, name)
        if name not in OPERATIONS:
            if inspect.ismethod(found):
                self.__dict__[name] = found  # the next time it is found at once
            return found
        self.__dict__[name] = made = self._watched(name, found)  # so that it is made once
        return made

    def __reduce_ex__(self, protocol: Any) -> Any:
        """A copy would share the judge, or be judged by none."""
        raise TypeError(NO_COPY)

    def _watched(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        """The operation, judged after each call."""

        def operation(*given: Any, **named: Any) -> Any:
            arguments = in_order(name, call, given, named)
            if arguments is None:
                return call(*given, **named)  # and that fails: it is no call of this operation
            try:
                value = call(*given, **named)
            except (Exception, SystemExit) as error:
                outcome = self._adapter.outcome_of(error)
                self.watcher.judge(Operation(name, arguments), outcome)
                raise
            except BaseException:  # from outside, while the state was half-way
                self.watcher.interrupted()
                raise
            self.watcher.judge(Operation(name, arguments), Accepted(value))
            return value

        return operation

    def append(self, *given: Any, **named: Any) -> Any:
        """One more token; this is called so often that the usual case has a way of its own."""
        if named or len(given) != 1:
            return self._slow_append(*given, **named)
        try:
            copied = self._append(*given)
        except (Exception, SystemExit) as error:
            outcome = self._adapter.outcome_of(error)
            self.watcher.judge(Operation("append", given), outcome)
            raise
        except BaseException:
            self.watcher.interrupted()
            raise
        if not self._in_place(given[0], copied):
            self.watcher.judge(Operation("append", given), Accepted(copied))
        return copied


def in_order(
    name: str, call: Callable[..., Any], given: tuple[Any, ...], named: dict[str, Any]
) -> tuple[Any, ...] | None:
    """The operation's arguments by position, without others that a manager may have."""
    if named or len(given) != ARITIES[name]:
        try:
            given = inspect.signature(call).bind(*given, **named).args
        except (TypeError, ValueError):
            return None
    return given[: ARITIES[name]] if len(given) >= ARITIES[name] else None


class WatchedAdapter:
    """An adapter that is watched; use it in the place of the adapter."""

    def __init__(self, adapter: Adapter, watcher: Watcher) -> None:
        """`watcher`: of this very adapter."""
        self.adapter, self.watcher = adapter, watcher

    def __getattr__(self, name: str) -> Any:
        """What is no operation is the adapter's own affair."""
        return getattr(self.adapter, name)

    def __reduce_ex__(self, protocol: Any) -> Any:
        """A copy would share the judge, or be judged by none."""
        raise TypeError(NO_COPY)

    def call(self, operation: Operation) -> Response:
        """Carry the operation out, and judge it."""
        response = self.adapter.call(operation)
        words = no_response(response)
        failed = Failed(f"the adapter answers {words}")
        self.watcher.judge(operation, failed if words else response)
        return response


def watch(
    manager: Any,
    on_fault: OnFault = warn,
    every: int = EVERY,
    log: Path | str | None = None,
    most_bytes: int = MOST_BYTES,
    total: int | None = None,
    block_size: int | None = None,
) -> Watched:
    """The manager, watched.

    `on_fault` is called with each fault: `warn`, `complain` (to a logger), `stop` (raises), or one
    of your own. `every`: after so many operations the whole state is looked at. `log`: a file for
    all operations, of up to `most_bytes`; one that is there is kept beside it, under the name that
    ends in `.before`. `total`, `block_size`: if the manager does not tell. CouldNotRun says which
    of these makes no sense.
    """
    check(on_fault, every, most_bytes)
    adapter = LessonAdapter(manager, interface_of(manager))
    if total is not None:
        check_total(adapter, total)
    total = size(manager, total, "total", "num_blocks")
    block_size = size(manager, block_size, "block_size")
    kind = type(manager)
    name = SHIPPED.get(kind, f"{kind.__module__}:{kind.__qualname__}")
    written = opened(log, name, adapter, total, block_size, most_bytes)
    watcher = Watcher(adapter, Glimpse(manager), total, block_size, on_fault, every, written)
    return Watched(manager, adapter, watcher)


def watch_adapter(
    adapter: Adapter,
    total: int,
    block_size: int,
    on_fault: OnFault = warn,
    every: int = EVERY,
    log: Path | str | None = None,
    most_bytes: int = MOST_BYTES,
) -> WatchedAdapter:
    """The adapter of a manager with `total` blocks beside the reserved ones, watched.

    Whatever the adapter does not answer costs a view, which is as large as the pool.
    """
    check(on_fault, every, most_bytes)
    traits_of(adapter, shown(adapter))  # CouldNotRun where it is no adapter
    check_total(adapter, total)
    glimpse = AdapterGlimpse(adapter)
    name = f"{type(adapter).__module__}:{type(adapter).__qualname__}"
    written = opened(log, name, adapter, total, block_size, most_bytes)
    in_all = total + len(adapter.reserved)
    every = every if glimpse.num_free else 1
    watcher = Watcher(adapter, glimpse, in_all, block_size, on_fault, every, written)
    return WatchedAdapter(adapter, watcher)


def check(on_fault: object, every: int, most_bytes: int) -> None:
    """CouldNotRun where that makes no sense."""
    if not callable(on_fault):
        raise CouldNotRun(f"on_fault must be a function of a fault, not {told(on_fault)}")
    for name, number in (("every", every), ("most_bytes", most_bytes)):
        if type(number) is not int or number < 1:
            raise CouldNotRun(f"{name} must be at least 1, not {told(number)}")


def check_total(adapter: Adapter, total: int) -> None:
    """CouldNotRun where the manager shows a whole pool of another size."""
    view = shown(adapter)
    if view is None:
        return
    held = {block for table in view.seqs.values() for block in table["blocks"]}
    if isinstance(view.free, int):
        seen = total if held or view.seqs else view.free
    else:
        blocks = sorted(held.union(view.free) - adapter.reserved)
        whole = set(range(len(blocks) + len(adapter.reserved)))
        seen = len(blocks) if blocks == sorted(whole - adapter.reserved) else total
    if seen != total:
        raise CouldNotRun(f"total is {told(total)}, but the manager shows {plural(seen, 'block')}")


def shown(adapter: Adapter) -> View | None:
    """The state, if it can be made anything of."""
    try:
        view = adapter.view()
        return None if unusable(view) else view
    except Exception:  # the watcher tells of it
        return None


def size(manager: Any, given: int | None, *attributes: str) -> int:
    """The number given, or the manager's own."""
    for attribute in attributes if given is None else ():
        given = getattr(manager, attribute, None)
        if type(given) is int:
            break
    if type(given) is not int:
        raise CouldNotRun(f"{class_of(manager)} does not tell its {attributes[0]}: give it")
    return given


def opened(
    path: Path | str | None, name: str, adapter: Adapter, total: int, block_size: int, most: int
) -> WatchLog | None:
    """The log, if there is to be one; CouldNotRun where it cannot be written."""
    if path is None:
        return None
    view = shown(adapter)
    fresh = view is not None and not view.seqs
    try:
        return WatchLog(Path(path), name, total, block_size, fresh=fresh, most=most)
    except OSError as error:
        raise CouldNotRun(f"cannot write {path}: {error.strerror or error}") from error

"""A watcher's log: one JSON object a line, flushed line by line, and bounded.

First what is watched, then each operation with what came of it, and each fault after its operation.
Where the log is full a last line says so; where the disk is, a PoolWarning. Where half of it is
full and the pool is empty it begins anew. What was there then, or when the watching began, is kept
beside it under the name that ends in `.before`, in the place of an older one.
"""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Hashable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from poolproof_verification.counterexample import SCHEMA, project_version
from poolproof_verification.operations import Operation, Response
from poolproof_verification.plain import comes_back, stand_in, to_plain
from poolproof_verification.watching.fault import Fault, PoolWarning

MOST_BYTES = 64 << 20
LONGEST_OBSERVED = 200  # characters


class WatchLog:
    """The log of one manager."""

    def __init__(
        self, path: Path, target: str, total: int, block_size: int, *, fresh: bool, most: int
    ) -> None:
        """`fresh`: the manager has no sequence yet; `most`: bytes in a file."""
        self.path, self.most = path, most
        self.header = {
            "log": SCHEMA,
            "version": project_version(),
            "target": target,
            "total": total,
            "block_size": block_size,
            "fresh": fresh,
        }
        self.numbers: dict[Hashable, int] = {}  # of live names that are no plain data
        self.given = 0  # numbers
        self.last: tuple[Any, ...] = ()  # names of the last operation that have one
        self.damaged = False
        self.begin()

    def begin(self) -> None:
        """An empty log; a server that was started again has kept what its last run wrote."""
        if self.path.is_file() and self.path.stat().st_size:
            os.replace(self.path, self.path.with_name(f"{self.path.name}.before"))
        self.file = open(self.path, "w", encoding="ascii")  # noqa: SIM115  # it stays open
        self.written, self.full = 0, False
        self.write(self.header)

    def write(self, data: dict[str, Any]) -> None:
        """One line, unless the log is full; a line that cannot be written ends the log."""
        if self.full:
            return
        line = f"{json.dumps(data)}\n"
        self.written += len(line)
        if self.written > self.most:
            self.full = True
            line = f"{json.dumps({'end': 'the log was full'})}\n"
        try:
            self.file.write(line)
            self.file.flush()
        except (OSError, ValueError) as error:  # no room on the disk, or closed
            self.lose(error)

    def lose(self, error: OSError | ValueError) -> None:
        """The log cannot be written any more: say so, and let the server go on."""
        self.written, self.full = 0, True
        with suppress(OSError):  # what is left in the buffer finds no room, either
            self.file.close()
        reason = getattr(error, "strerror", None) or error
        warnings.warn(f"the log {self.path} ends here: {reason}", PoolWarning, stacklevel=2)

    def write_operation(
        self, operation: Operation, response: Response, live: Mapping[Hashable, object]
    ) -> None:
        """An operation and what came of it; `live`: the sequences before it."""
        for name in self.last:
            if name not in live:
                self.numbers.pop(name, None)
        self.last = ()
        if not live and not self.damaged and self.written > self.most // 2:
            self.rotate()
        arguments = [self.plain(each) for each in operation.arguments]
        observed = str(response)[:LONGEST_OBSERVED]
        self.write({"call": {"name": operation.name, "arguments": arguments}, "observed": observed})

    def rotate(self) -> None:
        """Begin anew with the manager as good as fresh."""
        if not self.path.is_file():  # a pipe or a terminal, say
            return
        self.file.close()
        self.header["fresh"] = True
        try:
            self.begin()
        except OSError as error:
            self.lose(error)

    def plain(self, value: Any) -> Any:
        """The argument as data; a name that is none has the same number while it lives."""
        try:
            if not isinstance(to_plain(value), dict) or hash(value) is None:
                return to_plain(value)
        except TypeError:  # no name
            return to_plain(value)
        if value not in self.numbers:
            self.given += 1
            self.numbers[value] = self.given
        self.last += (value,)
        data = to_plain(value, self.numbers[value])
        return data if comes_back(data) else stand_in(value, self.numbers[value])

    def write_fault(self, fault: Fault) -> None:
        """What the watcher found after the last operation."""
        self.damaged = True
        self.write({"fault": {"law": fault.law, "kind": fault.kind.value, "words": str(fault)}})

    def end(self, words: str) -> None:
        """The last line says why."""
        self.write({"end": words})
        self.full = True
        with suppress(OSError):
            self.file.close()

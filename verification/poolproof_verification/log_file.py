"""A watcher's log, line by line, each checked against the schema before it is believed.

The last line may be torn, where the server died while it was written; it is left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from poolproof_verification.counterexample_file import Malformed, call_of, parsed, wrong
from poolproof_verification.laws import LAWS
from poolproof_verification.lockstep import FRESH
from poolproof_verification.operations import Operation
from poolproof_verification.verdict import CouldNotRun
from poolproof_verification.workloads.lines import Line, read_lines


@dataclass
class Log:
    """A log that is being read: what it began with, and what the lines so far said beside it."""

    path: Path
    target: str
    total: int
    block_size: int
    operations: int = 0
    faults: dict[int, str] = field(default_factory=dict)  # the law broken in which operation
    end: str = "the server ended, or runs on"


def is_log(path: Path) -> bool:
    """The file begins like a log."""
    try:
        first = next(read_lines(path), None)
        data = json.loads(first.text) if first else None
    except (CouldNotRun, ValueError, RecursionError):
        return False
    return isinstance(data, dict) and "log" in data


def open_log(path: Path) -> tuple[Log, Iterator[Operation]]:
    """The log and, while they are taken, its operations; CouldNotRun says what is wrong with it."""
    lines = read_lines(path)
    try:
        header = parsed(next(lines).text, "log_header")
    except Malformed as malformed:
        raise wrong(path, malformed) from None
    if not header["fresh"]:
        raise wrong(path, "it begins with a manager in use, and cannot be replayed from there")
    log = Log(path, header["target"], int(header["total"]), int(header["block_size"]))
    return log, operations_in(log, lines)


def operations_in(log: Log, lines: Iterator[Line]) -> Iterator[Operation]:
    """The operations; the log is told what else there is."""
    line = next(lines, None)
    while line is not None:
        following = next(lines, None)
        try:
            data = parsed(line.text, "log_line")
        except Malformed as malformed:
            if following is None and not is_json(line.text):
                log.end = "its last line is torn"
                return
            raise wrong(log.path, f"line {line.number}: {malformed}") from None
        yield from told_by(log, line, data)
        line = following


def told_by(log: Log, line: Line, data: dict[str, Any]) -> Iterator[Operation]:
    """The line's operation, if it has one."""
    if "end" in data:
        log.end = data["end"]
    elif "fault" in data:
        if data["fault"]["law"] not in LAWS:
            raise wrong(log.path, f"line {line.number}: law {data['fault']['law']!r} is unknown")
        log.faults.setdefault(log.operations, data["fault"]["law"])
    else:
        log.operations += 1
        try:
            operation = call_of(data["call"])
        except Malformed as malformed:
            raise wrong(log.path, f"line {line.number}: {malformed}") from None
        assert operation is not None, "the schema has a call there"
        if operation == FRESH:
            raise wrong(log.path, f"line {line.number}: {operation.name} is no operation")
        yield operation


def is_json(text: str) -> bool:
    """The text is whole."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True

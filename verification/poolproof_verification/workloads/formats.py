"""Two published trace formats, Azure CSV and Mooncake JSONL, become requests in order of arrival.

azure     TIMESTAMP,ContextTokens,GeneratedTokens; arrivals count from the first row, in whole
          milliseconds: further digits are cut off
mooncake  one JSON object a line: timestamp (ms), input_length, output_length, hash_ids (one for
          each 512 tokens of the prompt, the last one perhaps for fewer)

A row that is not understood in full ends the reading with `CouldNotRun`, which names file and line.
So does a row earlier than the one before it: a trace is replayed while it is read, so it must be
sorted by time. Blank lines are skipped; so are columns and keys of other names.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import chain
from typing import Any

from poolproof_verification.verdict import CouldNotRun
from poolproof_verification.workloads.lines import FilePath, Line, read_lines, shown

MOST_TOKENS = 100_000_000  # in a prompt or an output
MOST_MILLISECONDS = 10**15  # 30,000 years

TIMESTAMP, CONTEXT_TOKENS, GENERATED_TOKENS = "TIMESTAMP", "ContextTokens", "GeneratedTokens"
AZURE_COLUMNS = (TIMESTAMP, CONTEXT_TOKENS, GENERATED_TOKENS)
AZURE_TIME = re.compile(
    r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)?", re.ASCII
)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

MOONCAKE_KEYS = ("timestamp", "input_length", "output_length", "hash_ids")
TOKENS_PER_HASH_ID = 512


@dataclass(frozen=True, slots=True)
class Request:
    """A prompt that arrives, and the length of the output it is given."""

    arrival_ms: int
    input_tokens: int
    output_tokens: int


Rows = Iterator[tuple[Line, Request]]


def read_requests(path: FilePath, format: str | None = None) -> Generator[Request, None, None]:
    """The file's requests as they are asked for; `format` is a key of `FORMATS`, or None to detect.

    CouldNotRun: no such format, the file is unreadable, empty, malformed or not sorted by time.
    """
    if format is not None and format not in FORMATS:
        raise CouldNotRun(f"no format {format!r}; there are {', '.join(FORMATS)}")
    lines = read_lines(path)
    first = next(lines, None)
    if first is None:
        raise CouldNotRun(f"{shown(path)}: the file is empty")
    rows = FORMATS[format or detected(first)](chain([first], lines))
    latest = None
    for line, request in rows:
        if latest is not None and request.arrival_ms < latest:
            raise line.wrong("earlier than the row before; sort the file by time")
        latest = request.arrival_ms
        yield request
    if latest is None:
        raise CouldNotRun(f"{shown(path)}: the file has a header and no request")


def detected(first: Line) -> str:
    """The format whose files begin like this."""
    if first.text.startswith("{"):
        return "mooncake"
    if any(column in first.text for column in AZURE_COLUMNS):
        return "azure"
    header = ",".join(AZURE_COLUMNS)
    raise first.wrong(f"neither azure's header ({header}) nor mooncake's JSON object")


# --- azure ----------------------------------------------------------------------------------------


def azure_rows(lines: Iterator[Line]) -> Rows:
    """The rows below the header, which says where the columns stand."""
    columns = azure_columns(next(lines))
    start = None
    for line in lines:
        fields = split(line)
        if len(fields) != len(columns):
            raise line.wrong(f"{len(fields)} field(s) for {len(columns)} columns")
        row = dict(zip(columns, fields, strict=True))
        time = milliseconds(row[TIMESTAMP], line)
        start = time if start is None else start
        tokens = (digits(row[name], name, line) for name in (CONTEXT_TOKENS, GENERATED_TOKENS))
        yield line, Request(time - start, *tokens)


def azure_columns(header: Line) -> list[str]:
    """The header's names, among them, once each, the three that a request needs."""
    columns = split(header)
    for name in AZURE_COLUMNS:
        if columns.count(name) != 1:
            found = "missing" if name not in columns else "there more than once"
            raise header.wrong(f"column {name} is {found}; azure has {','.join(AZURE_COLUMNS)}")
    return columns


def split(line: Line) -> list[str]:
    """The line's comma-separated fields, without white space around them."""
    try:
        return [field.strip() for field in next(csv.reader([line.text], strict=True))]
    except csv.Error as problem:
        raise line.wrong(f"not comma-separated values: {problem}") from None


def milliseconds(text: str, line: Line) -> int:
    """The time in whole milliseconds since 1970; further digits are cut off."""
    try:
        if not AZURE_TIME.fullmatch(text):
            raise ValueError
        time = datetime.fromisoformat(text)
    except ValueError:
        example = "2023-11-16 18:15:46.6805900"
        raise line.wrong(f"{TIMESTAMP} must be a time like {example}, not {brief(text)}") from None
    if time.tzinfo is None:
        time = time.replace(tzinfo=UTC)
    return (time - EPOCH) // timedelta(milliseconds=1)


def digits(text: str, name: str, line: Line) -> int:
    """The number of tokens that the digits spell."""
    spelled = text.isascii() and text.isdigit() and len(text) <= len(str(MOST_TOKENS))
    return whole(int(text) if spelled else text, name, MOST_TOKENS, line)


# --- mooncake -------------------------------------------------------------------------------------


def mooncake_rows(lines: Iterator[Line]) -> Rows:
    """One request a line."""
    for line in lines:
        row = json_object(line)
        for key in MOONCAKE_KEYS:
            if key not in row:
                raise line.wrong(f"{key} is missing; mooncake has {', '.join(MOONCAKE_KEYS)}")
        length = whole(row["input_length"], "input_length", MOST_TOKENS, line)
        check_hash_ids(row["hash_ids"], length, line)
        yield (
            line,
            Request(
                whole(row["timestamp"], "timestamp", MOST_MILLISECONDS, line),
                length,
                whole(row["output_length"], "output_length", MOST_TOKENS, line),
            ),
        )


def json_object(line: Line) -> dict[str, Any]:
    """The object that the line spells."""
    try:
        row = json.loads(line.text)
    except (ValueError, RecursionError):
        row = None
    if not isinstance(row, dict):
        raise line.wrong(f"not a JSON object: {brief(line.text)}")
    return row


def check_hash_ids(ids: Any, length: int, line: Line) -> None:
    """The prompt has one integer for each 512 tokens, or part of them."""
    if not isinstance(ids, list) or any(type(number) is not int for number in ids):
        raise line.wrong("hash_ids must be a list of whole numbers")
    count = -(-length // TOKENS_PER_HASH_ID)
    if len(ids) != count:
        expected = f"{count} for {length} tokens, one for each {TOKENS_PER_HASH_ID}"
        raise line.wrong(f"hash_ids has {len(ids)} id(s) where there must be {expected}")


# --- both -----------------------------------------------------------------------------------------


def whole(value: Any, name: str, most: int, line: Line) -> int:
    """The value, if it is an integer from 0 to `most`; True is none, and 3.0 is none."""
    if type(value) is int and 0 <= value <= most:
        return value
    raise line.wrong(f"{name} must be a whole number from 0 to {most:,}, not {brief(value)}")


def brief(value: Any) -> str:
    """The value as it fits into a message."""
    text = f"a {type(value).__name__}" if isinstance(value, (list, dict)) else json.dumps(value)
    return text if len(text) <= 40 else text[:36] + " ..."


FORMATS = {"azure": azure_rows, "mooncake": mooncake_rows}

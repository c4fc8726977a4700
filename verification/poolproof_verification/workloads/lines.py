"""A file's lines, plain or gzip, one at a time: none is longer than a bound, each knows its place.

Does not cover: archives, other compressions and other encodings than UTF-8; they are refused.
"""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BufferedIOBase
from itertools import count

from poolproof_verification.verdict import CouldNotRun

FilePath = str | os.PathLike[str]

LONGEST_LINE = 1 << 20  # bytes; a line of a serving trace has a few thousand
GZIP_MAGIC = b"\x1f\x8b"
BYTE_ORDER_MARK = "\ufeff"


def shown(path: FilePath) -> str:
    """The path as it fits into one line."""
    text = os.fspath(path)
    return text if text and text.isprintable() else repr(text)


@dataclass(frozen=True)
class Line:
    """One line's text, without its end, and where it stands; numbers start at 1."""

    path: FilePath
    number: int
    text: str

    def wrong(self, problem: str) -> CouldNotRun:
        """The error that says what is wrong with this line."""
        return CouldNotRun(f"{shown(self.path)}, line {self.number}: {problem}")


def read_lines(path: FilePath) -> Iterator[Line]:
    """The lines that are not blank. CouldNotRun names the file and the line that cannot be read."""
    number = 0  # of the line that is being read; 0 while the file is being opened
    try:
        with opened(path) as stream:
            for number in count(1):
                raw = stream.readline(LONGEST_LINE + 1)
                if not raw:
                    return
                text = decoded(raw, Line(path, number, ""))
                if text:
                    yield Line(path, number, text)
    except (OSError, EOFError, ValueError, zlib.error) as problem:  # ValueError: a strange path
        reason = getattr(problem, "strerror", None) or problem
        where = f"{shown(path)}, line {number}" if number else shown(path)
        raise CouldNotRun(f"{where}: cannot be read: {reason}") from None


def decoded(raw: bytes, line: Line) -> str:
    """The line's text without white space around it; CouldNotRun: too long, or no text."""
    if len(raw) > LONGEST_LINE:
        raise line.wrong(f"longer than {LONGEST_LINE:,} bytes")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise line.wrong("not text (UTF-8)") from None
    return text.removeprefix(BYTE_ORDER_MARK).strip() if line.number == 1 else text.strip()


@contextmanager
def opened(path: FilePath) -> Iterator[BufferedIOBase]:
    """The file's bytes, decompressed where they begin like gzip."""
    with open(path, "rb") as file:
        if file.peek(len(GZIP_MAGIC)).startswith(GZIP_MAGIC):
            with gzip.GzipFile(fileobj=file) as stream:
                yield stream
        else:
            yield file

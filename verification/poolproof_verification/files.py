"""A file is written whole or not at all, and read up to a bound."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from poolproof_verification.verdict import CouldNotRun
from poolproof_verification.workloads.lines import shown


def write_whole(path: Path, text: str) -> Path:
    """Write the text, in UTF-8, and make the folder; CouldNotRun where that is impossible.

    What is no regular file, such as a device or a pipe, is written into and stays what it is.
    """
    try:
        if path.is_dir():
            raise CouldNotRun(f"cannot write {shown(path)}: a folder")
        if path.exists() and not path.is_file():
            path.write_text(text, encoding="utf-8")
        else:
            put_in_place(Path(os.path.realpath(path)), text)  # what a link leads to, not the link
    except OSError as error:
        raise CouldNotRun(f"cannot write {shown(path)}: {error.strerror or error}") from error
    return path


def put_in_place(path: Path, text: str) -> None:
    """A file with the text is in this place, or what was there before; OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
    try:
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def check_file(path: Path) -> None:
    """CouldNotRun where there is something else than a file: it might never end."""
    try:
        if path.exists() and not path.is_file():
            raise CouldNotRun(f"{shown(path)}: {'a folder' if path.is_dir() else 'no file'}")
    except (OSError, ValueError) as error:  # ValueError: a strange path
        reason = getattr(error, "strerror", None) or error
        raise CouldNotRun(f"{shown(path)}: cannot be read: {reason}") from error


def read_whole(path: Path, most: int) -> str:
    """The file's text; CouldNotRun: it is none, or has more than `most` bytes."""
    check_file(path)
    try:
        with open(path, "rb") as file:
            data = file.read(most + 1)
    except (OSError, ValueError) as error:  # ValueError: a strange path
        reason = getattr(error, "strerror", None) or error
        raise CouldNotRun(f"{shown(path)}: cannot be read: {reason}") from error
    if len(data) > most:
        raise CouldNotRun(f"{shown(path)}: longer than {most:,} bytes")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise CouldNotRun(f"{shown(path)}: not text (UTF-8)") from None

"""Where the code of an operation is: the file, as a reader of the project knows it, and the line.

Does not cover: what has no Python source, such as extensions and what is made by `exec`.
"""

from __future__ import annotations

import inspect
import os
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from traceback import walk_tb
from typing import Any

from poolproof_verification.words import harmless

OWN = __name__.partition(".")[0]  # this package
NO_SOURCES = {"site-packages", "dist-packages", "node_modules", "build", "__pycache__"}
MOST_FOLDERS = 5_000  # that are searched for what a file was installed from
LESSON = f"{OWN}.adapters.lesson"


@dataclass(frozen=True)
class Place:
    """A line of a source file."""

    file: str  # relative to the current folder or to the import path, with slashes
    line: int  # the first is 1

    def __str__(self) -> str:
        """As editors and terminals read it."""
        return f"{self.file}:{self.line}"


def place_of(owner: type, name: str) -> Place | None:
    """Where the class has its method of this name, or else begins; None where no source is."""
    return place_of_function(getattr(owner, name, owner)) or begin_of(owner)


def place_of_function(function: object) -> Place | None:
    """Where the function begins, and not what is wrapped around it; None where no source is."""
    try:
        return begin_of(inspect.unwrap(function))  # type: ignore[arg-type]  # foreign, so anything
    except ValueError:  # wrapped in itself
        return None


def begin_of(code: Any) -> Place | None:
    """Where the class or function begins; None where no source is."""
    try:
        source = inspect.getsourcefile(code)
        _, line = inspect.getsourcelines(code)
    except (TypeError, OSError):
        return None
    return Place(as_known(Path(source), code.__module__), max(line, 1)) if source else None


def raised_at(error: BaseException | None) -> str:
    """The last line of an adapter or a manager that the error came through, as "file:line".

    Nothing where there is none, or where the line varies with the depth of the stack.
    """
    if error is None or isinstance(error, RecursionError):
        return ""
    frames = list(walk_tb(error.__traceback__))
    for frame, line in reversed(frames):
        name, file = str(frame.f_globals.get("__name__")), frame.f_code.co_filename
        ours = name.rpartition(".")[0] == OWN or name == LESSON
        if not (ours or file.startswith("<") or name.partition(".")[0] in sys.stdlib_module_names):
            return f"{harmless(Path(file).name)}:{line}"
    return ""


def as_known(source: Path, module: str) -> str:
    """The file relative to the current folder, or the one there that it was installed from.

    By its module's name where it is outside and there is none.
    """
    source, here = source.resolve(), Path.cwd().resolve()
    parts = module.split(".")
    package = parts[:-1] if source.stem != "__init__" else parts
    known = told = PurePosixPath(*package, source.name)
    if source.is_relative_to(here):
        told = PurePosixPath(source.relative_to(here))
        if not any(map(is_no_source, told.parts[:-1])):
            return str(told)
    return installed_from(source, known, here) or str(told)


@cache
def installed_from(source: Path, known: PurePosixPath, here: Path) -> str:
    """The one file below the folder that ends in this path and has the same text; else nothing."""
    found = []
    for seen, (folder, folders, files) in enumerate(os.walk(here)):
        if seen == MOST_FOLDERS:
            return ""
        folders[:] = [name for name in folders if not is_no_source(name)]
        path = Path(folder, source.name)
        parts = path.relative_to(here).parts
        if source.name in files and parts[-len(known.parts) :] == known.parts:
            found.append(path)
    same = [path for path in found if same_text(path, source)]
    return same[0].relative_to(here).as_posix() if len(same) == 1 else ""


def is_no_source(folder: str) -> bool:
    """A folder of this name has what was installed, built or is hidden, and no repository keeps."""
    return folder.startswith(".") or folder in NO_SOURCES


def same_text(path: Path, other: Path) -> bool:
    """Both files can be read, and are the same."""
    try:
        return path.read_bytes() == other.read_bytes()
    except OSError:
        return False

"""Where the code of an operation is: the file, as a reader of the project knows it, and the line.

Does not cover: what has no Python source, such as extensions and what is made by `exec`.
"""

from __future__ import annotations

import inspect
import sys
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from traceback import walk_tb

from poolproof_verification.words import harmless

OWN = __name__.partition(".")[0]  # this package
LESSON = f"{OWN}.adapters.lesson"


@dataclass(frozen=True)
class Place:
    """A line of a source file."""

    file: str  # relative to the current folder or to the import path, with slashes
    line: int  # the first is 1


def place_of(owner: type, name: str) -> Place | None:
    """Where the class has its method of this name, or else begins; None where no source is."""
    method = inspect.unwrap(getattr(owner, name, owner))
    for each in (method, owner):
        try:
            source = inspect.getsourcefile(each)
            _, line = inspect.getsourcelines(each)
        except (TypeError, OSError):
            continue
        if source is not None:
            return Place(as_known(Path(source), each.__module__), max(line, 1))
    return None


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
    """The file relative to the current folder; one outside of it by its module's name."""
    try:
        return source.resolve().relative_to(Path.cwd().resolve()).as_posix()
    except ValueError:
        parts = module.split(".")
        inside = parts[:-1] if source.stem != "__init__" else parts
        return str(PurePosixPath(*inside, source.name))

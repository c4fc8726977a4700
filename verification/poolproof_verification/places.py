"""Where the code of an operation is: the file, as a reader of the project knows it, and the line.

Does not cover: what has no Python source, such as extensions and what is made by `exec`.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from pathlib import Path, PurePosixPath


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


def as_known(source: Path, module: str) -> str:
    """The file relative to the current folder; one outside of it by its module's name."""
    try:
        return source.resolve().relative_to(Path.cwd().resolve()).as_posix()
    except ValueError:
        parts = module.split(".")
        inside = parts[:-1] if source.stem != "__init__" else parts
        return str(PurePosixPath(*inside, source.name))

"""A seeded bug is a change of one source file, and loads beside the real package.

The changed package is compiled in memory under a name of its own, so its errors are other classes
than the real ones, with the same names and the same builtin ancestors.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.abc import InspectLoader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.resources import files
from types import ModuleType

from poolproof import BlockManager
from poolproof_verification.verdict import CouldNotRun

REAL = "poolproof"
IMPORT = re.compile(rf"^(\s*(?:from|import)\s+){REAL}\b", re.MULTILINE)


@dataclass(frozen=True)
class Mutant:
    """One seeded bug. `old` occurs exactly once in the file, and `new` takes its place."""

    name: str
    wrong: str  # what is wrong, in a sentence
    law: str  # a key of `laws.LAWS`: the first that a user would see broken
    file: str  # inside the package, as in "block_pool.py"
    old: str
    new: str
    canary: bool = False  # exploration, random search and contracts can each find it
    unbounded: bool = False  # it shows beyond some large number only
    seen: str = ""  # released engines that had a fault of this kind

    @property
    def package(self) -> str:
        """The name under which the patched package is loaded."""
        return f"{REAL}_mutant_{self.name}"


class StalePatch(CouldNotRun):
    """The text to be replaced does not occur exactly once: the source has moved on."""


def sources() -> dict[str, str]:
    """The real package's source files, as installed."""
    folder = files(REAL)
    return {
        entry.name: entry.read_text("utf-8")
        for entry in folder.iterdir()
        if entry.name.endswith(".py")
    }


def patched(mutant: Mutant) -> dict[str, str]:
    """The source files with the bug in, and with imports that stay inside the copy."""
    text = sources()
    found = text.get(mutant.file, "").count(mutant.old)
    if found != 1 or mutant.old == mutant.new:
        raise StalePatch(
            f"mutant {mutant.name!r}: its text occurs {found} times in {REAL}/{mutant.file}, "
            "not once, or is replaced by itself; bring the patch up to date"
        )
    text[mutant.file] = text[mutant.file].replace(mutant.old, mutant.new)
    return renamed(text, mutant.package)


def renamed(text: dict[str, str], package: str) -> dict[str, str]:
    """The source files as those of another package."""
    return {file: IMPORT.sub(rf"\g<1>{package}", body) for file, body in text.items()}


class PatchedSource(InspectLoader):
    """Loads one module of a patched package from memory."""

    def __init__(self, source: str, package: bool) -> None:
        """`source`: the module's text; `package`: it is the package itself."""
        self.source, self.package = source, package

    def get_source(self, fullname: str) -> str:
        """The patched text, also for tracebacks."""
        return self.source

    def is_package(self, fullname: str) -> bool:
        """The module is the package itself."""
        return self.package


class PatchedPackage(MetaPathFinder):
    """Finds the modules of one patched package, and nothing else."""

    def __init__(self, name: str, text: dict[str, str]) -> None:
        """`name`: of the package; `text`: of its files."""
        self.name, self.text = name, text

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module's spec, if it belongs to the package."""
        package, _, module = fullname.partition(".")
        file = f"{module or '__init__'}.py"
        if package != self.name or file not in self.text:
            return None
        loader = PatchedSource(self.text[file], package=not module)
        origin = f"<{self.name}/{file}>"
        return ModuleSpec(fullname, loader, origin=origin, is_package=not module)


@contextmanager
def findable(package: PatchedPackage) -> Iterator[None]:
    """Within, the package can be imported."""
    sys.meta_path.insert(0, package)
    try:
        yield
    finally:
        sys.meta_path.remove(package)


def load_text(package: str, text: dict[str, str]) -> type[BlockManager]:
    """The manager class of these source files; whatever importing them raises."""
    with findable(PatchedPackage(package, text)):
        module = importlib.import_module(f"{package}.block_manager")
    found: type[BlockManager] = module.BlockManager
    return found


def forget(package: str) -> None:
    """The package's modules are no longer kept; classes in use live on."""
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        del sys.modules[name]


@cache
def load(mutant: Mutant) -> type[BlockManager]:
    """The manager class with the bug in. Raises StalePatch, also for text that does not compile."""
    try:
        return load_text(mutant.package, patched(mutant))
    except SyntaxError as error:
        raise StalePatch(f"mutant {mutant.name!r} does not compile: {error}") from error

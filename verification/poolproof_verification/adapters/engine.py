"""What the adapters of engines share: the engine is found lazily, and its interface looked at.

An engine whose interface has drifted is told from one that is absent, each in one line. What is
called is kept in the engine's own words, so that a counterexample can be told to its maintainers.
"""

from __future__ import annotations

import importlib
import inspect
import sys
from collections import deque
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from poolproof_model.system import Refusal
from poolproof_verification.operations import Refused, Response
from poolproof_verification.verdict import CouldNotRun
from poolproof_verification.words import error_told

KEPT = 1000  # calls
# What an engine's objects go by, and what they are called in a call that is told.
KEYS = {"block_id": "block", "request_id": "request", "seq_id": "sequence"}

# Engines trust their callers: only that blocks are short is refused in a way one can rely on.
ALL_BUT_OUT_OF_BLOCKS = frozenset(Refusal) - {Refusal.OUT_OF_BLOCKS}


def found(engine: str, module: str, *names: str) -> list[Any]:
    """The named attributes of the engine's module; CouldNotRun says what is missing."""
    package = module.partition(".")[0]
    try:
        importlib.import_module(package)
        imported = importlib.import_module(module)
    except (Exception, SystemExit) as error:
        if isinstance(error, ModuleNotFoundError) and error.name == package:
            raise CouldNotRun(f"{engine} is not installed here") from error
        words = f"{module} does not import: {error_told(error)}"
        raise CouldNotRun(f"{engine} {release_of(package)}: {words}") from error
    missing = [name for name in names if not hasattr(imported, name)]
    if missing:
        raise drifted(engine, package, f"{module} has no {', '.join(missing)}")
    return [getattr(imported, name) for name in names]


def expect(engine: str, owner: type, method: str, *parameters: str) -> None:
    """The class has the method, with the parameters that are given it; CouldNotRun where not."""
    function = getattr(owner, method, None)
    package = owner.__module__.partition(".")[0]
    if not callable(function):
        raise drifted(engine, package, f"{owner.__name__} has no {method}")
    lacking = [name for name in parameters if not takes(function, name)]
    if lacking:
        raise drifted(engine, package, f"{owner.__name__}.{method} takes no {', '.join(lacking)}")


def takes(function: Callable[..., Any], parameter: str) -> bool:
    """The function has a parameter of this name."""
    return parameter in inspect.signature(function).parameters


def drifted(engine: str, package: str, words: str) -> CouldNotRun:
    """The error for an engine whose interface is none that the adapter knows."""
    return CouldNotRun(
        f"{engine} {release_of(package)}: its interface is none that is known here: {words}"
    )


def release_of(package: str) -> str:
    """The installed version, as far as the package tells it."""
    try:
        return version(package)
    except PackageNotFoundError:
        return str(getattr(sys.modules.get(package), "__version__", "of unknown version"))


def out_of_blocks(expected: Refusal, response: Response) -> bool:
    """The one refusal that there is, where it is called for."""
    return isinstance(response, Refused) and response.reason is expected


def blocks_for(tokens: int, block_size: int) -> int:
    """How many blocks so many tokens fill."""
    return -(-tokens // block_size)


def too_many(total: int, block_size: int) -> int:
    """The fewest tokens that are too many even for an empty pool: no more need be made."""
    return total * block_size + 1


class OwnCalls:
    """Calls a manager, and keeps the last calls as its user would write them."""

    def __init__(self, manager: Any) -> None:
        """`manager`: the engine's object."""
        self.manager = manager
        self.told: deque[str] = deque(maxlen=KEPT)

    def __call__(self, method: str, *arguments: Any) -> Any:
        """The method's value, or whatever it raises, which is told beside the call."""
        call = f"{method}({', '.join(map(written, arguments))})"
        self.told.append(call)
        try:
            return getattr(self.manager, method)(*arguments)
        except Exception as error:
            self.told[-1] = f"{call}  # {error_told(error)}"
            raise


class EngineAdapter:
    """What each engine's adapter tells of the manager behind it."""

    def __init__(self, manager_call: OwnCalls, **methods: str) -> None:
        """`manager_call`: of a fresh manager; `methods`: by the operation that each carries out."""
        self.manager_call = manager_call
        kind = type(manager_call.manager)
        self.methods = {name: getattr(kind, method, None) for name, method in methods.items()}

    @property
    def own_calls(self) -> list[str]:
        """The last calls of the manager."""
        return list(self.manager_call.told)


def written(argument: Any) -> str:
    """An argument as code: an engine's object by its kind and key, as in `block(1)`."""
    if isinstance(argument, list):
        return ", ".join(map(written, argument)).join("[]")
    if isinstance(argument, tuple):
        return "".join(f"{written(each)}, " for each in argument).rstrip(" ").join("()")
    for name, kind in KEYS.items():
        key = getattr(argument, name, None)
        if key is not None:
            return f"{kind}({key!r})"
    return repr(argument)

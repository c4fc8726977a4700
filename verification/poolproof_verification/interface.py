"""What the manager says beside its operations: sizes, text, and errors that carry what was asked.

Each call is made on a small pool filled by hand; what it must answer is written beside it. An error
is of its kind, and tells its figures or its name as values, as arguments and in its words.

Does not cover: other pools; the wording beyond the parts that are asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from poolproof import BlockManager
from poolproof_verification.hidden_state import read
from poolproof_verification.limits import TookTooLong, timed, why
from poolproof_verification.words import told


class Index:
    """A number that is no int, and says which it is by `__index__`."""

    def __init__(self, value: int) -> None:
        """`value`: which it is."""
        self.value = value

    def __index__(self) -> int:
        """The number."""
        return self.value

    def __repr__(self) -> str:
        return f"Index({self.value})"


@dataclass(frozen=True)
class Refusing:
    """A call that must raise."""

    call: tuple[Any, ...]
    error: str  # its class
    words: tuple[str, ...]  # that the message has
    values: dict[str, Any] = field(default_factory=dict)  # its attributes


def out_of_blocks(asked: int, free: int, *call: Any) -> Refusing:
    """The call takes so many blocks where so many are free."""
    words = f"asked for {asked} ", f" {free} are free"
    return Refusing(call, "OutOfBlocks", words, {"asked": asked, "free": free})


def about(error: str, name: str, *call: Any) -> Refusing:
    """The call is refused because of this name."""
    return Refusing(call, error, (f"sequence {name!r}",), {"name": name})


def no_integer(what: str, value: object, *call: Any) -> Refusing:
    """The call's number is none."""
    return Refusing((*call, value), "TypeError", (what, type(value).__name__, repr(value)))


# Four blocks of 4: `a` and `b` share 0 and 1, the last half full; `c` is empty; 2 and 3 are free.
FILLED = (("allocate", "a", 6), ("fork", "a", "b"), ("allocate", "c", 0))
ANSWERS: tuple[tuple[tuple[Any, ...], Any], ...] = (
    (("total",), 4),
    (("block_size",), 4),
    (("__repr__",), "BlockManager(4, 4): 3 sequences, 2 blocks free"),
    (("can_allocate", Index(8)), True),
    (("can_allocate", Index(9)), False),
    (("can_grow", "a", Index(2)), True),
    (("can_grow", "a", Index(9)), False),
    (("slot", "b", Index(5)), 5),
    (("allocate", "d", Index(3)), [2]),
    (("grow", "d", Index(2)), ([3], None)),
    (("length", "d"), 5),
    (("release", "d"), [2, 3]),
)
LISTS = (("table", "a"), ("free",), ("ref",), ("seqs",), ("violations",))
REFUSALS = (
    out_of_blocks(3, 2, "allocate", "x", 9),
    out_of_blocks(3, 2, "grow", "a", 7),
    Refusing(("allocate", "x", -1), "ValueError", ("n_tokens", "at least 0", "-1")),
    Refusing(("grow", "a", -2), "ValueError", ("n_tokens", "at least 0", "-2")),
    about("SequenceExists", "a", "allocate", "a", 1),
    about("SequenceExists", "b", "fork", "a", "b"),
    *(about("UnknownSequence", "x", name, "x") for name in ("append", "release", "table")),
    *(about("UnknownSequence", "x", name, "x") for name in ("length", "last_block", "usage_of")),
    about("UnknownSequence", "x", "fork", "x", "y"),
    about("UnknownSequence", "x", "grow", "x", 1),
    about("UnknownSequence", "x", "slot", "x", 0),
    Refusing(("last_block", "c"), "IndexError", ("sequence 'c'",)),
    Refusing(("slot", "a", 6), "IndexError", ("position 6", "sequence 'a'", "6 tokens")),
    Refusing(("slot", "a", -1), "IndexError", ("position -1", "sequence 'a'", "6 tokens")),
    *(no_integer("n_tokens", value, "allocate", "x") for value in (True, "1", 1.5)),
    no_integer("n_tokens", "1", "grow", "a"),
    no_integer("n_tokens", False, "can_allocate"),
    no_integer("n_tokens", None, "can_grow", "a"),
    no_integer("position", "0", "slot", "a"),
)
# The same pool, when the last two blocks are taken.
FULL = (*FILLED, ("allocate", "d", 8))
FULL_REFUSALS = (
    out_of_blocks(1, 0, "allocate", "x", 1),
    *(out_of_blocks(1, 0, "append", name) for name in "acd"),  # a copy, a first block, one more
    out_of_blocks(1, 0, "grow", "a", 1),
)
# `__init__` with these arguments.
WRONG_SIZES = (
    Refusing((-1, 4), "ValueError", ("num_blocks", "at least 0", "-1")),
    Refusing((4, 0), "ValueError", ("block_size", "at least 1", "0")),
    Refusing((-1, 0), "ValueError", ("num_blocks",)),
    Refusing((10**30, 1), "MemoryError", (str(10**30),)),
    no_integer("block_size", 1.0, -1),
    Refusing(("4", 4), "TypeError", ("num_blocks", "str", "'4'")),
)


Calls = tuple[tuple[Any, ...], ...]
CALLS = 2 * len(ANSWERS) + len(LISTS) + len(REFUSALS) + len(FULL_REFUSALS) + len(WRONG_SIZES)


def disagreements(manager_class: type[BlockManager]) -> Iterator[str]:
    """Each call that answers amiss."""
    for sizes in ((4, 4), (Index(4), Index(4))):
        yield from attempted(wrong_answers, manager_class, sizes)
    for call in LISTS:
        yield from attempted(own_list, manager_class, call)
    for refusing in WRONG_SIZES:
        yield from attempted(wrong_size, manager_class, refusing)
    for before, refusals in ((FILLED, REFUSALS), (FULL, FULL_REFUSALS)):
        for refusing in refusals:
            yield from attempted(wrong_refusal, manager_class, before, refusing)


def attempted(judge: Callable[..., str], *arguments: Any) -> Iterator[str]:
    """What the judge finds wrong, if anything; whatever is raised on the way is wrong, too."""
    try:
        words = timed(judge, *arguments)
    except (TookTooLong, Exception) as error:
        words = f"{arguments[-1]}: {why(error)}"
    if words:
        yield words


def made(manager_class: type[BlockManager], sizes: tuple[Any, Any], calls: Calls) -> BlockManager:
    """A manager of these sizes on which the calls were made."""
    manager = manager_class(*sizes)
    for call in calls:
        answered(manager, call)
    return manager


def answered(manager: BlockManager, call: tuple[Any, ...]) -> Any:
    """What the call returns, or the property is."""
    value = getattr(manager, call[0])
    return value(*call[1:]) if callable(value) else value


def wrong_answers(manager_class: type[BlockManager], sizes: tuple[Any, Any]) -> str:
    """The first answer that is not as written down."""
    manager = made(manager_class, sizes, FILLED)
    for call, right in ANSWERS:
        answer = answered(manager, call)
        answer = tuple(answer) if isinstance(answer, tuple) else answer
        if not (type(answer) is type(right) and answer == right):
            return f"{call} answers {told(answer)}, where {right!r} is right"
    return ""


def own_list(manager_class: type[BlockManager], call: tuple[Any, ...]) -> str:
    """What the caller does to an answer reaches the manager's own state."""
    manager = made(manager_class, (4, 4), FILLED)
    before = read(manager)
    emptied(answered(manager, call))
    return "" if read(manager) == before else f"{call} answers with a part of the manager's state"


def emptied(value: Any) -> None:
    """Take everything out of a list or a dict, and first out of all that is in it."""
    if isinstance(value, list | dict):
        for part in [*value.values()] if isinstance(value, dict) else value:
            emptied(part)
        value.clear()


def wrong_size(manager_class: type[BlockManager], refusing: Refusing) -> str:
    """A manager that must not be made is made, or refused amiss."""
    try:
        manager = manager_class(*refusing.call)
    except Exception as error:
        return badly_refused(error, refusing)
    return f"{refusing.call} makes {told(manager)}, where {refusing.error} is right"


def wrong_refusal(manager_class: type[BlockManager], before: Calls, refusing: Refusing) -> str:
    """The call is answered, or refused amiss."""
    manager = made(manager_class, (4, 4), before)
    try:
        answer = answered(manager, refusing.call)
    except Exception as error:
        return badly_refused(error, refusing)
    return f"{refusing.call} answers {told(answer)}, where {refusing.error} is right"


def badly_refused(error: Exception, refusing: Refusing) -> str:
    """The error is of another kind, or lacks a value or some words."""
    if type(error).__name__ != refusing.error:
        return f"{refusing.call} raises {why(error)}, where {refusing.error} is right"
    values = {name: getattr(error, name, None) for name in refusing.values}
    if values != refusing.values or (values and error.args != tuple(values.values())):
        return f"{refusing.call}: the error has {values} and {error.args}, not {refusing.values}"
    if values and type(error)(**values).args != error.args:
        return f"{refusing.error} made by keyword has other arguments, so it cannot be pickled"
    missing = [part for part in refusing.words if part not in str(error)]
    return f"{refusing.call}: the words {str(error)!r} lack {missing}" if missing else ""

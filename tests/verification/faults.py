"""What a faulty manager is asked, and what must be said of it: law, words, other broken laws."""

from __future__ import annotations

from typing import Any

from tests.verification.faulty_managers import (
    Breaks,
    CanAppendLies,
    ChangesStateOnRefusal,
    CheckInvariantsLies,
    CheckInvariantsRaises,
    CopiesInSilence,
    CountsForkOnce,
    Exits,
    ForgetsToken,
    FreesSharedBlock,
    HighestFirst,
    InventsViolations,
    LeaksOnRefusal,
    LosesBlockAtTheStart,
    NeverFrees,
    QuestionChangesState,
    RefusesAndTakes,
    RefusesWhatFits,
    ReportsCopyWithoutCopying,
    ReturnsItsOwnList,
    ReturnsUnshowable,
    ReturnsUnshowableItems,
    TakesHeldBlock,
    TooFewBlocks,
    TouchesAnotherTable,
    TrueForOne,
    UnshowableError,
    ViewRaises,
    WritesIntoSharedBlock,
    WrongRefusal,
    WrongResult,
)

from poolproof_verification.operations import Operation


def call(name: str, *arguments: Any) -> Operation:
    return Operation(name, arguments)


A1, A2, A3, B1 = (call("allocate", n, k) for n, k in (("A", 1), ("A", 2), ("A", 3), ("B", 1)))
FORK, FORK_C = call("fork", "A", "B"), call("fork", "B", "C")
APPEND, APPEND_B, RELEASE = call("append", "A"), call("append", "B"), call("release", "A")

# class, operations, the law that is broken first and foremost, words of the headline, other laws
FAULTS: list[tuple[type, list[Operation], str, str, set[str]]] = [
    (LeaksOnRefusal, [call("allocate", "A", 9)], "partition", "block 1 is lost", {"refusals"}),
    (
        FreesSharedBlock,
        [A1, FORK, RELEASE],
        "partition",
        "block 0 is free while 'B' still holds it",
        {"release", "results"},
    ),
    (NeverFrees, [A1, RELEASE], "partition", "block 0 is lost", {"release", "results"}),
    (CountsForkOnce, [A1, FORK], "counts", "block 0 is counted once, yet 'A' and 'B' still", set()),
    (
        CopiesInSilence,
        [A1, FORK, APPEND_B],
        "contents",
        "'B' no longer reads its token 0: slot 0 of block 1 was overwritten or never copied",
        {"results"},
    ),
    (
        ReportsCopyWithoutCopying,
        [A1, FORK, APPEND_B],
        "tables",
        "'B' has the table [0] where the model has [1]",
        set(),
    ),
    (
        WritesIntoSharedBlock,
        [A1, FORK, APPEND_B, APPEND],
        "results",
        "append('B') returned False, where True is right",
        {"tables"},
    ),
    (
        ReturnsItsOwnList,
        [A1],
        "tables",
        "allocate('A', 1) returned a list of the manager's own",
        set(),
    ),
    (WrongResult, [A1, RELEASE], "results", "returned [0, 7], where [0] is right", set()),
    (TrueForOne, [A1, RELEASE], "results", "returned [False], where [0] is right", set()),
    (
        WrongRefusal,
        [call("append", "Z")],
        "refusals",
        "append('Z') must be refused (no such sequence), yet it answers: refused: "
        "too few free blocks: MemoryError: no such sequence",
        set(),
    ),
    (
        RefusesWhatFits,
        [A3],
        "refusals",
        "allocate('A', 3) must be accepted, yet it refused: too few free blocks: MemoryError",
        set(),
    ),
    (
        RefusesAndTakes,
        [A3],
        "refusals",
        "allocate('A', 3) must be accepted, yet it refused",
        {"tables"},
    ),
    (
        ChangesStateOnRefusal,
        [call("allocate", "A", 4), APPEND],
        "refusals",
        "append('A') was refused, yet changed the state",
        {"lengths"},
    ),
    (HighestFirst, [A1], "choices", "took [1], not the lowest of [0, 1]", set()),
    (
        TakesHeldBlock,
        [A2, call("allocate", "B", 0), APPEND_B],
        "contents",
        "'A' no longer reads its token 0",
        {"choices", "tables"},
    ),
    (TooFewBlocks, [A1], "results", "returned [], where [0] is right", {"lengths", "tables"}),
    (
        TouchesAnotherTable,
        [A3, call("allocate", "B", 0), call("release", "B")],
        "tables",
        "'A' has the table [1, 0] where the model has [0, 1]",
        set(),
    ),
    (ForgetsToken, [A1, APPEND], "lengths", "'A' has 1 token where the model has 2", set()),
    (Breaks, [A1, FORK], "refusals", "must be accepted, yet it failed: RuntimeError: half", set()),
    (Exits, [A1, RELEASE], "refusals", "must be accepted, yet it failed: SystemExit: 0", set()),
    (
        ReturnsUnshowable,
        [A1],
        "results",
        "allocate('A', 1) returned <Unshowable that cannot be shown>, where [0] is right",
        set(),
    ),
    (ReturnsUnshowableItems, [A1], "results", "where [0] is right", set()),
    (UnshowableError, [A1, APPEND], "refusals", "yet it failed: Wordless", set()),
    (ViewRaises, [A1], "questions", "does not show its state: RuntimeError: no view", set()),
]

# class, what is done before it is asked, the law, words of the headline, the question
LIES: list[tuple[type, list[Operation], str, str, str]] = [
    (
        CanAppendLies,
        [],
        "can",
        "can_append('Z') answers True, where False is right",
        "can_append",
    ),
    (
        QuestionChangesState,
        [A1],
        "questions",
        "asking changed the state: block 1 is lost",
        "asking",
    ),
    (
        CheckInvariantsLies,
        [A1],
        "self-check",
        "check_invariants() answers False, where True is right",
        "check_invariants",
    ),
    (
        InventsViolations,
        [A1],
        "self-check",
        "violations() answers ['something'], where [] is right",
        "violations",
    ),
    (
        CheckInvariantsRaises,
        [],
        "self-check",
        "check_invariants() answers failed: RuntimeError: not today, at faulty_managers.py:",
        "check_invariants",
    ),
    (LosesBlockAtTheStart, [], "partition", "block 0 is lost: not free, no table holds it", ""),
]

"""One operation of the real class from a given state, and which laws it keeps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from poolproof import BlockManager
from poolproof_model.system import Refusal
from poolproof_verification.contracts.expected import EXPECTED, QUESTIONS, Expected, Row
from poolproof_verification.contracts.frame import NAME, Frame, table_is_valid
from poolproof_verification.contracts.subject import SUBJECT
from poolproof_verification.operations import Operation

# By name: a seeded bug raises its own package's classes.
REFUSALS = {
    "OutOfBlocks": Refusal.OUT_OF_BLOCKS,
    "SequenceExists": Refusal.EXISTS,
    "UnknownSequence": Refusal.UNKNOWN,
    "ValueError": Refusal.NEGATIVE,
}
TAKES_BLOCKS = ("allocate", "append", "grow")


@dataclass(frozen=True)
class Step:
    """What was asked, in which state, what came of it, and what should have."""

    frame: Frame
    operation: Operation
    promised: bool | None  # the answer of the question asked before, if there is one
    answer: Any
    manager: BlockManager  # afterwards
    expected: Expected

    def outcome_is_right(self) -> bool:
        """The answer and the tables are as expected, each in a list of its own."""
        return same(self.answer, self.expected.answer) & self.tables_are_right()

    def tables_are_right(self) -> bool:
        """Exactly the expected sequences live, with their blocks and lengths."""
        live, expected = self.manager._sequences, self.expected.tables
        right = len(live) == len(expected)
        lists = [self.answer] if isinstance(self.answer, list) else []
        for name, blocks, length in expected:
            if name not in live:
                return False
            table = live[name]
            right = right & same(table.blocks, blocks) & (table.length == length)
            right = right & all(table.blocks is not other for other in lists)
            lists.append(table.blocks)
        return right

    def promise_is_right(self) -> bool:
        """The question said beforehand whether the operation would be accepted."""
        if self.promised is None:
            return True
        return self.promised == (not isinstance(self.expected.answer, Refusal))

    def entries(self) -> list[int]:
        """How many live tables have each block; the tables are concrete, so this is too."""
        counts = [0] * len(self.expected.others)
        for table in self.manager._sequences.values():
            for block in table.blocks:
                counts[block] += 1
        return counts

    def free_blocks_are_right(self, entries: list[int]) -> bool:
        """A block is free exactly if nobody holds it; number, hint and length of the map agree."""
        pool, others = self.manager._pool, self.expected.others
        free = [block for block in range(len(entries)) if pool.free_map[block]]
        right = (pool.num_free == len(free)) & (pool.lowest >= 0)
        right = right & (len(pool.free_map) == len(entries))
        if free:
            right = right & (pool.lowest <= free[0])
        for block, here in enumerate(entries):
            if block in free:
                right = right & (here == 0) & (others[block] == 0)
            elif here == 0:
                right = right & (others[block] > 0)
        return right

    def counts_are_right(self, entries: list[int]) -> bool:
        """Each held block has one reference beyond the first for each further holder."""
        pool, others = self.manager._pool, self.expected.others
        right = len(pool.extra) == len(entries)
        for block, here in enumerate(entries):
            extra = others[block] if here == 1 else others[block] + (here - 1)
            extra = 0 if pool.free_map[block] else extra
            right = right & (pool.extra[block] == extra)
        return right

    def tables_are_valid(self, entries: list[int]) -> bool:
        """Each table fits its tokens and has a truthful limit."""
        right, size, others = True, self.frame.block_size, list(self.expected.others)
        for block, here in enumerate(entries):
            if here > 1:
                others[block] += here - 1
        for table in self.manager._sequences.values():
            parts = table.blocks, table.length, table.limit, table.forked
            right = right & table_is_valid(*parts, others, size)
        return right

    def kept(self) -> bool:
        """Every law is kept: one expression, so that a search does not branch on it."""
        entries = self.entries()
        return (
            self.outcome_is_right()
            & self.promise_is_right()
            & self.free_blocks_are_right(entries)
            & self.counts_are_right(entries)
            & self.tables_are_valid(entries)
        )

    def broken(self) -> list[str]:
        """The laws that are not kept, by name; for concrete steps."""
        entries = self.entries()
        laws = {
            self.law_of_outcome(): self.outcome_is_right(),
            "can": self.promise_is_right(),
            "partition": self.free_blocks_are_right(entries),
            "counts": self.counts_are_right(entries),
            "lengths": self.tables_are_valid(entries),
        }
        return [law for law, kept in laws.items() if not kept]

    def law_of_outcome(self) -> str:
        """What a wrong outcome breaks: refusals, the choice of blocks, or results."""
        expected = self.expected
        if isinstance(self.answer, Refusal) or isinstance(expected.answer, Refusal):
            return "refusals"
        alike = shape(self.answer, self.rows()) == shape(expected.answer, expected.tables)
        return "choices" if alike and self.operation.name in TAKES_BLOCKS else "results"

    def rows(self) -> tuple[Row, ...]:
        """The tables as they are."""
        tables = self.manager._sequences.items()
        return tuple((str(name), tuple(table.blocks), table.length) for name, table in tables)

    def __str__(self) -> str:
        """The step in an engineer's words."""
        expected, pool = self.expected, self.manager._pool
        lines = [f"{self.operation} from: {self.frame}"]
        lines.append(f"expected {shown(expected.answer)}, tables {expected.tables}")
        lines.append(f"observed {shown(self.answer)}, tables {self.rows()}")
        if self.promised is not None:
            lines.append(f"{QUESTIONS[self.operation.name]} had said {self.promised}")
        free, extra = list(pool.free_map), pool.extra
        lines.append(f"free map {free}, num_free {pool.num_free}, counts beyond the first {extra}")
        return "; ".join(lines)


def same(value: Any, expected: Any) -> bool:
    """Equal in shape, which is concrete, and in every number, which may be symbolic."""
    if isinstance(expected, tuple) and isinstance(value, (list, tuple)):
        if len(value) != len(expected):
            return False
        right = True
        for one, other in zip(value, expected, strict=True):
            right = right & same(one, other)
        return right
    if expected is None or isinstance(expected, Refusal):
        return value is expected
    return False if isinstance(value, Refusal) else value == expected


def shape(answer: Any, tables: Sequence[Row]) -> object:
    """What is left of an outcome when blocks of the same number are not told apart."""

    def blurred(part: Any) -> object:
        if isinstance(part, (list, tuple)):
            return [blurred(each) for each in part]
        return part if isinstance(part, bool) or part is None else "a block"

    return blurred(answer), {name: (len(blocks), length) for name, blocks, length in tables}


def shown(answer: Any) -> str:
    """An answer, or the reason of a refusal."""
    return f"a refusal ({answer.value})" if isinstance(answer, Refusal) else repr(answer)


def attempt(manager: BlockManager, operation: Operation) -> Any:
    """What the operation returns, or why it is refused; other errors are raised."""
    try:
        return getattr(manager, operation.name)(*operation.arguments)
    except Exception as error:
        for ancestor in type(error).__mro__:
            if ancestor.__name__ in REFUSALS:
                return REFUSALS[ancestor.__name__]
        raise


def keeps(frame: Frame, name: str, *arguments: Any) -> bool:
    """The operation, from this state, keeps every law; its question is asked first."""
    manager, operation = SUBJECT.build(frame), Operation(name, arguments)
    promised = None
    if name in QUESTIONS and arguments[0] != (NAME if name == "allocate" else None):
        asked = arguments[1:] if name == "allocate" else arguments
        promised = getattr(manager, QUESTIONS[name])(*asked)
    answer = attempt(manager, operation)
    step = Step(frame, operation, promised, answer, manager, EXPECTED[name](frame, *arguments))
    if SUBJECT.watcher is not None:
        SUBJECT.watcher(step)
    return step.kept()

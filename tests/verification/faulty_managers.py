"""Managers of the lesson's interface, each wrong in one way; `Strict` is right in everything."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, ClassVar

from poolproof_verification.textbook import Textbook


class Strict(Textbook):
    """The lesson's manager with guards: right in everything. The faulty ones derive from it."""

    def allocate(self, name: Hashable, n_tokens: int) -> list[int]:
        if n_tokens < 0 or name in self.seqs:
            raise ValueError("refused")
        return super().allocate(name, n_tokens)

    def fork(self, parent: Hashable, child: Hashable) -> list[int]:
        if parent in self.seqs and child in self.seqs:
            raise ValueError("refused")
        return super().fork(parent, child)

    def can_append(self, name: Hashable) -> bool:
        if name not in self.seqs:
            return False
        sequence = self.seqs[name]
        fits = sequence["len"] % self.block_size != 0 and self.ref[sequence["blocks"][-1]] == 1
        return fits or bool(self.free)

    def violations(self) -> list[str]:
        return []


class LeaksOnRefusal(Strict):
    def allocate(self, name: Hashable, n_tokens: int) -> list[int]:
        try:
            return super().allocate(name, n_tokens)
        except MemoryError:
            if self.free:
                self.free.pop()
            raise


class FreesSharedBlock(Strict):
    def release(self, name: Hashable) -> list[int]:
        blocks = self.seqs.pop(name)["blocks"]
        for block in blocks:
            self.ref.pop(block, None)
        self.free = sorted({*self.free, *blocks})
        return sorted(blocks)


class NeverFrees(Strict):
    def release(self, name: Hashable) -> list[int]:
        freed = super().release(name)
        self.free = [block for block in self.free if block not in freed]
        return []


class CountsForkOnce(Strict):
    def fork(self, parent: Hashable, child: Hashable) -> list[int]:
        blocks = super().fork(parent, child)
        for block in blocks[-1:]:
            self.ref[block] -= 1
        return blocks


class CopiesInSilence(Strict):
    def append(self, name: Hashable) -> bool:
        super().append(name)
        return False


class ReportsCopyWithoutCopying(Strict):
    def append(self, name: Hashable) -> bool:
        sequence = self.seqs[name]
        if sequence["len"] % self.block_size and self.ref[sequence["blocks"][-1]] > 1:
            sequence["len"] += 1
            return True
        return super().append(name)


class WritesIntoSharedBlock(Strict):
    def append(self, name: Hashable) -> bool:
        ReportsCopyWithoutCopying.append(self, name)  # type: ignore[arg-type]  # the same state
        return False


class ReturnsItsOwnList(Strict):
    def allocate(self, name: Hashable, n_tokens: int) -> list[int]:
        super().allocate(name, n_tokens)
        return self.seqs[name]["blocks"]


class WrongResult(Strict):
    def release(self, name: Hashable) -> list[int]:
        return [*super().release(name), 7]


class TrueForOne(Strict):
    def release(self, name: Hashable) -> Any:
        return [bool(block) if block < 2 else block for block in super().release(name)]


class WrongRefusal(Strict):
    def append(self, name: Hashable) -> bool:
        if name not in self.seqs:
            raise MemoryError("no such sequence")
        return super().append(name)


class RefusesWhatFits(Strict):
    def allocate(self, name: Hashable, n_tokens: int) -> list[int]:
        if name not in self.seqs and n_tokens > self.block_size:
            raise MemoryError("too long")
        return super().allocate(name, n_tokens)


class RefusesAndTakes(Strict):
    def allocate(self, name: Hashable, n_tokens: int) -> list[int]:
        blocks = super().allocate(name, n_tokens)
        if n_tokens > self.block_size:
            raise MemoryError("too long")
        return blocks


class ChangesStateOnRefusal(Strict):
    def append(self, name: Hashable) -> bool:
        try:
            return super().append(name)
        except MemoryError:
            self.seqs[name]["len"] += 1
            raise


class HighestFirst(Strict):
    def _take(self) -> int:
        if not self.free:
            raise MemoryError("none free")
        block = self.free.pop()
        self.ref[block] = 1
        return block


class TakesHeldBlock(Strict):
    def append(self, name: Hashable) -> bool:
        held = [b for n, s in self.seqs.items() if n != name for b in s["blocks"]]
        sequence = self.seqs[name]
        if self.free and held and sequence["len"] % self.block_size == 0:
            sequence["blocks"].append(held[0])
            self.ref[held[0]] += 1
            sequence["len"] += 1
            return False
        return super().append(name)


class TooFewBlocks(Strict):
    def allocate(self, name: Hashable, n_tokens: int) -> list[int]:
        super().allocate(name, n_tokens)
        if n_tokens % self.block_size:
            block = self.seqs[name]["blocks"].pop()
            del self.ref[block]
            self.free = sorted([*self.free, block])
        return self.seqs[name]["blocks"].copy()


class TouchesAnotherTable(Strict):
    def release(self, name: Hashable) -> list[int]:
        freed = super().release(name)
        for sequence in self.seqs.values():
            sequence["blocks"].reverse()
        return freed


class ForgetsToken(Strict):
    def append(self, name: Hashable) -> bool:
        copied = super().append(name)
        if self.seqs[name]["len"] % self.block_size == 0:
            self.seqs[name]["len"] -= 1
        return copied


class CanAppendLies(Strict):
    def can_append(self, name: Hashable) -> bool:
        return True


class QuestionChangesState(Strict):
    def used(self) -> int:
        used = super().used()
        if self.seqs:
            self.free = self.free[:-1]
        return used


class CheckInvariantsLies(Strict):
    def check_invariants(self) -> bool:
        return not self.seqs


class InventsViolations(Strict):
    def violations(self) -> list[str]:
        return ["something"] if self.seqs else []


class CheckInvariantsRaises(Strict):
    def check_invariants(self) -> bool:
        raise RuntimeError("not today")


class Breaks(Strict):
    def fork(self, parent: Hashable, child: Hashable) -> list[int]:
        if self.seqs[parent]["len"]:
            raise RuntimeError("half way")
        return super().fork(parent, child)


class Exits(Strict):
    def release(self, name: Hashable) -> list[int]:
        raise SystemExit(0)


class Unshowable:
    """A result that can neither be shown, compared nor walked through."""

    def __repr__(self) -> str:
        raise RuntimeError("no text")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no comparison")

    __hash__ = None  # type: ignore[assignment]  # that is the point

    def __iter__(self) -> Any:
        raise RuntimeError("no walk")

    def __bool__(self) -> bool:
        raise RuntimeError("no truth")


class ReturnsUnshowable(Strict):
    def allocate(self, name: Hashable, n_tokens: int) -> Any:
        super().allocate(name, n_tokens)
        return Unshowable()


class ReturnsUnshowableItems(Strict):
    def allocate(self, name: Hashable, n_tokens: int) -> Any:
        return [Unshowable() for _ in super().allocate(name, n_tokens)]


class UnshowableError(Strict):
    def append(self, name: Hashable) -> bool:
        class Wordless(Exception):
            def __str__(self) -> str:
                raise RuntimeError("no words")

        raise Wordless


class LosesBlockAtTheStart(Strict):
    def __init__(self, num_blocks: int, block_size: int) -> None:
        super().__init__(num_blocks, block_size)
        self.free = self.free[1:]


class SharesState(Strict):
    """All instances have one and the same state."""

    everywhere: ClassVar[dict[Hashable, Any]] = {}

    def __init__(self, num_blocks: int, block_size: int) -> None:
        super().__init__(num_blocks, block_size)
        self.seqs = self.everywhere


class ViewRaises(Strict):
    @property
    def free(self) -> Any:
        if self.shown:
            raise RuntimeError("no view")
        return self.blocks

    @free.setter
    def free(self, blocks: list[int]) -> None:
        self.blocks = blocks

    @property
    def shown(self) -> bool:
        return "append" not in self.__dict__ and bool(getattr(self, "seqs", None))


class ViewIsJunk(Strict):
    junk: Any = None

    def append(self, name: Hashable) -> bool:
        copied = super().append(name)
        self.seqs[name]["blocks"] = self.junk
        return copied

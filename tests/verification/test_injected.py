"""Missing blocks and interrupts are seen to leave something behind where they do."""

from __future__ import annotations

from collections.abc import Hashable

import pytest
from tests.verification.faulty_managers import LeaksOnRefusal, Strict

from poolproof_model.system import Refusal
from poolproof_verification.adapters.example import Example, ExampleAdapter
from poolproof_verification.injected import LAWS, canary, check, told_by_shortage
from poolproof_verification.limits import limited_to
from poolproof_verification.lives import Life
from poolproof_verification.operations import Operation
from poolproof_verification.seen import NOTHING
from poolproof_verification.targets import AdapterTarget, ClassTarget, find_target
from poolproof_verification.verdict import Judgement, Outcome, Verdict

EXAMPLE = "poolproof_verification.adapters.example:Example"


def judged(manager_class: type, lives: int = 30) -> dict[str, Verdict]:
    judgement = check(ClassTarget(manager_class.__name__, manager_class), 0, lives)
    return {verdict.law: verdict for verdict in judgement.verdicts}


def test_the_shipped_manager_holds() -> None:
    judgement = check(find_target("poolproof"), 0, lives=24)
    assert [each.law for each in judgement.verdicts] == list(LAWS)
    assert all(each.outcome is Outcome.HELD and each.count > 50 for each in judgement.verdicts)
    (note,) = judgement.notes
    assert note.startswith("operations interrupted at every opcode: allocate ")
    assert note.count(", ") == 5 and " 0" not in note


@pytest.mark.parametrize("name", ["textbook", EXAMPLE])
def test_a_target_that_promises_nothing_of_interrupts_is_judged_by_shortage_alone(
    name: str,
) -> None:
    judgement: Judgement = check(find_target(name), 0, lives=20)
    assert [(each.law, each.outcome) for each in judgement.verdicts] == [("shortage", Outcome.HELD)]
    assert any(note.startswith("not judged: interrupts") for note in judgement.notes)


class TakesAsItGoes(Strict):
    def allocate(self, name: Hashable, n_tokens: int) -> list[int]:
        """The blocks that there are stay taken where the last one is missing."""
        if n_tokens >= 0 and name not in self.seqs and len(self.free) == 2:
            for _ in range(-(-n_tokens // self.block_size) - 2):
                self._take()
        return super().allocate(name, n_tokens)


class BearsAGrudge(Strict):
    refused = False

    def append(self, name: Hashable) -> bool:
        try:
            copied = super().append(name)
        except MemoryError:
            self.refused = True
            raise
        return copied or self.refused


class NeverShort(Strict):
    def append(self, name: Hashable) -> bool:
        try:
            return super().append(name)
        except MemoryError:
            return False


SHORT: list[tuple[type, str]] = [
    (LeaksOnRefusal, "is refused, yet it changes"),
    (TakesAsItGoes, "with 2 free blocks is refused, yet it changes"),
    (BearsAGrudge, "with 0 free blocks is refused; once there are all it answers True"),
    (NeverShort, "with 0 free blocks must be refused, yet it answers: False"),
]


@pytest.mark.parametrize(
    ("manager", "words"), SHORT, ids=lambda each: getattr(each, "__name__", "")
)
def test_what_a_shortage_leaves_behind_is_told(manager: type, words: str) -> None:
    found = judged(manager)["shortage"]
    assert found.outcome is Outcome.REFUTED
    assert words in found.detail


def test_a_hidden_grudge_shows_in_the_state_that_comes_later() -> None:
    class TakesTheHighestLater(Strict):
        refused = False

        def allocate(self, name: Hashable, n_tokens: int) -> list[int]:
            try:
                if self.refused and n_tokens:
                    self.free.reverse()
                return super().allocate(name, n_tokens)
            except MemoryError:
                self.refused = True
                raise
            finally:
                self.free.sort()

    target = ClassTarget("grudge", TakesTheHighestLater)
    said = told_by_shortage(target, Life(2, 1, ()), Operation("allocate", ("A", 1)), 0)
    assert said is not None and "once there are all it answers [1], not as usual" in said


def test_a_target_that_leaves_shortage_undefined_is_not_judged_by_it() -> None:
    class Trusting(ExampleAdapter):
        undefined = frozenset(Refusal)

    class Careless(Example):
        def make(self, total: int, block_size: int) -> ExampleAdapter:
            return Trusting(super().make(total, block_size).manager)

    judgement = check(AdapterTarget("careless", Careless()), 0, lives=5)
    assert judgement.verdicts == ()
    assert any(note.startswith("not judged: shortage") for note in judgement.notes)


def test_lives_on_which_the_manager_is_wrong_already_are_left_out() -> None:
    class Forgets(Strict):
        def append(self, name: Hashable) -> bool:
            copied = super().append(name)
            self.seqs[name]["len"] -= 1
            return copied

    class Nothing(Strict):
        def allocate(self, name: Hashable, n_tokens: int) -> list[int]:
            return []

    (verdict,) = check(ClassTarget("nothing", Nothing), 3, lives=1).verdicts
    assert (verdict.outcome, verdict.detail) == (Outcome.UNKNOWN, NOTHING)
    judgement = check(ClassTarget("forgets", Forgets), 0, lives=30)
    assert [note for note in judgement.notes if note.startswith("left out, as the manager was")]


def test_a_call_that_does_not_end_leaves_everything_unknown() -> None:
    class Endless(Strict):
        def fork(self, parent: Hashable, child: Hashable) -> list[int]:
            while True:
                pass

    with limited_to(0.05):
        found = judged(Endless)
    assert found and {each.outcome for each in found.values()} == {Outcome.UNKNOWN}


@pytest.mark.parametrize("seed", range(3))
def test_the_canary_is_refuted(seed: int) -> None:
    found = canary(seed)
    assert found.refuted and "interrupted at opcode" in found.how

"""Every reachable state is visited, every operation tried in each, and what breaks is told."""

from __future__ import annotations

import inspect
import sys
from collections import deque
from collections.abc import Hashable
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from poolproof import BlockManager
from poolproof_verification import textbook
from poolproof_verification.counterexample import Counterexample
from poolproof_verification.explore import (
    counterexamples,
    explore,
    explore_scope,
    explore_scopes,
)
from poolproof_verification.findings import Faults
from poolproof_verification.laws import OF_CODE
from poolproof_verification.operations import Operation
from poolproof_verification.scopes import Scope, menu, worth_trying
from poolproof_verification.targets import ClassTarget, KnownTarget, find_target
from poolproof_verification.textbook import Textbook
from poolproof_verification.verdict import CouldNotRun, Evidence, Outcome, overall

TINY = Scope(total=2, sequences=2, block_size=1, tokens=2)
SMALL = Scope(total=2, sequences=2, block_size=2, tokens=3)
POOLPROOF = ClassTarget("poolproof", BlockManager)


def key(manager: BlockManager) -> object:
    return frozenset((name, tuple(t["blocks"]), t["len"]) for name, t in manager.seqs.items())


def tried(manager: BlockManager, operation: Operation) -> BlockManager | None:
    """A copy of the manager after the operation, or None where that is refused."""
    after = deepcopy(manager)
    try:
        getattr(after, operation.name)(*operation.arguments)
    except (TypeError, ValueError, KeyError, MemoryError):
        return None
    return after


def brute_force(scope: Scope) -> tuple[int, int, int]:
    """States, accepted and refused operations, by copying managers: no model, no replays."""
    start = BlockManager(scope.total, scope.block_size)
    operations, seen, frontier = list(menu(scope)), {key(start)}, deque([start])
    accepted = refused = 0
    while frontier:
        manager = frontier.popleft()
        for operation in worth_trying(operations, scope, frozenset(manager.seqs)):
            after = tried(manager, operation)
            accepted, refused = accepted + (after is not None), refused + (after is None)
            within = after and all(t["len"] <= scope.tokens for t in after.seqs.values())
            if after and within and key(after) not in seen:
                seen.add(key(after))
                frontier.append(after)
    return len(seen), accepted, refused


@pytest.mark.parametrize("scope", [TINY, SMALL, Scope(0, 2, 1, 2), Scope(3, 1, 2, 7)], ids=str)
def test_the_counts_are_those_of_a_brute_force(scope: Scope) -> None:
    exploration = explore_scope(POOLPROOF, scope)
    assert (exploration.states, exploration.accepted, exploration.refused) == brute_force(scope)
    assert exploration.questions == exploration.states
    assert len(exploration.faults) == 0


def test_the_states_of_one_block_and_one_sequence_can_be_counted_by_hand() -> None:
    exploration = explore_scope(POOLPROOF, Scope(1, 1, 1, 1))
    assert exploration.states == 3  # no sequence; one without tokens; one with a token


def test_a_right_manager_holds_all_that_is_judged() -> None:
    judgement = explore(POOLPROOF, (TINY,))
    assert overall(judgement.verdicts) is Outcome.HELD
    assert {verdict.law for verdict in judgement.verdicts} == set(OF_CODE) - {"contents"}
    assert {verdict.evidence for verdict in judgement.verdicts} == {Evidence.EXHAUSTED}
    assert judgement.counterexamples == ()
    states, accepted, refused = brute_force(TINY)
    assert judgement.notes == (
        f"{TINY}: {states} states, {accepted + refused:,} transitions ({refused:,} refused)",
    )
    counts = {verdict.law: verdict.count for verdict in judgement.verdicts}
    assert counts["partition"] == accepted + refused
    assert (counts["results"], counts["refusals"], counts["questions"]) == (
        accepted,
        refused,
        states,
    )


def found_in(target: KnownTarget, *scopes: Scope) -> list[Counterexample]:
    return counterexamples(target, explore_scopes(target, scopes))


def lost_block(target: KnownTarget) -> Counterexample:
    """The counterexample in which a name that exists is allocated again."""
    (found,) = [
        each
        for each in found_in(target, TINY)
        if each.steps[-1].expected == "refused: the name is in use"
        and each.steps[-1].operation.startswith("allocate")
    ]
    return found


def test_the_textbook_loses_a_block_in_two_steps() -> None:
    found = lost_block(find_target("textbook"))
    assert found.headline == "block 0 is lost: not free, no table holds it, counted once"
    assert found.operations() == "allocate('A', 1); allocate('A', 0)"
    assert (found.total, found.block_size) == (1, 1)


def test_so_does_a_renamed_copy_of_it_in_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = inspect.getsource(textbook).replace("class Textbook", "class HousePool")
    (tmp_path / "house_pool_of_the_test.py").write_text(source)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    found = lost_block(find_target("house_pool_of_the_test:HousePool"))
    known = lost_block(find_target("textbook"))
    assert [replace(step, place=None) for step in found.steps] == [
        replace(step, place=None) for step in known.steps
    ]
    assert found.import_line == "from house_pool_of_the_test import HousePool"
    assert found.headline == known.headline


def test_the_test_of_a_counterexample_fails_on_the_textbook_only() -> None:
    found = lost_block(find_target("textbook"))
    for manager_class, passes in ((Textbook, False), (BlockManager, True)):
        source = found.test().replace(found.import_line, "")
        names: dict[str, Any] = {"Textbook": manager_class}
        exec(compile(source, "<test>", "exec"), names)
        if passes:
            names["test_block_0_is_lost"]()
        else:
            with pytest.raises(pytest.fail.Exception):
                names["test_block_0_is_lost"]()


def test_the_textbook_is_refuted_in_what_it_breaks_and_not_believed_beyond() -> None:
    judgement = explore(ClassTarget("textbook", Textbook), (TINY,))
    outcomes = {verdict.law: verdict.outcome for verdict in judgement.verdicts}
    refuted = {law for law, outcome in outcomes.items() if outcome is Outcome.REFUTED}
    assert refuted == {"partition", "refusals", "tables", "lengths"}
    assert {verdict.evidence for verdict in judgement.verdicts} == {Evidence.SCOPE}
    details = {verdict.law: verdict.detail for verdict in judgement.verdicts}
    assert details["lengths"] == "'A' has 0 blocks of 1 for -1 tokens"
    assert details["results"] == ""


def test_larger_scopes_are_left_alone_once_faults_are_found() -> None:
    told: list[str] = []
    explorations = explore_scopes(find_target("textbook"), (TINY, SMALL), told.append)
    assert len(explorations) == len(told) == 1
    assert told[0].endswith("; 3 faults")


class Grudge(Textbook):
    """Two refused operations in a row, of whatever kind, cost a block."""

    grudge = 0

    def refused(self) -> None:
        self.grudge += 1
        if self.grudge == 2 and self.free:
            self.free.pop()

    def allocate(self, name: Hashable, n_tokens: int) -> list[int]:
        if n_tokens < 0 or name in self.seqs:
            self.refused()
            raise ValueError("refused")
        self.grudge = 0
        return super().allocate(name, n_tokens)

    def fork(self, parent: Hashable, child: Hashable) -> list[int]:
        if parent in self.seqs and child in self.seqs:
            self.refused()
            raise ValueError("refused")
        self.grudge = 0
        return super().fork(parent, child)


def test_refused_operations_that_do_harm_together_only_are_found() -> None:
    target = ClassTarget("grudge", Grudge)
    found = found_in(target, Scope(2, 1, 1, 1))
    assert found
    assert "is lost: not free, no table holds it, not counted" in found[0].headline
    assert [step.agrees for step in found[0].steps] == [True, True, False]
    assert found[0].breaches[-1].endswith("was refused, yet changed the state")


class Picky(Textbook):
    def __init__(self, num_blocks: int, block_size: int) -> None:
        if num_blocks < 1:
            raise ValueError("no blocks")
        super().__init__(num_blocks, block_size)


def test_a_scope_whose_pool_the_target_does_not_make_is_left_out_and_told() -> None:
    told: list[str] = []
    target = ClassTarget("picky", Picky)
    explorations = explore_scopes(target, (Scope(0, 1, 1, 1), TINY), told.append)
    assert [exploration.scope for exploration in explorations] == [TINY]
    assert told[0].startswith("0 blocks of 1, 1 sequence, up to 1 token: left out: ")
    assert "make(0, 1): ValueError: no blocks" in told[0]


def test_if_no_scope_is_left_nothing_could_run() -> None:
    with pytest.raises(CouldNotRun, match="no blocks"):
        explore(ClassTarget("picky", Picky), (Scope(0, 1, 1, 1),))


class Mute:
    """The lesson's bare interface: no question is answered."""

    def __init__(self, num_blocks: int, block_size: int) -> None:
        self.inner = BlockManager(num_blocks, block_size)
        self.allocate, self.fork = self.inner.allocate, self.inner.fork
        self.append, self.release = self.inner.append, self.inner.release

    free = property(lambda self: self.inner.free)
    ref = property(lambda self: self.inner.ref)
    seqs = property(lambda self: self.inner.seqs)


def test_a_law_about_questions_is_not_judged_where_none_is_answered() -> None:
    judgement = explore(ClassTarget("mute", Mute), (TINY,))
    laws = {verdict.law for verdict in judgement.verdicts}
    assert laws == set(OF_CODE) - {"contents", "can", "questions", "self-check"}
    assert overall(judgement.verdicts) is Outcome.HELD


class CopyWithoutCount(Textbook):
    """The shared block that a copy replaces is still counted."""

    def append(self, name: Hashable) -> bool:
        before = self.seqs[name]["blocks"][-1:]
        copied = super().append(name)
        if copied:
            self.ref[before[0]] += 1
        return copied


def test_the_faults_of_explorations_are_told_worst_first() -> None:
    found = found_in(ClassTarget("copy", CopyWithoutCount), SMALL)
    assert [each.law for each in found][:2] == ["partition", "partition"]
    counted = next(each for each in found if each.law == "counts")
    assert counted.headline == "block 0 is counted twice, yet 'B' still holds it"
    assert len(counted.steps) == 3


def test_nothing_found_is_no_fault() -> None:
    assert Faults().traces() == []

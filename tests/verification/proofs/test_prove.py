from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from poolproof_model.invariants import INVARIANTS
from poolproof_model.system import RELEASE, TRANSITIONS, Refusal
from poolproof_verification.laws import LAWS
from poolproof_verification.proofs import obligations, prove
from poolproof_verification.proofs.canary import BUGS
from poolproof_verification.proofs.lemmas import A, n
from poolproof_verification.proofs.term import COUNT
from poolproof_verification.verdict import CouldNotRun, Evidence, Judgement, Outcome, overall


@cache
def all_of_it() -> Judgement:
    return prove()


def outcomes(judgement: Judgement) -> dict[str, Outcome]:
    return {verdict.law: verdict.outcome for verdict in judgement.verdicts}


def test_everything_is_proved() -> None:
    assert overall(all_of_it().verdicts) is Outcome.HELD
    assert {verdict.evidence for verdict in all_of_it().verdicts} == {Evidence.PROVED}
    assert set(outcomes(all_of_it())) <= set(LAWS)
    total = sum(verdict.count for verdict in all_of_it().verdicts)
    assert all_of_it().notes[0].startswith(f"{total} of {total} obligations proved of the model")


@pytest.mark.parametrize("seed", [1, 2])
def test_the_solver_s_seed_makes_no_difference(seed: int) -> None:
    assert outcomes(prove(seed=seed)) == outcomes(all_of_it())


def test_a_part_of_a_name_selects_obligations_and_their_lemmas() -> None:
    lines: list[str] = []
    judgement = prove("release preserves counts", progress=lines.append)
    assert lines[-1].startswith("release preserves counts: held (proved of the model, ")
    assert all(line.startswith("lemma ") for line in lines[:-1])
    assert overall(judgement.verdicts) is Outcome.HELD


def test_a_lemma_can_be_selected() -> None:
    lines: list[str] = []
    prove("distinct picks", progress=lines.append)
    assert lines[-1].startswith("lemma distinct picks need as many members: direct: held")


def test_a_name_of_nothing_is_an_error() -> None:
    with pytest.raises(CouldNotRun, match="no obligation has 'relase' in its name"):
        prove("relase")


def test_a_lemma_made_false_leaves_nothing_that_rests_on_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    natural, *others = obligations.BASICS
    wrong = replace(natural, statement=COUNT(A, n) >= 1)
    monkeypatch.setattr(obligations, "BASICS", (wrong, *others))
    judgement = prove()
    assert set(outcomes(judgement).values()) == {Outcome.UNKNOWN}
    assert "rests on the lemma 'count is natural'" in judgement.verdicts[0].detail


def test_what_never_fires_is_not_held() -> None:
    def impossible(state: object, sequence: object) -> object:
        return state.live(sequence) & (state.length(sequence) < 0)  # type: ignore[attr-defined]

    guards = ((Refusal.UNKNOWN, impossible),)
    never = replace(RELEASE, name="never", requirements=guards, admits=impossible)
    judgement = prove("never", transitions=(*TRANSITIONS, never))
    assert overall(judgement.verdicts) is Outcome.UNKNOWN
    assert "never fires in any state searched" in judgement.verdicts[0].detail


def test_a_bug_in_the_model_is_refuted_and_told() -> None:
    bug = next(bug for bug in BUGS if bug.wrong == "append writes into shared blocks")
    judgement = prove(timeout=1_000, transitions=bug.transitions)
    assert {law for law, outcome in outcomes(judgement).items() if outcome is not Outcome.HELD} == {
        "admission",
        "contents",
    }
    (broken,) = (verdict for verdict in judgement.verdicts if verdict.law == "contents")
    assert broken.outcome is Outcome.REFUTED
    assert broken.evidence is Evidence.CASES
    assert broken.counterexample in judgement.counterexamples
    assert "append(sequence='A', token=30)" in broken.detail


def test_what_is_neither_proved_nor_broken_is_unknown() -> None:
    weaker = tuple(clause for clause in INVARIANTS if clause.__name__ != "tables")
    judgement = prove("append: others keep their contents", invariants=weaker)
    assert outcomes(judgement)["contents"] is Outcome.UNKNOWN
    assert judgement.counterexamples == ()

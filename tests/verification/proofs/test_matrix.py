from __future__ import annotations

from dataclasses import replace
from functools import cache

from tests.verification.proofs.test_obligations import TRIM

from poolproof_model.invariants import INVARIANTS
from poolproof_model.system import TRANSITIONS, Transition
from poolproof_verification.proofs.matrix import GROUPS, as_json, grids, group_of, listing, matrix
from poolproof_verification.proofs.prove import results_of
from poolproof_verification.proofs.solve import Result
from poolproof_verification.proofs.unproved import refutations


@cache
def results() -> tuple[Result, ...]:
    return tuple(results_of())


def test_rows_are_transitions_and_columns_invariants() -> None:
    head, *rows = matrix(results())
    assert head.split() == [invariant.__name__ for invariant in INVARIANTS]
    assert [row.split()[0] for row in rows] == ["initially", *(each.name for each in TRANSITIONS)]
    assert all(row.count("held") == row.count(" ms") == len(INVARIANTS) for row in rows)


def test_what_was_not_tried_is_no_verdict() -> None:
    rows = list(matrix(results_of("fork preserves")))
    assert rows[1].split() == ["initially", *"------"]
    assert rows[3].count("held") == len(INVARIANTS)


def test_every_obligation_has_one_line_in_a_group() -> None:
    lines = list(listing(results()))
    assert [line.partition(":")[0] for line in lines if line[0] != " "] == list(GROUPS)
    assert sum(line[0] == " " for line in lines) == len(results())
    assert any(line.startswith("  release preserves reference counts: held, ") for line in lines)


def test_safety_goals_and_frames_stand_apart_from_postconditions() -> None:
    groups = {result.name: group_of(result.obligation) for result in results()}
    assert groups["release frees no held block"] == "safety goals"
    assert groups["append: writes only its own blocks"] == "safety goals"
    assert groups["append: others keep their contents"] == "frames"
    assert groups["append adds the token"] == "complete postconditions"
    assert groups["fork has no lawful choice elsewhere"] == "exact admission"
    assert groups["release's loop over blocks: step"] == "loops"


def test_as_data_nothing_is_left_out() -> None:
    data = as_json(results())
    assert [each["name"] for each in data] == [result.name for result in results()]
    assert {each["verdict"] for each in data} == {"held"}
    assert all(each["hypotheses"] or each["lemmas"] or "lemma" in each["name"] for each in data)


# --- a transition more gets its row ---------------------------------------------------------------


def row_of(transition: Transition) -> str:
    transitions = (*TRANSITIONS, transition)
    results: list[Result] = list(results_of(transition.name, transitions=transitions))
    refuted = refutations(results, transitions)
    return list(matrix(results, refuted, transitions))[-1]


def test_a_transition_more_gets_its_row_of_proofs() -> None:
    row = row_of(TRIM)
    assert row.startswith("trim ")
    assert row.count("held") == len(INVARIANTS)


def test_a_wrong_transition_more_gets_its_row_with_what_is_refuted() -> None:
    live, _ = TRIM.requirements
    row = row_of(replace(TRIM, requirements=(live,)))
    assert row.count("refuted") == 1
    column = [invariant.__name__ for invariant in INVARIANTS].index("lengths")
    assert row.replace(" ms", "").split()[1:][2 * column] == "refuted"


def test_the_matrix_is_an_exhibit_without_times() -> None:
    kept, others = grids(results())
    assert kept.columns == ("", *(invariant.__name__ for invariant in INVARIANTS))
    assert [row[0] for row in kept.rows] == ["initially", *(each.name for each in TRANSITIONS)]
    assert {cell for row in kept.rows for cell in row[1:]} == {"held"}
    assert len(kept.rows) * len(INVARIANTS) + len(others.rows) == len(results())
    later = [replace(each, milliseconds=each.milliseconds + 1) for each in results()]
    assert grids(later) == (kept, others)


def test_an_exhibit_says_what_was_not_tried_and_what_is_refuted() -> None:
    kept, _ = grids(results_of("fork preserves"))
    assert {cell for row in kept.rows if row[0] != "fork" for cell in row[1:]} == {"-"}
    lemma = next(each for each in results() if group_of(each.obligation) == "lemmas")
    broken = replace(lemma, proved=False, reason="no proof found")
    _, others = grids([broken], {broken.name})
    assert [row[1:] for row in others.rows] == [("lemmas", "refuted", "no proof found")]

from __future__ import annotations

import pytest
from tests.model.by_hand import TWO_SHARING, pool_of

from poolproof_model.execute import chosen
from poolproof_model.invariants import INVARIANTS, counts
from poolproof_model.promises import others_keep_their_contents
from poolproof_model.state import State
from poolproof_model.system import ALLOCATE, APPEND, FORK, TRANSITIONS, Transition
from poolproof_verification.laws import LAWS
from poolproof_verification.proofs.claims import (
    COMPONENTS,
    Step,
    claims_of,
    kinds_of,
    law_of,
    parameters_of,
    variables_of,
)


def test_what_a_name_ranges_over_is_read_off_its_annotation() -> None:
    assert variables_of(counts) == {"block": "Block"}
    assert variables_of(lambda state, thing: thing) == {"thing": "Count"}
    assert parameters_of(FORK) == {"parent": "Sequence", "child": "Sequence"}
    assert parameters_of(ALLOCATE)["prompt"] == "Callable[[Position], Token]"


@pytest.mark.parametrize(
    ("annotation", "kinds"),
    [
        ("Callable[[Sequence, Index], Block]", ("Sequence", "Index")),
        ("Callable[[Block], Row]", ("Block",)),
        ("Count", ()),
    ],
)
def test_a_component_s_arguments_are_read_off_its_annotation(
    annotation: str, kinds: tuple[str, ...]
) -> None:
    assert kinds_of(annotation) == kinds


def test_every_component_of_a_state_ranges_over_blocks_or_sequences_first() -> None:
    assert {kinds_of(component.type)[0] for component in COMPONENTS} == {"Block", "Sequence"}
    assert len(COMPONENTS) == len(State.__dataclass_fields__) - 4


def test_a_clause_belongs_to_its_law() -> None:
    assert law_of("append", "counts") == "counts"
    assert law_of("append", "holders") == "tables"
    assert law_of("release", "release_loses_no_block") == "release"
    assert law_of("append", "append_adds_the_token") == "promises"
    assert law_of("append", others_keep_their_contents.__name__) == "contents"


@pytest.mark.parametrize("transition", TRANSITIONS, ids=lambda transition: transition.name)
def test_a_transition_s_claims_have_names_of_their_own_and_laws(transition: Transition) -> None:
    claims = list(claims_of(transition, INVARIANTS))
    assert len({claim.name for claim in claims}) == len(claims)
    assert {claim.law for claim in claims} <= set(LAWS)


def test_a_step_touches_the_chosen_blocks_and_the_table_from_the_given_entry_on() -> None:
    before = pool_of(5, 4, **TWO_SHARING).state()  # A has [0, 1], B has [0, 2]
    appended = Step(APPEND, before, {"sequence": "A", "token": "f"}, chosen(()))
    forked = Step(FORK, before, {"parent": "A", "child": "C"}, chosen(()))
    allocated = Step(
        ALLOCATE, before, {"sequence": "C", "length": 5, "prompt": str}, chosen((4, 3))
    )
    touched = [
        [block for block in range(5) if step.touches(block)]
        for step in (appended, forked, allocated)
    ]
    assert touched == [[1], [0, 1], [3, 4]]

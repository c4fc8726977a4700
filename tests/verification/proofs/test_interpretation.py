from __future__ import annotations

import pytest
import z3

from poolproof_model.execute import empty_pool, step
from poolproof_model.system import ALLOCATE, FORK
from poolproof_verification.proofs.goals import Lemma
from poolproof_verification.proofs.interpretation import interpretation, is_valid, set_of
from poolproof_verification.proofs.lemmas import ENUMERATE, LEMMAS, PICK, PLACE, WITNESS
from poolproof_verification.proofs.symbols import any_state
from poolproof_verification.proofs.term import COUNT, DIV, MOD, MUL, bare

POOL = step(
    step(
        empty_pool(3, 2),
        ALLOCATE,
        {"sequence": 0, "length": 3, "prompt": lambda position: 10 + position},
        (2, 0),
    ),
    FORK,
    {"parent": 0, "child": 1},
    (),
)
MEANING = interpretation(POOL.state(), 3, {"token": 7}, {"token": "Token"}, (1,))


def value(term: object) -> str:
    return str(z3.simplify(MEANING.of(bare(term))))


def test_every_component_means_what_it_is() -> None:
    state = any_state()
    assert [value(state.free(block)) for block in range(3)] == ["False", "True", "False"]
    assert [value(state.block_at(1, index)) for index in range(3)] == ["2", "0", "-1"]
    assert [value(state.read(1, position)) for position in range(3)] == ["10", "11", "12"]
    assert [value(state.holds(sequence, 2)) for sequence in range(3)] == ["True", "True", "False"]
    assert value(state.num_free()) == "1"


def test_arguments_and_the_choice_mean_what_they_are() -> None:
    assert value(z3.Int("given token")) == "7"
    assert [value(PICK(0)), value(PICK(1)), value(PLACE(1)), value(PLACE(0))] == [
        "1", "-1", "0", "-1",
    ]  # fmt: skip


@pytest.mark.parametrize("number", [-3, -1, 0, 5])
def test_arithmetic_is_python_s(number: int) -> None:
    term = z3.IntVal(number)
    found = [value(function(term)) for function in (DIV, MOD, MUL)]
    assert found == [str(number // 2), str(number % 2), str(number * 2)]


def test_counting_is_plain_counting() -> None:
    members = set_of((0, 2))
    assert [value(COUNT(members, size)) for size in range(4)] == ["0", "1", "1", "2"]
    assert [value(ENUMERATE(members, 3, index)) for index in range(2)] == ["0", "2"]
    assert value(WITNESS(members, 3)) == "2"


@pytest.mark.parametrize("lemma", LEMMAS, ids=lambda lemma: lemma.name)
def test_every_lemma_holds_of_it(lemma: Lemma) -> None:
    assert is_valid(MEANING.of_lemma(lemma))


def test_what_is_false_or_open_is_not_valid() -> None:
    assert not is_valid(MEANING.of(COUNT(set_of((0,)), 3) == 2))
    assert not is_valid(z3.Int("unheard of") == 1)

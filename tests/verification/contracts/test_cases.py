"""Cases are small, admitted by the function's own precondition, and drawn by the seed."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from poolproof_verification.contracts import name_contracts, table_contracts
from poolproof_verification.contracts.cases import NoContract, precondition, shuffled, small_cases
from poolproof_verification.contracts.frame import THREE, THREE_POOLS


def test_every_case_is_admitted_and_none_comes_twice() -> None:
    cases = list(small_cases(THREE_POOLS)(name_contracts.allocate, Random(0)))
    admits = precondition(name_contracts.allocate)
    assert len(cases) > 1_000
    assert all(map(admits, cases))
    assert len({tuple(case.items()) for case in cases}) == len(cases)


def test_the_seed_decides_which_cases_come_first() -> None:
    def first(seed: int) -> list[object]:
        return list(islice(small_cases(THREE)(table_contracts.append, Random(seed)), 20))

    assert first(1) == first(1) != first(2)


@pytest.mark.parametrize("count", [0, 1, 7, 200])
def test_every_number_comes_once_in_an_order_of_its_own(count: int) -> None:
    orders = [list(shuffled(count, Random(seed))) for seed in range(3)]
    assert all(sorted(order) == list(range(count)) for order in orders)
    assert count < 7 or len({tuple(order) for order in orders}) == 3


def test_every_layout_is_among_the_cases() -> None:
    cases = small_cases(THREE)(table_contracts.append, Random(0))
    assert {case["layout"] for case in cases} == set(range(len(THREE)))


def test_a_function_without_a_precondition_has_no_cases() -> None:
    def bare(layout: int) -> bool:
        """Nothing is asked of it."""
        return True

    with pytest.raises(NoContract, match="bare has 0 lines `pre:`"):
        precondition(bare)

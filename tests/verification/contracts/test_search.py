"""Confirmed is only what has one condition and holds on every path; the rest is told apart."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from poolproof_verification.contracts.search import search


def doubled(count: int) -> bool:
    """Twice a number is no less than the number.

    pre: count >= 0
    post: _
    """
    return 2 * count >= count


def too_large(count: int, really: bool) -> bool:
    """No number is large.

    pre: count >= 0
    post: _
    """
    return count < 70_000 or not really


def fails(count: int) -> bool:
    """One number fails.

    pre: count >= 0
    post: _
    """
    if count == 12_345:
        raise KeyError("one number")
    return True


def fails_oddly(count: int) -> bool:
    """The error's text has a number that CrossHair cannot write.

    pre: count >= 0
    post: _
    """
    if count == 12_345:
        raise KeyError(count)
    return True


def impossible(count: int) -> bool:
    """No number is admitted.

    pre: (count < 0) & (count > 0)
    post: _
    """
    return False


def misspelt(count: int) -> bool:
    """The contract has a typing error.

    pre: count >= 0
    post : _
    """
    return False


def two_promises(count: int) -> bool:
    """There are two conditions.

    pre: count >= 0
    post: _
    post: _ is not None
    """
    return True


def test_a_true_contract_is_confirmed_on_every_path() -> None:
    found = search(doubled, 10.0)
    assert (found.state, found.confirmed, found.refuted) == ("CONFIRMED", True, False)
    assert found.paths >= 1


def test_its_canary_is_refuted() -> None:
    assert search(doubled, 10.0, canary=True).state == "POST_FAIL"


def test_a_counterexample_comes_as_plain_values() -> None:
    found = search(too_large, 10.0)
    assert found.refuted
    assert found.counterexample is not None
    count, really = found.counterexample.values()
    assert (type(count), type(really)) == (int, bool)
    assert isinstance(count, int) and isinstance(really, bool)
    assert not too_large(count, really)


def test_an_error_is_a_refutation() -> None:
    found = search(fails, 10.0)
    assert (found.state, found.counterexample) == ("EXEC_ERR", {"count": 12_345})


def test_a_failure_of_crosshair_is_neither() -> None:
    found = search(fails_oddly, 10.0)
    assert not found.confirmed
    assert found.refuted or found.state.startswith("CrossHair failed")


def test_a_precondition_that_admits_nothing_confirms_nothing() -> None:
    found = search(impossible, 5.0)
    assert not found.confirmed
    assert not found.refuted


def no_contract(count: int) -> bool:
    """Nothing is promised."""
    return False


@pytest.mark.parametrize("function", [misspelt, two_promises, no_contract])
def test_what_is_not_exactly_one_contract_is_not_checked(function: Callable[..., bool]) -> None:
    found = search(function, 5.0)
    assert found.state.startswith("nothing checked")
    assert not found.confirmed
    assert not search(function, 5.0, canary=True).refuted


def test_without_time_nothing_is_confirmed() -> None:
    assert not search(doubled, 0.0).confirmed

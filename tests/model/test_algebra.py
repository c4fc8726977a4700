from __future__ import annotations

import pytest

from poolproof_model.algebra import absent, at, choose, implies, one_if, row_at, within

TRUTHS = (False, True)


class Unknown:
    """A value that is not known yet: it writes down what is asked of it, and is never tested."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __bool__(self) -> bool:
        raise AssertionError(f"{self} was tested")

    def __str__(self) -> str:
        return self.text

    def choose(self, then: object, otherwise: object) -> Unknown:
        return Unknown(f"({self} ? {then} : {otherwise})")

    def negated(self) -> Unknown:
        return Unknown(f"not {self}")

    def __eq__(self, other: object) -> Unknown:  # type: ignore[override]  # as a solver's term does
        return Unknown(f"{self} = {other}")

    def __ge__(self, other: int) -> Unknown:
        return Unknown(f"{self} >= {other}")

    def __lt__(self, other: int) -> Unknown:
        return Unknown(f"{self} < {other}")

    def __and__(self, other: Unknown) -> Unknown:
        return Unknown(f"({self} and {other})")

    def __or__(self, other: Unknown | bool) -> Unknown:
        return Unknown(f"({self} or {other})")


def test_a_choice_follows_its_condition() -> None:
    assert choose(True, "then", "otherwise") == "then"
    assert choose(False, "then", "otherwise") == "otherwise"


def test_absent_is_the_opposite() -> None:
    assert [absent(truth) for truth in TRUTHS] == [True, False]


def test_only_a_true_premise_asks_anything_of_the_conclusion() -> None:
    table = {(p, c): implies(p, c) for p in TRUTHS for c in TRUTHS}
    assert [pair for pair, holds in table.items() if not holds] == [(True, False)]


def test_one_if_counts_a_truth() -> None:
    assert [one_if(truth) for truth in TRUTHS] == [0, 1]


def test_within_holds_from_zero_up_to_but_not_at_the_end() -> None:
    assert [value for value in range(-3, 9) if within(value, 4)] == [0, 1, 2, 3]
    assert not any(within(value, 0) for value in range(-3, 3))


def test_a_function_changes_at_one_point_only() -> None:
    changed = at(lambda x: x * 10, 3, "new")
    assert [changed(x) for x in range(5)] == [0, 10, 20, "new", 40]


def test_a_function_of_two_arguments_changes_in_one_row_only() -> None:
    changed = row_at(lambda x, y: (x, y), "b", lambda y: f"new {y}")
    assert (changed("a", 1), changed("b", 1), changed("b", 2)) == (("a", 1), "new 1", "new 2")


def test_functions_may_be_changed_again_and_again() -> None:
    function = at(at(lambda x: 0, 1, "first"), 1, "second")
    assert (function(1), function(2)) == ("second", 0)


UNKNOWN = (
    (choose(Unknown("p"), 1, 2), "(p ? 1 : 2)"),
    (absent(Unknown("p")), "not p"),
    (implies(Unknown("p"), Unknown("q")), "(not p or q)"),
    (implies(Unknown("p"), False), "(not p or False)"),
    (one_if(Unknown("p")), "(p ? 1 : 0)"),
    (within(Unknown("x"), 5), "(x >= 0 and x < 5)"),
    (at(lambda x: f"old {x}", Unknown("s"), "new")(Unknown("x")), "(x = s ? new : old x)"),
    (
        row_at(lambda x, y: f"old {y}", Unknown("s"), lambda y: f"new {y}")(Unknown("x"), 7),
        "(x = s ? new 7 : old 7)",
    ),
)


@pytest.mark.parametrize(("value", "text"), UNKNOWN, ids=[text for _, text in UNKNOWN])
def test_what_is_not_known_yet_is_asked_and_never_tested(value: Unknown, text: str) -> None:
    assert value.text == text

"""A scope's menu has everything worth trying, and nothing that the target does not promise."""

from __future__ import annotations

from poolproof import BlockManager
from poolproof_verification.operations import OPERATIONS, Operation, wrong_type
from poolproof_verification.scopes import SCOPES, UNKNOWN_NAME, Scope, menu, offered, worth_trying
from poolproof_verification.targets import ClassTarget
from poolproof_verification.textbook import Textbook

SMALL = Scope(total=2, sequences=2, block_size=2, tokens=3)


def test_the_menu_has_every_operation_on_every_name() -> None:
    seen = {
        (each.name, each.arguments[0])
        for each in menu(SMALL)
        if not wrong_type(each)
        if each.arguments
    }
    for name in ("A", "B"):
        assert {operation for operation, first in seen if first == name} == {*OPERATIONS} - {
            "release_all"
        }
    assert {operation for operation, first in seen if first == UNKNOWN_NAME} == {
        "fork",
        "append",
        "release",
        "grow",
    }
    assert Operation("release_all") in list(menu(SMALL))


def test_allocations_have_every_length_and_one_beyond_the_pool() -> None:
    lengths = [
        each.arguments[1]
        for each in menu(SMALL)
        if each.name == "allocate" and each.arguments[0] == "A" and not wrong_type(each)
    ]
    assert lengths == [-1, 0, 1, 2, 3, 5]


def test_growths_cross_a_block_and_the_pool() -> None:
    growths = {each.arguments[1] for each in menu(SMALL) if each.name == "grow"}
    assert growths >= {-1, 0, 1, 3, 5}


def test_a_fork_may_name_its_own_parent_an_unknown_one_or_a_live_child() -> None:
    forks = [each.arguments for each in menu(SMALL) if each.name == "fork" and not wrong_type(each)]
    assert sorted(forks) == sorted((a, b) for a in ("A", "B", "Z") for b in ("A", "B"))


def test_wrong_types_are_offered_only_to_who_promises_to_refuse_them() -> None:
    shipped = list(offered(ClassTarget("poolproof", BlockManager).make(2, 2), SMALL))
    foreign = list(offered(ClassTarget("textbook", Textbook).make(2, 2), SMALL))
    assert {each.name for each in shipped if wrong_type(each)} == {*OPERATIONS} - {"release_all"}
    assert not any(map(wrong_type, foreign))


def test_what_is_left_out_is_refused_for_its_name_whatever_the_number() -> None:
    operations, live = list(menu(SMALL)), frozenset({"A"})
    tried = set(map(str, worth_trying(operations, SMALL, live)))
    left_out = [each for each in operations if str(each) not in tried]
    for operation in left_out:
        name, count = operation.arguments
        in_use = operation.name == "allocate"
        assert (name in live) == in_use
        assert count >= 0
    assert {each.name for each in left_out} == {"allocate", "grow"}
    for call in ("allocate('A', -1)", "allocate('A', 1)", "allocate('A', 5)", "grow('B', -1)"):
        assert call in tried
    assert {"allocate('A', 0)", "grow('Z', 2)"}.isdisjoint(tried)


def test_an_operation_that_the_target_lacks_is_not_offered() -> None:
    offer = {each.name for each in offered(ClassTarget("t", Textbook).make(2, 2), SMALL)}
    assert offer == {*OPERATIONS} - {"grow"}


def test_a_scope_is_told_in_words() -> None:
    assert str(SMALL) == "2 blocks of 2, 2 sequences, up to 3 tokens"
    assert SMALL.names == ("A", "B")


def test_the_scopes_have_an_empty_pool_shared_blocks_and_more_than_one_slot() -> None:
    assert any(scope.total == 0 for scope in SCOPES)
    assert any(scope.sequences >= 3 and scope.block_size > 1 for scope in SCOPES)
    assert any(scope.tokens > 2 * scope.block_size > 2 for scope in SCOPES)

"""A manager that gives its own list away is found out by writing into it."""

from __future__ import annotations

from poolproof import BlockManager, Growth
from poolproof_verification.operations import Operation, View
from poolproof_verification.returned import SCRIBBLE, keep_and_scribble, without_scribble


def test_the_copy_is_clean_and_the_returned_list_is_scribbled_upon() -> None:
    blocks = [0, 1]
    assert keep_and_scribble(blocks) == [0, 1]
    assert blocks == [SCRIBBLE] * 3


def test_lists_inside_a_growth_are_scribbled_upon_too() -> None:
    growth = Growth([2], (0, 1))
    assert keep_and_scribble(growth) == ([2], (0, 1))
    assert growth.blocks == [SCRIBBLE] * 2


def test_what_is_no_list_is_kept_as_it_is() -> None:
    assert keep_and_scribble(True) is True
    assert keep_and_scribble(None) is None


def test_a_scribble_in_the_state_is_taken_out_and_blamed_on_the_operation() -> None:
    right = View([1], {0: 1}, {"A": {"blocks": [0], "len": 1}})
    for blocks in ([0, SCRIBBLE], [SCRIBBLE, SCRIBBLE], [SCRIBBLE]):  # the whole, or a part of it
        shown = View([1], {0: 1}, {"A": {"blocks": blocks, "len": 1}})
        cleaned, (breach,) = without_scribble(Operation("allocate", ("A", 1)), [0], shown)
        assert cleaned == right
    assert breach.law == "tables"
    assert breach.words.startswith("allocate('A', 1) returned a list of the manager's own")
    assert breach.asserted == (
        f"returned = manager.allocate('A', 1)\nreturned[:] = [{SCRIBBLE}] * (len(returned) + 1)"
    )


def test_the_list_inside_a_growth_is_named_in_the_test() -> None:
    shown = View([SCRIBBLE], {}, {})
    cleaned, (breach,) = without_scribble(Operation("grow", ("A", 1)), ([3], None), shown)
    assert cleaned.free == [3]
    assert breach.asserted.endswith(f"returned[0][:] = [{SCRIBBLE}] * (len(returned[0]) + 1)")


def test_a_clean_state_is_left_alone() -> None:
    shown = View([0], {}, {})
    assert without_scribble(Operation("release", ("A",)), [], shown) == (shown, [])


def test_the_shipped_manager_gives_nothing_of_its_own_away() -> None:
    manager = BlockManager(6, 2)
    for returned in (manager.allocate("A", 3), manager.fork("A", "B"), manager.grow("B", 3)):
        keep_and_scribble(returned)
    keep_and_scribble(manager.release("A"))
    assert manager.seqs == {"B": {"blocks": [0, 2, 3], "len": 6}}
    assert manager.check_invariants()

"""A test without block numbers fails on a wrong manager and passes on whatever right one."""

from __future__ import annotations

import pytest
from tests.verification.faulty_managers import CanAppendLies, LosesBlockAtTheStart, NeverFrees

from poolproof import BlockManager
from poolproof_verification.beside_model import BesideModel
from poolproof_verification.targets import ClassTarget


def lived(manager_class: type) -> None:
    pool = BesideModel(ClassTarget("house", manager_class), 2, 2)
    pool.allocate("A", 2)
    pool.append("Z")  # which must be refused
    pool.release("A")


def test_a_right_manager_passes() -> None:
    lived(BlockManager)


@pytest.mark.parametrize(
    ("manager_class", "words"),
    [
        (NeverFrees, "partition: block 0 is lost"),
        (LosesBlockAtTheStart, "partition: block 0 is lost"),
        (CanAppendLies, "can: "),
    ],
)
def test_a_wrong_manager_fails_with_what_is_broken(manager_class: type, words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        lived(manager_class)

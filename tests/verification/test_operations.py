"""Operations, responses and views read as an engineer writes them."""

from __future__ import annotations

import pytest

from poolproof import BlockManager
from poolproof_model.execute import empty_pool
from poolproof_model.system import Refusal
from poolproof_verification.operations import (
    Accepted,
    Failed,
    Operation,
    Refused,
    View,
    is_name,
    names_in,
    view_of,
)
from poolproof_verification.oracle import carry_out


def test_an_operation_reads_as_code() -> None:
    assert str(Operation("allocate", ("A", 3))) == "allocate('A', 3)"
    assert str(Operation("release_all")) == "release_all()"


def test_the_sequences_named_come_in_the_order_of_their_first_use() -> None:
    operations = [Operation("fork", ("B", "A")), Operation("grow", ("C", 1))]
    assert names_in([*operations, Operation("append", ("A",))]) == ("B", "A", "C")


def test_neither_a_number_nor_a_text_in_its_place_is_a_name() -> None:
    assert names_in([Operation("allocate", ("A", "1")), Operation("grow", ([], 2))]) == ("A",)
    assert not is_name(Operation("allocate", ("A", "1")), 1)


@pytest.mark.parametrize(
    ("response", "words"),
    [
        (Accepted([0, 1]), "[0, 1]"),
        (Refused(Refusal.EXISTS), "refused: the name is in use"),
        (Refused(None, KeyError("A")), "refused: KeyError: 'A'"),
        (
            Refused(Refusal.OUT_OF_BLOCKS, MemoryError("2 asked,\n1 free")),
            "refused: too few free blocks: MemoryError: 2 asked, 1 free",
        ),
        (Refused(None, ""), "refused"),
        (Failed("RuntimeError: half way"), "failed: RuntimeError: half way"),
    ],
    ids=str,
)
def test_a_response_is_told_in_a_line(response: object, words: str) -> None:
    assert str(response) == words


def test_a_view_is_one_line_of_free_blocks_tables_and_counts() -> None:
    view = View([2], {0: 2, 1: 1}, {"A": {"blocks": [0], "len": 1}, "B": {"blocks": [], "len": 0}})
    assert str(view) == "free [2] | A [0] 1 token; B [] 0 tokens | counts {0: 2, 1: 1}"
    assert str(View([], {}, {})) == "free [] | no sequence | counts {}"


def test_the_models_view_is_the_managers() -> None:
    pool, manager = empty_pool(5, 2), BlockManager(5, 2)
    for operation in (
        Operation("allocate", ("A", 3)),
        Operation("fork", ("A", "B")),
        Operation("append", ("B",)),
        Operation("release", ("A",)),
    ):
        pool, _ = carry_out(pool, operation)
        getattr(manager, operation.name)(*operation.arguments)
        assert view_of(pool) == (manager.free, manager.ref, manager.seqs)

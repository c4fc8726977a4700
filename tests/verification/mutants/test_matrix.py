"""The matrix tells which method finds which bug, and a bug that none finds is a fault."""

from __future__ import annotations

from dataclasses import replace

import pytest

from poolproof_verification.mutants import mutant_named
from poolproof_verification.mutants.matrix import PATIENCE, SHIPPED, Cell, Matrix, Row, cell, matrix
from poolproof_verification.mutants.methods import Found
from poolproof_verification.scopes import Scope

SOON = Cell("explore", 1, 1, 0.25, 3, "words")
NEVER = Cell("contracts", 1, 0)
ROW = Row("a_bug", "counts", "something is wrong", False, "", (SOON, NEVER))
HEALTHY = Row(SHIPPED, "", "", False, "", (replace(SOON, found=0), NEVER))


def of(*rows: Row, shipped: Row | None = None) -> Matrix:
    return Matrix(("explore", "contracts"), rows, shipped)


def test_a_bug_is_refuted_by_one_method_with_every_seed_in_time() -> None:
    assert SOON.refuted and not NEVER.refuted
    assert not replace(SOON, tried=3, found=2).refuted
    assert not replace(SOON, seconds=10.5).refuted
    assert ROW.refuted and ROW.by("explore") and not ROW.by("contracts")


def test_a_bug_that_escapes_is_a_fault() -> None:
    assert of(ROW).faults() == ()
    escaped = replace(ROW, cells=(replace(SOON, tried=3, found=2), NEVER))
    assert of(escaped).faults() == ("a_bug escapes: something is wrong",)


def test_a_bug_beyond_a_large_number_must_be_refuted_by_the_contracts() -> None:
    assert of(replace(ROW, unbounded=True)).faults() == ("a_bug escapes the contracts",)
    proper = replace(ROW, unbounded=True, cells=(SOON, replace(SOON, method="contracts")))
    assert of(proper).faults() == ()


def test_a_method_that_refutes_everything_or_nothing_is_a_fault() -> None:
    assert of(ROW, shipped=HEALTHY).faults() == ("contracts refutes nothing",)
    false = replace(HEALTHY, cells=(SOON, NEVER))
    assert "explore refutes the shipped manager: words" in of(ROW, shipped=false).faults()


def test_the_table_has_seconds_and_operations_or_a_dash() -> None:
    head, row, shipped, foot = of(ROW, shipped=HEALTHY).lines()
    assert head.split()[-2:] == ["explore", "contracts"]
    assert row.split() == ["a_bug", "counts", "0.25", "s,", "3", "-"]
    assert shipped.startswith(SHIPPED)
    assert foot.split()[-6:] == ["1", "of", "1", "0", "of", "1"]


def test_the_same_as_plain_data() -> None:
    data = of(ROW).as_json()
    assert data["refuted_by"] == {"explore": 1, "contracts": 0}
    assert data["rows"][0]["cells"][0]["length"] == 3
    assert data["rows"][0]["refuted"] is True


def test_random_methods_are_tried_with_every_seed_up_to_one_that_misses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried: list[tuple[str, int]] = []

    def hunting(
        method: str, manager: type, seed: int, seconds: float, shorten: bool
    ) -> Found | None:
        tried.append((method, seed))
        assert shorten is (len(tried) in (1, 4, 5))
        return Found(seed / 10, 4 - seed, f"seed {seed}") if seed < 2 else None

    monkeypatch.setattr("poolproof_verification.mutants.matrix.hunt", hunting)
    bug = mutant_named("fork_shares_list")
    assert cell((bug, "random", (0, 1, 2, 3))) == Cell("random", 3, 2, 0.1, 4, "seed 0")
    assert cell((bug, "explore", (0, 1, 2))) == Cell("explore", 1, 1, 0.0, 4, "seed 0")
    assert cell((None, "machine", (5, 6))) == Cell("machine", 1, 0)
    assert tried == [("random", 0), ("random", 1), ("random", 2), ("explore", 0), ("machine", 5)]


def test_some_bugs_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("poolproof_verification.mutants.methods.SMALL_SCOPES", (Scope(2, 2, 1, 2),))
    monkeypatch.setitem(PATIENCE, "random", 0.2)
    told: list[str] = []
    names = ("release_frees_early", "leak_and_double_count_cancel")
    found = matrix(
        [mutant_named(name) for name in names],
        ("explore", "random", "asking"),
        seeds=(0, 1),
        progress=told.append,
        workers=0,
        control=False,
    )
    assert found.faults() == ()
    assert [[cell.refuted for cell in row.cells] for row in found.rows] == [
        [True, True, False],
        [False, False, True],
    ]
    assert len(told) == 6

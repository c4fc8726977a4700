"""A patch applies exactly once or fails loudly, and loads beside the real package."""

from __future__ import annotations

import inspect
import sys
from dataclasses import replace

import pytest

import poolproof
from poolproof_verification.mutants import Mutant, StalePatch, load, mutant_named
from poolproof_verification.mutants.patches import patched

BUG = mutant_named("fork_shares_list")


@pytest.mark.parametrize(
    ("mutant", "words"),
    [
        (replace(BUG, name="gone", old="no such text"), "'gone': its text occurs 0 times"),
        (replace(BUG, name="many", old="self._pool"), "'many': its text occurs "),
        (replace(BUG, name="nowhere", file="no_such_file.py"), "poolproof/no_such_file.py"),
        (replace(BUG, name="idle", new=BUG.old), "'idle': its text occurs 1 times"),
        (replace(BUG, name="garbled", new="("), "'garbled' does not compile"),
    ],
    ids=lambda value: value.name if isinstance(value, Mutant) else "",
)
def test_a_patch_that_does_not_apply_names_its_mutant(mutant: Mutant, words: str) -> None:
    with pytest.raises(StalePatch, match=words):
        load(mutant)


def test_the_mutant_is_a_class_of_its_own_and_the_real_one_stays_as_it_was() -> None:
    buggy = load(BUG)
    assert buggy is not poolproof.BlockManager
    assert buggy.__module__ == "poolproof_mutant_fork_shares_list.block_manager"
    real = poolproof.BlockManager(2, 1)
    real.allocate("a", 1)
    real.fork("a", "b")
    real.append("a")
    assert real.table("b") == [0]


def test_the_mutant_uses_nothing_of_the_real_package() -> None:
    load(BUG)
    modules = [
        module for name, module in sys.modules.items() if name.partition(".")[0] == BUG.package
    ]
    assert len(modules) > 5
    for module in modules:
        for value in vars(module).values():
            home = getattr(value, "__module__", None) or ""
            assert home.partition(".")[0] != "poolproof"


def test_the_mutants_errors_have_the_same_builtin_ancestors() -> None:
    manager = load(BUG)(1, 1)
    with pytest.raises(MemoryError):
        manager.allocate("a", 2)
    with pytest.raises(KeyError):
        manager.release("a")
    manager.allocate("a", 0)
    with pytest.raises(ValueError, match="exists already"):
        manager.allocate("a", 0)


def test_only_the_patched_file_differs_but_for_its_imports() -> None:
    text = patched(BUG)
    assert BUG.new in text[BUG.file]
    assert BUG.old not in text[BUG.file]
    for file, body in text.items():
        if file != BUG.file:
            real = sys.modules.get(f"poolproof.{file.removesuffix('.py')}", poolproof)
            assert body.replace(BUG.package, "poolproof") == inspect.getsource(real)


def test_a_mutant_is_loaded_once() -> None:
    assert load(BUG) is load(BUG)

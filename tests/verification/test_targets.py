"""A target is found by name, or one line says why not."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from poolproof import BlockManager
from poolproof_model.system import Refusal
from poolproof_verification import targets
from poolproof_verification.adapters.example import ExampleAdapter
from poolproof_verification.limits import made
from poolproof_verification.targets import GROUP, AdapterTarget, ClassTarget, find_target
from poolproof_verification.textbook import Textbook
from poolproof_verification.verdict import CouldNotRun

MODULE = "pools_of_the_target_tests"
SOURCE = """
from poolproof_verification.textbook import Textbook as Right

NOT_A_CLASS = 7
Renamed = Right


class Raises:
    def __init__(self, num_blocks, block_size):
        raise RuntimeError("no pool\\ntoday")


class Exits:
    def __init__(self, num_blocks, block_size):
        raise SystemExit(0)


class Bare:
    def __init__(self, num_blocks, block_size):
        pass

    def allocate(self, name, n_tokens):
        pass


class NoArguments:
    pass


class Adapted:
    name = "adapted"

    def make(self, total, block_size):
        from poolproof_verification.adapters.example import Example

        return Example().make(total, block_size)


class Lacking(Adapted):
    def make(self, total, block_size):
        return object()


class Mute(Adapted):
    def make(self, total, block_size):
        adapter = super().make(total, block_size)
        adapter.view = adapter.call = None
        return adapter


class Uninstalled(Adapted):
    def make(self, total, block_size):
        from poolproof_verification.verdict import CouldNotRun

        raise CouldNotRun("the engine is not installed")


class Picky(Adapted):
    def make(self, total, block_size):
        if block_size < 16:
            raise ValueError("blocks of 16 or more")
        return super().make(total, block_size)


class Unmade(Adapted):
    def __init__(self):
        raise RuntimeError("not today")


instance = Adapted()


class Angry(Right):
    @property
    def num_free(self):
        raise RuntimeError("do not ask")


class Silent(type):
    def __getattribute__(cls, name):
        raise RuntimeError("no comment")


class Closed(metaclass=Silent):
    pass


def __getattr__(name):
    if name == "Lazy":
        raise RuntimeError("not loaded")
    raise AttributeError(name)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a module of managers in it."""
    (tmp_path / f"{MODULE}.py").write_text(SOURCE)
    (tmp_path / "broken_of_the_target_tests.py").write_text("def (:\n")
    (tmp_path / "failing_of_the_target_tests.py").write_text("None.nothing\n")
    (tmp_path / "leaving_of_the_target_tests.py").write_text("raise SystemExit(0)\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, MODULE, raising=False)
    return tmp_path


def class_target(name: str) -> ClassTarget:
    target = find_target(name)
    assert isinstance(target, ClassTarget)
    return target


def refused(name: str) -> str:
    with pytest.raises(CouldNotRun) as caught:
        find_target(name)
    words = str(caught.value)
    assert len(words.splitlines()) == 1
    return words


@pytest.mark.parametrize(
    ("name", "manager_class"), [("poolproof", BlockManager), ("textbook", Textbook)]
)
def test_the_built_in_targets_go_by_a_word(name: str, manager_class: type) -> None:
    target = class_target(name)
    assert (target.name, target.manager_class) == (name, manager_class)
    assert target.make(3, 2).view().free == [0, 1, 2]


@pytest.mark.parametrize("name", ["", "nothing", ":", "a:", ":b", "house.Manager"])
def test_an_unknown_name_is_told_with_the_choices(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(targets, "brought_targets", lambda: {"vllm": None, "engine": None})
    assert refused(name) == (
        f"unknown target {name!r}: give one of poolproof, textbook, engine, vllm, "
        "or package.module:Class"
    )


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (
            "no_such_module:Pool",
            "no_such_module does not import: ModuleNotFoundError: No module named 'no_such_module'",
        ),
        (f"{MODULE}:Absent", f"module {MODULE} has no Absent"),
        (f"{MODULE}:NOT_A_CLASS", "NOT_A_CLASS is no class, but 7"),
        (f"{MODULE}:Raises", "Class(num_blocks=2, block_size=1): RuntimeError: no pool today"),
        (f"{MODULE}:Exits", "Class(num_blocks=2, block_size=1): SystemExit: 0"),
        (f"{MODULE}:Lacking", "adapter object lacks call, agrees, ask, view"),
        (f"{MODULE}:Mute", "adapter ExampleAdapter lacks call, view"),
        (f"{MODULE}:Uninstalled", "the engine is not installed"),
        (f"{MODULE}:Unmade", "Unmade(): RuntimeError: not today"),
        (f"{MODULE}:Closed", "Closed.make: RuntimeError: no comment"),
        (f"{MODULE}:Lazy", f"{MODULE}.Lazy: RuntimeError: not loaded"),
        (f"{MODULE}:NoArguments", "Class(num_blocks=2, block_size=1): TypeError: "),
        ("broken_of_the_target_tests:Pool", "does not import: SyntaxError: "),
        ("failing_of_the_target_tests:Pool", "does not import: AttributeError: "),
        ("leaving_of_the_target_tests:Pool", "does not import: SystemExit: 0"),
        ("..:Pool", ".. does not import: "),
    ],
)
@pytest.mark.usefixtures("folder")
def test_what_is_wrong_with_a_target_is_told_in_one_line(name: str, words: str) -> None:
    told = refused(name)
    assert told.startswith(f"target {name!r}: ")
    assert words in told


@pytest.mark.usefixtures("folder")
def test_missing_attributes_are_told_by_name() -> None:
    name = f"{MODULE}:Bare"
    assert refused(name) == f"target {name!r} lacks fork, append, release, free, ref, seqs"


@pytest.mark.usefixtures("folder")
def test_a_class_in_the_current_folder_is_found() -> None:
    target = class_target(f"{MODULE}:Renamed")
    assert target.manager_class.__name__ == "Textbook"
    assert target.import_line == f"from {MODULE} import Renamed"
    assert target.class_name == "Renamed"


@pytest.mark.usefixtures("folder")
def test_a_property_that_raises_is_there_all_the_same() -> None:
    target = class_target(f"{MODULE}:Angry")
    assert "num_free" in target.interface.questions


def test_the_shipped_class_is_imported_from_its_package() -> None:
    assert find_target("poolproof").import_line == "from poolproof import BlockManager"
    assert find_target("poolproof").class_name == "BlockManager"


def test_a_pool_that_is_not_made_could_not_run() -> None:
    with pytest.raises(CouldNotRun, match="make\\(-1, 1\\): ValueError"):
        made(ClassTarget("poolproof", BlockManager), -1, 1)


def test_each_manager_is_a_fresh_one() -> None:
    target = find_target("textbook")
    one, other = target.make(2, 1), target.make(2, 1)
    one.manager.allocate("A", 1)
    assert other.view().free == [0, 1]


@pytest.mark.parametrize("attribute", ["Adapted", "instance", "Picky"])
@pytest.mark.usefixtures("folder")
def test_a_target_with_an_adapter_is_found_as_a_class_and_as_an_instance(attribute: str) -> None:
    target = find_target(f"{MODULE}:{attribute}")
    assert isinstance(target, AdapterTarget)
    assert target.traits.reserved == {0}
    assert not target.traits.shows_free_blocks
    assert isinstance(target.make(4, 16), ExampleAdapter)
    assert target.import_line == "from poolproof_verification.targets import find_target"
    assert target.class_name == f"find_target('{MODULE}:{attribute}').manager"
    assert target.manager(4, 16).allocate("A", 3) == [4]


@pytest.fixture
def brought(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Some package brings targets."""
    found = [
        EntryPoint("house", f"{MODULE}:Adapted", GROUP),
        EntryPoint("lesson", f"{MODULE}:Renamed", GROUP),
        EntryPoint("gone", "no_such_module:Pool", GROUP),
    ]
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setattr(targets, "entry_points", lambda group: found if group == GROUP else [])


@pytest.mark.usefixtures("brought")
def test_a_package_brings_targets_by_name() -> None:
    assert isinstance(find_target("house"), AdapterTarget)
    lesson = find_target("lesson")
    assert isinstance(lesson, ClassTarget)
    assert lesson.manager_class is Textbook
    words = "target 'gone': no_such_module:Pool does not load: ModuleNotFoundError: "
    assert refused("gone").startswith(words)
    choices = "give one of poolproof, textbook, gone, house, lesson, or package.module:Class"
    assert choices in refused("nothing")


@pytest.mark.usefixtures("folder")
def test_a_built_in_name_comes_first_and_is_listed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [EntryPoint("poolproof", f"{MODULE}:Adapted", GROUP)]
    monkeypatch.setattr(targets, "entry_points", lambda group: found)
    assert class_target("poolproof").manager_class is BlockManager
    told = refused("nothing")
    assert "give one of poolproof, textbook, or package.module:Class; " in told
    assert f"the poolproof of '{MODULE}:Adapted' goes by that only: the name is built in" in told


def test_the_traits_of_a_class_are_what_it_has() -> None:
    traits = find_target("textbook").traits
    assert traits.questions == {"used", "check_invariants"}
    assert traits.undefined == {Refusal.WRONG_TYPE}
    assert traits.shows_counts and traits.shows_free_blocks and not traits.any_free_block
    assert find_target("poolproof").traits.undefined == frozenset()

"""A failure is told with the line of the adapter or manager where it was raised, and no path."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable, Hashable
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import pytest

from poolproof_model.system import Refusal
from poolproof_verification.adapters.adapter import UnreadableView
from poolproof_verification.adapters.example import Example, ExampleAdapter, LastInFirstOut
from poolproof_verification.adapters.lesson import LessonAdapter, interface_of
from poolproof_verification.limits import Guarded
from poolproof_verification.operations import Failed, Operation, Refused
from poolproof_verification.places import Place, place_of, raised_at
from poolproof_verification.targets import AdapterTarget
from poolproof_verification.textbook import Textbook

HERE = Path(__file__).name
LINES = Path(__file__).read_text(encoding="utf-8").splitlines()
APPEND = Operation("append", ("A",))


def at(mark: str) -> str:
    """Where the line with this mark is."""
    return f"{HERE}:{1 + next(i for i, line in enumerate(LINES) if line.endswith(f'# {mark}'))}"


class Broken(Textbook):
    def append(self, name: Hashable) -> bool:
        return self.inner() if name == "A" else bool(json.loads("{"))  # outside

    def inner(self) -> bool:
        return 1 // len(self.seqs) > 1  # inside


def guarded(**methods: Callable[..., Any]) -> Guarded:
    adapter = LessonAdapter(manager := Broken(2, 1), interface_of(manager))
    for name, method in methods.items():
        setattr(adapter, name, method)
    return Guarded(adapter)


def fails(*arguments: Any) -> Any:
    raise RuntimeError("half way")  # raised


def hides(*arguments: Any) -> Any:
    try:
        fails()
    except RuntimeError as error:
        raise UnreadableView("no state") from error


def endless(*arguments: Any) -> Any:
    return endless(*arguments)


def test_the_last_line_of_the_manager_is_told_and_none_of_the_library() -> None:
    manager = guarded()
    answer = str(manager.call(APPEND))
    assert answer.startswith("failed: ZeroDivisionError: ")
    assert answer.endswith(f", at {at('inside')}")
    refused = manager.call(Operation("append", ("B",)))
    assert isinstance(refused, Refused)  # a JSONDecodeError is a ValueError: nothing to be told
    assert HERE not in str(refused)


def test_whatever_method_of_an_adapter_fails_its_line_is_told() -> None:
    bad = guarded(call=fails, ask=fails, agrees=fails, view=fails)
    words = f"RuntimeError: half way, at {at('raised')}"
    assert str(bad.call(APPEND)) == str(bad.ask("used")) == f"failed: {words}"
    assert bad.denial(Refusal.UNKNOWN, Refused(None)).endswith(f"agrees() says: {words}")
    for view, told in ((fails, words), (hides, f"no state, at {at('raised')}")):
        with pytest.raises(UnreadableView) as error:
            guarded(view=view).view()
        assert str(error.value) == told


def test_one_failure_in_two_places_is_one() -> None:
    assert Failed("no", "a.py:1") == Failed("no", "a.py:2")


def test_what_varies_with_the_depth_of_the_stack_is_not_told() -> None:
    assert str(guarded(call=endless).call(APPEND)).endswith("exceeded")
    assert raised_at(None) == raised_at(RuntimeError("never raised")) == ""
    with pytest.raises(json.JSONDecodeError) as error:
        json.loads("{")
    assert raised_at(error.value).startswith(f"{HERE}:")


# --- the file of an operation ---------------------------------------------------------------------


POOL = "class Pool:\n    def append(self): ...\n"


def kept(file: Path, text: str = POOL) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def loaded(file: Path) -> ModuleType:
    """The file as the module engine.pool, wherever it is."""
    specification = importlib.util.spec_from_file_location("engine.pool", file)
    assert specification and specification.loader
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, empty."""
    (folder := tmp_path / "checkout").mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize("packages", ["..", ".venv/lib", "venv/lib"])
def test_an_installed_file_is_told_as_the_one_it_was_installed_from(
    checkout: Path, packages: str
) -> None:
    kept(checkout / "src" / "engine" / "pool.py")
    kept(checkout / "src" / "engine_b" / "pool.py")  # of another package
    kept(checkout / "build" / "lib" / "engine" / "pool.py")  # a copy that installing leaves
    kept(checkout / "old" / "engine" / "pool.py", f"# older\n{POOL}")
    module = loaded(kept(checkout / packages / "site-packages" / "engine" / "pool.py"))
    assert place_of(module.Pool, "append") == Place("src/engine/pool.py", 2)


def test_where_it_is_not_known_which_file_was_installed_the_module_is_told(
    checkout: Path,
) -> None:
    kept(checkout / "a" / "engine" / "pool.py")
    kept(checkout / "b" / "engine" / "pool.py")
    module = loaded(kept(checkout / ".." / "site-packages" / "engine" / "pool.py"))
    assert place_of(module.Pool, "append") == Place("engine/pool.py", 2)


def test_a_file_of_the_checkout_is_told_as_it_is(checkout: Path) -> None:
    module = loaded(kept(checkout / "src" / "engine" / "pool.py"))
    assert place_of(module.Pool, "append") == Place("src/engine/pool.py", 2)


class Translating:
    """An adapter that has a method for one operation."""

    def call(self, operation: Operation) -> None: ...  # call

    def append(self, name: str) -> None: ...  # append


class Making:
    name = "made"

    def make(self, total: int, block_size: int) -> Any:
        return Translating()


@pytest.mark.parametrize(("operation", "mark"), [("append", "append"), ("fork", "call")])
def test_an_adapters_operation_is_where_it_translates_it(operation: str, mark: str) -> None:
    place = AdapterTarget("made", Making()).place(operation)
    assert place and f"{Path(place.file).name}:{place.line}" == at(mark)


# --- the manager behind an adapter ----------------------------------------------------------------


class Named(ExampleAdapter):
    methods: ClassVar[Any] = {"append": Broken.append, "release": 5}


class NamesNone(ExampleAdapter):
    methods: ClassVar[Any] = property(fails)


@pytest.mark.parametrize("adapter", [Named, NamesNone])
def test_a_place_is_the_manager_s_where_the_adapter_names_its_method(adapter: type) -> None:
    class Target(Example):
        def make(self, total: int, block_size: int) -> ExampleAdapter:
            made: ExampleAdapter = adapter(LastInFirstOut(total, block_size))
            return made

    target = AdapterTarget("named", Target())
    of_the_adapter = place_of(ExampleAdapter, "call")
    assert target.place("release") == target.place("allocate") == of_the_adapter is not None
    named = adapter is Named
    assert target.place("append") == (place_of(Broken, "append") if named else of_the_adapter)

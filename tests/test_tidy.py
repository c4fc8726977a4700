"""The house rules, and that each of them can be broken."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = {"model": "poolproof_model", "impl": "poolproof", "verification": "poolproof_verification"}
TOP_LEVEL = {*ROOMS, "tests", "ci", "pyproject.toml", "README.md", "LICENSE"}
GENERATED = {"out", "build", "dist", "__pycache__", "PKG-INFO"}

MAY_IMPORT = {
    "model": {"poolproof_model"},
    "impl": {"poolproof"},
    "verification": {"poolproof", "poolproof_model", "poolproof_verification"},
}
JUDGES = "verification/poolproof_verification/"
# Where a checker or an interface library may be imported, as a pattern of the path.
ONLY_IN = {
    "z3": rf"{JUDGES}proofs/.+",
    "cvc5": rf"{JUDGES}proofs/.+",
    "crosshair": rf"{JUDGES}contracts/.+",
    "hypothesis": rf"{JUDGES}machine\.py",
    "jsonschema": rf"{JUDGES}counterexample_file\.py",
    "typer": rf"{JUDGES}(cli|cli_\w+|__main__)\.py",
    "rich": rf"{JUDGES}(cli|cli_\w+|ledger|progress|__main__|reports/text)\.py",
    "jinja2": rf"{JUDGES}reports/html.*\.py",
    "markupsafe": rf"{JUDGES}reports/html.*\.py",  # a part of it
    "junitparser": rf"{JUDGES}reports/junit\.py",
}
# Beside whatever makes a Judgement.
CHECKERS = {
    f"{JUDGES}{name}.py"
    for name in (
        "adapters/lesson, adapters/nano_vllm, adapters/transformers_cache, "
        "adapters/transformers_interface, adapters/vllm_legacy, adapters/vllm_manager, "
        "adapters/vllm_pool, counterexample_file, mutants_command, watching/full_pass, "
        "watching/single, watching/watched, "
        "benchmark, contracts/name_contracts, contracts/night_contracts, contracts/sweep, "
        "contracts/table_contracts, driver, "
        "interrupts, lockstep, proofs/agreement, proofs/branches, proofs/confirm, proofs/cores, "
        "proofs/idle, proofs/mechanical_judge, proofs/model_mutants_judge, proofs/recheck, "
        "proofs/search, proofs/solve, proofs/solvers, proofs/stable, proofs/starting, "
        "proofs/unproved, proofs/witness, replay, seen, tampering, testing, walk, "
        "watching/watcher, "
        "workloads/judged, workloads/simulation, "
    )
    .removesuffix(", ")
    .split(", ")
}
MACHINE_PATH = re.compile(r"(?<![\w.}])/(?:work|root|home|tmp)/")
REGISTRY = re.compile(r"https?://[^\s\"'<>]*(?:pypi|pythonhosted|npmjs|npm\.)")

Complaints = Iterator[str]
Rule = Callable[[str, str], Complaints]  # of a file's path and its text


@cache
def files() -> tuple[str, ...]:
    """Every file of the project that is not generated, by its path from the root."""
    listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    try:
        listed = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True)
        paths: Iterable[str] = listed.stdout.split("\0")
    except (OSError, subprocess.CalledProcessError):  # an unpacked source distribution
        paths = (each.relative_to(ROOT).as_posix() for each in ROOT.rglob("*") if is_kept(each))
    return tuple(sorted(path for path in paths if path and (ROOT / path).is_file()))


def is_kept(path: Path) -> bool:
    """No part of the path is generated or begins with a dot."""
    parts = path.relative_to(ROOT).parts
    return not any(part in GENERATED or part.startswith(".") for part in parts)


@cache
def text_of(path: str) -> str | None:
    """The file's text, or None where it is none."""
    try:
        return (ROOT / path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None


@cache
def parsed(text: str) -> ast.Module:
    return ast.parse(text)


@cache
def nodes(text: str) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(parsed(text)))


def room_of(path: str) -> str:
    return path.partition("/")[0]


# --- rules of one file ----------------------------------------------------------------------------


def imports_stay_in_the_room(path: str, text: str) -> Complaints:
    """Absolute only; which others, the room and for the checkers the place decide."""
    for node in nodes(text):
        if isinstance(node, ast.ImportFrom) and node.level:
            yield f"line {node.lineno}: a relative import"
        elif isinstance(node, ast.ImportFrom | ast.Import):
            modules = [each.name for each in node.names]
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else modules
            for name in (each.partition(".")[0] for each in names):
                if not may_import(path, name):
                    yield f"line {node.lineno}: {name} may not be imported here"


def may_import(path: str, name: str) -> bool:
    """The standard library, the room's own, and a checker in its place; tests import everything."""
    room = room_of(path)
    if room not in ROOMS or name in sys.stdlib_module_names or name in MAY_IMPORT[room]:
        return True
    return name in ONLY_IN and re.fullmatch(ONLY_IN[name], path) is not None


def functions_are_short(path: str, text: str) -> Complaints:
    for node in nodes(text):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > 70:
                yield f"{node.name} has {length} lines"


def files_and_lines_are_short(path: str, text: str) -> Complaints:
    lines = text.splitlines()
    if len(lines) > 300:
        yield f"{len(lines)} lines"
    yield from (f"line {i} has {len(x)} columns" for i, x in enumerate(lines, 1) if len(x) > 100)


def a_module_begins_with_a_sentence(path: str, text: str) -> Complaints:
    if room_of(path) in ROOMS:
        first = (ast.get_docstring(parsed(text)) or "").partition("\n")[0]
        if not re.fullmatch(r"[A-Z`].*[.?]", first):
            yield f"begins with {first!r}, which is no sentence"


def a_checker_says_what_it_does_not_cover(path: str, text: str) -> Complaints:
    if room_of(path) != "verification":
        return
    calls = (node.func for node in nodes(text) if isinstance(node, ast.Call))
    makes = any(isinstance(each, ast.Name) and each.id == "Judgement" for each in calls)
    judges = makes and path != f"{JUDGES}reports/report_file.py"  # which reads one
    docstring = ast.get_docstring(parsed(text)) or ""
    if (judges or path in CHECKERS) and not re.search(r"^Does not cover: \S", docstring, re.M):
        yield "no line of its docstring starts with 'Does not cover:'"


def only_the_model_is_proved(path: str, text: str) -> Complaints:
    """A string that says "proved" says "of the model" too; "not proved" claims nothing."""
    if room_of(path) == "verification":
        for line, words in strings(parsed(text), shown=path.endswith(("cli.py", "__main__.py"))):
            claim = re.search(r"(?<!not )\bproved\b", words, re.IGNORECASE)
            if claim and "of the model" not in words:
                yield f"line {line}: {words!r}"


def strings(tree: ast.AST, shown: bool) -> Iterator[tuple[int, str]]:
    """Every string with its line, an f-string whole; docstrings where the user is shown them."""
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.Expr(value=ast.Constant()) if not shown:
                pass
            case ast.JoinedStr():
                parts = (each for each in ast.walk(node) if isinstance(each, ast.Constant))
                yield node.lineno, "".join(str(part.value) for part in parts)
            case ast.Constant(value=str(words)):
                yield node.lineno, words
            case _:
                yield from strings(node, shown)


def no_place_on_a_machine_or_in_a_registry(path: str, text: str) -> Complaints:
    for number, line in enumerate(text.splitlines(), 1):
        if MACHINE_PATH.search(line) or REGISTRY.search(line):
            yield f"line {number}: {line.strip()}"


OF_MODULES: tuple[Rule, ...] = (
    imports_stay_in_the_room,
    functions_are_short,
    files_and_lines_are_short,
    a_module_begins_with_a_sentence,
    a_checker_says_what_it_does_not_cover,
    only_the_model_is_proved,
)
OF_TEXTS: tuple[Rule, ...] = (no_place_on_a_machine_or_in_a_registry,)


@pytest.mark.parametrize("rule", OF_MODULES + OF_TEXTS, ids=lambda rule: rule.__name__)
def test_every_file_keeps(rule: Rule) -> None:
    paths = [path for path in files() if rule in OF_TEXTS or path.endswith(".py")]
    assert len(paths) > 50
    texts = ((path, text) for path in paths if (text := text_of(path)) is not None)
    found = [f"{path}: {said}" for path, text in texts for said in rule(path, text)]
    assert not found, "\n".join(found)


BROKEN: tuple[tuple[Rule, str, str], ...] = (
    (imports_stay_in_the_room, "tests/a.py", "from . import b"),
    (imports_stay_in_the_room, "impl/poolproof/a.py", "import attrs"),
    (imports_stay_in_the_room, "impl/poolproof/a.py", "from poolproof_model.state import State"),
    (imports_stay_in_the_room, "model/poolproof_model/a.py", "import poolproof.errors"),
    (imports_stay_in_the_room, f"{JUDGES}explore.py", "def f():\n    import z3"),
    (imports_stay_in_the_room, f"{JUDGES}proofs/prove.py", "import crosshair.main"),
    (imports_stay_in_the_room, f"{JUDGES}fuzz.py", "from hypothesis import given"),
    (imports_stay_in_the_room, f"{JUDGES}suite.py", "import rich, typer"),
    (functions_are_short, "tests/a.py", "async def f():\n" + "    pass\n" * 70),
    (files_and_lines_are_short, "tests/a.py", "\n" * 301),
    (files_and_lines_are_short, "tests/a.py", "#" * 101),
    (a_module_begins_with_a_sentence, "impl/poolproof/a.py", "import sys"),
    (a_module_begins_with_a_sentence, "impl/poolproof/a.py", '"""Blocks\n\nmore."""'),
    (a_checker_says_what_it_does_not_cover, f"{JUDGES}lockstep.py", '"""Judges."""'),
    (a_checker_says_what_it_does_not_cover, f"{JUDGES}new.py", '"""New."""\nJudgement("new")'),
    (only_the_model_is_proved, f"{JUDGES}a.py", 'x = "all is proved"'),
    (only_the_model_is_proved, f"{JUDGES}a.py", 'x = f"{count} of {total} proved"'),
    (only_the_model_is_proved, f"{JUDGES}cli.py", 'def prove():\n    """What is proved."""'),
    (no_place_on_a_machine_or_in_a_registry, "README.md", "in /" + "home/me/poolproof"),
    (no_place_on_a_machine_or_in_a_registry, "ci/run", "https:/" + "/pypi.org/simple"),
)


@pytest.mark.parametrize(
    ("rule", "path", "text"), BROKEN, ids=lambda value: getattr(value, "__name__", str(value)[:40])
)
def test_a_rule_that_is_broken_complains(rule: Rule, path: str, text: str) -> None:
    assert list(rule(path, text))


# --- rules of the whole ---------------------------------------------------------------------------


def test_the_top_level_holds_the_rooms_and_little_else() -> None:
    top = {path.partition("/")[0] for path in files()}
    assert {name for name in top if not name.startswith(".")} == TOP_LEVEL


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_holds_exactly_one_package(room: str) -> None:
    assert {path.split("/")[1] for path in files() if room_of(path) == room} == {ROOMS[room]}
    assert (ROOT / room / ROOMS[room] / "__init__.py").is_file()
    assert {path.name for path in (ROOT / room).iterdir()} - GENERATED == {ROOMS[room]}


def test_nothing_compiled_is_left_over() -> None:
    compiled = {".so", ".pyd", ".pyx", ".c", ".o"}
    found = [path for room in ROOMS for path in (ROOT / room).rglob("*")]
    assert [path for path in found if path.suffix in compiled] == []


@pytest.mark.parametrize("room", ["impl", "model"])
def test_importing_it_loads_the_standard_library_and_itself_only(room: str) -> None:
    """In a bare interpreter that sees nothing but this room."""
    package = ROOMS[room]
    paths = (ROOT / room / package).glob("*.py")
    modules = [package, *(f"{package}.{path.stem}" for path in paths if path.stem[0] != "_")]
    program = (
        f"import sys; sys.path.insert(0, {str(ROOT / room)!r}); import {', '.join(modules)}\n"
        "print(*{name.partition('.')[0] for name in sys.modules})"
    )
    bare = [sys.executable, "-I", "-S", "-B", "-c", program]
    ran = subprocess.run(bare, capture_output=True, text=True, check=False)
    assert not ran.stderr
    assert set(ran.stdout.split()) - sys.stdlib_module_names == {"__main__", package}


def test_every_requirement_says_what_it_is_for() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    requirements = tomllib.loads(text)["project"]["optional-dependencies"]["verify"]
    assert requirements
    lines = [line for line in text.splitlines() if line.strip().startswith('"')]
    for requirement in requirements:
        assert any(re.match(rf'\s*"{re.escape(requirement)}",\s+# \w', line) for line in lines)

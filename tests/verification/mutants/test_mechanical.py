"""Mechanical mutants are named stably, differ from the source in one place, and are all made."""

from __future__ import annotations

import ast
import difflib

import pytest

from poolproof_verification.mutants.mechanical import CodeMutant, code_mutants, mutants_of
from poolproof_verification.mutants.patches import sources

TEXT = '''"""A module."""

LIMIT = 4


def share(self, count, *, what="x"):
    """Docstring."""
    total: int = count + 1
    if total >= LIMIT and count:
        raise ValueError(f"{count + 1} is more than {LIMIT}")
    for block in range(count, total):
        self.free[block] = find(block, total, total)
    return total
'''


def made(text: str = TEXT) -> dict[str, CodeMutant]:
    return {mutant.name: mutant for mutant in mutants_of("module.py", text)}


def changed(mutant: CodeMutant) -> list[str]:
    """The lines that are not as in the source."""
    before = ast.unparse(ast.parse(TEXT)).splitlines()
    lines = difflib.unified_diff(before, mutant.text.splitlines(), n=0, lineterm="")
    return [line for line in list(lines)[2:] if line.startswith("+")]


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("module.py:module:2:one more", "+LIMIT = 4 + 1"),
        ("module.py:share:2:delete", "+    pass"),
        ("module.py:share:2:one less", "+    total: int = count - 1 + 1"),
        ("module.py:share:3:>= to >", "+    if total > LIMIT and count:"),
        ("module.py:share:3:negate", "+    if not (total >= LIMIT and count):"),
        ("module.py:share:3:drop part 2", "+    if total >= LIMIT:"),
        ("module.py:share:5:swap arguments 1 and 2", "+    for block in range(total, count):"),
        ("module.py:share:7:one more", "+    return total + 1"),
    ],
)
def test_each_kind_of_change_is_made_where_its_name_says(name: str, line: str) -> None:
    assert changed(made()[name]) == [line]


def test_several_of_one_name_in_a_line_are_numbered() -> None:
    names = [name for name in made() if name.startswith("module.py:share:2:one more")]
    assert names == ["module.py:share:2:one more", "module.py:share:2:one more (2)"]


def test_messages_and_annotations_and_equal_arguments_are_left_alone() -> None:
    mutants = made()
    message = 'f"{count + 1} is more than {LIMIT}"'.replace('"', "'")
    unchanged = [name for name, mutant in mutants.items() if message in mutant.text]
    assert {name.rpartition(":")[2] for name in set(mutants) - set(unchanged)} == {"delete"}
    assert not any(
        "total: int" not in mutants[name].text for name in unchanged if "2:de" not in name
    )
    assert "module.py:share:6:swap arguments 1 and 2" in mutants
    assert "module.py:share:6:swap arguments 2 and 3" not in mutants


def test_an_edit_elsewhere_renames_nothing() -> None:
    longer = TEXT.replace("LIMIT = 4\n", "LIMIT = 4\n\n\ndef other():\n    return None\n")
    assert set(made()) < set(made(longer))


def test_the_managers_files_all_have_mutants_and_each_compiles() -> None:
    mutants = code_mutants()
    assert len(mutants) > 800
    assert len({mutant.name for mutant in mutants}) == len(mutants)
    files = {file for file in sources() if file != "__init__.py"}
    assert {mutant.file for mutant in mutants} == files
    for mutant in mutants[::29]:
        compile(mutant.text, mutant.name, "exec")


def test_no_mutant_is_the_source_in_other_words() -> None:
    plain = {file: ast.dump(ast.parse(text)) for file, text in sources().items()}
    for mutant in code_mutants()[::17]:
        assert ast.dump(ast.parse(mutant.text)) != plain[mutant.file]

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest
import z3
from tests.verification.proofs.by_hand import obligation

from poolproof_model.invariants import INVARIANTS
from poolproof_model.system import RELEASE, TRANSITIONS
from poolproof_verification.proofs.cases import every_obligation
from poolproof_verification.proofs.export import MANIFEST, export
from poolproof_verification.proofs.goals import Obligation
from poolproof_verification.proofs.obligations import obligations
from poolproof_verification.proofs.solvers import solvers_named
from poolproof_verification.verdict import CouldNotRun

BOTH = solvers_named("both")
X = z3.Int("x")
SMALL = (
    obligation("x is between", "", z3.And(X > 0, X < 9), (("x is 4", X == 4),)),
    obligation("X is: between", "", X > 0, (("x is 4", X == 4),)),
    obligation("x is-between", "", X > 0, (("x is 4", X == 4),)),
)


@cache
def every() -> tuple[Obligation, ...]:
    return every_obligation(TRANSITIONS, INVARIANTS)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "made" / "obligations"


def contents(folder: Path) -> dict[str, str]:
    return {each.name: each.read_text() for each in folder.iterdir()}


def test_the_manifest_tells_what_each_file_is(folder: Path) -> None:
    exported = export(folder, tuple(obligations((RELEASE,), INVARIANTS)), BOTH)
    data = json.loads((folder / MANIFEST).read_text())
    (entry,) = (each for each in data["obligations"] if each["name"] == "release preserves counts")
    assert (entry["transition"], entry["clause"], entry["law"]) == ("release", "counts", "counts")
    assert {"counts", "holders", "sequence_is_live", "choice is lawful"} <= {*entry["hypotheses"]}
    assert "count after one change" in entry["lemmas"]
    assert entry["expected"] == "unsat"
    assert entry["sha256"] == sha256((folder / entry["file"]).read_bytes()).hexdigest()
    assert data["solvers"]["z3"]["version"] == z3.get_version_string()
    assert "--arrays-exp=true" in data["solvers"]["cvc5"]["commands"][0]
    assert exported.files == len(list(folder.glob("*.smt2")))
    assert f"recheck {folder} --solver both" in str(exported)


def test_lemmas_come_with_what_rests_on_them(folder: Path) -> None:
    names = [each["name"] for each in entries(folder, (every()[-1],))]
    assert names[-1] == every()[-1].name
    assert "lemma count has a witness: step" in names


def entries(folder: Path, selected: tuple[Obligation, ...]) -> list[dict[str, str]]:
    export(folder, selected, BOTH)
    found: list[dict[str, str]] = json.loads((folder / MANIFEST).read_text())["obligations"]
    return found


def test_names_that_look_alike_have_files_of_their_own(folder: Path) -> None:
    files = [each["file"] for each in entries(folder, SMALL)]
    assert files == [
        "x-is-between.smt2",
        "x-is-between-too.smt2",
        "x-is-between-too-too.smt2",
    ]


def test_an_export_is_the_same_bytes_again_and_replaces_the_last(folder: Path) -> None:
    export(folder, SMALL, BOTH)
    first = contents(folder)
    export(folder, SMALL[1:], BOTH)
    assert set(contents(folder)) < set(first)
    export(folder, SMALL, BOTH)
    assert contents(folder) == first
    assert [each.name for each in folder.parent.iterdir()] == [folder.name]


def test_an_empty_folder_is_taken(folder: Path) -> None:
    folder.mkdir(parents=True)
    export(folder, SMALL, BOTH)
    assert (folder / MANIFEST).exists()


@pytest.mark.parametrize("name", ["notes.txt", "manifest.json", "extra.smt2"])
def test_what_others_wrote_is_not_touched(folder: Path, name: str) -> None:
    if name == "extra.smt2":
        export(folder, SMALL, BOTH)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text("{}")
    before = contents(folder)
    with pytest.raises(CouldNotRun, match=f"{name} is not of an earlier export"):
        export(folder, SMALL, BOTH)
    assert contents(folder) == before


def test_a_file_in_the_way_and_nothing_to_export_are_errors(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CouldNotRun, match="it is not a folder"):
        export(tmp_path / "file", SMALL, BOTH)
    with pytest.raises(CouldNotRun, match="cannot write"):
        export(tmp_path / "file" / "below", SMALL, BOTH)
    with pytest.raises(CouldNotRun, match="no obligation to export"):
        export(tmp_path / "new", (), BOTH)


def test_a_write_that_fails_leaves_the_folder_as_it_was(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    export(folder, SMALL, BOTH)
    before = contents(folder)
    written = Path.write_text

    def full(path: Path, text: str, **rest: str) -> int:
        if path.name == MANIFEST:
            raise OSError(28, "No space left on device")
        return written(path, text, **rest)

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(CouldNotRun, match="No space left on device"):
        export(folder, SMALL[:1], BOTH)
    assert contents(folder) == before
    assert [each.name for each in folder.parent.iterdir()] == [folder.name]

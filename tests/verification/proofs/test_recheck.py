from __future__ import annotations

import json
import subprocess
import sysconfig
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest
import z3
from tests.verification.proofs.by_hand import obligation

from poolproof_model.invariants import INVARIANTS
from poolproof_model.system import TRANSITIONS
from poolproof_verification.proofs.cases import every_obligation
from poolproof_verification.proofs.export import MANIFEST, export
from poolproof_verification.proofs.goals import Obligation
from poolproof_verification.proofs.recheck import outcome_of, recheck
from poolproof_verification.proofs.solvers import Z3, solvers_named
from poolproof_verification.verdict import CouldNotRun, Outcome

BOTH = solvers_named("both")
X = z3.Int("x")
SMALL = (
    obligation("x is between", "", z3.And(X > 0, X < 9), (("x is 4", X == 4),)),
    obligation("x is positive", "", X > 0, (("x is 4", X == 4),)),
    obligation("x is natural", "", X >= 0, (("x is 4", X == 4),)),
)


@cache
def every() -> tuple[Obligation, ...]:
    return every_obligation(TRANSITIONS, INVARIANTS)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "obligations"


@pytest.mark.night
def test_every_obligation_is_confirmed_from_the_files_alone(folder: Path) -> None:
    exported = export(folder, every(), BOTH)
    assert exported.obligations == len(every())
    found = list(recheck(folder, BOTH))
    assert [str(each) for each in found if not each.confirmed] == []
    for solver in BOTH:
        asked = {each.file.partition(".")[0] for each in found if each.solver == solver.name}
        assert len(asked) == len(every())


def test_the_commands_of_the_manifest_confirm_with_z3_s_own_program(folder: Path) -> None:
    export(folder, every(), BOTH)
    (command,) = json.loads((folder / MANIFEST).read_text())["solvers"]["z3"]["commands"]
    program = Path(sysconfig.get_path("scripts"), "z3")
    named = [path for path in folder.glob("*.smt2") if "distinct-picks" in path.name]
    for path in [*named, *sorted(folder.glob("*.smt2"))[::12]]:
        words = [program, *command.split()[1:-1], path]
        told = subprocess.run(words, capture_output=True, text=True, timeout=60)
        assert told.stdout.strip() == "unsat", (path.name, told)


def test_a_file_outside_the_folder_is_an_error(folder: Path) -> None:
    export(folder, SMALL, BOTH)
    manifest = folder / MANIFEST
    manifest.write_text(manifest.read_text().replace('"x-is-positive', '"../x-is-positive'))
    with pytest.raises(CouldNotRun, match=r"'\.\./x-is-positive.smt2' is not the name of a file"):
        list(recheck(folder, BOTH))


def test_what_does_not_follow_is_not_confirmed(folder: Path) -> None:
    wrong = replace(SMALL[1], name="x is big", goal=X > 9)
    export(folder, (*SMALL, wrong), BOTH)
    found = [each for each in recheck(folder, BOTH) if not each.confirmed]
    assert [(each.name, each.solver) for each in found] == [
        ("x is big", "z3"),
        ("x is big", "cvc5"),
    ]
    assert str(found[0]).startswith("x is big: z3: sat (")
    assert outcome_of(found) is Outcome.REFUTED


def test_unknown_answers_confirm_nothing_and_refute_nothing(folder: Path) -> None:
    export(folder, SMALL, BOTH)
    known, other, *_ = recheck(folder, (Z3(),))
    assert outcome_of((known, other)) is Outcome.HELD
    unsure = replace(other, answer=replace(other.answer, answer="unknown"))
    assert outcome_of((known, unsure)) is Outcome.UNKNOWN
    assert outcome_of(()) is Outcome.UNKNOWN


def test_what_no_solver_can_read_is_told_with_its_file(folder: Path) -> None:
    for content, said in ((b"(assert", "z3 cannot read this"), (b"\xff", "is not UTF-8 text")):
        export(folder, SMALL, BOTH)
        old = (folder / "x-is-positive.smt2").read_bytes()
        (folder / "x-is-positive.smt2").write_bytes(content)
        manifest = folder / MANIFEST
        told = manifest.read_text().replace(sha256(old).hexdigest(), sha256(content).hexdigest())
        manifest.write_text(told)
        with pytest.raises(CouldNotRun, match=f"x-is-positive.smt2:? {said}"):
            list(recheck(folder, (Z3(),)))


def test_options_come_from_the_manifest(folder: Path) -> None:
    export(folder, SMALL, BOTH)
    text = (folder / MANIFEST).read_text()
    (folder / MANIFEST).write_text(text.replace('"mbqi"', '"no_such_option"'))
    with pytest.raises(CouldNotRun, match="no_such_option"):
        list(recheck(folder, (Z3(),)))


@pytest.mark.parametrize("name", ["x-is-between.smt2", "x-is-between.case-2.smt2"])
def test_a_file_that_was_changed_could_not_run(folder: Path, name: str) -> None:
    export(folder, SMALL, BOTH)
    path = folder / name
    path.write_text(path.read_text().replace("(= x 4)", "false"))
    with pytest.raises(CouldNotRun, match=f"{name} has changed: its sha256 is not the one"):
        list(recheck(folder, (Z3(),)))
    path.unlink()
    with pytest.raises(CouldNotRun, match=f"cannot read .*{name}"):
        list(recheck(folder, (Z3(),)))


def test_a_file_that_is_not_listed_could_not_run(folder: Path) -> None:
    export(folder, SMALL, BOTH)
    (folder / "more.smt2").write_text("(check-sat)")
    with pytest.raises(CouldNotRun, match=r"more\.smt2 is not in manifest\.json"):
        list(recheck(folder, (Z3(),)))


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("poolproof obligations 1", "something else", "its schema is 'something else'"),
        ('"sha256"', '"sha1"', "is not a manifest of obligations"),
        ('"lemmas": []', '"lemmas": ["magic"]', "rests on the lemma 'magic', whose obligations"),
        ('"z3": {', '"z4": {', "says nothing of z3"),
        ('"expected": "unsat"', '"expected": "sat"', "x is between expects 'sat'"),
        ("{", "", "is not a manifest of obligations"),
    ],
)
def test_a_manifest_that_is_none_could_not_run(folder: Path, old: str, new: str, told: str) -> None:
    export(folder, SMALL, BOTH)
    path = folder / MANIFEST
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(CouldNotRun, match=told):
        list(recheck(folder, (Z3(),)))

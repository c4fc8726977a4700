"""Every obligation as a file that anybody's solver can recheck, and a manifest of what they are.

The folder holds one `.smt2` an obligation, one more for each part of a goal that says several
things, and `manifest.json`. The obligations of a lemma come before those that rest on it. The
folder appears complete or not at all.

Does not cover: whether the files are unsat; `recheck` asks.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from poolproof_verification.proofs.cases import cases_of, with_lemmas
from poolproof_verification.proofs.goals import Obligation
from poolproof_verification.proofs.smtlib import text_of
from poolproof_verification.proofs.solvers import Solver
from poolproof_verification.verdict import CouldNotRun

MANIFEST = "manifest.json"
SCHEMA = "poolproof obligations 1"
RECHECK = f"{shlex.quote(sys.executable)} -m poolproof_verification recheck"


@dataclass(frozen=True)
class Exported:
    """What was written."""

    folder: Path
    obligations: int
    files: int
    command: str  # rechecks the files

    def __str__(self) -> str:
        """Two lines: what there is, and how to recheck it."""
        told = f"{self.obligations} obligations in {self.files} files in {self.folder}"
        return f"{told}; recheck them with\n  {self.command}"


def export(folder: Path, obligations: Sequence[Obligation], solvers: Sequence[Solver]) -> Exported:
    """Write these obligations, those of their lemmas, and how each of these solvers is asked.

    CouldNotRun: the folder holds anything but an earlier export, or cannot be written.
    """
    if not obligations or not solvers:
        raise CouldNotRun("there is no obligation to export, or no solver to ask")
    texts = dict(named_texts(with_lemmas(obligations)))
    files = {name: text for written in texts.values() for name, text in written}
    files[MANIFEST] = json.dumps(manifest(texts, solvers), indent=2) + "\n"
    try:
        refuse_foreign(folder)
        replace_by(folder, files)
    except OSError as error:
        raise CouldNotRun(f"cannot write {folder}: {error.strerror or error}") from error
    asked = "both" if len(solvers) > 1 else solvers[0].name
    command = f"{RECHECK} {shlex.quote(place(folder))} --solver {asked}"
    return Exported(folder, len(texts), len(files) - 1, command)


def named_texts(
    obligations: Sequence[Obligation],
) -> Iterator[tuple[Obligation, tuple[tuple[str, str], ...]]]:
    """Each obligation with its files, the whole first, then its cases: names and texts."""
    taken: set[str] = set()
    for obligation in obligations:
        words = re.sub(r"[^a-z0-9]+", "-", obligation.name.lower()).strip("-")
        name = words
        while name in taken:
            name += "-too"
        taken.add(name)
        whole = (f"{name}.smt2", text_of(obligation))
        cases = (
            (f"{name}.case-{number}.smt2", text_of(case))
            for number, case in enumerate(cases_of(obligation), 1)
        )
        yield obligation, (whole, *cases)


def manifest(
    texts: dict[Obligation, tuple[tuple[str, str], ...]], solvers: Sequence[Solver]
) -> dict[str, Any]:
    """What the files are, and how they are rechecked."""
    return {
        "schema": SCHEMA,
        "expected": "every file is unsat",
        "cases": "a solver that is asked by cases is asked those instead of the whole: one for "
        "each part of the goal, and the last, that the parts make the goal",
        "solvers": {
            solver.name: {
                "version": solver.version,
                "by cases": solver.by_cases,
                "options, in the order tried": list(map(dict, solver.options)),
                "commands": [f"{solver.command(each)} FILE" for each in solver.options],
            }
            for solver in solvers
        },
        "obligations": [entry(obligation, *files) for obligation, files in texts.items()],
    }


def entry(
    obligation: Obligation, whole: tuple[str, str], *cases: tuple[str, str]
) -> dict[str, Any]:
    """One obligation of the manifest."""
    names = [case.name for case in cases_of(obligation)]
    return {
        "name": obligation.name,
        "sentence": obligation.sentence,
        "transition": obligation.transition,
        "clause": obligation.clause,
        "law": obligation.law,
        "proves the lemma": obligation.clause if of_lemma(obligation) else "",
        "hypotheses": [name for name, _ in obligation.hypotheses],
        "lemmas": [lemma.name for lemma in obligation.lemmas],
        **told(*whole),
        "cases": [{"name": name, **told(*case)} for name, case in zip(names, cases, strict=True)],
    }


def of_lemma(obligation: Obligation) -> bool:
    """It is one of those that a lemma's proof consists of."""
    return obligation.name.startswith(f"lemma {obligation.clause}: ")


def told(file: str, text: str) -> dict[str, str]:
    """One file of the manifest."""
    return {"file": file, "expected": "unsat", "sha256": sha256(text.encode()).hexdigest()}


def place(folder: Path) -> str:
    """The folder as an argument of a command, which an option begins otherwise than."""
    return f"./{folder}" if str(folder).startswith("-") else str(folder)


def refuse_folder(folder: Path) -> None:
    """CouldNotRun if nothing can be exported there: asked before anything is proved."""
    refuse_foreign(folder)
    above = next(each for each in folder.resolve().parents if each.exists())
    try:
        with tempfile.TemporaryDirectory(dir=above):
            pass
    except OSError as error:
        raise CouldNotRun(f"cannot write {folder}: {error.strerror or error}") from error


def refuse_foreign(folder: Path) -> None:
    """CouldNotRun if the folder holds anything that no export has written."""
    if not folder.exists() and not folder.is_symlink():
        return
    if not folder.is_dir():
        raise CouldNotRun(f"cannot export into {folder}: it is not a folder")
    if folder.resolve() == Path.cwd():
        raise CouldNotRun("cannot export into the current folder, which is replaced: name another")
    names = {each.name for each in folder.iterdir()}
    own = files_of(folder) if MANIFEST in names else set()
    if strange := sorted(names - own):
        raise CouldNotRun(
            f"cannot export into {folder}: {strange[0]} is not of an earlier export; "
            "name an empty folder or a new one"
        )


def files_of(folder: Path) -> set[str]:
    """The names that the folder's manifest lists, its own included; none if it is not ours."""
    try:
        data = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        if data["schema"] != SCHEMA:
            return set()
        entries = [part for each in data["obligations"] for part in (each, *each["cases"])]
        return {MANIFEST, *(each["file"] for each in entries)}
    except (ValueError, KeyError, TypeError):
        return set()


def replace_by(folder: Path, files: dict[str, str]) -> None:
    """Write the files beside the folder, then take its place."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    target = folder.resolve()
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}.") as beside:
        fresh, old = Path(beside, "new"), Path(beside, "old")
        fresh.mkdir()
        for name, text in files.items():
            (fresh / name).write_text(text, encoding="utf-8", newline="\n")
        if target.exists():
            fresh.chmod(target.stat().st_mode)
            os.rename(target, old)
        try:
            os.rename(fresh, target)
        except OSError:
            if old.exists():
                os.rename(old, target)
            raise
        shutil.rmtree(old, ignore_errors=True)

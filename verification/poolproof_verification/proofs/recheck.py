"""Rechecks exported obligations from their files and their manifest alone.

A file that is not the one exported, one that the manifest does not list, or a lemma used before its
own obligations stops the check: nothing is said of a folder that was changed. Options come from the
manifest, not from the code.

Does not cover: a manifest that somebody wrote anew, checksums and all; that the files say what the
model says, which is `smtlib`'s part.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from poolproof_verification.proofs.export import MANIFEST, SCHEMA
from poolproof_verification.proofs.solvers import Answer, Options, Solver, attempt
from poolproof_verification.verdict import CouldNotRun, Outcome

TIMEOUT = 10_000  # milliseconds a file and list of options


@dataclass(frozen=True)
class Rechecked:
    """What one solver says of one file."""

    name: str  # the obligation's, or the case's
    file: str
    solver: str
    answer: Answer

    @property
    def confirmed(self) -> bool:
        """The answer is the one expected."""
        return self.answer.answer == "unsat"

    def __str__(self) -> str:
        """One line for a log."""
        said = " ".join((self.answer.answer, self.answer.reason)).strip()
        return f"{self.name}: {self.solver}: {said} ({self.answer.milliseconds:.0f} ms)"


@dataclass(frozen=True)
class Question:
    """A text that must be unsat, and where it stands."""

    name: str
    file: str
    text: str


def recheck(
    folder: Path, solvers: Sequence[Solver], timeout: int = TIMEOUT, seed: int = 0
) -> Iterator[Rechecked]:
    """Each answer as it comes. CouldNotRun: the folder is not, or no longer, what was exported."""
    data = manifest_of(folder)
    if not data["obligations"] or not solvers:
        raise CouldNotRun(f"{folder / MANIFEST}: there is nothing to recheck, or nobody to do it")
    whole = {each["file"]: read(folder, each) for each in data["obligations"]}
    cases = {
        each["file"]: [read(folder, case) for case in each["cases"]] for each in data["obligations"]
    }
    refuse_unlisted(folder, {*whole, *(case.file for each in cases.values() for case in each)})
    for solver in solvers:
        lists, by_cases = asked(data, solver, folder)
        for file, question in whole.items():
            for each in (cases[file] if by_cases else ()) or (question,):
                try:
                    answer = attempt(solver, each.text, lists, timeout, seed)
                except CouldNotRun as error:
                    raise CouldNotRun(f"{folder / each.file}: {error}") from error
                yield Rechecked(each.name, each.file, solver.name, answer)


def manifest_of(folder: Path) -> dict[str, Any]:
    """The manifest; CouldNotRun: there is none, or it is of another kind."""
    path = folder / MANIFEST
    try:
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if data["schema"] != SCHEMA:
            raise CouldNotRun(f"{path}: its schema is {data['schema']!r}, not {SCHEMA!r}")
        for entry in data["obligations"]:
            for each in (entry, *entry["cases"]):
                if not all(isinstance(each[key], str) for key in ("name", "file", "sha256")):
                    raise ValueError(each)
                if each["expected"] != "unsat":
                    raise CouldNotRun(f"{path}: {each['name']} expects {each['expected']!r}")
        refuse_circles(data["obligations"])
    except OSError as error:
        raise CouldNotRun(f"cannot read {path}: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CouldNotRun(f"{path} is not a manifest of obligations: {error!r:.80}") from error
    return data


def refuse_circles(entries: list[dict[str, Any]]) -> None:
    """CouldNotRun: an obligation rests on a lemma whose own do not all come before it."""
    last = {each["proves the lemma"]: position for position, each in enumerate(entries)}
    for position, each in enumerate(entries):
        for lemma in each["lemmas"]:
            if last.get(lemma, position) >= position:
                raise CouldNotRun(
                    f"{each['name']} rests on the lemma {lemma!r}, whose obligations do not come "
                    f"before it in {MANIFEST}"
                )


def read(folder: Path, entry: dict[str, str]) -> Question:
    """The text of a file of the manifest; CouldNotRun: it is not what was exported."""
    if Path(entry["file"]).name != entry["file"]:
        raise CouldNotRun(f"{folder / MANIFEST}: {entry['file']!r} is not the name of a file in it")
    path = folder / entry["file"]
    try:
        content = path.read_bytes()
    except OSError as error:
        raise CouldNotRun(f"cannot read {path}: {error.strerror or error}") from error
    if sha256(content).hexdigest() != entry["sha256"]:
        raise CouldNotRun(f"{path} has changed: its sha256 is not the one in {MANIFEST}")
    try:
        return Question(entry["name"], entry["file"], content.decode())
    except UnicodeDecodeError as error:
        raise CouldNotRun(f"{path} is not UTF-8 text: {error.reason}") from error


def refuse_unlisted(folder: Path, listed: set[str]) -> None:
    """CouldNotRun: a file that looks like an obligation is not in the manifest."""
    for path in sorted(folder.glob("*.smt2")):
        if path.name not in listed:
            raise CouldNotRun(f"{path} is not in {MANIFEST}")


def asked(data: dict[str, Any], solver: Solver, folder: Path) -> tuple[list[Options], bool]:
    """The solver's lists of options, and whether it is asked by cases, as the manifest says."""
    try:
        told = data["solvers"][solver.name]
        return list(told["options, in the order tried"]), bool(told["by cases"])
    except (KeyError, TypeError) as error:
        raise CouldNotRun(f"{folder / MANIFEST} says nothing of {solver.name}") from error


def outcome_of(found: Sequence[Rechecked]) -> Outcome:
    """Refuted if some file has a model, held if none has, else unknown."""
    answers = {each.answer.answer for each in found}
    if "sat" in answers:
        return Outcome.REFUTED
    return Outcome.HELD if answers == {"unsat"} else Outcome.UNKNOWN

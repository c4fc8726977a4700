"""Two solvers with nothing in common, asked the same SMT-LIB text. Only `unsat` is a proof.

Each has lists of options in the order tried: another list may find a proof that one misses, none
makes a text unsat that is not.

Does not cover: mistakes that both make.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol

import z3

from poolproof_verification.proofs.solve import SETTINGS
from poolproof_verification.verdict import CouldNotRun

Options = Mapping[str, str]
NAMES = ("z3", "cvc5")


@dataclass(frozen=True)
class Answer:
    """What a solver says of one text."""

    answer: str  # unsat, sat or unknown
    reason: str  # why it is unknown, in the solver's words
    milliseconds: float  # CPU
    options: Options


class Solver(Protocol):
    """Whoever reads SMT-LIB 2."""

    name: str
    version: str
    by_cases: bool  # asked for each part of a goal that says several things
    options: tuple[Options, ...]  # in the order tried

    def check(self, text: str, options: Options, timeout: int, seed: int = 0) -> Answer:
        """The answer within `timeout` milliseconds; CouldNotRun: it cannot read the text."""
        ...

    def command(self, options: Options) -> str:
        """The same asked of the solver's own program, which takes the file's name at the end."""
        ...


class Z3:
    """The solver z3: it instantiates where triggers match, and nowhere else, as in `solve`."""

    name = "z3"
    version: str = z3.get_version_string()
    by_cases = False
    options: tuple[Options, ...] = ({name: str(value).lower() for name, value in SETTINGS.items()},)

    def check(self, text: str, options: Options, timeout: int, seed: int = 0) -> Answer:
        """As `Solver` says."""
        started = time.process_time()
        solver = z3.SimpleSolver()
        try:
            solver.set(timeout=timeout, random_seed=seed)
            for name, value in options.items():
                solver.set(name, {"true": True, "false": False}.get(value, value))
            solver.from_string(text)
        except z3.Z3Exception as error:
            raise CouldNotRun(f"z3 cannot read this: {one_line(error)}") from error
        answer = str(solver.check())
        reason = solver.reason_unknown() if answer == "unknown" else ""
        return Answer(answer, reason, 1000 * (time.process_time() - started), options)

    def command(self, options: Options) -> str:
        """As `Solver` says."""
        module = {"auto_config": ""}  # every other option is of the module `smt`
        given = (f"{module.get(name, 'smt.')}{name}={value}" for name, value in options.items())
        return " ".join(("z3", "tactic.default_tactic=smt", *given))  # as `SimpleSolver` does


class Cvc5:
    """The solver cvc5: it adds triggers and instances of its own to those of the text."""

    name = "cvc5"
    by_cases = True
    # `arrays-exp` reads constant arrays. Instantiating when all else is decided keeps it from
    # matching loops; `nl-ext-split-zero` is for products of unknowns. The second list is for the
    # proofs that want an early instance.
    options: tuple[Options, ...] = (
        {
            "arrays-exp": "true",
            "full-saturate-quant": "true",
            "inst-when": "last-call",
            "nl-ext-split-zero": "true",
        },
        {
            "arrays-exp": "true",
            "full-saturate-quant": "true",
            "multi-trigger-linear": "false",
            "nl-ext-split-zero": "true",
        },
    )

    def __init__(self) -> None:
        """CouldNotRun: it is not installed."""
        try:
            self.module: Any = import_module("cvc5")
        except ImportError as error:
            raise CouldNotRun("the solver cvc5 is not installed: pip install cvc5") from error
        self.version: str = self.module.__version__

    def check(self, text: str, options: Options, timeout: int, seed: int = 0) -> Answer:
        """As `Solver` says."""
        started = time.process_time()
        solver = self.module.Solver(self.module.TermManager())
        try:
            for name, value in {**options, "tlimit-per": timeout, "seed": seed}.items():
                solver.setOption(name, str(value))
            said = self.said(solver, text)
        except RuntimeError as error:
            raise CouldNotRun(f"cvc5 cannot read this: {one_line(error)}") from error
        answer, _, reason = said.partition(" ")
        if answer not in ("sat", "unsat", "unknown"):
            raise CouldNotRun(f"cvc5 cannot read this: {one_line(said)}")
        spent = 1000 * (time.process_time() - started)
        return Answer(answer, reason.strip("()"), spent, options)

    def said(self, solver: Any, text: str) -> str:
        """The last thing it says when it runs the commands of the text, or its complaint."""
        parser = self.module.InputParser(solver)
        parser.setStringInput(self.module.InputLanguage.SMT_LIB_2_6, text, "obligation")
        last = ""
        while not (command := parser.nextCommand()).isNull():
            last = str(command.invoke(solver, parser.getSymbolManager())).strip() or last
            if last.startswith("(error"):
                break
        return last

    def command(self, options: Options) -> str:
        """As `Solver` says."""
        return " ".join(("cvc5", *(f"--{name}={value}" for name, value in options.items())))


def solvers_named(name: str) -> tuple[Solver, ...]:
    """`z3`, `cvc5`, or `both`; CouldNotRun: no such solver, or it is not installed."""
    made: dict[str, type[Z3] | type[Cvc5]] = {"z3": Z3, "cvc5": Cvc5}
    if name not in (*NAMES, "both"):
        raise CouldNotRun(f"no solver is called {name!r}; there are z3, cvc5 and both")
    return tuple(made[each]() for each in (NAMES if name == "both" else (name,)))


def attempt(
    solver: Solver, text: str, lists: Sequence[Options], timeout: int, seed: int = 0
) -> Answer:
    """The first answer `unsat` or `sat` with one of these lists of options, else the last."""
    if not lists:
        raise CouldNotRun(f"no options are given for {solver.name}: at least one list is needed")
    spent = 0.0
    for options in lists:
        found = solver.check(text, options, timeout, seed)
        spent += found.milliseconds
        if found.answer != "unknown":
            break
    return Answer(found.answer, found.reason, spent, found.options)


def one_line(error: object) -> str:
    """What went wrong, without line ends."""
    words = error.value if isinstance(error, z3.Z3Exception) else error
    text = words.decode() if isinstance(words, bytes) else str(words)
    return " ".join(text.split())[:200]

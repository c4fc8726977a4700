from __future__ import annotations

import pytest

from poolproof_verification.proofs import solvers
from poolproof_verification.proofs.solvers import Z3, Cvc5, Solver, attempt, solvers_named
from poolproof_verification.verdict import CouldNotRun

TIMEOUT = 2000
BOTH = solvers_named("both")
HEAD = "(set-logic ALL)\n(declare-fun |an x| () Int)\n(declare-fun f (Int) Int)\n"
UNSAT = f"{HEAD}(assert (> |an x| 3))\n(assert (not (> |an x| 2)))\n(check-sat)\n"
SAT = f"{HEAD}(assert (> |an x| 3))\n(check-sat)\n"
OPEN = f"""{HEAD}(assert (forall ((y Int)) (! (< (f y) (f (+ y 1))) :pattern ((f y)))))
(assert (not (= (f 0) 0)))
(check-sat)
"""
each_solver = pytest.mark.parametrize("solver", BOTH, ids=lambda solver: solver.name)


@each_solver
def test_a_contradiction_is_unsat(solver: Solver) -> None:
    found = solver.check(UNSAT, solver.options[0], TIMEOUT)
    assert (found.answer, found.reason) == ("unsat", "")
    assert found.options == solver.options[0]


@each_solver
def test_what_can_be_is_sat(solver: Solver) -> None:
    assert solver.check(SAT, solver.options[0], TIMEOUT).answer == "sat"


@each_solver
def test_what_finds_no_proof_is_never_unsat(solver: Solver) -> None:
    found = attempt(solver, OPEN, solver.options, 200)
    assert found.answer == "unknown"
    assert found.reason


@each_solver
@pytest.mark.parametrize("text", ["(assert", "(assert (> y 3))\n(check-sat)\n"])
def test_a_text_that_is_none_could_not_run(solver: Solver, text: str) -> None:
    with pytest.raises(CouldNotRun, match=f"{solver.name} cannot read this: "):
        solver.check(text, solver.options[0], TIMEOUT)


@each_solver
def test_an_unknown_option_could_not_run(solver: Solver) -> None:
    with pytest.raises(CouldNotRun, match=solver.name):
        solver.check(UNSAT, {"no-such-option": "true"}, TIMEOUT)


def test_the_next_options_are_tried_after_an_unknown() -> None:
    class Scripted:
        name, version, by_cases = "scripted", "1", False
        options: tuple[solvers.Options, ...] = ({"a": "1"}, {"b": "1"})

        def check(
            self, text: str, options: solvers.Options, timeout: int, seed: int = 0
        ) -> solvers.Answer:
            return solvers.Answer("unsat" if "b" in options else "unknown", "", 2.0, options)

        def command(self, options: solvers.Options) -> str:
            return self.name

    found = attempt(Scripted(), UNSAT, Scripted.options, TIMEOUT)
    assert (found.answer, found.options, found.milliseconds) == ("unsat", {"b": "1"}, 4.0)
    assert attempt(Scripted(), UNSAT, Scripted.options[:1], TIMEOUT).answer == "unknown"
    with pytest.raises(CouldNotRun, match="no options are given for scripted"):
        attempt(Scripted(), UNSAT, (), TIMEOUT)


def test_commands_are_for_the_solvers_own_programs() -> None:
    assert (
        Z3().command(Z3.options[0])
        == "z3 tactic.default_tactic=smt auto_config=false smt.mbqi=false"
    )
    assert Cvc5().command({"inst-when": "last-call"}) == "cvc5 --inst-when=last-call"


def test_solvers_have_names_and_versions() -> None:
    assert [solver.name for solver in BOTH] == ["z3", "cvc5"]
    assert [solver.name for solver in solvers_named("cvc5")] == ["cvc5"]
    assert all(solver.version[0].isdigit() for solver in BOTH)
    with pytest.raises(CouldNotRun, match="no solver is called 'yices'"):
        solvers_named("yices")


def test_without_cvc5_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(solvers, "import_module", missing)
    assert solvers_named("z3")
    with pytest.raises(CouldNotRun, match="cvc5 is not installed: pip install cvc5"):
        solvers_named("both")

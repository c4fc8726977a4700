from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest
import z3
from tests.verification.proofs.by_hand import TIMEOUT, ask, obligation

from poolproof_verification.proofs.lemmas import ENUMERATION, LEMMAS, NATURAL, ONE, PIGEONHOLE, A, n
from poolproof_verification.proofs.solve import discharge, in_order, prove_all
from poolproof_verification.proofs.term import COUNT
from poolproof_verification.verdict import CouldNotRun

X = z3.Int("x")
TRUE = obligation("x has a successor", "", X + 1 > X)
COUNTED = obligation("counts are natural", "", COUNT(A, 7) >= 0, lemmas=(NATURAL,))


def test_what_follows_is_proved() -> None:
    result = discharge(TRUE, set(), TIMEOUT)
    assert result.proved
    assert str(result).startswith("x has a successor: held (proved of the model, ")


def test_what_the_hypotheses_contradict_is_not_proved() -> None:
    result = discharge(replace(TRUE, goal=X > 3), set(), TIMEOUT)
    assert not result.proved
    assert "unknown (not proved: the hypotheses allow the contrary" in str(result)


def test_a_hypothesis_counts() -> None:
    goal = replace(TRUE, goal=X > 3)
    assert discharge(replace(goal, hypotheses=(("above", X > 4),)), set(), TIMEOUT).proved


def test_what_finds_no_proof_is_not_proved() -> None:
    f = z3.Function("f", z3.IntSort(), z3.IntSort())
    increasing = z3.ForAll([X], f(X) < f(X + 1), patterns=[f(X)])
    open_ = replace(TRUE, goal=f(0) == 0, hypotheses=(("increasing", increasing),))
    result = discharge(open_, set(), 100)
    assert not result.proved
    assert result.reason in ("no proof found", "out of time")


def test_an_obligation_uses_only_lemmas_that_are_proved() -> None:
    refused = discharge(COUNTED, set(), TIMEOUT)
    assert (refused.proved, refused.tried) == (False, False)
    assert "rests on the lemma 'count is natural', which is not proved" in refused.reason
    assert discharge(COUNTED, {NATURAL}, TIMEOUT).proved


def test_nothing_is_tried_that_rests_on_a_lemma_made_false() -> None:
    wrong = replace(NATURAL, statement=COUNT(A, n) > 0)
    absurd = replace(COUNTED, goal=COUNT(A, 7) > 0, lemmas=(wrong,))
    *steps, last = prove_all((wrong,), (absurd,), ask)
    assert not all(result.proved for result in steps)
    assert (last.proved, last.tried) == (False, False)


def test_a_lemma_that_uses_a_false_one_is_not_proved_either() -> None:
    wrong = replace(NATURAL, statement=COUNT(A, n) > 0)
    above = replace(ONE, uses=(wrong,))
    found = [each for each in prove_all((above,), (), ask) if each.obligation.clause == ONE.name]
    assert found
    assert not any(result.tried for result in found)


def test_a_lemma_without_obligations_is_not_proved() -> None:
    empty = replace(NATURAL, proof=lambda statement: ())
    (last,) = prove_all((empty,), (replace(COUNTED, lemmas=(empty,)),), ask)
    assert not last.tried


def test_a_lemma_that_rests_on_itself_is_an_error() -> None:
    circle = replace(NATURAL, name="circle")
    object.__setattr__(circle, "uses", (replace(ONE, uses=(circle,)),))
    with pytest.raises(CouldNotRun, match="the lemma 'circle' rests on itself"):
        in_order((circle,))


def test_a_limit_on_the_work_is_told_from_one_on_time() -> None:
    hard = z3.And([z3.Int(f"a{i}") * z3.Int(f"b{i}") > z3.Int(f"c{i}") ** 3 for i in range(9)])
    open_ = replace(TRUE, goal=z3.Not(hard))
    assert discharge(open_, set(), TIMEOUT, effort=100).reason == "too much work"


def test_an_obligation_of_no_law_is_an_error() -> None:
    with pytest.raises(CouldNotRun, match="there is no law 'length' that it could belong to"):
        replace(TRUE, law="length")


def test_lemmas_come_after_those_they_use_each_once() -> None:
    ordered = in_order((PIGEONHOLE, ENUMERATION, NATURAL))
    assert len(set(ordered)) == len(ordered)
    for position, lemma in enumerate(ordered):
        assert set(lemma.uses) <= set(ordered[:position])
    assert set(in_order(LEMMAS)) == set(LEMMAS)


HARD = """
import z3
from poolproof_verification.proofs.goals import Obligation
from poolproof_verification.proofs.solve import discharge

x, y, z = z3.Ints("x y z")
goal = z3.Not(z3.And(x > 0, y > 0, z > 0, x * x * x + y * y * y == z * z * z))
print("begun", flush=True)
print(discharge(Obligation("no cubes", "", goal, law="counts"), set(), 3000), flush=True)
"""


def test_ctrl_c_reaches_python_while_the_solver_is_at_work() -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with subprocess.Popen(
        [sys.executable, "-c", HARD],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == b"begun\n"
        time.sleep(0.5)  # by now it is inside of the solver, which takes 3 seconds
        running.send_signal(signal.SIGINT)
        output, errors = running.communicate()
    assert output == b""
    assert b"KeyboardInterrupt" in errors

"""For users of pytest: the search as an ordinary Hypothesis test case.

    from poolproof_verification.testing import testcase

    TestPool = testcase(Pool)  # a class with the lesson's interface, or a target with an adapter
    TestPool.settings = settings(max_examples=500)  # Hypothesis' own, all of them

The operations told were made short on their own, so Hypothesis neither shrinks nor explains.

Does not cover: pools of more than 8 blocks; the command line's searchers go further.
"""

from __future__ import annotations

from functools import wraps
from typing import ClassVar
from unittest import TestCase

from poolproof_verification.adapters.adapter import Target
from poolproof_verification.findings import Fault, Trace
from poolproof_verification.machine import Machine, Record, run_unshrunk
from poolproof_verification.minimize import minimize
from poolproof_verification.reports.story_text import story
from poolproof_verification.story import tell
from poolproof_verification.targets import target_of

STEPS = (  # how a note on drawn steps begins; the last one, on a CI server, is for functions alone
    "Failing test case",
    "Falsifying example",
    "state",
    "You can reproduce this test case",
)


def testcase(target: type | Target) -> type[TestCase]:
    """A test case that fails with the shortest operations found that break a law.

    CouldNotRun where the target is none.
    """
    module, name = type(target).__module__, type(target).__qualname__
    if isinstance(target, type):
        module, name = target.__module__, target.__qualname__
    known = target_of(f"{module}:{name}", name, target)

    class Run(Machine):
        """One run, which fails with its first finding."""

        record = Record(known)
        told: ClassVar[dict[Fault, str]] = {}

        def found(self, trace: Trace) -> None:
            """Fail with a counterexample."""
            if trace.fault not in self.told:
                smallest = minimize(known, trace)
                self.told[trace.fault] = story(tell(known, smallest, found_by="fuzz"))
            raise AssertionError(self.told[trace.fault])

    case: type[TestCase] = Run.TestCase

    @wraps(case.runTest)  # type: ignore[attr-defined]  # Hypothesis' marks are on it
    def run_test(self: TestCase) -> None:
        try:
            run_unshrunk(Run, self.settings)  # type: ignore[attr-defined]  # Hypothesis'
        except AssertionError as error:
            if str(error) in Run.told.values():
                forget_steps(error)
            raise

    case.runTest = run_test  # type: ignore[attr-defined]
    return case


def forget_steps(error: AssertionError) -> None:
    """The error tells neither the steps as they were drawn nor our own lines."""
    notes = getattr(error, "__notes__", ())
    error.__notes__ = [note for note in notes if not note.lstrip().startswith(STEPS)]
    error.__traceback__ = None


testcase.__test__ = False  # type: ignore[attr-defined]  # pytest takes it for a test by its name

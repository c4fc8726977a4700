"""One trace is kept for each fault: the one that does the most harm in the fewest steps."""

from __future__ import annotations

from poolproof_model.system import Refusal
from poolproof_verification.audit import Breach
from poolproof_verification.exchange import Finding
from poolproof_verification.findings import Faults, Trace
from poolproof_verification.operations import Operation


def trace(
    law: str,
    *operations: Operation,
    expected: Refusal | None = None,
    question: str = "",
) -> Trace:
    finding = Finding(operations[-1], expected, (Breach(law, "words", question),))
    return Trace(2, 1, operations, finding)


ONE, TWO = Operation("allocate", ("A", 1)), Operation("allocate", ("A", -2))
APPEND, RELEASE = Operation("append", ("A",)), Operation("release", ("A",))


def test_a_fault_is_an_operation_and_the_law_it_breaks() -> None:
    assert trace("tables", ONE, APPEND).fault == ("append", "tables")
    assert trace("counts", APPEND).fault == ("append", "counts")


def test_what_should_have_been_refused_is_one_fault_whatever_it_breaks() -> None:
    faults = {trace(law, ONE, expected=Refusal.EXISTS).fault for law in ("partition", "refusals")}
    assert faults == {("allocate", "EXISTS")}


def test_a_question_is_a_fault_of_its_own_whatever_was_done_before() -> None:
    faults = {trace("questions", each, question="used").fault for each in (ONE, APPEND)}
    assert faults == {("used", "questions")}


def test_the_shorter_trace_of_a_fault_is_kept() -> None:
    faults = Faults()
    for each in (trace("tables", ONE, ONE, APPEND), trace("tables", APPEND)):
        faults.add(each)
        faults.add(trace("tables", ONE, APPEND))
    assert [len(each.operations) for each in faults.traces()] == [1]


def test_more_harm_counts_for_more_than_fewer_steps() -> None:
    faults = Faults()
    harmful = trace("partition", ONE, ONE, APPEND, expected=Refusal.OUT_OF_BLOCKS)
    for each in (trace("refusals", APPEND, expected=Refusal.OUT_OF_BLOCKS), harmful):
        faults.add(each)
    assert faults.traces() == [harmful]


def test_of_equal_traces_the_one_without_negative_numbers_is_kept() -> None:
    assert trace("tables", ONE, APPEND).rank < trace("tables", TWO, APPEND).rank


def test_the_most_harmful_fault_comes_first() -> None:
    faults = Faults()
    for each in (trace("lengths", APPEND), trace("partition", ONE, RELEASE), trace("counts", ONE)):
        faults.add(each)
    assert [each.finding.worst.law for each in faults.traces()] == [
        "partition",
        "counts",
        "lengths",
    ]
    assert len(faults) == 3

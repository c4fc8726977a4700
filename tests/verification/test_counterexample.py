"""A counterexample reads as a story, pastes as a test and travels as JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.metadata import PackageNotFoundError

import pytest

from poolproof_verification.counterexample import Counterexample, Step, project_version
from poolproof_verification.operations import Operation, View

FIRST = Step(
    operation="allocate('A', 1)",
    expected="[0]",
    observed="[0]",
    shown=View([], {0: 1}, {"A": {"blocks": [0], "len": 1}}),
    model=View([], {0: 1}, {"A": {"blocks": [0], "len": 1}}),
    asserted="assert manager.allocate('A', 1) == [0]",
    call=Operation("allocate", ("A", 1)),
)
SECOND = Step(
    operation="release('A')",
    expected="[0]",
    observed="[]",
    shown=View([], {}, {}),
    model=View([0], {}, {}),
    asserted="assert manager.release('A') == [0]\nassert manager.free == [0]",
)
EXAMPLE = Counterexample(
    target="house:Manager",
    import_line="from house import Manager",
    class_name="Manager",
    total=1,
    block_size=2,
    law="partition",
    headline="block 0 is lost: not free, no table holds it, not counted",
    breaches=(
        "partition: block 0 is lost: not free, no table holds it, not counted",
        "results: release('A') returned [], where [0] is right",
    ),
    steps=(FIRST, SECOND),
    found_by="explore",
)

TEST = """\
import pytest
from house import Manager


def test_block_0_is_lost() -> None:
    manager = Manager(1, 2)
    assert manager.allocate('A', 1) == [0]
    assert manager.release('A') == [0]
    assert manager.free == [0]
"""


def test_the_test_can_be_pasted() -> None:
    assert EXAMPLE.test() == TEST
    compile(TEST, "<test>", "exec")


@pytest.mark.parametrize(
    ("headline", "name"),
    [
        ("append('B') returned False, where True is right", "append_b_returned_false_where_true"),
        ("'A' has 1 block", "a_has_1_block"),
        ("x" * 100, "x" * 60),
    ],
)
def test_the_test_is_named_after_the_headline(headline: str, name: str) -> None:
    source = replace(EXAMPLE, headline=headline).test()
    assert f"def test_{name}" in source
    compile(source, "<test>", "exec")


def test_a_line_says_what_broke_and_after_which_calls() -> None:
    assert EXAMPLE.line() == f"{EXAMPLE.headline} (after allocate('A', 1); release('A'))"


def test_a_law_is_broken_if_a_breach_says_so() -> None:
    assert EXAMPLE.breaks("partition")
    assert EXAMPLE.breaks("results")
    assert not EXAMPLE.breaks("result")
    assert not EXAMPLE.breaks("counts")


def test_each_law_has_its_own_words() -> None:
    assert EXAMPLE.breach_of("results") == "release('A') returned [], where [0] is right"
    assert EXAMPLE.breach_of("partition") == EXAMPLE.headline
    assert EXAMPLE.breach_of("counts") == ""


def test_a_step_agrees_if_result_and_state_do() -> None:
    assert FIRST.agrees
    assert not SECOND.agrees
    assert not replace(FIRST, shown="free []").agrees


def test_it_is_plain_data() -> None:
    data = json.loads(json.dumps(EXAMPLE.as_json()))
    assert data["schema"] == 1
    assert data["test"] == TEST
    assert [step["operation"] for step in data["steps"]] == ["allocate('A', 1)", "release('A')"]
    assert [step["call"] for step in data["steps"]] == [
        {"name": "allocate", "arguments": ["A", 1]},
        None,
    ]


def test_the_digest_differs_with_whatever_differs() -> None:
    later = replace(SECOND, shown="free [0] | no sequence | counts {}")
    others = (
        replace(EXAMPLE, total=2),
        replace(EXAMPLE, seed=0),
        replace(EXAMPLE, version="9"),
        replace(EXAMPLE, steps=(FIRST, later)),
        replace(EXAMPLE, steps=(replace(FIRST, call=Operation("allocate", ("A", True))), SECOND)),
    )
    digests = {each.as_json()["digest"] for each in (EXAMPLE, *others)}
    assert len(digests) == 1 + len(others)
    assert EXAMPLE.as_json() == EXAMPLE.as_json()


def test_the_same_operations_that_break_the_same_law_are_one_counterexample() -> None:
    same = replace(EXAMPLE, seed=7, version="9", found_by="fuzz", headline="in other words")
    assert same.identity() == EXAMPLE.identity()
    assert replace(EXAMPLE, law="results").identity() != EXAMPLE.identity()
    assert replace(EXAMPLE, block_size=1).identity() != EXAMPLE.identity()


def test_without_an_installation_the_version_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("poolproof_verification.counterexample.version_of", missing)
    assert project_version.__wrapped__() == "not installed"


def test_the_same_fault_of_another_target_is_another() -> None:
    assert replace(EXAMPLE, found_by="fuzz", total=9).fault == EXAMPLE.fault
    assert replace(EXAMPLE, target="other:Manager").fault != EXAMPLE.fault

from __future__ import annotations

from poolproof_verification.sections import Section
from poolproof_verification.verdict import Outcome


def test_without_a_fault_it_is_held() -> None:
    section = Section("a title", ("a line",), {"a": 1})
    assert section.outcome is Outcome.HELD
    assert list(section.text()) == ["a title: held", "  a line"]
    assert section.as_json() == {"outcome": "held", "faults": [], "found": {"a": 1}}


def test_a_fault_makes_it_unknown_or_what_its_faults_mean() -> None:
    assert Section("a title", (), {}, ("a fault",)).outcome is Outcome.UNKNOWN
    refuted = Section("a title", (), {}, ("a fault",), Outcome.REFUTED)
    assert list(refuted.text()) == ["a title: refuted", "  NOT HELD: a fault"]

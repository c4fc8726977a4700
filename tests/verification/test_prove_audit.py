from __future__ import annotations

from typing import Any

import pytest

from poolproof_model.system import RELEASE
from poolproof_verification import prove_audit
from poolproof_verification.proofs.mechanical_judge import TextReport
from poolproof_verification.proofs.model_mutants import ModelMutant, mutant_named
from poolproof_verification.proofs.model_mutants_judge import matrix
from poolproof_verification.verdict import Outcome


@pytest.mark.parametrize(
    ("mutant", "survives"),
    [
        (mutant_named("release does nothing"), False),
        (ModelMutant("nothing is wrong", RELEASE), True),
    ],
    ids=lambda value: str(getattr(value, "name", value)),
)
def test_a_mutant_that_survives_is_a_fault(
    monkeypatch: pytest.MonkeyPatch, mutant: ModelMutant, survives: bool
) -> None:
    def judge(progress: Any) -> Any:
        return matrix((mutant,), progress=progress)

    monkeypatch.setattr(prove_audit, "judge_all", judge)
    monkeypatch.setattr(prove_audit, "judge_text", lambda progress: TextReport(()))
    told: list[str] = []
    (_, catalogued), _ = prove_audit.mutant_stages(told.append)
    catalogue = catalogued()
    assert len(told) == 1
    assert (f"{mutant.wrong}: nothing concrete refutes it" in catalogue.faults) == survives
    assert catalogue.lines[0].startswith(f"{1 - survives} of 1 mutants refuted")


def test_a_disagreement_refutes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prove_audit, "disagreements", lambda steps, seed: iter(["one says 1"]))
    assert prove_audit.agreed(1).outcome is Outcome.REFUTED

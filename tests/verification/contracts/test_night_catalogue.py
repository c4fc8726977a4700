"""Every operation is tried at night beside one other sequence and beside two."""

from __future__ import annotations

from poolproof_verification.contracts.catalogue import DAY
from poolproof_verification.contracts.night_catalogue import NIGHT
from poolproof_verification.laws import LAWS
from poolproof_verification.mutants import MUTANTS


def test_every_contract_speaks_for_known_laws_and_has_known_bugs() -> None:
    known = {mutant.name for mutant in MUTANTS}
    for contract in NIGHT.contracts:
        assert set(contract.laws) <= set(LAWS)
        assert len(contract.bugs) >= 2
        assert set(contract.bugs) <= known


def test_some_bugs_show_in_large_values_only() -> None:
    bugs = {name for contract in NIGHT.contracts for name in contract.bugs}
    assert len([mutant for mutant in MUTANTS if mutant.unbounded and mutant.name in bugs]) >= 2


def test_whatever_is_tried_beside_one_is_tried_beside_two() -> None:
    kinds = {"allocate", "append", "call", "grow"}
    wanted = {f"{number}_{kind}" for number in ("two", "three") for kind in kinds}
    assert {contract.name for contract in NIGHT.contracts} == wanted


def test_the_forms_say_of_which_states_they_speak() -> None:
    assert "4 blocks and 2 or 3 sequences" in NIGHT.scope
    assert NIGHT.scope != DAY.scope
    assert NIGHT.not_covered != DAY.not_covered

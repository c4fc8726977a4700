"""Which contracts run a method that is not as in the shipped manager: only those are searched."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from types import CodeType, FrameType
from typing import Any

from poolproof import BlockManager
from poolproof_verification.contracts.cases import Arguments
from poolproof_verification.contracts.catalogue import CONTRACTS, Contract
from poolproof_verification.contracts.replay import replay
from poolproof_verification.contracts.subject import module_beside

ONE_OF = 30  # small cases of a contract, which show the methods that it runs
CLASSES = (("block_manager", "BlockManager"), ("block_pool", "BlockPool"))


def reaching(
    manager: type[BlockManager], sample: Callable[[Contract], Sequence[Arguments]]
) -> Iterator[Contract]:
    """The contracts of which some case runs a changed method."""
    changed = set(changed_code(manager))
    for contract in CONTRACTS:
        if not changed.isdisjoint(code_run(contract, manager, sample(contract)[::ONE_OF])):
            yield contract


def code_run(
    contract: Contract, manager: type[BlockManager], cases: Sequence[Arguments]
) -> set[CodeType]:
    """Everything that the cases run."""
    seen: set[CodeType] = set()

    def note(frame: FrameType, event: str, value: Any) -> None:
        seen.add(frame.f_code)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        for arguments in cases:
            replay(contract.function, manager, arguments)
    finally:
        sys.setprofile(before)
    return seen


def changed_code(manager: type[BlockManager]) -> Iterator[CodeType]:
    """The code of each method that differs from the shipped manager's of the same name."""
    for module, name in CLASSES:
        here, there = (
            vars(vars(module_beside(each, module))[name]) for each in (manager, BlockManager)
        )
        for method in here.keys() & there.keys():
            code, right = (getattr(each[method], "__code__", None) for each in (here, there))
            if code and right and plain(code) != plain(right):
                yield code


def plain(code: CodeType) -> tuple[object, ...]:
    """What the code does, wherever it stands."""
    inner = [plain(each) if isinstance(each, CodeType) else each for each in code.co_consts]
    return code.co_code, code.co_names, code.co_varnames, repr(inner)

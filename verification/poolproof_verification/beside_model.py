"""A manager that any test calls as the lesson's, judged by the model after each operation.

So no test names the blocks that a manager takes where it may take any free one.

Does not cover: what the manager returns to the test, which is judged here and not handed on.
"""

from __future__ import annotations

from collections.abc import Callable

from poolproof_verification.exchange import Exchange
from poolproof_verification.lockstep import FRESH, Lockstep
from poolproof_verification.operations import Operation, names_in
from poolproof_verification.scopes import UNKNOWN_NAME
from poolproof_verification.targets import KnownTarget


class BesideModel:
    """One manager and the model of it."""

    def __init__(self, target: KnownTarget, total: int, block_size: int) -> None:
        """A fresh pool; AssertionError where not even that is right."""
        self.lockstep = Lockstep(target, total, block_size)
        self.operations: list[Operation] = []
        hold(self.lockstep.ask((UNKNOWN_NAME,), FRESH))

    def __getattr__(self, name: str) -> Callable[..., None]:
        """An operation: refused or carried out as the model says, or AssertionError."""

        def do(*arguments: object) -> None:
            self.operations.append(Operation(name, arguments))
            names = (*names_in(self.operations), UNKNOWN_NAME)
            hold(self.lockstep.do(self.operations[-1], names))

        return do


def hold(exchange: Exchange) -> None:
    """AssertionError says what is broken."""
    if exchange.finding is not None:
        broken = exchange.finding.breaches
        raise AssertionError("\n".join(f"{breach.law}: {breach.words}" for breach in broken))

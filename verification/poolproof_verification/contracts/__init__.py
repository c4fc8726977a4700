"""Contracts on the real class: one operation from any valid hidden state, searched symbolically."""

from poolproof_verification.contracts.judge import canary, check
from poolproof_verification.contracts.night_catalogue import NIGHT, SECONDS

__all__ = ["NIGHT", "SECONDS", "canary", "check"]

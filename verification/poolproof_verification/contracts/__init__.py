"""Contracts on the real class: one operation from any valid hidden state, searched symbolically."""

from poolproof_verification.contracts.judge import canary, check

__all__ = ["canary", "check"]

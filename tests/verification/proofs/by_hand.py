"""Obligations and proofs for tests, with what they do not care about filled in."""

from __future__ import annotations

from functools import partial

from poolproof_verification.proofs.goals import Obligation
from poolproof_verification.proofs.solve import discharge

TIMEOUT = 2000  # milliseconds an obligation
obligation = partial(Obligation, law="counts")
ask = partial(discharge, timeout=TIMEOUT)

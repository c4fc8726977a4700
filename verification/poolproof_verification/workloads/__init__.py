"""Real serving traces, replayed on the real manager: what it holds, takes, wastes and saves."""

from poolproof_verification.workloads.figures import Figures
from poolproof_verification.workloads.formats import FORMATS, Request
from poolproof_verification.workloads.replay import run
from poolproof_verification.workloads.simulation import simulate

__all__ = ["FORMATS", "Figures", "Request", "run", "simulate"]

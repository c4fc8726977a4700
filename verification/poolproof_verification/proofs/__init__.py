"""Proofs of the model: for any number of blocks, sequences, table lengths and block sizes.

`claims` reads off the model what is claimed of each transition, `obligations` states it of any
step, `lemmas` knows about counting and block sizes, `solve` asks the solver, `search` looks for
operations that break what is not proved, `canary` seeds bugs, `trusted` says what it all rests on.
"""

import z3

from poolproof_verification.proofs.canary import canary
from poolproof_verification.proofs.prove import prove, results_of
from poolproof_verification.proofs.trusted import trusted

# Else z3 answers Ctrl-C with "unknown", Python never hears of it, and the run goes on.
z3.set_param("ctrl_c", False)

__all__ = ["canary", "prove", "results_of", "trusted"]

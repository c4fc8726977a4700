"""The laws: what every block manager must keep, each by name and in one sentence.

Beside them those that the search itself must keep.
"""

from __future__ import annotations

LAWS = {
    "partition": "every block is either free or referenced: none is lost, none is free while held",
    "counts": "a block's reference count is the number of tables that hold it",
    "tables": "a table has distinct blocks of the pool, and only its own operations change it",
    "lengths": "a table has ceil(tokens / block size) blocks",
    "contents": "every sequence reads exactly the tokens it was given",
    "release": "a block returns to the pool when its last holder lets go, and no sooner",
    "promises": "each transition does what it promises, and touches nothing else",
    "admission": "an operation is admitted exactly where a lawful choice of blocks exists",
    "results": "each operation returns what the model says",
    "choices": "blocks are taken free, distinct, and lowest number first",
    "refusals": "an operation is refused exactly when it must be, and then changes nothing",
    "can": "can_... is true exactly when the call would succeed",
    "questions": "views and other questions tell the truth, and asking changes nothing",
    "self-check": "check_invariants and violations raise no alarm",
    "alarms": "violations tells what is broken, in which blocks, for whom, and nothing else",
    "names": "how the sequences are called makes no difference to anything else",
    "order": "two operations that have nothing to do with one another may change places",
    "shortage": "whichever of its blocks is missing, an operation changes nothing, now or later",
    "interrupts": "an interrupt spares the other sequences, and what it loses is recovered",
    "coverage": "a search comes upon every catalogued case of the model",
    "mutants": "a search finds every seeded bug, and none where none is",
}

OF_THE_MODEL = ("promises", "admission")
"""Only proofs speak of these; the code is held to the other laws, which come to the same."""

OF_THE_SEARCH = ("coverage", "mutants")
"""No manager can break these; a search that does has not looked everywhere."""

OF_COMPARISONS = ("names", "order", "shortage", "interrupts")
"""Judged by runs that are compared with one another, and by injected faults, not step by step."""

OF_BROKEN_STATES = ("alarms",)
"""Judged in states that were tampered with; no operation leads to one."""

OF_OTHERS = OF_THE_MODEL + OF_THE_SEARCH + OF_COMPARISONS + OF_BROKEN_STATES
OF_CODE = tuple(law for law in LAWS if law not in OF_OTHERS)

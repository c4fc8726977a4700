"""The laws: what every block manager must keep, each by name and in one sentence."""

from __future__ import annotations

LAWS = {
    "partition": "every block is either free or referenced: none is lost, none is free while held",
    "counts": "a block's reference count is the number of tables that hold it",
    "tables": "a table has distinct blocks of the pool, and only its own operations change it",
    "lengths": "a table has ceil(tokens / block size) blocks",
    "contents": "every sequence reads exactly the tokens it was given",
    "release": "a block returns to the pool when its last holder lets go, and no sooner",
    "results": "each operation does and returns what the model says",
    "choices": "blocks are taken free, distinct, and lowest number first",
    "refusals": "an operation is refused exactly when it must be, and then changes nothing",
    "questions": "can_... agrees with the call; views and questions tell the truth, change nothing",
    "self-check": "check_invariants and violations raise no false alarm",
}

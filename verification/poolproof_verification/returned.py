"""A list that a call returns is the caller's: the harness writes into it and looks what happens.

Does not cover: a manager that keeps a returned list and reads it in a later operation only.
"""

from __future__ import annotations

from typing import Any

from poolproof_verification.audit import Breach
from poolproof_verification.operations import Operation, View

RETURN_LISTS = ("table", "violations")  # of the questions
SCRIBBLE = -99  # no block has this number


def keep_and_scribble(value: Any) -> Any:
    """A copy of what was returned; then the caller, whose it is, writes into the returned lists."""
    if isinstance(value, tuple):
        return tuple(map(keep_and_scribble, value))
    if type(value) is not list:  # what a foreign class makes of writing is its own affair
        return value
    kept = list(value)
    value[:] = [SCRIBBLE] * (len(value) + 1)  # other members, and one more
    return kept


def scribbling(call: str, part: str = "") -> str:
    """The same as lines of a test; `part`: the list in what is returned."""
    returned = f"returned{part}"
    return f"returned = {call}\n{returned}[:] = [{SCRIBBLE}] * (len({returned}) + 1)"


def written_into(question: Operation) -> tuple[str, str]:
    """A question as words and as lines of a test; the caller writes into a list it returns."""
    if question.name not in RETURN_LISTS:
        return str(question), f"manager.{question}"
    words = f"{question} returns a list of the manager's own: writing into it"
    return words, scribbling(f"manager.{question}")


def without_scribble(operation: Operation, value: Any, shown: View) -> tuple[View, list[Breach]]:
    """The state without what the caller wrote, and a breach if that showed up in it.

    `value`: what was returned, as it was before.
    """
    returned = value[0] if isinstance(value, tuple) and value else value

    def clean(blocks: list[int]) -> list[int]:
        if {SCRIBBLE}.issuperset(blocks) and blocks and isinstance(returned, list):
            return returned
        return [block for block in blocks if block != SCRIBBLE]

    tables = {
        name: {**table, "blocks": clean(table["blocks"])} for name, table in shown.seqs.items()
    }
    free = clean(shown.free) if isinstance(shown.free, list) else shown.free
    cleaned = View(free, shown.ref, tables)
    if cleaned == shown:
        return shown, []
    part = "[0]" if operation.name == "grow" else ""
    words = f"{operation} returned a list of the manager's own: writing into it changes the state"
    asserted = scribbling(f"manager.{operation}", part)
    return cleaned, [Breach("tables", words, asserted=asserted)]

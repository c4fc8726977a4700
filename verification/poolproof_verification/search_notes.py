"""What a search came to: in how many cases each law was judged, what was left out, and why.

Does not cover: the faults it found, which are told one by one.
"""

from __future__ import annotations

from collections.abc import Iterator

from poolproof_verification.explore import Exploration
from poolproof_verification.judging import asked
from poolproof_verification.laws import OF_CODE
from poolproof_verification.operations import OPERATIONS
from poolproof_verification.reached import note
from poolproof_verification.record import Record
from poolproof_verification.visibility import blind_spots, not_judged
from poolproof_verification.words import plural

STANDARD = 500  # runs of the machine: a search of full size, which has to come upon every case
DRIVEN = 3  # runs of the driver for each of the machine's
FEW_SIZES = 12  # of those that no pool is made of are told


def is_full(record: Record) -> bool:
    """The search was at least as long as the standard one.

    The machine draws no other size where one is not made, so half of its runs may be missing.
    """
    missing = STANDARD // 2 if record.unmade else 0
    return record.runs >= STANDARD * (1 + DRIVEN) - missing


def shortfalls(record: Record) -> Iterator[str]:
    """What the search could not do as planned."""
    if not is_full(record):
        yield "not judged: coverage: the search was shorter than the standard one"
    if record.unmade:
        sizes = ", ".join(f"{total} of {size}" for total, size in sorted(record.unmade)[:FEW_SIZES])
        more = ", ..." if len(record.unmade) > FEW_SIZES else ""
        yield f"left out, as no such pool is made (blocks of slots): {sizes}{more}"
    if record.slow:
        yield f"cut short, as the manager is slow: {plural(record.slow, 'run')}"


def counted(record: Record, explorations: list[Exploration]) -> dict[str, int]:
    """How many operations, or states, each law was judged in."""
    states = record.questions + sum(each.questions for each in explorations)
    accepted = sum(record.accepted.values()) + sum(each.accepted for each in explorations)
    refused = sum(record.refused.values()) + sum(each.refused for each in explorations)
    releases = record.accepted["release"] + record.accepted["release_all"]
    releases += sum(each.released for each in explorations)
    driven = sum(record.accepted.values())  # exploration follows no contents
    untold = record.untold + sum(each.untold for each in explorations)
    counts = dict.fromkeys(OF_CODE, accepted + refused)
    counts |= {"contents": driven, "results": accepted - untold, "choices": accepted}
    counts |= {"refusals": refused, "release": releases}
    counts |= asked(record.target.traits.questions, states)
    return counts | dict.fromkeys(not_judged(record.target.traits), 0)


def notes(record: Record, explorations: list[Exploration]) -> Iterator[str]:
    """What was done, and what could not be."""
    yield from map(str, explorations)
    accepted, refused = sum(record.accepted.values()), sum(record.refused.values())
    yield (
        f"seed {record.seed}: {plural(record.runs, 'run')}, "
        f"{plural(accepted, 'operation')} accepted, "
        f"{refused:,} refused"
    )
    yield from shortfalls(record)
    offered = record.target.traits.operations
    if absent := [name for name in OPERATIONS if name not in offered]:
        yield f"not offered: {', '.join(absent)}"
    never = [name for name in OPERATIONS if name in offered and not record.accepted[name]]
    offers = "every operation offered" if absent else "every operation"
    yield f"never accepted: {', '.join(never)}" if never else f"{offers} was accepted at times"
    yield note(record)
    yield from blind_spots(record.target.traits, counted(record, explorations))

"""What an adapter promises and shows, read once, and which laws cannot be judged for want of it.

Less visibility means fewer checks: the model's view is reduced to what is shown before the two are
compared. What a fresh manager shows it must go on showing: a view with less in it is malformed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from poolproof_model.execute import FreeBlocks, Members, Pool, Table, empty_pool
from poolproof_model.system import Refusal
from poolproof_verification.adapters.adapter import Adapter
from poolproof_verification.operations import OPERATIONS, QUESTIONS, Reserved, View, view_of
from poolproof_verification.verdict import CouldNotRun
from poolproof_verification.words import class_of, told


@dataclass(frozen=True)
class Traits:
    """What one kind of manager can do, promises and shows."""

    operations: frozenset[str] = frozenset(OPERATIONS)
    questions: frozenset[str] = frozenset()
    any_free_block: bool = False
    copies_at_fork: bool = False
    reserved: frozenset[int] = frozenset()
    undefined: frozenset[Refusal] = frozenset()
    shows_free_blocks: bool = True  # otherwise only their number
    shows_counts: bool = True


EVERYTHING = Traits()
SAID = ("operations", "questions", "any_free_block", "copies_at_fork", "reserved", "undefined")
SELF_CHECKS = ("check_invariants", "violations")
ABSURD = 1 << 63  # a number of blocks or tokens that no pool has
MEMBERS = {"operations": str, "questions": str, "reserved": int, "undefined": Refusal}


def traits_of(adapter: Adapter, fresh: View | None) -> Traits:
    """What the adapter says of itself, and what its fresh manager shows; CouldNotRun for junk."""
    said = {name: trait(adapter, name) for name in SAID}
    for trait_name, known in (("operations", OPERATIONS), ("questions", QUESTIONS)):
        unknown = said[trait_name] - set(known)
        if unknown:
            raise CouldNotRun(
                f"adapter {class_of(adapter)}: its {trait_name} have {told(sorted(unknown))}; "
                f"there are {', '.join(known)}"
            )
    if "allocate" not in said["operations"]:
        lacking = "allocate: nothing could ever be tried" if said["operations"] else "operations"
        raise CouldNotRun(f"adapter {class_of(adapter)} has no {lacking}")
    strange = [block for block in said["reserved"] if not 0 <= block < len(said["reserved"]) + 2]
    if strange:
        raise CouldNotRun(
            f"adapter {class_of(adapter)}: its reserved blocks have {strange}, "
            "which are not in every pool"
        )
    if not isinstance(fresh, View):  # a finding as soon as a state is judged
        return Traits(**said)
    lists, counts = isinstance(fresh.free, list), fresh.ref is not None
    return Traits(**said, shows_free_blocks=lists, shows_counts=counts)


def trait(adapter: Adapter, name: str) -> Any:
    """One of the adapter's attributes, of the right type."""
    try:
        value = getattr(adapter, name)
    except Exception:
        raise CouldNotRun(f"adapter {class_of(adapter)} lacks {name}") from None
    member = MEMBERS.get(name)
    if member is None:
        right, wanted = type(value) is bool, "True or False"
    else:
        right = isinstance(value, frozenset) and all(type(each) is member for each in value)
        wanted = f"a frozenset of {member.__name__}"
    if not right:
        words = f"{name} is {told(value)}, not {wanted}"
        raise CouldNotRun(f"adapter {class_of(adapter)}: {words}")
    return value


def start_of(total: int, block_size: int, traits: Traits, *, contents: bool = True) -> Pool:
    """The model's initial state; each reserved block is held for ever by a sequence of its own."""
    reserved = sorted(traits.reserved)
    pool = empty_pool(total + len(reserved), block_size, contents=contents)
    if not reserved:
        return pool
    strange = [block for block in reserved if not 0 <= block < pool.total]
    if strange:
        raise CouldNotRun(f"reserved blocks {strange} are none of the {pool.total} in all")
    names = {block: Reserved(block) for block in reserved}
    return Pool(
        total=pool.total,
        block_size=block_size,
        free=FreeBlocks(pool.free - traits.reserved),
        counts=dict.fromkeys(reserved, 1),
        tables={name: Table((block,), 1) for block, name in names.items()},
        holders={block: Members({name}) for block, name in names.items()},
        contents=pool.contents,
    )


def shown_of(pool: Pool, traits: Traits) -> View:
    """What a manager in this state of the model shows, if these are its traits."""
    whole = view_of(pool)
    if traits.shows_free_blocks and traits.shows_counts:
        return whole
    free = whole.free if traits.shows_free_blocks else len(whole.free)
    return View(free, whole.ref if traits.shows_counts else None, whole.seqs)


def malformed(view: object, traits: Traits = EVERYTHING) -> str:
    """Why this is no view of a manager with these traits; nothing where it is one."""
    if not isinstance(view, View):
        return f"{told(view)} is no view"
    free = integers(view.free) if traits.shows_free_blocks else is_integer(view.free)
    if not free:
        wanted = "a list of integers" if traits.shows_free_blocks else "their number"
        return f"the free blocks are {told(view.free)}, not {wanted}"
    counts = isinstance(view.ref, dict) and integers([*view.ref, *view.ref.values()])
    if not (counts if traits.shows_counts else view.ref is None):
        wanted = "a dict of integers" if traits.shows_counts else "None, as at first"
        return f"the counts are {told(view.ref)}, not {wanted}"
    return malformed_tables(view.seqs)


def malformed_tables(tables: object) -> str:
    """The same of the block tables."""
    if not isinstance(tables, dict):
        return f"the tables are {told(tables)}, not a dict"
    for name, table in tables.items():
        if isinstance(name, str) and type(name) is not str:
            return f"the name {told(name)} is a str of a class of its own"
        if not isinstance(table, dict) or set(table) != {"blocks", "len"}:
            return f"the table of {told(name)} is {told(table)}, not blocks and len"
        if not integers(table["blocks"]):
            return f"the blocks of {told(name)} are {told(table['blocks'])}, not a list of integers"
        if not is_integer(table["len"]):
            return f"the length of {told(name)} is {told(table['len'])}, not an integer"
    return ""


def integers(values: object) -> bool:
    """A list of integers, none of them absurd."""
    if not isinstance(values, list):
        return False
    if {int}.issuperset(map(type, values)):
        return not values or (min(values) > -ABSURD and max(values) < ABSURD)
    return all(map(is_integer, values))


def is_integer(value: object) -> bool:
    """An integer, no truth value, and not absurd."""
    return isinstance(value, int) and not isinstance(value, bool) and -ABSURD < value < ABSURD


def not_judged(traits: Traits) -> dict[str, str]:
    """The laws of which nothing can be judged, and why."""
    found = {}
    if traits.operations.isdisjoint({"release", "release_all"}):
        found["release"] = "the manager has no release"
    if traits.undefined.issuperset(Refusal):
        found["refusals"] = "whatever would have to be refused is left undefined"
    if not traits.shows_counts:
        found["counts"] = "the manager shows no reference counts"
    if not any(question.startswith("can_") for question in traits.questions):
        found["can"] = "the manager answers no question whether a call would succeed"
    if all(question.startswith("can_") or question in SELF_CHECKS for question in traits.questions):
        found["questions"] = "the manager answers no question of any other kind"
    if traits.questions.isdisjoint(SELF_CHECKS):
        found["self-check"] = "the manager has no check of itself"
    return found


def judged_in_part(traits: Traits) -> dict[str, str]:
    """The laws of which something cannot be judged: what, and why."""
    found = {}
    if not traits.shows_free_blocks:
        found["partition"] = "which blocks are free, as only their number is shown"
    if traits.any_free_block:
        found["choices"] = "which of the free blocks are taken, as any may be"
    if traits.undefined and not traits.undefined.issuperset(Refusal):
        reasons = "; ".join(reason.value for reason in Refusal if reason in traits.undefined)
        found["refusals"] = f"what is left undefined: {reasons}"
    return found


def blind_spots(traits: Traits, counts: Mapping[str, int]) -> Iterator[str]:
    """What was not judged, law by law, as lines of a report; `counts`: in how many cases each was.

    Whatever the reason, a law without a case is named.
    """
    why_not = not_judged(traits)
    for law, count in counts.items():
        if not count:
            yield f"not judged: {law}: {why_not.get(law, 'nothing came up by which to judge it')}"
    for law, what in judged_in_part(traits).items():
        if counts.get(law):
            yield f"judged in part: {law}: not {what}"

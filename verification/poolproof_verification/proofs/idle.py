"""Hypotheses and lemmas that no proof needs: each is explained, or hides a goal that is missing.

An invariant counts as needed where an instance of it is. The check works both ways: an idle
assumption without an explanation is a fault, and so is an explanation of one that is needed.

Does not cover: an assumption that some core needs and another core would not; a guard that one
transition needs and another that has the same guard does not.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from poolproof_verification.proofs.cores import Assumed, Core, assumed_by
from poolproof_verification.proofs.goals import Formula, Obligation
from poolproof_verification.verdict import CouldNotRun

Fact = tuple[str, int]  # its name, and what tells its formula from others of that name

NATURAL_STEP = (
    "induction grants n >= 0; the statement says nothing below 0, and the definition speaks of 0 "
    "itself, so that the step holds from -1 as well"
)
NO_MEMBERS = "below 0 there is no member: what the greatest one or an entry would be is not asked"
EXPLAINED: dict[str, str] = {
    "sizes 0": "a block has at least one slot, which the lemma on quotient and remainder says too: "
    "a remainder below the block size is natural",
    "choice is lawful of fork, release": "they take no block, so that every choice is lawful; what "
    "they do never asks for it",
    "enough blocks are free of fork, release": "they need none, and 0 is always enough",
    "as many as needed of fork, release": "they need none: that a set has a natural number of "
    "members is all it takes",
    "step 1 of count is natural, count of nobody, count of one, count of two": NATURAL_STEP,
    "step 2 of count after one change, count has a witness, members can be enumerated": (
        NATURAL_STEP
    ),
    "step 1 of a pick is still there, each pick leaves one fewer": NATURAL_STEP,
    "base 1 of count has a witness": NO_MEMBERS,
    "base 1 of members can be enumerated": NO_MEMBERS,
}


def idle(cores: Iterable[Core]) -> tuple[str, ...]:
    """The assumptions that are in no core, in the order met. CouldNotRun: there is no proof."""
    owners: dict[Fact, set[str]] = defaultdict(set)
    needed: set[Fact] = set()
    for core in cores:
        owner = core.obligation.transition or core.obligation.clause
        for fact in facts(core.obligation, assumed_by(core.obligation)):
            owners[fact].add(owner)
        # What has no proof needs everything.
        used = core.used if core.proved else assumed_by(core.obligation)
        needed.update(facts(core.obligation, used))
    if not owners:
        raise CouldNotRun("nothing is assumed by these obligations: no assumption can be idle")
    names = [name for name, _ in owners]
    return tuple(
        fact[0] if names.count(fact[0]) == 1 else f"{fact[0]} of {', '.join(sorted(owners[fact]))}"
        for fact in owners
        if fact not in needed
    )


def facts(obligation: Obligation, assumed: Assumed) -> Iterator[Fact]:
    """What is assumed; an instance of an invariant counts as the invariant."""
    stated = dict(obligation.hypotheses)
    for name, formula in assumed:
        general = re.sub(r" in sight \d+$", "", name)
        told: Formula = stated.get(general, formula)
        yield general, told.get_id()


def unexplained(found: Iterable[str], explained: Mapping[str, str] = EXPLAINED) -> tuple[str, ...]:
    """What is wrong with the explanations, a line each; nothing if they are those of the idle."""
    there = tuple(found)
    return (
        *(
            f"no proof needs {name}, and nothing explains why"
            for name in there
            if name not in explained
        ),
        *(
            f"{name} is explained as idle, but some proof needs it or none is given it"
            for name in explained
            if name not in there
        ),
    )

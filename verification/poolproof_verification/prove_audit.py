"""What a sceptic asks of a proof: is it vacuous, is something idle, is it about what is run?

`stages` answers from witnesses, cores, branches and agreement; `mutant_stages` from seeded bugs.

Does not cover: anything itself; each section's own module says what it does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from poolproof_model.invariants import INVARIANTS
from poolproof_model.system import TRANSITIONS
from poolproof_verification.proofs.agreement import disagreements
from poolproof_verification.proofs.branches import branches, unneeded_explanations
from poolproof_verification.proofs.cases import every_obligation
from poolproof_verification.proofs.cores import core_of
from poolproof_verification.proofs.idle import EXPLAINED, idle, unexplained
from poolproof_verification.proofs.mechanical_judge import judge_text
from poolproof_verification.proofs.model_mutants_judge import Matrix, reason_for
from poolproof_verification.proofs.model_mutants_judge import matrix as judge_all
from poolproof_verification.proofs.witness import lemma_witness, witnesses
from poolproof_verification.sections import Section, Stage
from poolproof_verification.verdict import Outcome

AGREEMENT_STEPS = 100
Tell = Callable[[str], None]


def stages(timeout: int) -> Iterator[Stage]:
    """The audit, one section after the other."""
    yield "a witness for each transition and lemma", witnessed
    yield "the hypotheses that each proof needs", lambda: needed(timeout)
    yield "each branch replaced by an unknown", branched
    yield (
        f"{AGREEMENT_STEPS} random steps, solver terms against execution",
        lambda: agreed(AGREEMENT_STEPS),
    )


def witnessed() -> Section:
    """A state for each transition in which every hypothesis holds and from which it fires."""
    found = (*witnesses(), lemma_witness())
    return Section(
        "not vacuous: hypotheses that hold together, and a step",
        tuple(str(each) for each in found if not each.faults),
        [vars(each) for each in found],
        tuple(str(each) for each in found if each.faults),
    )


def needed(timeout: int) -> Section:
    """The core of each proof, and the assumptions that none needs."""
    cores = [core_of(each, timeout) for each in every_obligation(TRANSITIONS, INVARIANTS)]
    spared = idle(cores)
    return Section(
        "nothing assumed in vain: the hypotheses that each proof needs",
        (
            f"{len(cores)} proofs, {len(spared)} assumptions that none of them needs",
            *(f"{name}: needed by no proof: {EXPLAINED.get(name, '')}" for name in spared),
        ),
        {
            "cores": {core.obligation.name: [name for name, _ in core.used] for core in cores},
            "idle": {name: EXPLAINED.get(name, "") for name in spared},
        },
        (*(str(core) for core in cores if not core.proved), *unexplained(spared)),
    )


def branched() -> Section:
    """Each branch of each effect, and which obligation needs it."""
    found = tuple(branches())
    noticed = sum(bool(each.noticed_by) for each in found)
    idle = tuple(str(each) for each in found if not each.noticed_by and each.settled)
    return Section(
        "nothing idle: each branch of each effect replaced by an unknown",
        (f"{noticed} of {len(found)} branches: an obligation loses its proof", *idle),
        [{"name": each.name, **vars(each), "explanation": each.explanation} for each in found],
        (*(str(each) for each in found if not each.settled), *unneeded_explanations(found)),
    )


def agreed(steps: int, seed: int = 0) -> Section:
    """Solver terms and execution on random steps."""
    found = tuple(disagreements(steps, seed))
    return Section(
        "the executed model is the proved one: agreement of the model's two readings",
        (f"{steps:,} random steps from seed {seed}, contents included",),
        {"steps": steps, "seed": seed},
        found[:10],
        Outcome.REFUTED,
    )


def mutant_stages(tell: Tell) -> Iterator[Stage]:
    """The catalogue of mutants of the model, and the mechanical mutants of its text."""
    yield "the catalogue of mutants of the model", lambda: catalogued(tell)
    yield "mechanical mutants of the model's text", lambda: mechanical(tell)


def catalogued(tell: Tell) -> Section:
    """The mutants of the catalogue against the obligations."""
    found = judge_all(progress=tell)
    lines, faults = tuple(mutant_lines(found)), found.faults()
    return Section("sensitive: mutants of the model", lines, found.as_json(), faults)


def mechanical(tell: Tell) -> Section:
    """The mechanical mutants, with those that survive."""
    made = judge_text(progress=tell)
    refuted = sum(fate.refuted for fate in made.fates)
    return Section(
        "sensitive: mechanical mutants of the model's text",
        (
            f"{refuted} of {len(made.fates)} refuted by concrete counterexamples",
            *map(str, made.survivors),
        ),
        made.as_json(),
        made.faults(),
    )


def mutant_lines(found: Matrix) -> Iterator[str]:
    """Each mutant, how many mutants each obligation notices, and who notices none."""
    refuted = len(found.fates) - len(found.survivors)
    yield f"{refuted} of {len(found.fates)} mutants refuted by concrete counterexamples"
    yield from map(str, found.fates)
    for name in found.obligations:
        killed = [fate.mutant.wrong for fate in found.fates if name in fate.lost]
        if killed:
            yield f"{name}: lost by {len(killed)}: {'; '.join(killed)}"
    for name in found.idle:
        yield f"{name}: lost by none: {reason_for(name)}"

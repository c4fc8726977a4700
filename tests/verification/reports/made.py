"""Reports made by hand: small true ones, and such as nobody wishes to be sent."""

from __future__ import annotations

from dataclasses import replace

from poolproof_verification.counterexample import Counterexample, Step
from poolproof_verification.exhibits import Chart, Curve, Grid
from poolproof_verification.operations import Operation, View
from poolproof_verification.places import Place
from poolproof_verification.reports.report import Report
from poolproof_verification.verdict import Canary, Evidence, Judgement, Outcome, Verdict

PLACE = Place("engine/pool.py", 12)
FRESH = View([0, 1], {}, {})


def step(operation: Operation, name: str = "A", lost: bool = False) -> Step:
    """A step after which the manager has lost a block of the sequence, or has not."""
    table = {"blocks": [0], "len": 1}
    model = View([1], {0: 1}, {name: table})
    shown = model._replace(seqs={name: {"blocks": [], "len": 0}}) if lost else model
    return Step(
        operation=str(operation),
        expected="[0]",
        observed="[]" if lost else "[0]",
        shown=shown,
        model=model,
        asserted=f"assert manager.{operation} == [0]",
        call=operation,
        place=PLACE,
    )


def counterexample(
    headline: str = "block 0 is lost", name: str = "A", steps: int = 2, target: str = "engine"
) -> Counterexample:
    """A block is lost in the last of so many steps."""
    last = step(Operation("allocate", (name, 0)), name, lost=True)
    first = step(Operation("allocate", (name, 1)), name)
    return Counterexample(
        target=target,
        import_line="from engine import Pool",
        class_name="Pool",
        total=2,
        block_size=1,
        law="partition",
        headline=headline,
        breaches=(f"partition: {headline}",),
        steps=(*[first] * (steps - 1), last),
        start=FRESH,
        found_by="fuzz",
        seed=0,
    )


def verdict(law: str, outcome: Outcome, detail: str = "", count: int = 7) -> Verdict:
    """What fuzz says of a law."""
    return Verdict("fuzz", law, outcome, Evidence.CASES, count, "operations", "pools of 2", detail)


def judgement(*verdicts: Verdict, found: tuple[Counterexample, ...] = ()) -> Judgement:
    """What fuzz says; its first refuted law has the first counterexample."""
    told = list(verdicts)
    if found:
        refuted = verdict("partition", Outcome.REFUTED, found[0].headline)
        told.insert(0, replace(refuted, counterexample=found[0]))
    return Judgement("fuzz", tuple(told), 1.5, "larger pools", counterexamples=found)


def report(*judgements: Judgement, target: str = "engine") -> Report:
    """A run that ended well, whose canary fell."""
    canary = Canary("fuzz", "release loses a block", True, "block 0 is lost")
    command = f"poolproof fuzz --target {target}"
    return Report(target, 0, judgements, (canary,), 2.0, command)


def held() -> Report:
    """Everything held."""
    return report(judgement(verdict("partition", Outcome.HELD), verdict("counts", Outcome.HELD)))


def refuted() -> Report:
    """One counterexample; another law held, one is unknown, one was refuted without words."""
    others = verdict("counts", Outcome.HELD), verdict("release", Outcome.UNKNOWN, "out of time")
    more = verdict("order", Outcome.REFUTED, "the answers differ")
    return report(judgement(*others, more, found=(counterexample(),)))


def measured() -> Report:
    """A run that judged nothing, as it was there to measure."""
    grid = Grid("the workload's figures", ("figure", "value"), (("requests", "24"),), "of one run")
    chart = Chart("pool use", "seconds", "blocks", (Curve("held", ((0, 1), (10, 50))),))
    judged = Judgement(
        "workload",
        (),
        1.0,
        "the rest",
        ("no model",),
        grids=(grid,),
        charts=(chart,),
        measures=True,
    )
    return Report("poolproof", 0, (judged,), command="poolproof workload small.csv")


def many(failures: int, steps: int = 2) -> Report:
    """So many distinct failures, and as many laws nobody knows anything of."""
    found = tuple(
        counterexample(f"block {number} is lost", steps=steps) for number in range(failures)
    )
    unknown = [verdict(f"law {number}", Outcome.UNKNOWN, "no time") for number in range(failures)]
    return report(judgement(*unknown, found=found))


def nasty(words: str) -> Report:
    """The words in each place where a target, an adapter or an engine has its own."""
    first = replace(
        step(Operation("allocate", (words, 1)), words, lost=True),
        expected=words,
        observed=words,
        place=Place(words, 1),
    )
    strange = replace(first, call=None, operation=words, shown=words, model=FRESH, place=None)
    found = replace(
        counterexample(words, words, target=words),
        steps=(first, strange, first),
        breaches=(f"partition: {words}",),
        import_line=words,
        class_name=words,
        found_by=words,
        version=words,
    )
    unknown = replace(verdict("counts", Outcome.UNKNOWN, words), scope=words, unit=words)
    bare = replace(verdict("order", Outcome.REFUTED, words), method=words)
    judged = replace(
        judgement(unknown, bare, found=(found,)),
        method=words,
        not_covered=words,
        notes=(words,),
        timings=(words,),
        grids=(Grid(words, (words,), ((words,),), words),),
        charts=(Chart(words, words, words, (Curve(words, ((0, 1), (1, 2))),), words),),
    )
    escaped = Canary(words, words, False, words)
    return replace(report(judged, target=words), canaries=(escaped,), version=words, command=words)

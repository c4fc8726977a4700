"""The story of a counterexample for a terminal or a log: what was asked, and each state drawn."""

from __future__ import annotations

from collections.abc import Iterator

from poolproof_verification.counterexample import Counterexample, Step
from poolproof_verification.reports.picture import Picture, Pool, pool_of, scene_after
from poolproof_verification.reports.picture_text import ASCII, LINES, Pen, lines_of
from poolproof_verification.reports.plain_words import ends, visible
from poolproof_verification.words import plural

MOST_STEPS = 40
MOST_WORDS = 100  # characters of one answer
INDENT = " " * 7
LABEL = 10  # columns


def story(counterexample: Counterexample, *, ascii_only: bool = False) -> str:
    """The whole story; `ascii_only` for a terminal that can show nothing else."""
    told = "\n".join(lines(counterexample, ASCII if ascii_only else LINES))
    return told.encode("ascii", "backslashreplace").decode() if ascii_only else told


def lines(counterexample: Counterexample, pen: Pen) -> Iterator[str]:
    """Headline, steps, and everything that is broken."""
    yield f"{counterexample.law}: {visible(counterexample.headline)}"
    size = plural(counterexample.total, "block")
    size += f" of {plural(counterexample.block_size, 'slot')}"
    target = visible(counterexample.target)
    yield f"  {target}, a pool of {size}; broken in step {len(counterexample.steps):,}"
    if counterexample.place:
        yield f"  at {visible(counterexample.place)}"
    pool = pool_of(counterexample)
    first, left_out, last = ends(counterexample.steps, MOST_STEPS)
    for number, step in first:
        yield from step_lines(number, step, pool, pen)
    if left_out:
        yield f"  ... {left_out:,} steps are left out here"
    for number, step in last:
        yield from step_lines(number, step, pool, pen)
    yield from (f"  broken: {visible(words)}" for words in counterexample.breaches)
    if counterexample.own_calls:
        yield "  in the manager's own calls:"
        yield from (f"    {visible(call)}" for call in counterexample.own_calls)


def step_lines(number: int, step: Step, pool: Pool, pen: Pen) -> Iterator[str]:
    """One operation, what came back, and the state; both states from where they part."""
    yield f"  {number}. {visible(step.operation, MOST_WORDS)}"
    expected, observed = visible(step.expected), visible(step.observed)
    if step.expected == step.observed:
        yield f"{INDENT}expected and observed: {expected}"
    else:
        yield from (f"{INDENT}expected: {expected}", f"{INDENT}observed: {observed}")
    scene = scene_after(step, pool)
    if scene.same:
        yield from labelled("state:", scene.manager, pen)
        return
    yield from labelled("manager:", scene.manager, pen)
    yield from labelled("model:", scene.model, pen)
    if scene.differences:
        yield f"{INDENT}differ:   {scene.differences[0]}"


def labelled(label: str, picture: Picture | str, pen: Pen) -> Iterator[str]:
    """A picture with the label beside its first line."""
    for index, line in enumerate(lines_of(picture, pen)):
        yield f"{INDENT}{(label if not index else '').ljust(LABEL)}{line}"

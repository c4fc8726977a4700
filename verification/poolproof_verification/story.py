"""From a trace to a counterexample: replayed once more, step by step, and put into words."""

from __future__ import annotations

from dataclasses import replace

from poolproof_model.system import Refusal
from poolproof_verification.audit import Breach
from poolproof_verification.counterexample import Counterexample, Step
from poolproof_verification.exchange import Exchange
from poolproof_verification.findings import Trace
from poolproof_verification.lockstep import FRESH, Lockstep
from poolproof_verification.operations import Refused, View, names_in, view_of
from poolproof_verification.scopes import UNKNOWN_NAME
from poolproof_verification.targets import KnownTarget
from poolproof_verification.views import kept
from poolproof_verification.visibility import shown_of

ERROR_NAMES = {
    Refusal.WRONG_TYPE: "TypeError",
    Refusal.NEGATIVE: "ValueError",
    Refusal.UNKNOWN: "KeyError",
    Refusal.EXISTS: "ValueError",
    Refusal.OUT_OF_BLOCKS: "MemoryError",
}


def tell(
    target: KnownTarget, trace: Trace, found_by: str, seed: int | None = None
) -> Counterexample:
    """The counterexample with every state on the way; `seed`: what the search drew from."""
    lockstep = Lockstep(target, trace.total, trace.block_size)
    start = kept(shown_of(lockstep.pool, lockstep.traits))
    steps = [step_of(target, lockstep.do(operation)) for operation in trace.operations]
    breaches = trace.finding.breaches
    if trace.finding.worst.question or not steps:
        asked = ask_again(lockstep, trace)
        breaches = asked.finding.breaches if asked.finding else breaches
        last = steps.pop() if steps else fresh(target, trace, asked)
        steps.append(replace(last, asserted=with_questions(last.asserted, breaches)))
    return Counterexample(
        target=target.name,
        import_line=target.import_line,
        class_name=target.class_name,
        total=trace.total,
        block_size=trace.block_size,
        law=breaches[0].law,
        headline=breaches[0].words,
        breaches=tuple(f"{breach.law}: {breach.words}" for breach in breaches),
        steps=tuple(steps),
        start=start,
        found_by=found_by,
        seed=seed,
        reserved=tuple(sorted(lockstep.traits.reserved)),
        any_free_block=lockstep.traits.any_free_block,
        own_calls=lockstep.guarded.own_calls(),
    )


def ask_again(lockstep: Lockstep, trace: Trace) -> Exchange:
    """The questions after the last step, one by one, so that a guilty one is named."""
    names = (*names_in(trace.operations), UNKNOWN_NAME)
    return lockstep.ask(names, trace.finding.operation, one_by_one=True)


def fresh(target: KnownTarget, trace: Trace, asked: Exchange) -> Step:
    """The manager as it is made, where not even that is right."""
    return Step(
        operation=f"{target.class_name}({trace.total}, {trace.block_size})",
        expected="an empty pool",
        observed="an empty pool" if shows_model(asked) else "something else",
        shown=kept(asked.shown),
        model=kept(asked.model),
        asserted="\n".join(state_assertions(view_of(asked.after))),
        call=FRESH,
        place=target.place(FRESH.name),
    )


def shows_model(exchange: Exchange) -> bool:
    """The manager's state is the model's."""
    return bool(exchange.shown == exchange.model)


def with_questions(asserted: str, breaches: tuple[Breach, ...]) -> str:
    """The step's lines, then each question once that was answered wrongly or changed the state."""
    questions = dict.fromkeys(breach.asserted for breach in breaches if breach.question)
    state = asserted.splitlines()[-len(View._fields) :]
    return "\n".join(filter(None, [asserted, *questions, *state]))


def step_of(target: KnownTarget, exchange: Exchange) -> Step:
    """One exchange as text."""
    return Step(
        operation=str(exchange.operation),
        expected=expectation(exchange),
        observed=str(exchange.response),
        shown=kept(exchange.shown),
        model=kept(exchange.model),
        asserted=assertion(exchange),
        call=exchange.operation,
        place=target.place(exchange.operation.name),
    )


def expectation(exchange: Exchange) -> str:
    """What the model says, in the words in which the response is told."""
    if not isinstance(exchange.expected, Refusal):
        return repr(exchange.expected)
    agreed = isinstance(exchange.response, Refused) and not any(
        breach.law == "refusals" for breach in breaches_of(exchange)
    )
    return str(exchange.response) if agreed else f"refused: {exchange.expected.value}"


def breaches_of(exchange: Exchange) -> tuple[Breach, ...]:
    """What the operation broke, if anything."""
    return exchange.finding.breaches if exchange.finding else ()


def assertion(exchange: Exchange) -> str:
    """The step as lines of a test that a right manager passes."""
    call = f"manager.{exchange.operation}"
    special = [
        each.asserted for each in breaches_of(exchange) if each.asserted and not each.question
    ]
    if isinstance(exchange.expected, Refusal):
        lines = [f"with pytest.raises({ERROR_NAMES[exchange.expected]}):", f"    {call}"]
    else:
        lines = special[:1] or [f"assert {call} == {exchange.expected!r}"]
    return "\n".join([*lines, *state_assertions(view_of(exchange.after))])


def state_assertions(view: View) -> list[str]:
    """One line for each part of the state."""
    return [f"assert manager.{part} == {getattr(view, part)!r}" for part in View._fields]

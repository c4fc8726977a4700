"""From a trace to a counterexample: replayed once more, step by step, and put into words."""

from __future__ import annotations

from poolproof_model.system import Refusal
from poolproof_verification.counterexample import Counterexample, Step
from poolproof_verification.findings import Trace
from poolproof_verification.lockstep import Exchange, Lockstep
from poolproof_verification.operations import View, view_of
from poolproof_verification.targets import ClassTarget

ERROR_NAMES = {
    Refusal.WRONG_TYPE: "TypeError",
    Refusal.NEGATIVE: "ValueError",
    Refusal.UNKNOWN: "KeyError",
    Refusal.EXISTS: "ValueError",
    Refusal.OUT_OF_BLOCKS: "MemoryError",
}


def tell(target: ClassTarget, trace: Trace, found_by: str) -> Counterexample:
    """The counterexample with every state on the way."""
    lockstep = Lockstep(target, trace.total, trace.block_size)
    exchanges = [lockstep.do(operation) for operation in trace.operations]
    return Counterexample(
        target=target.name,
        import_line=target.import_line,
        class_name=target.manager_class.__name__,
        total=trace.total,
        block_size=trace.block_size,
        law=trace.finding.worst.law,
        headline=trace.finding.worst.words,
        breaches=tuple(f"{breach.law}: {breach.words}" for breach in trace.finding.breaches),
        steps=tuple(map(step_of, exchanges)),
        found_by=found_by,
    )


def step_of(exchange: Exchange) -> Step:
    """One exchange as text."""
    return Step(
        operation=str(exchange.operation),
        expected=expectation(exchange),
        observed=str(exchange.response),
        shown=str(exchange.shown),
        model=str(view_of(exchange.after)),
        asserted=assertion(exchange),
    )


def expectation(exchange: Exchange) -> str:
    """What the model says, in the words in which the response is told."""
    if not isinstance(exchange.expected, Refusal):
        return repr(exchange.expected)
    agreed = exchange.finding is None
    return str(exchange.response) if agreed else f"refused: {exchange.expected.value}"


def assertion(exchange: Exchange) -> str:
    """The step as lines of a test that a right manager passes."""
    call = f"manager.{exchange.operation}"
    if isinstance(exchange.expected, Refusal):
        lines = [f"with pytest.raises({ERROR_NAMES[exchange.expected]}):", f"    {call}"]
    else:
        lines = [f"assert {call} == {exchange.expected!r}"]
    view: View = view_of(exchange.after)
    lines += [f"assert manager.{part} == {getattr(view, part)!r}" for part in View._fields]
    return "\n".join(lines)

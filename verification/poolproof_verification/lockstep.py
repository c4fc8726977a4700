"""One manager beside the model, operation by operation: the judge that all searchers share.

Does not cover: what the adapter does not show or leaves undefined, and which of several free blocks
a manager prefers unless it promises the lowest.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import Any

from poolproof_model.execute import Pool, broken
from poolproof_model.operations import Tokens, no_tokens
from poolproof_model.system import Refusal
from poolproof_verification.adapters.adapter import Adapter, Target, UnreadableView
from poolproof_verification.audit import Breach, audit, differences, misplaced, worst_first
from poolproof_verification.contents import ShadowMemory
from poolproof_verification.exchange import Exchange, Finding
from poolproof_verification.limits import Guarded, made
from poolproof_verification.operations import (
    Accepted,
    Failed,
    Operation,
    Refused,
    Response,
    View,
    completed,
)
from poolproof_verification.oracle import (
    Oracle,
    UnlawfulChoice,
    carry_out,
    picks_seen,
    written,
)
from poolproof_verification.questions import (
    alike,
    false_alarm,
    same,
    wrong_answers,
)
from poolproof_verification.returned import keep_and_scribble, without_scribble, written_into
from poolproof_verification.visibility import Traits, malformed, shown_of, start_of, traits_of
from poolproof_verification.words import error_told

FRESH = Operation("__init__")  # after which a fresh manager is asked; it is never called
ASKING = "asking"  # stands for the question where it is not known which one changed the state


class Lockstep:
    """A fresh manager and the model's initial state, driven together."""

    def __init__(
        self,
        target: Target,
        total: int,
        block_size: int,
        *,
        contents: bool = True,
        invariants: bool = True,
        oracle: Oracle | None = None,
        pool: Pool | None = None,
    ) -> None:
        """`contents`: follow what the blocks contain; `invariants`: ask the model's at each step.

        `pool`: the state to which the caller will bring the manager.
        """
        self.total, self.block_size = total, block_size
        self.oracle = oracle or Oracle()
        self.invariants = invariants
        self.adapter: Adapter = made(target, total, block_size)
        self.guarded = Guarded(self.adapter)  # the same, trusted in nothing
        self.traits = self.oracle.traits or self.look()
        self.oracle.traits = self.traits
        self.pool = pool or start_of(total, block_size, self.traits, contents=contents)
        self.memory = ShadowMemory(block_size) if contents else None
        self.operations = 0

    def look(self) -> Traits:
        """What the adapter says of itself and its fresh manager shows."""
        try:
            return traits_of(self.adapter, self.guarded.view())
        except UnreadableView:  # a finding as soon as the state is judged
            return traits_of(self.adapter, None)

    def leaves_open(self, operation: Operation) -> bool:
        """The manager promises nothing where this operation would have to be refused."""
        return self.oracle.refused(self.pool, operation) in self.traits.undefined

    def tokens(self) -> Tokens:
        """Tokens that no other operation writes."""
        if self.memory is None:
            return no_tokens
        serial = self.operations
        return lambda sequence, position: (serial, position)

    def do(self, operation: Operation, names: tuple[Hashable, ...] = ()) -> Exchange:
        """Carry the operation out on both, and judge it; `names`: whom to ask about afterwards.

        What the manager leaves undefined is not tried.
        """
        self.operations += 1
        reason = self.oracle.refused(self.pool, operation)
        # Only the arguments tell a wrong type: who tries one does so on purpose.
        if reason in self.traits.undefined and reason is not Refusal.WRONG_TYPE:
            untried = Refused(reason, "not tried, as the manager leaves it undefined")
            return self.exchange(operation, reason, untried, self.show(), self.pool, [])
        response = self.guarded.call(operation)
        if reason is None:
            exchange = self.judge_accepted(operation, response)
        else:
            exchange = self.judge_refused(operation, reason, response)
        self.pool = exchange.after
        alarm = false_alarm(self.guarded) if exchange.finding is None else None
        if alarm is not None:
            alarm = alarm._replace(words=f"after {operation} {alarm.words}")
            return replace(exchange, finding=Finding(operation, exchange.reason, (alarm,)))
        if exchange.finding is None and names:
            return self.judge_questions(exchange, names)
        return exchange

    def ask(
        self, names: tuple[Hashable, ...], asked_after: Operation, *, one_by_one: bool = False
    ) -> Exchange:
        """Judge the present state, then ask everything there is to ask, and judge the answers.

        `one_by_one`: look at the state after each question, to name the one that changes it.
        """
        response, shown = Accepted(None), self.show()
        breaches = self.compare(shown, self.pool)
        exchange = self.exchange(asked_after, None, response, shown, self.pool, breaches)
        return exchange if breaches else self.judge_questions(exchange, names, one_by_one)

    def judge_refused(self, operation: Operation, reason: Refusal, response: Response) -> Exchange:
        """The operation must be refused for this reason, and change nothing."""
        shown = self.show()
        breaches = self.compare(shown, self.pool)
        if denial := self.guarded.denial(reason, response):
            words = f"{operation} must be refused ({reason.value}), yet it {denial}"
            breaches.append(Breach("refusals", words))
        if breaches and not isinstance(response, Accepted) and self.differs(shown, self.pool):
            breaches.append(changed(operation, response))
        return self.exchange(operation, reason, response, shown, self.pool, breaches)

    def judge_accepted(self, operation: Operation, response: Response) -> Exchange:
        """The operation must be accepted, with the model's result and state."""
        tokens = self.tokens()
        after, value = self.oracle.carry_out(self.pool, operation, tokens)
        if not isinstance(response, Accepted):
            return self.judge_not_accepted(operation, response, after, value)
        breaches: list[Breach] = []
        right = after, value  # with the lowest blocks
        response = Accepted(keep_and_scribble(response.value))
        shown = self.show()
        if isinstance(shown, View) and self.differs(shown, after):
            shown, own_list = without_scribble(operation, response.value, shown)
            after, value, unlawful = self.by_choice(operation, shown, after, value, tokens)
            breaches += own_list + unlawful
            right = right if unlawful else (after, value)
        told = not (isinstance(shown, str) and self.traits.any_free_block)
        if told and not same(completed(response.value, value), value):
            breaches.append(wrong_result(operation, response, value))
        breaches += self.compare(shown, after)
        breaches += self.follow(operation, response, shown, after, tokens)
        if self.invariants:
            breaches += [Breach(law_of(name), f"in the model, {at}") for name, at in broken(after)]
        return self.exchange(operation, right[1], response, shown, right[0], breaches)

    def judge_not_accepted(
        self, operation: Operation, response: Response, after: Pool, value: Any
    ) -> Exchange:
        """What was to be accepted was not; then at least nothing must have changed."""
        shown = self.show()
        refusal = Breach("refusals", f"{operation} must be accepted, yet it {response}")
        breaches = [refusal, *self.compare(shown, self.pool)]
        if self.differs(shown, self.pool):
            breaches.append(changed(operation, response))
        return self.exchange(operation, value, response, shown, after, breaches)

    def by_choice(
        self, operation: Operation, shown: View, after: Pool, value: Any, tokens: Tokens
    ) -> tuple[Pool, Any, list[Breach]]:
        """The state and result if the manager took other free blocks than the lowest."""
        table = shown.seqs.get(written(operation)) if operation.arguments else None
        picks = picks_seen(self.pool, operation, table["blocks"]) if table else ()
        if len(picks) != len(self.pool.free) - len(after.free):
            return after, value, []  # that is no choice, but too few blocks, or too many
        try:
            copies = self.traits.copies_at_fork
            chosen, result = carry_out(self.pool, operation, picks, tokens, copies)
        except UnlawfulChoice as unlawful:
            return after, value, [Breach("choices", f"{operation} {unlawful}")]
        if self.traits.any_free_block or chosen.tables == after.tables:
            return chosen, result, []
        words = f"{operation} took {list(picks)}, not the lowest of {sorted(self.pool.free)}"
        return chosen, result, [Breach("choices", words)]

    def show(self) -> View | str:
        """The manager's state, or why it shows none."""
        try:
            shown = self.guarded.view()
        except UnreadableView as unreadable:
            return str(unreadable)
        return malformed(shown, self.traits) or shown

    def differs(self, shown: View | str, pool: Pool) -> bool:
        """The manager shows a state, and it is not the model's."""
        return isinstance(shown, View) and shown != shown_of(pool, self.traits)

    def compare(self, shown: View | str, pool: Pool) -> list[Breach]:
        """Where the shown state differs from the model's, in an engineer's words first."""
        if shown == (model := shown_of(pool, self.traits)):
            return []
        if isinstance(shown, str):
            return [Breach("questions", f"the manager does not show its state: {shown}")]
        found = audit(shown, pool.total, pool.block_size, self.traits.reserved)
        found += misplaced(shown_of(self.pool, self.traits), shown, model)
        found += differences(shown, model)
        return found or [Breach("questions", f"shows {shown} where the model has {model}")]

    def follow(
        self,
        operation: Operation,
        response: Response,
        shown: View | str,
        after: Pool,
        tokens: Tokens,
    ) -> list[Breach]:
        """Let the shadow memory do what an engine does, and read every token back."""
        if self.memory is None or not isinstance(response, Accepted) or isinstance(shown, str):
            return []
        try:
            self.memory.follow(operation, response.value, shown, tokens)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # whatever a foreign value does when it is used
            return [Breach("results", f"an engine cannot act on {response}: {error_told(error)}")]
        wrong = self.memory.wrong(after)
        return [wrong] if wrong else []

    def judge_questions(
        self, exchange: Exchange, names: tuple[Hashable, ...], one_by_one: bool = False
    ) -> Exchange:
        """Ask everything there is to ask; the answers must be right and change nothing."""
        changes: list[Breach] = []

        def look(question: Operation) -> None:
            if one_by_one and not changes:
                changes.extend(self.changes(question.name, *written_into(question)))

        wrong = list(wrong_answers(self.guarded, self.oracle, self.pool, names, look))
        # In a changed state other answers are right: what changed it is the fault.
        breaches = changes or self.changes(ASKING, ASKING) or wrong
        if not breaches:
            return exchange
        operation, expected, response = exchange.operation, exchange.expected, exchange.response
        return self.exchange(operation, expected, response, self.show(), self.pool, breaches)

    def changes(self, question: str, cause: str, asserted: str = "") -> list[Breach]:
        """Where the state is no longer the model's, though nothing but questions were asked."""
        return [
            Breach("questions", f"{cause} changed the state: {breach.words}", question, asserted)
            for breach in self.compare(self.show(), self.pool)
        ]

    def exchange(
        self,
        operation: Operation,
        expected: Refusal | Any,
        response: Response,
        shown: View | str,
        after: Pool,
        breaches: list[Breach],
    ) -> Exchange:
        """What was seen, with a finding where a law is broken."""
        reason = expected if isinstance(expected, Refusal) else None
        finding = Finding(operation, reason, tuple(worst_first(breaches))) if breaches else None
        model = shown_of(after, self.traits)
        return Exchange(operation, expected, response, shown, self.pool, after, finding, model)


def wrong_result(operation: Operation, response: Accepted, value: Any) -> Breach:
    """The operation returned something else than the model says, if only of another type."""
    words = f"{operation} returned {response}, where {value!r} is right"
    if operation.name == "grow" or not alike(response.value, value):
        return Breach("results", words)
    return Breach("results", words, asserted=f"assert repr(manager.{operation}) == {str(value)!r}")


def changed(operation: Operation, response: Response) -> Breach:
    """An operation that was not carried out must leave everything as it was."""
    verb = "failed" if isinstance(response, Failed) else "was refused"
    return Breach("refusals", f"{operation} {verb}, yet changed the state")


def law_of(invariant: str) -> str:
    """The law that an invariant of the model belongs to."""
    return "tables" if invariant == "holders" else invariant

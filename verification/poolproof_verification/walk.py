"""One run on one fresh manager, beside the learned automaton: fast, and judged by every law.

Each step compares the outcome, the result, the whole state shown and every token that an engine
would read. Every so often the manager is asked all there is to ask, and the types are looked at.

Does not cover: saying what is wrong. `Differs` is a sign only; `Lockstep` names the finding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from poolproof_model.operations import Tokens
from poolproof_verification.adapters.adapter import Adapter
from poolproof_verification.automaton import (
    NEW,
    SLOTS,
    WRONG_TYPE,
    Automaton,
    Code,
    Edge,
    Slot,
    named,
    numbered,
    renamed,
)
from poolproof_verification.contents import ShadowMemory
from poolproof_verification.coverage import Names
from poolproof_verification.draws import NAMES, Shape
from poolproof_verification.limits import OURS
from poolproof_verification.operations import (
    HIDDEN,
    NUMBERS,
    Accepted,
    Operation,
    Refused,
    View,
    completed,
    no_response,
    wrong_type,
)
from poolproof_verification.oracle import written
from poolproof_verification.questions import answers, false_alarm, is_right, kept, same
from poolproof_verification.record import Record
from poolproof_verification.returned import keep_and_scribble
from poolproof_verification.scopes import UNKNOWN_NAME
from poolproof_verification.visibility import SELF_CHECKS, malformed
from poolproof_verification.words import class_of, told

SELF_CHECK_EVERY = 8  # operations
QUESTIONS_EVERY = 64


class Differs(Exception):
    """The manager and the model are not the same: the law that seems broken, and what was seen."""

    def __init__(self, law: str, words: str) -> None:
        """`law`: one of LAWS."""
        super().__init__(words)
        self.law, self.words = law, words


class Walk:
    """A manager, and the model's state that it should be in."""

    def __init__(
        self, adapter: Adapter, automaton: Automaton, shape: Shape, record: Record
    ) -> None:
        """`adapter`: of a fresh manager."""
        self.adapter, self.automaton, self.record = adapter, automaton, record
        self.traits, self.state = automaton.traits, automaton.start
        self.order: list[str] = []  # the live sequences' names, by slot
        self.blocks: list[int] = []  # the real numbers of the blocks in use
        everything = range(shape.total + len(self.traits.reserved))
        self.free = [block for block in everything if block not in self.traits.reserved]
        self.expected = self.view()
        self.names, self.used = NAMES[: shape.names], Names()
        record.block_sizes.add(shape.block_size)
        self.memory = ShadowMemory(shape.block_size)
        self.operations: list[Operation] = []
        self.checks_itself = not self.traits.questions.isdisjoint(SELF_CHECKS)

    def view(self) -> View:
        """What the manager should show."""
        blocks, state, traits = self.blocks, self.state, self.traits
        return View(
            free=self.free if traits.shows_free_blocks else state.num_free,
            ref=dict(zip(blocks, state.counts, strict=True)) if traits.shows_counts else None,
            seqs={
                name: {"blocks": [blocks[block] for block in table], "len": length}
                for name, table, length in zip(self.order, state.tables, state.lengths, strict=True)
            },
        )

    def new_name(self, random: Callable[[], float]) -> str:
        """A name that is not live, at first one of the run's; none if all there are live."""
        names = self.names if len(self.order) < len(self.names) else NAMES
        unused = [name for name in names if name not in self.order]
        return unused[int(random() * len(unused))] if unused else ""

    def do(self, code: Code, new: str) -> None:
        """Carry the operation out and judge it, and at times look closely; Differs."""
        self.perform(Operation(code[0], tuple(named(code[1:], self.order, new))), code, new)
        number = len(self.operations)
        if number % SELF_CHECK_EVERY == 0:
            self.look_closely(ask=number % QUESTIONS_EVERY == 0)

    def repeat(self, operations: Iterable[Operation], ask: bool) -> None:
        """Carry these out and judge them, `ask` everything at the end; Differs."""
        for operation in operations:
            new = written(operation) if operation.arguments else ""
            self.perform(operation, self.code_of(operation), new)
            self.look_closely(ask=False)
        self.look_closely(ask=ask)

    def code_of(self, operation: Operation) -> Code:
        """The operation with slots for names."""
        numbers = NUMBERS.get(operation.name, ())
        slots = (
            argument if index in numbers else self.slot_of(argument)
            for index, argument in enumerate(operation.arguments)
        )
        return operation.name, *slots

    def slot_of(self, name: Any) -> Slot:
        """The name's slot, if it is live."""
        return SLOTS[self.order.index(name)] if name in self.order else NEW

    def perform(self, operation: Operation, code: Code, new: Any) -> None:
        """Carry the operation out and judge it; `new`: the name that is written; Differs."""
        edge = self.edge(code, operation)
        if edge.reason in self.traits.undefined:
            return
        self.operations.append(operation)
        self.record.reached[edge.goals] += 1
        response = self.call(self.adapter.call, operation)
        if edge.reason is None:
            self.record.accepted[operation.name] += 1
            self.accept(operation, edge, response, new)
        else:
            self.record.refused[operation.name] += 1
            agrees = self.adapter.agrees
            if (
                not isinstance(response, Refused)
                or no_response(response)
                or self.call(agrees, edge.reason, response) is not True
            ):
                raise Differs("refusals", f"{operation} answers {told(response)}")
            self.compare(self.call(self.adapter.view))

    def edge(self, code: Code, operation: Operation) -> Edge:
        """What the model says; a wrong type is told apart first, as True and 1 are one key."""
        if wrong_type(operation):
            return WRONG_TYPE[operation.name]
        return self.state.edges.get(code) or self.automaton.edge(self.state, code)

    def call(self, method: Callable[..., Any], *arguments: Any) -> Any:
        """What the adapter answers; whatever it raises is a difference."""
        try:
            return method(*arguments)
        except OURS:
            raise
        except BaseException as error:
            raise Differs("questions", f"the adapter raises {class_of(error)}") from error

    def accept(self, operation: Operation, edge: Edge, response: Any, new: str) -> None:
        """The operation must be accepted, and lead to the model's state with its result."""
        if not isinstance(response, Accepted):
            raise Differs("refusals", f"{operation} answers {told(response)}")
        if len(edge.slots) != len(self.order):
            self.record.reached[self.used.follow(operation, self.order)] += 1
        value = keep_and_scribble(response.value)
        view = self.call(self.adapter.view)
        taken = self.taken(operation, edge, view) if edge.taken else []
        blocks = self.blocks + taken
        releases = operation.name.startswith("release")
        right = numbered(edge.value, blocks, ascending=releases)
        self.advance(edge, blocks, taken, new)
        self.compare(view)
        if not same(value, right):
            self.record.untold += value is HIDDEN
            if not same(completed(value, right), right):
                raise Differs("results", f"{operation} returned {told(response)}")
        self.follow(operation, value, view)

    def taken(self, operation: Operation, edge: Edge, view: View) -> list[int]:
        """The blocks that the operation took: the lowest, or any that the table shows."""
        if not self.traits.any_free_block:
            return self.free[: edge.taken]
        try:
            table = view.seqs[written(operation)]["blocks"]
            old = self.expected.seqs.get(operation.arguments[0], {"blocks": []})["blocks"]
            taken = [block for i, block in enumerate(table) if block not in old[i : i + 1]]
            if len(set(taken)) == len(taken) == edge.taken and set(taken) <= set(self.free):
                return taken
        except OURS:
            raise
        except BaseException as error:
            raise Differs("questions", "what is shown is no state") from error
        raise Differs("choices", f"{operation} took {taken}, where {self.free} were free")

    def advance(self, edge: Edge, blocks: list[int], taken: list[int], new: str) -> None:
        """Follow the edge; `blocks`: what the edge's numbers of blocks stand for."""
        assert edge.after is not None, "an accepted operation"
        self.state = edge.after
        self.order = [self.order[slot] if slot >= 0 else new for slot in edge.slots]
        self.blocks = [blocks[block] for block in edge.blocks]
        if taken:
            self.free = [block for block in self.free if block not in taken]
        if edge.freed:
            self.free = sorted(self.free + [blocks[block] for block in edge.freed])
        self.expected = self.view()

    def compare(self, view: View) -> None:
        """The whole state shown is the model's."""
        try:
            if view == self.expected:
                return
        except OURS:
            raise
        except BaseException as error:
            raise Differs("questions", "what is shown cannot be compared") from error
        raise Differs("tables", malformed(view, self.traits) or f"shows {view}")

    def follow(self, operation: Operation, value: Any, view: View) -> None:
        """Let the shadow memory do what an engine does, and read every token back."""
        serial = len(self.operations)
        tokens: Tokens = lambda sequence, position: (serial, position)  # noqa: E731
        try:
            self.memory.follow(operation, value, view, tokens)
        except OURS:
            raise
        except BaseException as error:
            raise Differs("results", f"an engine cannot act on what {operation} tells") from error
        if not self.memory.reads_back():
            raise Differs("contents", f"a token is lost after {operation}")

    def look_closely(self, ask: bool) -> None:
        """The manager's own check, and at times every question and the types of the view."""
        if self.checks_itself and self.call(false_alarm, self.adapter) is not None:
            raise Differs("self-check", "the manager calls its own state broken")
        if not ask:
            return
        if words := malformed(self.call(self.adapter.view), self.traits):
            raise Differs("questions", words)
        self.record.questions += 1
        pool = renamed(
            self.state.pool,
            dict(zip(SLOTS, self.order, strict=False)),
            dict(enumerate(self.blocks + self.free)),
        )
        names, asked = (*self.order, UNKNOWN_NAME), self.traits.questions
        for question, arguments, answer in answers(self.automaton.oracle, pool, names, asked):
            response = kept(self.call(self.adapter.ask, question, *arguments))
            if not is_right(response, answer):
                raise Differs("questions", f"{question}{arguments} answers {told(response)}")
        self.compare(self.call(self.adapter.view))

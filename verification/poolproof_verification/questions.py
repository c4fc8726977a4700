"""What a manager must answer when asked: derived from the model's state, question by question."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import Any

from poolproof_model.execute import Pool, Table
from poolproof_verification.adapters.adapter import Adapter
from poolproof_verification.audit import Breach
from poolproof_verification.operations import Accepted, Operation, Refused, Response
from poolproof_verification.oracle import Oracle

Answer = tuple[str, tuple[Any, ...], Any]
NO_ANSWER = object()  # the question is refused: there is nothing to answer
SOME_NEW_NAME = "a name that nobody uses"
SELF_CHECKS = ("check_invariants", "violations")


def answers(oracle: Oracle, pool: Pool, names: tuple[Hashable, ...]) -> Iterator[Answer]:
    """(question, arguments, answer) for this state; `names` are live ones and others."""
    yield "used", (), pool.total - len(pool.free)
    yield "num_free", (), len(pool.free)
    yield "check_invariants", (), True
    yield "violations", (), []
    slots = len(pool.free) * pool.block_size
    for count in (-1, 0, 1, slots, slots + 1):
        operation = Operation("allocate", (SOME_NEW_NAME, count))
        yield "can_allocate", (count,), oracle.refused(pool, operation) is None
    for name in names:
        append = Operation("append", (name,))
        yield "can_append", (name,), oracle.refused(pool, append) is None
        for count in (-1, pool.block_size + 1, slots, slots + 1) if name in pool.tables else (1,):
            grow = Operation("grow", (name, count))
            yield "can_grow", (name, count), oracle.refused(pool, grow) is None
        yield from answers_about(name, pool.tables.get(name), pool.block_size)


def answers_about(name: Hashable, table: Table | None, block_size: int) -> Iterator[Answer]:
    """What there is to know about one sequence, live or not."""
    yield "table", (name,), list(table.blocks) if table else NO_ANSWER
    yield "length", (name,), table.length if table else NO_ANSWER
    yield "last_block", (name,), table.blocks[-1] if table and table.blocks else NO_ANSWER
    length = table.length if table else 0
    for position in sorted({-1, 0, block_size, length - 1, length}) if table else (0,):
        answer: Any = NO_ANSWER
        if table and 0 <= position < table.length:
            answer = table.blocks[position // block_size] * block_size + position % block_size
        yield "slot", (name, position), answer


def wrong_answers(
    adapter: Adapter,
    oracle: Oracle,
    pool: Pool,
    names: tuple[Hashable, ...],
    asked: Callable[[Operation], None] = lambda question: None,
) -> Iterator[Breach]:
    """Each question that the manager does not answer as the model does.

    `asked` is told of each question after it was answered.
    """
    for question, arguments, answer in answers(oracle, pool, names):
        if question not in adapter.questions:
            continue
        response = adapter.ask(question, *arguments)
        asked(Operation(question, arguments))
        if answer is NO_ANSWER:
            right = isinstance(response, Refused)
        else:
            right = isinstance(response, Accepted) and same(response.value, answer)
        if not right:
            yield wrong_answer(Operation(question, arguments), answer, response)


def false_alarm(adapter: Adapter) -> Breach | None:
    """The manager says of a state, which looks as it should, that something is broken in it."""
    question: str = "violations"
    right: object = []
    if question not in adapter.questions:
        question, right = "check_invariants", True
    if question not in adapter.questions:
        return None
    response = adapter.ask(question)
    if isinstance(response, Accepted) and same(response.value, right):
        return None
    wrong = wrong_answer(Operation(question), right, response)
    words = (
        f"the manager calls its own state broken: {wrong.words}; what it shows is right, "
        "so hidden state is damaged, or the alarm is false"
    )
    return wrong._replace(words=words)


def wrong_answer(question: Operation, answer: Any, response: Response) -> Breach:
    """What was answered, what is right, and the same as lines of a test."""
    law = "self-check" if question.name in SELF_CHECKS else "questions"
    law = "can" if question.name.startswith("can_") else law
    wanted = "a refusal" if answer is NO_ANSWER else repr(answer)
    words = f"{question} answers {response}, where {wanted} is right"
    asserted = f"assert {asked_of(question)} == {answer!r}"
    if isinstance(answer, bool):
        asserted = f"assert {asked_of(question)} is {answer}"
    if answer is NO_ANSWER:
        asserted = f"with pytest.raises(LookupError):\n    {asked_of(question)}"
    return Breach(law, words, question.name, asserted)


def asked_of(question: Operation) -> str:
    """The question as code, put to `manager`."""
    return f"manager.{question.name if question.name == 'num_free' else question}"


def alike(value: Any, expected: Any) -> bool:
    """Equal, if perhaps not of the same types."""
    try:
        return bool(value == expected)
    except Exception:
        return False


def same(value: Any, expected: Any) -> bool:
    """Equal, and of the same types throughout: 1 is not True."""
    if type(value) is not type(expected):
        return False
    if isinstance(expected, list | tuple):
        return len(value) == len(expected) and all(map(same, value, expected))
    return bool(value == expected)

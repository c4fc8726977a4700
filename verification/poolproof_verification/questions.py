"""What a manager must answer when asked: derived from the model's state, question by question."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Set
from typing import Any, Protocol

from poolproof_model.execute import Pool, Table
from poolproof_verification.audit import Breach
from poolproof_verification.operations import Accepted, Operation, Refused, Reserved, Response
from poolproof_verification.oracle import Oracle
from poolproof_verification.returned import keep_and_scribble
from poolproof_verification.visibility import SELF_CHECKS as SELF_CHECKS

Answer = tuple[str, tuple[Any, ...], Any]
FEW_SLOTS = 64  # up to here growth to the last slot is asked about: the model appends so often
NO_ANSWER = object()  # the question is refused: there is nothing to answer
SOME_NEW_NAME = "a name that nobody uses"


class Asked(Protocol):
    """As much of an adapter as questions need."""

    questions: frozenset[str]

    def ask(self, question: str, *arguments: Any) -> Response:
        """Ask one of the questions."""


def answers(
    oracle: Oracle,
    pool: Pool,
    names: tuple[Hashable, ...],
    asked: Set[str] | None = None,
) -> Iterator[Answer]:
    """(question, arguments, answer) for this state; `names` are live ones and others.

    `asked`: only these questions.
    """
    for question, arguments, answer in all_answers(oracle, pool, names):
        if asked is None or question in asked:
            yield question, arguments, answer() if callable(answer) else answer


def all_answers(
    oracle: Oracle, pool: Pool, names: tuple[Hashable, ...]
) -> Iterator[tuple[str, tuple[Any, ...], Any]]:
    """The same; an answer that takes time is a function that finds it."""

    def admitted(name: str, *arguments: Any) -> Callable[[], bool]:
        return lambda: oracle.refused(pool, Operation(name, arguments)) is None

    reserved = sum(isinstance(name, Reserved) for name in pool.tables)
    yield "used", (), pool.total - reserved - len(pool.free)
    yield "num_free", (), len(pool.free)
    yield "check_invariants", (), True
    yield "violations", (), []
    slots = len(pool.free) * pool.block_size
    for count in sorted({-1, 0, 1, slots // 2, slots, slots + 1}):
        yield "can_allocate", (count,), admitted("allocate", SOME_NEW_NAME, count)
    for name in names:
        yield "can_append", (name,), admitted("append", name)
        for count in growths(pool, name, slots):
            yield "can_grow", (name, count), admitted("grow", name, count)
        yield from answers_about(name, pool.tables.get(name), pool.block_size)


def growths(pool: Pool, name: Hashable, slots: int) -> list[int]:
    """By how many tokens the sequence is asked to grow; `slots`: in free blocks.

    At the edge are as many as there are slots in free blocks and in the sequence's last one.
    """
    table = pool.tables.get(name)
    if table is None:
        return [1]
    slack = len(table.blocks) * pool.block_size - table.length
    exact = {slots, slots + 1, slots + slack, slots + slack + 1} if slots <= FEW_SLOTS else set()
    return sorted({-1, pool.block_size + 1} | exact)


def answers_about(name: Hashable, table: Table | None, block_size: int) -> Iterator[Answer]:
    """What there is to know about one sequence, live or not."""
    yield "table", (name,), list(table.blocks) if table else NO_ANSWER
    yield "length", (name,), table.length if table else NO_ANSWER
    yield "last_block", (name,), table.blocks[-1] if table and table.blocks else NO_ANSWER
    length = table.length if table else 0
    for position in sorted({-1, 0, length // 2, block_size, length - 1, length}) if table else (0,):
        answer: Any = NO_ANSWER
        if table and 0 <= position < table.length:
            answer = table.blocks[position // block_size] * block_size + position % block_size
        yield "slot", (name, position), answer


def wrong_answers(
    adapter: Asked,
    oracle: Oracle,
    pool: Pool,
    names: tuple[Hashable, ...],
    asked: Callable[[Operation], None] = lambda question: None,
) -> Iterator[Breach]:
    """Each question that the manager does not answer as the model does.

    `asked` is told of each question after it was answered.
    """
    for question, arguments, answer in answers(oracle, pool, names, adapter.questions):
        response = kept(adapter.ask(question, *arguments))
        asked(Operation(question, arguments))
        if not is_right(response, answer):
            yield wrong_answer(Operation(question, arguments), answer, response)


def kept(response: Response) -> Response:
    """The response with a copy of its value; into a list the caller, whose it is, has written."""
    if isinstance(response, Accepted):
        return Accepted(keep_and_scribble(response.value))
    return response


def is_right(response: Response, answer: Any) -> bool:
    """The response is the answer, or a refusal where there is none."""
    if answer is NO_ANSWER:
        return isinstance(response, Refused)
    return isinstance(response, Accepted) and same(response.value, answer)


def false_alarm(adapter: Asked) -> Breach | None:
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
    except KeyboardInterrupt:
        raise
    except BaseException:
        return False


def same(value: Any, expected: Any) -> bool:
    """Equal, and of the same types throughout: 1 is not True."""
    if type(value) is not type(expected):
        return False
    if isinstance(expected, list | tuple):
        return len(value) == len(expected) and all(map(same, value, expected))
    return bool(value == expected)

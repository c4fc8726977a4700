"""The textbook does what the lesson says; only its known faults set it apart from the manager."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from poolproof import BlockManager
from poolproof_verification.textbook import Textbook


def lesson() -> Textbook:
    textbook = Textbook(10, 16)
    textbook.allocate("A", 20)
    textbook.fork("A", "B")
    textbook.append("B")
    return textbook


def test_the_lesson() -> None:
    textbook = lesson()
    assert textbook.seqs == {"A": {"blocks": [0, 1], "len": 20}, "B": {"blocks": [0, 2], "len": 21}}
    assert textbook.ref == {0: 2, 1: 1, 2: 1}
    assert (textbook.free, textbook.used()) == ([3, 4, 5, 6, 7, 8, 9], 3)
    assert textbook.release("A") == [1]
    assert (textbook.ref, textbook.used()) == ({0: 1, 2: 1}, 2)
    assert textbook.release("B") == [0, 2]
    assert textbook.free == list(range(10))


def test_allocate_and_fork_return_the_table_but_not_their_own_list() -> None:
    textbook = Textbook(4, 16)
    for returned in (textbook.allocate("A", 20), textbook.fork("A", "B")):
        assert returned == [0, 1]
        returned.clear()
    assert [textbook.seqs[name]["blocks"] for name in "AB"] == [[0, 1], [0, 1]]


def test_append_tells_whether_it_copied() -> None:
    textbook = Textbook(4, 2)
    textbook.allocate("A", 1)
    textbook.fork("A", "B")
    assert [textbook.append(name) for name in "BBAA"] == [True, False, False, False]
    assert [textbook.seqs[name]["blocks"] for name in "AB"] == [[0, 3], [1, 2]]


def test_release_all_ends_every_sequence() -> None:
    textbook = lesson()
    assert textbook.release_all() == [0, 1, 2]
    assert (textbook.free, textbook.ref, textbook.seqs) == (list(range(10)), {}, {})


@pytest.mark.parametrize(
    "ask",
    [
        lambda textbook: textbook.allocate("x", 1),
        lambda textbook: textbook.append("a"),
        lambda textbook: textbook.append("c"),
    ],
)
def test_too_few_free_blocks_are_refused_before_anything_changes(
    ask: Callable[[Textbook], object],
) -> None:
    textbook = Textbook(3, 2)
    textbook.allocate("a", 1)
    textbook.fork("a", "b")
    textbook.allocate("c", 4)
    before = (textbook.free.copy(), textbook.ref.copy(), repr(textbook.seqs))
    with pytest.raises(MemoryError):
        ask(textbook)
    assert (textbook.free, textbook.ref, repr(textbook.seqs)) == before


def test_a_prompt_that_fits_only_in_part_takes_nothing() -> None:
    textbook = Textbook(3, 2)
    with pytest.raises(MemoryError):
        textbook.allocate("a", 7)
    assert (textbook.free, textbook.ref, textbook.seqs) == ([0, 1, 2], {}, {})


@pytest.mark.parametrize(
    "ask",
    [
        lambda textbook: textbook.fork("x", "y"),
        lambda textbook: textbook.append("x"),
        lambda textbook: textbook.release("x"),
    ],
)
def test_an_unknown_name_is_a_key_error(ask: Callable[[Textbook], object]) -> None:
    textbook = lesson()
    with pytest.raises(KeyError):
        ask(textbook)
    assert textbook.seqs == lesson().seqs and textbook.check_invariants()


@pytest.mark.parametrize(
    "fault",
    [lambda textbook: textbook.allocate("A", 1), lambda textbook: textbook.fork("B", "A")],
)
def test_an_existing_name_is_overwritten_and_the_invariants_notice(
    fault: Callable[[Textbook], object],
) -> None:
    textbook = lesson()
    fault(textbook)
    assert not textbook.check_invariants()


def test_a_negative_number_of_tokens_is_accepted() -> None:
    textbook = Textbook(4, 16)
    textbook.allocate("a", -40)
    assert textbook.seqs == {"a": {"blocks": [], "len": -40}}
    assert textbook.used() == 0 and textbook.check_invariants()


@pytest.mark.parametrize(
    "tamper",
    [
        lambda textbook: textbook.free.pop(),
        lambda textbook: textbook.free.append(9),
        lambda textbook: textbook.free.append(10),
        lambda textbook: textbook.free.insert(0, 1),
        lambda textbook: textbook.free.reverse(),
        lambda textbook: textbook.ref.pop(0),
        lambda textbook: textbook.ref.update({0: 1}),
        lambda textbook: textbook.ref.update({1: 2}),
        lambda textbook: textbook.ref.update({9: 0}),
        lambda textbook: textbook.ref.update({10: 1}),
        lambda textbook: textbook.seqs["A"]["blocks"].pop(),
        lambda textbook: textbook.seqs["A"]["blocks"].append(1),
        lambda textbook: textbook.seqs["A"]["blocks"].append(3),
        lambda textbook: textbook.seqs["A"]["blocks"].insert(0, 2),
        lambda textbook: textbook.seqs["A"]["blocks"].append(-1),
        lambda textbook: textbook.seqs.pop("B"),
    ],
)
def test_the_invariants_notice_tampering_with_free_ref_or_a_table(
    tamper: Callable[[Textbook], object],
) -> None:
    textbook = lesson()
    assert textbook.check_invariants()
    tamper(textbook)
    assert not textbook.check_invariants()


def test_a_lawful_life_is_the_manager_s_life() -> None:
    chance, names = random.Random(3), [f"sequence {i}" for i in range(12)]
    textbook, manager = Textbook(300, 4), BlockManager(300, 4)
    refused = 0
    for _ in range(3_000):
        name, other = chance.sample(names, 2)
        if name not in manager.seqs:
            tokens, fits = (size := chance.randrange(300)), manager.can_allocate(size)
            refused += not fits
            if fits:
                manager.allocate(name, tokens)
                textbook.allocate(name, tokens)
        elif other not in manager.seqs and chance.random() < 0.5:
            manager.fork(name, other)
            textbook.fork(name, other)
        elif chance.random() < 0.7:
            if manager.can_append(name):
                assert textbook.append(name) == manager.append(name)
        else:
            assert textbook.release(name) == manager.release(name)
        assert (textbook.free, textbook.ref) == (manager.free, manager.ref)
        assert textbook.seqs == manager.seqs and textbook.used() == manager.used()
    assert refused and textbook.check_invariants() and manager.check_invariants()

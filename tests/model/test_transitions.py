from __future__ import annotations

from dataclasses import fields

import pytest
from tests.model.by_hand import TWO_SHARING, pool_of, prompt_of

from poolproof_model import transitions
from poolproof_model.execute import Pool, chosen, empty_pool, needed, step
from poolproof_model.state import State
from poolproof_model.system import APPEND

# Blocks of 4: A and B share block 0, each has one token in a block of its own; 3, 4 are free.
STATE = pool_of(5, 4, **TWO_SHARING).state()


def counts(state: State) -> list[int]:
    return [state.reference_count(block) for block in range(5)]


def free(state: State) -> list[int]:
    return [block for block in range(5) if state.free(block)]


def blocks_of(state: State, sequence: str) -> list[int]:
    return [state.block_at(sequence, index) for index in range(state.table_length(sequence))]


def text_of(state: State, sequence: str) -> str:
    """What the sequence reads, which is what it was given."""
    positions = range(state.length(sequence))
    read = [state.read(sequence, position) for position in positions]
    assert read == [state.history(sequence, position) for position in positions]
    return "".join(read)


# --- initially ------------------------------------------------------------------------------------


def test_initially_all_blocks_are_free_and_no_sequence_is_live() -> None:
    start = transitions.initial(STATE)
    assert (free(start), counts(start), start.num_free()) == ([0, 1, 2, 3, 4], [0] * 5, 5)
    assert not start.free(5)
    for name in "ABC":
        assert (start.live(name), start.length(name), start.table_length(name)) == (False, 0, 0)
        assert not any(start.holds(name, block) for block in range(5))


def test_the_initial_state_keeps_the_frame() -> None:
    start = transitions.initial(STATE)
    assert (start.total, start.block_size) == (5, 4)


# --- allocate -------------------------------------------------------------------------------------


def test_a_prompt_has_no_negative_number_of_tokens() -> None:
    admitted = [n for n in range(-2, 3) if transitions.length_is_natural(STATE, n)]
    assert admitted == [0, 1, 2]


def test_a_name_in_use_is_not_new() -> None:
    assert [name for name in "ABC" if transitions.sequence_is_new(STATE, name)] == ["C"]
    assert [name for name in "ABC" if transitions.child_is_new(STATE, name)] == ["C"]


@pytest.mark.parametrize(
    ("length", "blocks"), [(0, 0), (1, 1), (3, 1), (4, 1), (5, 2), (8, 2), (9, 3)]
)
def test_tokens_need_as_many_blocks_as_they_begin(length: int, blocks: int) -> None:
    assert transitions.blocks_for(STATE, length) == blocks


def test_allocate_takes_the_chosen_blocks_in_order_and_writes_the_prompt() -> None:
    after = transitions.allocate(STATE, chosen((4, 3)), "C", 6, prompt_of("uvwxyz"))
    assert (blocks_of(after, "C"), text_of(after, "C")) == ([4, 3], "uvwxyz")
    assert (counts(after), free(after)) == ([2, 1, 1, 1, 1], [])
    assert (text_of(after, "A"), text_of(after, "B")) == ("abcde", "abcdx")


def test_a_prompt_without_tokens_takes_nothing() -> None:
    after = transitions.allocate(STATE, chosen(()), "C", 0, prompt_of(""))
    assert (after.live("C"), blocks_of(after, "C")) == (True, [])
    assert (counts(after), free(after)) == (counts(STATE), free(STATE))


# --- fork -----------------------------------------------------------------------------------------


def test_a_parent_and_whoever_is_appended_to_or_released_must_be_live() -> None:
    assert [name for name in "ABC" if transitions.parent_is_live(STATE, name)] == ["A", "B"]
    assert [name for name in "ABC" if transitions.sequence_is_live(STATE, name)] == ["A", "B"]


def test_a_fork_shares_every_block_and_takes_none() -> None:
    after = transitions.fork(STATE, chosen(()), "B", "C")
    assert (blocks_of(after, "C"), text_of(after, "C")) == ([0, 2], "abcdx")
    assert (counts(after), free(after)) == ([3, 1, 2, 0, 0], [3, 4])


# --- append ---------------------------------------------------------------------------------------


def test_append_writes_into_a_last_block_of_its_own() -> None:
    assert transitions.one_block_or_none(STATE, "A") == 0
    after = transitions.append(STATE, chosen(()), "A", "f")
    assert (blocks_of(after, "A"), text_of(after, "A")) == ([0, 1], "abcdef")
    assert (counts(after), free(after)) == (counts(STATE), free(STATE))


@pytest.mark.parametrize("tokens", ["", "abcd", "abcdefgh"])
def test_append_takes_a_block_where_the_last_is_full_or_missing(tokens: str) -> None:
    blocks = tuple(range(len(tokens) // 4))
    state = pool_of(5, 4, A=(blocks, tokens)).state()
    assert transitions.at_boundary(state, "A")
    assert not transitions.copies_on_write(state, "A")
    assert transitions.one_block_or_none(state, "A") == 1
    after = transitions.append(state, chosen((4,)), "A", "z")
    assert (blocks_of(after, "A"), text_of(after, "A")) == ([*blocks, 4], tokens + "z")
    assert [after.reference_count(block) for block in (*blocks, 4)] == [1] * (len(blocks) + 1)
    assert not after.free(4)


def test_append_replaces_a_shared_last_block_by_a_copy() -> None:
    state = pool_of(5, 4, A=((0, 1), "abcde"), B=((0, 1), "abcde")).state()
    assert transitions.copies_on_write(state, "B")
    assert transitions.one_block_or_none(state, "B") == 1
    after = transitions.append(state, chosen((3,)), "B", "x")
    assert (blocks_of(after, "B"), text_of(after, "B")) == ([0, 3], "abcdex")
    assert (blocks_of(after, "A"), text_of(after, "A")) == ([0, 1], "abcde")
    assert (counts(after), free(after)) == ([2, 1, 0, 1, 0], [2, 4])


def test_a_full_shared_block_is_not_copied() -> None:
    state = pool_of(5, 4, A=((0,), "abcd"), B=((0,), "abcd")).state()
    assert not transitions.copies_on_write(state, "A")
    after = transitions.append(state, chosen((1,)), "A", "e")
    assert (blocks_of(after, "A"), counts(after)) == ([0, 1], [2, 1, 0, 0, 0])


@pytest.mark.parametrize("holders", [1, 2, 3, 4])
@pytest.mark.parametrize("tokens", ["abcd", "abcde", "abcdef"])
def test_a_chain_of_appends_copies_a_shared_partial_block_once(holders: int, tokens: str) -> None:
    """However many share it, and however far it goes on: nobody else's block is ever written."""
    blocks = (0,) if len(tokens) == 4 else (0, 1)
    pool = pool_of(9, 4, **dict.fromkeys("ABCD"[:holders], (blocks, tokens)))
    copies, more = 0, "rstuvwxyz"
    for letter in more:
        arguments = {"sequence": "A", "token": letter}
        copies += transitions.copies_on_write(pool.state(), "A")
        free_blocks = tuple(sorted(pool.free))
        pool = step(pool, APPEND, arguments, free_blocks[: needed(pool, APPEND, arguments)])
    shared_and_partial = holders > 1 and len(tokens) % 4 != 0
    assert copies == (1 if shared_and_partial else 0)
    assert text_of(pool.state(), "A") == tokens + more
    for name in "BCD"[: holders - 1]:
        assert text_of(pool.state(), name) == tokens


def test_the_last_who_shared_a_block_writes_in_place() -> None:
    pool = pool_of(5, 4, A=((0,), "ab"), B=((0,), "ab"))
    pool = step(pool, APPEND, {"sequence": "A", "token": "c"}, (1,))
    assert not transitions.copies_on_write(pool.state(), "B")
    assert needed(pool, APPEND, {"sequence": "B", "token": "x"}) == 0


# --- release --------------------------------------------------------------------------------------


def test_release_frees_the_blocks_that_nobody_else_holds() -> None:
    after = transitions.release(STATE, chosen(()), "A")
    assert (counts(after), free(after)) == ([1, 0, 1, 0, 0], [1, 3, 4])
    assert (after.live("A"), after.length("A"), after.table_length("A")) == (False, 0, 0)
    assert text_of(after, "B") == "abcdx"


def test_once_everybody_has_let_go_the_pool_is_whole() -> None:
    after = STATE
    for name in "AB":
        after = transitions.release(after, chosen(()), name)
    assert (counts(after), free(after)) == ([0] * 5, [0, 1, 2, 3, 4])


# --- all of them ----------------------------------------------------------------------------------

EFFECTS = {
    "initial": transitions.initial(STATE),
    "allocate": transitions.allocate(STATE, chosen((4, 3)), "C", 5, prompt_of("vwxyz")),
    "fork": transitions.fork(STATE, chosen(()), "A", "C"),
    "append": transitions.append(STATE, chosen(()), "A", "f"),
    "append to nobody": transitions.append(empty_pool(2, 4).state(), chosen(()), "C", "f"),
    "release": transitions.release(STATE, chosen(()), "A"),
    "a pool without blocks": Pool(0, 1, empty_pool(0, 1).free).state(),
}
FRAME = ("total", "block_size", "is_sequence", "how_many")
DOMAINS = {
    "Block": (-7, -1, 0, 4, 5, 99),
    "Index": (-7, -1, 0, 1, 2, 99),
    "Position": (-7, -1, 0, 4, 5, 99),
    "Offset": (-7, -1, 0, 3, 4, 99),
    "Sequence": ("A", "C", "nobody", None, 7),
}


@pytest.mark.parametrize("name", EFFECTS)
def test_components_are_total(name: str) -> None:
    """Outside their meaning they have some value or other, and never raise."""
    state = EFFECTS[name]
    components = [field for field in fields(State) if field.name not in FRAME]
    assert len(components) == 10
    for component in components:
        function = getattr(state, component.name)
        first, *rest = component.type[len("Callable[[") :].split("]")[0].split(", ")
        for x in DOMAINS[first]:
            for arguments in [(x, y) for y in DOMAINS[rest[0]]] if rest else [(x,)]:
                function(*arguments)


@pytest.mark.parametrize("name", [name for name in EFFECTS if name != "a pool without blocks"])
def test_derived_values_are_total(name: str) -> None:
    state = EFFECTS[name]
    for sequence in DOMAINS["Sequence"]:
        state.last_block(sequence)
        for number in DOMAINS["Position"]:
            state.read(sequence, number)
            state.holds(sequence, number)


def test_an_effect_leaves_the_state_before_as_it_was() -> None:
    """Also after what came of it has been asked everything."""
    for after in EFFECTS.values():
        [after.reference_count(block) for block in range(after.total)]
    again = pool_of(5, 4, **TWO_SHARING).state()
    assert (counts(STATE), free(STATE)) == (counts(again), free(again))
    assert (text_of(STATE, "A"), text_of(STATE, "B")) == ("abcde", "abcdx")
    assert not STATE.live("C")

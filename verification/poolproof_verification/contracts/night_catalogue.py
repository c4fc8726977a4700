"""The contracts of the night: full states of two and of three sequences, in the order of cost."""

from __future__ import annotations

from poolproof_verification.contracts import night_contracts
from poolproof_verification.contracts.catalogue import ALWAYS, Contract, Form
from poolproof_verification.contracts.full import full_cases
from poolproof_verification.contracts.night_contracts import THREE, THREE_TAKING, TWO, TWO_TAKING

SECONDS = 900.0  # CPU; a ceiling for slow machines, a fourth is usual
ENDING = ("results", "refusals", *ALWAYS)
TAKING = ("results", "refusals", "choices", "can", *ALWAYS)

NIGHT = Form(
    (
        Contract(
            night_contracts.two_allocate,
            TAKING,
            ("window_stays_free", "question_caps_the_need"),
            full_cases(TWO_TAKING),
        ),
        Contract(
            night_contracts.three_allocate,
            TAKING,
            ("refused_allocation_keeps_blocks", "long_prompt_admitted"),
            full_cases(THREE_TAKING),
        ),
        Contract(
            night_contracts.two_append,
            TAKING,
            ("append_without_copy", "every_holder_moves", "length_in_sixteen_bits"),
            full_cases(TWO),
        ),
        Contract(
            night_contracts.two_call,
            ENDING,
            ("release_all_skips_one", "refused_fork_keeps_references"),
            full_cases(TWO),
        ),
        Contract(
            night_contracts.two_grow,
            TAKING,
            ("refused_growth_keeps_the_copy", "many_tokens_at_once"),
            full_cases(TWO_TAKING),
        ),
        Contract(
            night_contracts.three_grow,
            TAKING,
            ("grow_forgets_the_copy", "copy_sets_count"),
            full_cases(THREE_TAKING),
        ),
        Contract(
            night_contracts.three_append,
            TAKING,
            ("copy_sets_count", "every_holder_moves", "one_block_size"),
            full_cases(THREE),
        ),
        Contract(
            night_contracts.three_call,
            ENDING,
            ("release_drops_all_references", "release_all_skips_one"),
            full_cases(THREE),
        ),
    ),
    scope="one operation of the class from any valid hidden state of 4 blocks and 2 or 3 "
    "sequences, all tables in full: up to 2 blocks the one that is named, 2 the one other, 1 "
    "each of two others (growing and allocating: 1, 3 and 1; windows lowered); any block size",
    not_covered="more than 4 blocks; longer tables; growing and allocating beside two others "
    "while no block is free; the order of the blocks of tables that are "
    "not named; a search for free blocks that starts below the lowest; contents; the order of "
    "hidden dictionaries; arguments that are no integers; unknown names and negative counts",
)

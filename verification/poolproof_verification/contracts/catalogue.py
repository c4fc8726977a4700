"""The contracts in the order of their cost, and what counts for each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from poolproof_verification.contracts import name_contracts, table_contracts
from poolproof_verification.contracts.cases import Cases, small_cases
from poolproof_verification.contracts.frame import FOUR_POOLS, THREE, THREE_POOLS

ALWAYS = ("partition", "counts", "lengths")


@dataclass(frozen=True)
class Contract:
    """One contract function, the laws it speaks for, and the seeded bugs it must refute."""

    function: Callable[..., bool]
    laws: tuple[str, ...]
    bugs: tuple[str, ...]  # names in the mutants' catalogue
    cases: Cases  # for the sweep
    least_cases: int = 1_000

    @property
    def name(self) -> str:
        """The function's."""
        return self.function.__name__


@dataclass(frozen=True)
class Form:
    """Contracts that are judged together, the states they speak of, and those they do not."""

    contracts: tuple[Contract, ...]
    scope: str
    not_covered: str


CONTRACTS = (
    Contract(
        table_contracts.release_all,
        ("results", *ALWAYS),
        ("reset_keeps_counts",),
        small_cases(THREE),
    ),
    Contract(
        name_contracts.refused_unknown,
        ("refusals", *ALWAYS),
        ("second_release_is_silent",),
        small_cases(THREE_POOLS),
    ),
    Contract(
        table_contracts.refused_existing,
        ("refusals", *ALWAYS),
        ("fork_over_existing", "allocate_over_existing", "refused_fork_keeps_references"),
        small_cases(THREE),
    ),
    Contract(
        name_contracts.allocate,
        ("results", "refusals", "choices", "can", *ALWAYS),
        ("ceiling_off_by_one", "question_off_by_one"),
        small_cases(THREE_POOLS),
    ),
    Contract(
        table_contracts.fork,
        ("results", "refusals", *ALWAYS),
        ("fork_skips_last", "count_saturates"),
        small_cases(THREE),
    ),
    Contract(
        name_contracts.refused_negatives,
        ("refusals", *ALWAYS),
        ("negative_count_accepted",),
        small_cases(THREE_POOLS),
    ),
    Contract(
        name_contracts.allocate_by_windows,
        ("results", "refusals", "choices", "can", *ALWAYS),
        ("window_stays_free", "window_beyond_the_map"),
        small_cases(FOUR_POOLS),
    ),
    Contract(
        table_contracts.release, ("results", *ALWAYS), ("release_frees_early",), small_cases(THREE)
    ),
    Contract(
        table_contracts.append,
        ("results", "refusals", "choices", "can", *ALWAYS),
        ("append_without_copy", "one_block_size"),
        small_cases(THREE),
    ),
    Contract(
        table_contracts.grow,
        ("results", "refusals", "choices", "can", *ALWAYS),
        ("exact_fit_refused", "question_forgets_the_copy"),
        small_cases(THREE),
    ),
)

DAY = Form(
    CONTRACTS,
    scope="one operation of the class from any valid hidden state of 3 blocks (allocate: also 4, "
    "windows lowered); any block size, any number of other sequences",
    not_covered="more than 3 blocks (4 where a sequence is allocated); contents; more than one "
    "table in full; the order of hidden dictionaries; arguments that are no integers; negative "
    "counts below -2",
)

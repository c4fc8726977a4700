"""The same contract function in plain Python over small values, each case beside the model.

A search may confirm what is false, and a contract may expect what is wrong. Here every case runs
without a solver, and what the contract expects and what the manager did are compared with the
model, in which the other holders are real sequences.

Does not cover: values beyond the small ones; of many cases a sample is run.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from poolproof import BlockManager
from poolproof_model.execute import FreeBlocks, Members, Pool, Table
from poolproof_model.system import Refusal
from poolproof_verification.contracts.catalogue import Contract
from poolproof_verification.contracts.frame import NAME, Frame
from poolproof_verification.contracts.replay import Broken, call_text, replay
from poolproof_verification.contracts.step import Step, same
from poolproof_verification.oracle import Oracle, carry_out

SAMPLE = 1_500  # cases of a contract, where there are more
OTHER = "another holder"  # first part of the names of the model's other sequences


@dataclass(frozen=True)
class Sweep:
    """How many cases ran, and the first that went wrong."""

    cases: int
    compared: int  # cases that made a step, which was compared with the model
    broken: Broken | None = None  # the manager breaks a law
    disagreement: str = ""  # the contract is at odds with the model


def sweep(contract: Contract, manager: type[BlockManager], seed: int) -> Sweep:
    """Run a sample of the contract's cases, drawn by the seed; stop at the first that fails."""
    number = compared = 0
    cases = contract.cases(contract.function, random.Random(seed))
    for number, arguments in enumerate(islice(cases, SAMPLE), 1):
        step, broken = replay(contract.function, manager, arguments)
        wrong = against_model(step) if step else ""
        compared += step is not None
        if wrong:
            call = call_text(contract.function, arguments)
            return Sweep(number, compared, disagreement=f"{call}: {wrong}")
        if broken:
            return Sweep(number, compared, broken)
    return Sweep(number, compared)


def model_of(frame: Frame) -> Pool:
    """The same state in the model; every unseen holder is a sequence with one full block."""
    total, layout = len(frame.others), frame.layout
    tables: dict[Hashable, Table] = {NAME: Table(layout.blocks, frame.length)}
    tables |= {each.name: Table(each.blocks, each.length) for each in frame.bystanders}
    for block, count in enumerate(frame.unseen()):
        for number in range(count):
            tables[f"{OTHER} {block} {number}"] = Table((block,), frame.block_size)
    counts = Counter(chain.from_iterable(table.blocks for table in tables.values()))
    holders = {
        block: Members(name for name, table in tables.items() if block in table.blocks)
        for block in counts
    }
    free = FreeBlocks(range(total)) - set(counts)
    return Pool(total, frame.block_size, FreeBlocks(free), dict(counts), tables, holders, None)


def against_model(step: Step) -> str:
    """Where the contract's expectation, or what the contract lets pass, differs from the model."""
    before = model_of(step.frame)
    reason = Oracle().refused(before, step.operation)
    after, answer = (before, reason) if reason else carry_out(before, step.operation)
    if not same(answer, step.expected.answer):
        return f"the contract expects {step.expected.answer} where the model says {answer}"
    own = {name: table for name, table in after.tables.items() if OTHER not in str(name)}
    rows = {(name, table.blocks, table.length) for name, table in own.items()}
    if set(step.expected.tables) != rows:
        return f"the contract expects tables {step.expected.tables} where the model has {rows}"
    others = [len(after.holders.get(b, Members()) - set(own)) for b in range(after.total)]
    if list(step.expected.others) != others:
        return f"the contract expects holders {step.expected.others}, the model has {others}"
    return unseen(step, after, answer) if step.kept() else ""


def unseen(step: Step, after: Pool, answer: Any) -> str:
    """What the contract lets pass although the manager differs from the model."""
    pool = step.manager._pool
    counts = {b: 1 + pool.extra[b] for b in range(pool.total) if not pool.free_map[b]}
    accepted = not isinstance(answer, Refusal)
    if (pool.free_blocks(), counts) != (sorted(after.free), dict(after.counts)):
        return f"the contract lets pass {step}"
    if step.promised not in (None, accepted):
        return f"the contract lets pass the promise {step.promised}: {step}"
    return ""

"""An engine that is absent, broken or of another interface is told in one clear line."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest
from tests.verification.adapters.fake_engines import Block, install

from poolproof_model.system import Refusal
from poolproof_verification.adapters.engine import (
    KEPT,
    OwnCalls,
    blocks_for,
    expect,
    found,
    out_of_blocks,
    too_many,
)
from poolproof_verification.adapters.nano_vllm import NanoVllm
from poolproof_verification.adapters.transformers_cache import Transformers
from poolproof_verification.adapters.vllm_legacy import VllmLegacy, VllmLegacyUnasked
from poolproof_verification.adapters.vllm_manager import VllmManager
from poolproof_verification.adapters.vllm_pool import VllmPool
from poolproof_verification.operations import Accepted, Refused
from poolproof_verification.verdict import CouldNotRun

ENGINES = {
    "vllm": (VllmPool, VllmManager, VllmLegacy, VllmLegacyUnasked),
    "transformers": (Transformers,),
    "nanovllm": (NanoVllm,),
}


@pytest.mark.parametrize(
    ("package", "target"), [(name, each) for name, all_ in ENGINES.items() for each in all_]
)
def test_an_absent_engine_is_told_in_a_line(
    package: str, target: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(CouldNotRun, match=r"^(vllm|transformers|nano-vllm) is not installed here$"):
        target()


def test_an_engine_that_lacks_a_package_of_its_own_is_not_called_absent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    install(monkeypatch, "enginery", __version__="1.2")
    with pytest.raises(CouldNotRun) as caught:
        found("enginery", "enginery.pool", "Pool")
    assert str(caught.value).startswith("enginery 1.2: enginery.pool does not import: ModuleNotF")


def test_a_name_or_a_parameter_that_is_gone_is_drift(monkeypatch: pytest.MonkeyPatch) -> None:
    class Pool:
        give = None

        def take(self, count: int) -> None: ...

    Pool.__module__ = "enginery"
    install(monkeypatch, "enginery", __version__="1.2", Pool=Pool)
    assert found("enginery", "enginery", "Pool") == [Pool]
    expect("enginery", Pool, "take", "count")
    start = "enginery 1.2: its interface is none that is known here: "
    with pytest.raises(CouldNotRun, match=f"^{start}enginery has no Block, Table$"):
        found("enginery", "enginery", "Pool", "Block", "Table")
    with pytest.raises(CouldNotRun, match=f"^{start}Pool.take takes no blocks$"):
        expect("enginery", Pool, "take", "count", "blocks")
    with pytest.raises(CouldNotRun, match=f"^{start}Pool has no give$"):
        expect("enginery", Pool, "give", "count")


def test_own_calls_are_kept_in_the_engines_words_and_not_for_ever() -> None:
    call = OwnCalls([])
    call("append", 3)
    assert call.manager == [3]
    block, request = Block(7), SimpleNamespace(request_id="A")
    with pytest.raises(ValueError, match="not in list"):
        call("remove", [block, (request, "B")])
    assert list(call.told) == [
        "append(3)",
        "remove([block(7), (request('A'), 'B',)])  # ValueError: list.remove(x): x not in list",
    ]
    for _ in range(KEPT):
        call("append", 4)
    assert set(call.told) == {"append(4)"}


def test_the_arithmetic_of_blocks() -> None:
    assert [blocks_for(tokens, 4) for tokens in (0, 1, 4, 5)] == [0, 1, 1, 2]
    assert blocks_for(too_many(3, 4), 4) == 4


def test_only_the_refusal_for_want_of_blocks_agrees() -> None:
    refused = Refused(Refusal.OUT_OF_BLOCKS)
    assert [each for each in Refusal if out_of_blocks(each, refused)] == [Refusal.OUT_OF_BLOCKS]
    assert not out_of_blocks(Refusal.OUT_OF_BLOCKS, Accepted(None))

from __future__ import annotations

import gzip
import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from poolproof_verification.verdict import CouldNotRun
from poolproof_verification.workloads.formats import FORMATS, Request, read_requests

HEADER = "TIMESTAMP,ContextTokens,GeneratedTokens"
ROW = "2030-01-01 09:00:00.0000000,10,3"
OBJECT = {"timestamp": 7, "input_length": 10, "output_length": 3, "hash_ids": [1]}


def written(folder: Path, *lines: str) -> Path:
    path = folder / "trace"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def objects(*changes: dict[str, Any]) -> list[str]:
    return [json.dumps(OBJECT | change) for change in changes]


def refusal(path: Path, format: str | None = None) -> str:
    """What is wrong, without the folder's name; the message is one printable line."""
    with pytest.raises(CouldNotRun) as caught:
        list(read_requests(path, format))
    message = str(caught.value)
    assert message.isprintable() and len(message) < 300
    return message.removeprefix(f"{path.parent}/")


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_both_formats_are_detected_and_spell_the_same_requests(
    tmp_path: Path,
    pack: type[bytes],
    small: tuple[Request, ...],
    small_csv: Path,
    small_jsonl: Path,
) -> None:
    for path, format in ((small_csv, "azure"), (small_jsonl, "mooncake")):
        packed = tmp_path / "trace"  # the name says nothing
        packed.write_bytes(pack(path.read_bytes()))
        assert tuple(read_requests(packed)) == small
        assert tuple(read_requests(packed, format)) == small


def test_rows_are_read_when_they_are_asked_for(tmp_path: Path) -> None:
    path = written(tmp_path, HEADER, ROW, ROW, "nonsense")
    assert list(islice(read_requests(path), 2)) == [Request(0, 10, 3)] * 2


@pytest.mark.parametrize(
    ("time", "arrival"),
    [
        ("2030-01-01 09:00:00.0019999", 1),
        ("2030-01-01 09:00:01", 1000),
        ("2030-01-01T09:00:00.5", 500),
        ("2030-01-01 10:00:00.002+01:00", 2),
        ("2030-01-02 09:00:00Z", 86_400_000),
    ],
)
def test_azure_times_count_in_whole_milliseconds_from_the_first_row(
    tmp_path: Path, time: str, arrival: int
) -> None:
    path = written(tmp_path, HEADER, ROW, f"{time},1,2")
    assert list(read_requests(path))[1] == Request(arrival, 1, 2)


def test_azure_columns_are_found_by_name(tmp_path: Path) -> None:
    path = written(tmp_path, "x,GeneratedTokens,TIMESTAMP, ContextTokens", f'"a,b",3,{ROW[:19]},10')
    assert list(read_requests(path)) == [Request(0, 10, 3)]


def test_mooncake_times_and_other_keys_are_taken_as_they_are(tmp_path: Path) -> None:
    path = written(tmp_path, *objects({}, {"input_length": 513, "hash_ids": [1, 2], "more": None}))
    assert list(read_requests(path)) == [Request(7, 10, 3), Request(7, 513, 3)]


@pytest.mark.parametrize(
    ("header", "problem"),
    [
        ("TIMESTAMP,ContextToken,GeneratedTokens", "column ContextTokens is missing"),
        ("TIMESTAMP,ContextTokens", "column GeneratedTokens is missing"),
        ("TIMESTAMP;ContextTokens;GeneratedTokens", "column TIMESTAMP is missing"),
        (HEADER + ",TIMESTAMP", "column TIMESTAMP is there more than once"),
        ("a,b,c", "neither azure's header (TIMESTAMP,ContextTokens,GeneratedTokens) nor mooncake"),
        ("[1, 2]", "neither azure's header"),
        (ROW, "neither azure's header"),
    ],
)
def test_a_wrong_first_line_is_refused(tmp_path: Path, header: str, problem: str) -> None:
    assert refusal(written(tmp_path, header, ROW)).startswith(f"trace, line 1: {problem}")


TOKENS = "must be a whole number from 0 to 100,000,000, not "


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("2030-01-01 09:00:00,10", "2 field(s) for 3 columns"),
        (ROW + ",4", "4 field(s) for 3 columns"),
        (ROW[:-1] + "-1", f'GeneratedTokens {TOKENS}"-1"'),
        (ROW[:-1] + "1.5", f'GeneratedTokens {TOKENS}"1.5"'),
        (ROW[:-1] + "NaN", f'GeneratedTokens {TOKENS}"NaN"'),
        (ROW[:-1] + "True", f'GeneratedTokens {TOKENS}"True"'),
        (ROW[:-1] + "1_0", f'GeneratedTokens {TOKENS}"1_0"'),
        (ROW[:-1] + "\u0663", f'GeneratedTokens {TOKENS}"\\u0663"'),
        (ROW[:-1], f'GeneratedTokens {TOKENS}""'),
        (ROW[:-1] + "100000001", f"GeneratedTokens {TOKENS}100000001"),
        (ROW[:-1] + "9" * 5000, f'GeneratedTokens {TOKENS}"' + "9" * 35 + " ..."),
        ("2030-01-01 09:00:00,-1,0", f'ContextTokens {TOKENS}"-1"'),
        ("yesterday,1,0", 'TIMESTAMP must be a time like 2023-11-16 18:15:46.6805900, not "yester'),
        ("2030-02-30 09:00:00,1,0", "TIMESTAMP must be a time like"),
        ("20300101T090000,1,0", "TIMESTAMP must be a time like"),
        ('"2030,1,0', "not comma-separated values"),
        ("a\rb,1,0", "not comma-separated values"),
        ("2030-01-01 08:59:59.9999999,1,0", "earlier than the row before; sort the file by time"),
    ],
)
def test_a_wrong_azure_row_is_refused(tmp_path: Path, row: str, problem: str) -> None:
    assert refusal(written(tmp_path, HEADER, ROW, row)).startswith(f"trace, line 3: {problem}")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"input_length": -1}, f"input_length {TOKENS}-1"),
        ({"input_length": True}, f"input_length {TOKENS}true"),
        ({"input_length": 10.0}, f"input_length {TOKENS}10.0"),
        ({"output_length": float("nan")}, f"output_length {TOKENS}NaN"),
        ({"output_length": float("inf")}, f"output_length {TOKENS}Infinity"),
        ({"output_length": "3"}, f'output_length {TOKENS}"3"'),
        ({"output_length": None}, f"output_length {TOKENS}null"),
        ({"output_length": [3]}, f"output_length {TOKENS}a list"),
        ({"output_length": 10**9}, f"output_length {TOKENS}1000000000"),
        ({"timestamp": -1}, "timestamp must be a whole number from 0 to 1,000,000,000,000,000"),
        ({"timestamp": 10**16}, "timestamp must be a whole number"),
        ({"timestamp": 6}, "earlier than the row before; sort the file by time"),
        (
            {"hash_ids": []},
            "hash_ids has 0 id(s) where there must be 1 for 10 tokens, one for each",
        ),
        ({"hash_ids": [1, 2]}, "hash_ids has 2 id(s) where there must be 1 for 10 tokens"),
        ({"input_length": 512, "hash_ids": [1, 2]}, "hash_ids has 2 id(s) where there must be 1 "),
        ({"hash_ids": 1}, "hash_ids must be a list of whole numbers"),
        ({"hash_ids": [True]}, "hash_ids must be a list of whole numbers"),
    ],
)
def test_a_wrong_mooncake_value_is_refused(
    tmp_path: Path, change: dict[str, Any], problem: str
) -> None:
    path = written(tmp_path, *objects({}, change))
    assert refusal(path).startswith(f"trace, line 2: {problem}")


@pytest.mark.parametrize("key", OBJECT)
def test_a_missing_mooncake_key_is_refused(tmp_path: Path, key: str) -> None:
    row = json.dumps({name: value for name, value in OBJECT.items() if name != key})
    problem = f"trace, line 2: {key} is missing; mooncake has timestamp, "
    assert refusal(written(tmp_path, *objects({}), row)).startswith(problem)


@pytest.mark.parametrize(
    "row",
    ["{", '{"timestamp": }', "[]", "7", '{"a": 1} {"a": 2}', "[" * 100_000, "9" * 5000, HEADER],
)
def test_a_mooncake_line_that_is_no_object_is_refused(tmp_path: Path, row: str) -> None:
    assert refusal(written(tmp_path, *objects({}), row)).startswith("trace, line 2: not a JSON obj")


def test_a_forced_format_is_taken_at_its_word(small_csv: Path, small_jsonl: Path) -> None:
    assert "small.csv, line 1: not a JSON object" in refusal(small_csv, "mooncake")
    assert "small.jsonl, line 1: column TIMESTAMP is missing" in refusal(small_jsonl, "azure")


def test_an_unknown_format_is_refused(small_csv: Path) -> None:
    assert set(FORMATS) == {"azure", "mooncake"}
    assert refusal(small_csv, "csv") == "no format 'csv'; there are azure, mooncake"


def test_a_file_without_a_request_is_refused(tmp_path: Path) -> None:
    assert refusal(written(tmp_path, "")) == "trace: the file is empty"
    assert refusal(written(tmp_path, HEADER)) == "trace: the file has a header and no request"


def test_binary_junk_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "trace"
    for junk in (bytes(range(256)), b"\0" * 64, b"\x89PNG\r\n\x1a\n" + b"\xff" * 64):
        path.write_bytes(junk)
        assert refusal(path).startswith("trace, line 1: ")

from __future__ import annotations

import gzip
import tracemalloc
from pathlib import Path

import pytest

from poolproof_verification.verdict import CouldNotRun
from poolproof_verification.workloads.lines import LONGEST_LINE, read_lines, shown


def written(folder: Path, content: bytes) -> Path:
    path = folder / "trace"
    path.write_bytes(content)
    return path


def numbered(path: Path) -> list[tuple[int, str]]:
    return [(line.number, line.text) for line in read_lines(path)]


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_lines_keep_their_numbers_and_lose_their_ends_and_blank_lines(
    tmp_path: Path, pack: type[bytes]
) -> None:
    path = written(tmp_path, pack(b"\xef\xbb\xbfone\r\n\n  \ntwo \n\nthree"))
    assert numbered(path) == [(1, "one"), (4, "two"), (6, "three")]


def test_an_empty_file_has_no_line(tmp_path: Path) -> None:
    assert numbered(written(tmp_path, b"")) == []


def test_the_longest_line_is_read_and_one_byte_more_is_refused(tmp_path: Path) -> None:
    fits = b"x" * (LONGEST_LINE - 1) + b"\n"
    assert len(numbered(written(tmp_path, b"first\n" + fits))[1][1]) == LONGEST_LINE - 1
    with pytest.raises(CouldNotRun, match=r"trace, line 2: longer than 1,048,576 bytes$"):
        numbered(written(tmp_path, b"first\nx" + fits))


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_a_line_of_100_megabytes_is_refused_before_it_is_in_memory(
    tmp_path: Path, packed: bool
) -> None:
    size, path = 100_000_000, tmp_path / "trace"
    if packed:
        with gzip.open(path, "wb", compresslevel=1) as stream:
            for _ in range(100):
                stream.write(bytes(size // 100))
    else:
        with path.open("wb") as file:
            file.truncate(size)
    tracemalloc.start()
    with pytest.raises(CouldNotRun, match="line 1: longer than"):
        numbered(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10 * LONGEST_LINE


def test_a_line_that_is_no_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CouldNotRun, match=r"line 2: not text \(UTF-8\)$"):
        numbered(written(tmp_path, b"first\n\xff\xfe\x00\n"))


def test_a_truncated_gzip_file_is_refused_at_the_line_that_is_missing(tmp_path: Path) -> None:
    whole = gzip.compress(b"first\nsecond\n")
    with pytest.raises(CouldNotRun, match="line 3: cannot be read: Compressed file ended"):
        numbered(written(tmp_path, whole[:-4]))


def test_a_gzip_file_with_a_wrong_byte_is_refused(tmp_path: Path) -> None:
    content = bytearray(gzip.compress(b"first\nsecond\n" * 100))
    content[-6] ^= 1  # in the checksum
    with pytest.raises(CouldNotRun, match=r"line \d+: cannot be read: CRC check failed"):
        numbered(written(tmp_path, bytes(content)))


def test_a_gzip_file_of_junk_is_refused(tmp_path: Path) -> None:
    header = gzip.compress(b"first\n")[:10]
    for junk in (header[:2], header[:2] + b"\xff" * 9, header + b"\xff" * 9):
        with pytest.raises(CouldNotRun, match="trace, line 1: cannot be read: "):
            numbered(written(tmp_path, junk))


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CouldNotRun, match=r"nowhere: cannot be read: No such file or directory$"):
        numbered(tmp_path / "nowhere")
    with pytest.raises(CouldNotRun, match=r"cannot be read: Is a directory$"):
        numbered(tmp_path)
    with pytest.raises(CouldNotRun, match=r"'a\\x00b': cannot be read: embedded null byte$"):
        numbered(Path("a\0b"))


def test_a_path_is_shown_in_one_line() -> None:
    assert shown("some/file.csv") == "some/file.csv"
    assert shown("") == "''"
    assert shown("two\nlines") == r"'two\nlines'"

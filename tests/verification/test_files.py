"""A file is there whole or not at all; what cannot be read is told in one line."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from poolproof_verification.files import read_whole, write_whole
from poolproof_verification.verdict import CouldNotRun


def test_it_is_written_with_its_folder_and_read_back(tmp_path: Path) -> None:
    path = write_whole(tmp_path / "deep" / "a.json", "é\n")
    assert read_whole(path, most=3) == "é\n"
    assert [each.name for each in path.parent.iterdir()] == ["a.json"]


def test_a_write_that_fails_leaves_the_former_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_whole(tmp_path / "a.json", "before")

    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(CouldNotRun, match="No space left on device"):
        write_whole(path, "after")
    assert [each.read_text() for each in tmp_path.iterdir()] == ["before"]


def test_a_link_stays_and_what_it_leads_to_is_written(tmp_path: Path) -> None:
    there, dangling = tmp_path / "there", tmp_path / "dangling"
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "a").write_text("before")
    there.symlink_to("deep/a")
    dangling.symlink_to("deep/b")
    for link in (there, dangling):
        assert write_whole(link, "after") == link
        assert link.is_symlink()
        assert link.read_text() == "after"
    assert sorted(each.name for each in (tmp_path / "deep").iterdir()) == ["a", "b"]


def test_a_pipe_is_written_into_and_stays_one(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_whole(pipe, "text")
    assert os.read(reading, 9) == b"text"
    os.close(reading)
    assert pipe.is_fifo()


def test_what_cannot_be_written_is_told_in_one_line_and_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "full").symlink_to("/dev/full")  # whoever replaced it would replace the link
    cases = {
        tmp_path: "a folder",
        tmp_path / "full": "No space left on device",
    }
    for path, words in cases.items():
        with pytest.raises(CouldNotRun) as caught:
            write_whole(path, "text")
        assert str(caught.value) == f"cannot write {path}: {words}"
    assert Path("/dev/full").is_char_device()
    assert [each.name for each in tmp_path.iterdir()] == ["full"]


def test_what_cannot_be_read_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(b"\xe9")
    (tmp_path / "long").write_text("12345")
    os.mkfifo(tmp_path / "pipe")
    cases = {
        tmp_path: "a folder",
        tmp_path / "missing": "cannot be read: No such file or directory",
        tmp_path / "latin": "not text (UTF-8)",
        tmp_path / "long": "longer than 4 bytes",
        tmp_path / "pipe": "no file",
        Path("\0"): "cannot be read: ",
    }
    for path, words in cases.items():
        with pytest.raises(CouldNotRun) as caught:
            read_whole(path, most=4)
        assert words in str(caught.value)
        assert len(str(caught.value).splitlines()) == 1

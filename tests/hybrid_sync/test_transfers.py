# Generated from tests/hybrid/test_transfers.py by tools/generate_sync.py. Edit that file.
"""Content of any size, and whole folders, between host and desktop."""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING

import pytest

from drums.hybrid import (
    FileError,
    FileMissing,
    HostFileError,
    IsAFolder,
    TransferBroken,
    UnsafeName,
)
from drums.hybrid._chunks import UPLOAD_PART

if TYPE_CHECKING:
    from pathlib import Path

    import drums.hybrid

MIB = 1024 * 1024


def noise(size: int) -> bytes:
    return random.Random(size).randbytes(size)


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*"))


def contents_of(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("size", [0, UPLOAD_PART, UPLOAD_PART + 1, 4 * MIB])
def test_content_of_any_size_comes_through_whole(tools: drums.hybrid.Tools, size: int) -> None:
    told: list[tuple[int, int]] = []
    content = noise(size)
    tools.files.write_bytes("big", content, progress=lambda done, total: told.append((done, total)))
    assert told[0] == (0, size)
    assert told[-1] == (size, size)
    assert told == sorted(told)
    told.clear()
    assert tools.files.read_bytes("big", progress=lambda done, total: told.append((done, total))) == content
    assert told[-1] == (size, size)


def test_what_is_long_is_added_to_the_end(tools: drums.hybrid.Tools) -> None:
    content = noise(UPLOAD_PART + 10)
    tools.files.append("log", "begin\n")
    tools.files.append("log", content)
    assert tools.files.read_bytes("log") == b"begin\n" + content


def test_more_than_the_limit_is_not_read(tools: drums.hybrid.Tools) -> None:
    tools.files.write_bytes("note", b"0123456789")
    assert tools.files.read_text("note", limit=10) == "0123456789"
    assert tools.files.read_bytes("note", length=9, limit=9) == b"012345678"
    for read in (tools.files.read_bytes, tools.files.read_text):
        with pytest.raises(FileError, match="it has 10 bytes, more than 9"):
            read("note", limit=9)


def test_a_file_that_can_not_be_put_in_place_leaves_nothing_behind(tools: drums.hybrid.Tools) -> None:
    tools.files.mkdir("folder")
    with pytest.raises(IsAFolder):
        tools.files.write_bytes("folder", noise(UPLOAD_PART + 1))
    assert [entry.name for entry in tools.files.list("~") if entry.name.startswith(".drums")] == []


def test_a_source_that_shrinks_is_not_put_in_place(
    tools: drums.hybrid.Tools, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "big"
    source.write_bytes(noise(3 * UPLOAD_PART))
    tools.files.write_text("big", "old")

    def shrink(done: int, _: int) -> None:
        if done == UPLOAD_PART:
            os.truncate(source, 10)

    monkeypatch.setattr("drums.hybrid._chunks.IN_FLIGHT", 1)
    with pytest.raises(TransferBroken):
        tools.files.upload(source, "big", progress=shrink)
    assert tools.files.read_text("big") == "old"
    assert [entry.name for entry in tools.files.list("~") if entry.name.startswith(".drums")] == []


def test_a_folder_goes_there_and_back(tools: drums.hybrid.Tools, tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    contents = {"a b": b"1", "sub/it's": noise(2000), "sub/deep/$(x)": b"", "run": b"#!/bin/sh\n"}
    for name, content in contents.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes(content)
    (source / "run").chmod(0o755)
    (source / "empty").mkdir()
    (source / "link").symlink_to("/etc/passwd")
    told: list[tuple[int, int]] = []
    went = tools.files.upload(source, "copy", progress=lambda done, total: told.append((done, total)))
    size = sum(map(len, contents.values()))
    assert (went.files, went.size, went.skipped) == (4, size, (str(source / "link"),))
    assert told[-1] == (size, size)
    assert (tools.files.stat("copy/run")).mode == 0o755
    tools.shell.run("ln -s /etc copy/link")
    came = tools.files.download("copy", target)
    assert (came.files, came.size, came.skipped) == (4, size, ("/home/user/copy/link",))
    assert contents_of(target) == contents
    assert (target / "empty").is_dir()
    assert os.access(target / "run", os.X_OK)
    assert not os.access(target / "a b", os.X_OK)


def test_one_file_goes_there_and_back(tools: drums.hybrid.Tools, tmp_path: Path) -> None:
    source, target = tmp_path / "one", tmp_path / "new" / "two"
    source.write_bytes(b"content")
    tools.files.upload(source, "~/one")
    assert (tools.files.download("one", target)).files == 1
    assert target.read_bytes() == b"content"
    with pytest.raises(HostFileError, match="something already"):
        tools.files.download("one", target, overwrite=False)
    with pytest.raises(HostFileError, match="is a folder"):
        tools.files.download("one", tmp_path)
    with pytest.raises(FileMissing):
        tools.files.download("nothing", tmp_path / "nothing")
    with pytest.raises(HostFileError):
        tools.files.upload(tmp_path / "nothing", "nothing")
    assert names_in(tmp_path) == ["new", "one", "two"]


def test_nothing_from_a_desktop_is_written_through_a_link_of_the_host(
    tools: drums.hybrid.Tools, tmp_path: Path
) -> None:
    outside, target = tmp_path / "outside", tmp_path / "target"
    outside.mkdir()
    target.mkdir()
    (outside / "file").write_text("kept")
    (target / "sub").symlink_to(outside)
    (target / "file").symlink_to(outside / "file")
    tools.files.write_text("copy/sub/file", "hostile")
    with pytest.raises(UnsafeName, match="link"):
        tools.files.download("copy", target)
    (target / "sub").unlink()
    tools.files.write_text("copy/file", "hostile")
    tools.files.download("copy", target)
    assert (outside / "file").read_text() == "kept"
    assert (target / "file").read_text() == "hostile"
    assert not (target / "file").is_symlink()


@pytest.mark.long
def test_a_hundred_megabytes_go_there_and_back_with_progress(tools: drums.hybrid.Tools, tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    source.write_bytes(noise(100 * MIB))
    told: list[tuple[int, int]] = []
    tools.files.upload(source, "big", progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (100 * MIB, 100 * MIB)
    assert len(told) > 50
    told.clear()
    tools.files.download("big", target, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (100 * MIB, 100 * MIB)
    assert len(told) > 20
    assert target.read_bytes() == source.read_bytes()

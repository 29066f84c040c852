"""Content of any size, and whole folders, between host and desktop."""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING

import pytest

from drums.hybrid import FileError, FileMissing, HostFileError, IsAFolder, TransferBroken, UnsafeName
from drums.hybrid._chunks import UPLOAD_PART

if TYPE_CHECKING:
    from pathlib import Path

    import drums.hybrid.aio

MIB = 1024 * 1024


def noise(size: int) -> bytes:
    return random.Random(size).randbytes(size)


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*"))


def contents_of(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("size", [0, UPLOAD_PART, UPLOAD_PART + 1, 4 * MIB])
async def test_content_of_any_size_comes_through_whole(tools: drums.hybrid.aio.Tools, size: int) -> None:
    told: list[tuple[int, int]] = []
    content = noise(size)
    await tools.files.write_bytes("big", content, progress=lambda done, total: told.append((done, total)))
    assert told[0] == (0, size)
    assert told[-1] == (size, size)
    assert told == sorted(told)
    told.clear()
    assert await tools.files.read_bytes("big", progress=lambda done, total: told.append((done, total))) == content
    assert told[-1] == (size, size)


async def test_what_is_long_is_added_to_the_end(tools: drums.hybrid.aio.Tools) -> None:
    content = noise(UPLOAD_PART + 10)
    await tools.files.append("log", "begin\n")
    await tools.files.append("log", content)
    assert await tools.files.read_bytes("log") == b"begin\n" + content


async def test_more_than_the_limit_is_not_read(tools: drums.hybrid.aio.Tools) -> None:
    await tools.files.write_bytes("note", b"0123456789")
    assert await tools.files.read_text("note", limit=10) == "0123456789"
    assert await tools.files.read_bytes("note", length=9, limit=9) == b"012345678"
    for read in (tools.files.read_bytes, tools.files.read_text):
        with pytest.raises(FileError, match="it has 10 bytes, more than 9"):
            await read("note", limit=9)


async def test_a_file_that_can_not_be_put_in_place_leaves_nothing_behind(tools: drums.hybrid.aio.Tools) -> None:
    await tools.files.mkdir("folder")
    with pytest.raises(IsAFolder):
        await tools.files.write_bytes("folder", noise(UPLOAD_PART + 1))
    assert [entry.name for entry in await tools.files.list("~") if entry.name.startswith(".drums")] == []


async def test_a_source_that_shrinks_is_not_put_in_place(
    tools: drums.hybrid.aio.Tools, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "big"
    source.write_bytes(noise(3 * UPLOAD_PART))
    await tools.files.write_text("big", "old")

    def shrink(done: int, _: int) -> None:
        if done == UPLOAD_PART:
            os.truncate(source, 10)

    monkeypatch.setattr("drums.hybrid._chunks.IN_FLIGHT", 1)
    with pytest.raises(TransferBroken):
        await tools.files.upload(source, "big", progress=shrink)
    assert await tools.files.read_text("big") == "old"
    assert [entry.name for entry in await tools.files.list("~") if entry.name.startswith(".drums")] == []


async def test_a_folder_goes_there_and_back(tools: drums.hybrid.aio.Tools, tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    contents = {"a b": b"1", "sub/it's": noise(2000), "sub/deep/$(x)": b"", "run": b"#!/bin/sh\n"}
    for name, content in contents.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes(content)
    (source / "run").chmod(0o755)
    (source / "empty").mkdir()
    (source / "link").symlink_to("/etc/passwd")
    told: list[tuple[int, int]] = []
    went = await tools.files.upload(source, "copy", progress=lambda done, total: told.append((done, total)))
    size = sum(map(len, contents.values()))
    assert (went.files, went.size, went.skipped) == (4, size, (str(source / "link"),))
    assert told[-1] == (size, size)
    assert (await tools.files.stat("copy/run")).mode == 0o755
    await tools.shell.run("ln -s /etc copy/link")
    came = await tools.files.download("copy", target)
    assert (came.files, came.size, came.skipped) == (4, size, ("/home/user/copy/link",))
    assert contents_of(target) == contents
    assert (target / "empty").is_dir()
    assert os.access(target / "run", os.X_OK)
    assert not os.access(target / "a b", os.X_OK)


async def test_one_file_goes_there_and_back(tools: drums.hybrid.aio.Tools, tmp_path: Path) -> None:
    source, target = tmp_path / "one", tmp_path / "new" / "two"
    source.write_bytes(b"content")
    await tools.files.upload(source, "~/one")
    assert (await tools.files.download("one", target)).files == 1
    assert target.read_bytes() == b"content"
    with pytest.raises(HostFileError, match="something already"):
        await tools.files.download("one", target, overwrite=False)
    with pytest.raises(HostFileError, match="is a folder"):
        await tools.files.download("one", tmp_path)
    with pytest.raises(FileMissing):
        await tools.files.download("nothing", tmp_path / "nothing")
    with pytest.raises(HostFileError):
        await tools.files.upload(tmp_path / "nothing", "nothing")
    assert names_in(tmp_path) == ["new", "one", "two"]


async def test_nothing_from_a_desktop_is_written_through_a_link_of_the_host(
    tools: drums.hybrid.aio.Tools, tmp_path: Path
) -> None:
    outside, target = tmp_path / "outside", tmp_path / "target"
    outside.mkdir()
    target.mkdir()
    (outside / "file").write_text("kept")
    (target / "sub").symlink_to(outside)
    (target / "file").symlink_to(outside / "file")
    await tools.files.write_text("copy/sub/file", "hostile")
    with pytest.raises(UnsafeName, match="link"):
        await tools.files.download("copy", target)
    (target / "sub").unlink()
    await tools.files.write_text("copy/file", "hostile")
    await tools.files.download("copy", target)
    assert (outside / "file").read_text() == "kept"
    assert (target / "file").read_text() == "hostile"
    assert not (target / "file").is_symlink()


@pytest.mark.long
async def test_a_hundred_megabytes_go_there_and_back_with_progress(
    tools: drums.hybrid.aio.Tools, tmp_path: Path
) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    source.write_bytes(noise(100 * MIB))
    told: list[tuple[int, int]] = []
    await tools.files.upload(source, "big", progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (100 * MIB, 100 * MIB)
    assert len(told) > 50
    told.clear()
    await tools.files.download("big", target, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (100 * MIB, 100 * MIB)
    assert len(told) > 20
    assert target.read_bytes() == source.read_bytes()

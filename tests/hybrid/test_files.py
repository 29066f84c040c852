"""Files of a desktop: what is written is read, whatever its name; what can't be done is told as what it is."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from drums import BadRequest
from drums.hybrid import FileDenied, FileError, FileMissing, FileTaken, IsAFolder, NotAFolder

if TYPE_CHECKING:
    import drums.hybrid.aio

HOME = "/home/user"
ODD_NAMES = [
    "a b",
    "it's",
    '"quoted"',
    "$(touch hacked)",
    "`touch hacked`",
    "line\nend\n",
    "-rf",
    "~",
    "é漢😀",
    "\\n%s*",
]
names = st.binary(min_size=1, max_size=20).filter(lambda raw: not {*b"/\0"} & {*raw} and raw not in {b".", b"..", b"~"})
contents = st.binary(max_size=200) | st.binary(min_size=3000, max_size=5000)
several = settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])


@several
@given(name=names, content=contents)
async def test_what_is_written_is_read_whatever_its_name(
    tools: drums.hybrid.aio.Tools, name: bytes, content: bytes
) -> None:
    path = b"/home/user/round/" + name
    written = await tools.files.write_bytes(path, content)
    assert written.size == len(content)
    assert await tools.files.read_bytes(path) == content
    listed = await tools.files.list("round")
    assert [entry.path for entry in listed] == [path.decode("utf-8", "surrogateescape")] == [written.path]
    assert await tools.files.read_bytes(listed[0].path) == content
    await tools.files.remove(path)
    assert await tools.files.list("~/round") == []


@pytest.mark.parametrize("name", ODD_NAMES)
async def test_no_name_is_interpreted(tools: drums.hybrid.aio.Tools, name: str) -> None:
    files = tools.files
    folder, path = PurePosixPath("/home/user/odd"), PurePosixPath("/home/user/odd") / name
    await files.write_text(path, "text")
    await files.append(path, "!")
    assert await files.read_text(path) == "text!"
    assert (await files.stat(path)).name == name
    assert [entry.name for entry in await files.list(folder)] == [name]
    assert [entry.name for entry in await files.glob("odd/**")] == [name]
    await files.copy(path, folder / "copy")
    await files.remove(path)
    await files.move(folder / "copy", path)
    await files.mkdir(folder / "folder" / name)
    await files.remove(folder / "folder", recursive=True)
    assert await files.exists(path)
    assert [entry.path for entry in await files.list(folder, recursive=True)] == [str(path)]
    assert not await files.exists("hacked")
    assert not await files.exists("odd/hacked")


async def test_paths_begin_at_the_home_folder_unless_at_the_root(tools: drums.hybrid.aio.Tools) -> None:
    for path in ("note", "~/note", "./note", f"{HOME}/note", b"note", PurePosixPath("note"), "Desktop/../note"):
        await tools.files.write_text(path, str(path))
        assert await tools.files.read_text(f"{HOME}/note") == str(path)
    assert (await tools.files.stat("~")).path == HOME
    assert (await tools.files.stat("/")).kind == "folder"


@pytest.mark.parametrize("path", ["", b"", "a\0b", "\ud800", "x" * 5000])
async def test_what_is_no_path_is_refused(tools: drums.hybrid.aio.Tools, path: str) -> None:
    with pytest.raises(BadRequest) as refused:
        await tools.files.read_bytes(path)
    assert refused.value.sent == "no"


async def test_a_text_keeps_its_line_ends_and_its_encoding(tools: drums.hybrid.aio.Tools) -> None:
    await tools.files.write_text("note", "a\r\nb\n", encoding="utf-16")
    assert await tools.files.read_text("note", encoding="utf-16") == "a\r\nb\n"
    with pytest.raises(UnicodeDecodeError):
        await tools.files.read_text("note")
    assert "a" in await tools.files.read_text("note", errors="replace")


async def test_a_part_of_a_file_is_read(tools: drums.hybrid.aio.Tools) -> None:
    await tools.files.write_bytes("note", b"0123456789")
    assert await tools.files.read_bytes("note", offset=3, length=4) == b"3456"
    assert await tools.files.read_bytes("note", offset=8, length=40) == b"89"
    assert await tools.files.read_bytes("note", offset=30) == b""
    with pytest.raises(BadRequest):
        await tools.files.read_bytes("note", offset=-1)


async def test_a_file_that_is_replaced_keeps_its_permissions(tools: drums.hybrid.aio.Tools) -> None:
    files = tools.files
    assert (await files.write_text("run", "one")).mode == 0o644
    assert (await files.write_text("run", "two", mode=0o750)).mode == 0o750
    assert (await files.write_text("run", "three")).mode == 0o750
    assert [entry.name for entry in await files.list("~") if "drums" in entry.name] == []


async def test_what_a_link_leads_to_is_written_and_read(tools: drums.hybrid.aio.Tools) -> None:
    files = tools.files
    await files.write_text("note", "old")
    await tools.shell.run("ln -s note link; ln -s nowhere dangling; ln -s circle circle")
    assert (await files.write_text("link", "new")).path == f"{HOME}/note"
    assert (await files.stat("link", follow=False)).target == "note"
    assert (await files.stat("link")).kind == "file"
    assert await files.read_text("note") == "new"
    assert await files.exists("dangling")
    with pytest.raises(FileMissing):
        await files.stat("dangling")
    assert (await files.write_text("dangling", "made")).path == f"{HOME}/nowhere"
    with pytest.raises(FileError, match="symbolic links"):
        await files.write_text("circle", "never")


async def test_a_refusal_says_what_is_there(tools: drums.hybrid.aio.Tools) -> None:
    files = tools.files
    await files.write_text("note", "text")
    await files.mkdir("folder/below")
    with pytest.raises(FileMissing) as missing:
        await files.read_bytes("nothing")
    assert missing.value.guest_path == "nothing"
    assert "files.read_bytes()" in str(missing.value)
    for path, kind in (("folder", IsAFolder), ("note/below", NotAFolder), ("/etc/new", FileDenied)):
        with pytest.raises(kind):
            await files.write_text(path, "never")
    with pytest.raises(FileMissing):
        await files.write_text("no/folder", "never", parents=False)
    with pytest.raises(FileTaken):
        await files.write_text("note", "never", overwrite=False)
    with pytest.raises(NotAFolder):
        await files.list("note")
    with pytest.raises(IsAFolder):
        await files.remove("folder")
    with pytest.raises(FileTaken):
        await files.mkdir("note")
    with pytest.raises(FileTaken):
        await files.mkdir("folder", exist_ok=False)
    with pytest.raises(FileMissing):
        await files.mkdir("no/folder", parents=False)
    with pytest.raises(FileMissing):
        await files.remove("nothing")
    await files.remove("nothing", missing_ok=True)
    assert await files.read_text("note") == "text"


@pytest.mark.parametrize("deed", ["move", "copy"])
async def test_moving_and_copying_replace_files_only_and_only_when_asked(
    tools: drums.hybrid.aio.Tools, deed: str
) -> None:
    files = tools.files
    do = getattr(files, deed)
    await files.write_text("one", "1", mode=0o600)
    await files.write_text("two", "2")
    await files.write_text("folder/inside", "3")
    with pytest.raises(FileTaken) as taken:
        await do("one", "two")
    assert taken.value.guest_path == "two"
    assert (await do("one", "two", overwrite=True)).mode == 0o600
    assert await files.read_text("two") == "1"
    assert await files.exists("one") == (deed == "copy")
    with pytest.raises(FileTaken):
        await do("two", "folder", overwrite=True)
    with pytest.raises(FileMissing) as missing:
        await do("nothing", "new")
    assert missing.value.guest_path == "nothing"
    with pytest.raises(FileMissing) as missing:
        await do("two", "no/folder")
    assert missing.value.guest_path == "no"
    with pytest.raises(FileError, match="itself"):
        await do("folder", "folder/below")
    await do("folder", "other")
    assert await files.read_text("other/inside") == "3"


async def test_a_listing_has_all_below_and_no_more_than_asked(tools: drums.hybrid.aio.Tools) -> None:
    files = tools.files
    for name in ("b", "a/1", "a/.hidden", "a/c/2"):
        await files.write_text(f"tree/{name}", name)
    await tools.shell.run("ln -s /etc tree/link")
    below = [entry.path.removeprefix(f"{HOME}/tree/") for entry in await files.list("tree", recursive=True)]
    assert below == ["a", "a/.hidden", "a/1", "a/c", "a/c/2", "b", "link"]
    assert [entry.kind for entry in await files.list("tree")] == ["folder", "file", "link"]
    with pytest.raises(FileError, match="more than 3 entries"):
        await files.list("tree", recursive=True, limit=3)


async def test_a_pattern_finds_what_a_shell_would(tools: drums.hybrid.aio.Tools) -> None:
    files = tools.files
    for name in ("a.txt", "b.txt", "c.py", ".h.txt", "in/d.txt", "in/deep/e.txt", ".no/f.txt"):
        await files.write_text(f"tree/{name}", "")

    async def found(pattern: str) -> list[str]:
        return [entry.path.removeprefix(f"{HOME}/tree/") for entry in await files.glob(pattern)]

    assert await found("tree/*.txt") == ["a.txt", "b.txt"]
    assert await found(f"{HOME}/tree/[ac].*") == ["a.txt", "c.py"]
    assert await found("~/tree/**/*.txt") == ["a.txt", "b.txt", "in/d.txt", "in/deep/e.txt"]
    assert await found("tree/.*.txt") == [".h.txt"]
    assert await found("tree/in") == ["in"]
    assert await found("tree/nothing*") == await found("nothing/*") == await found("tree/a.txt/*") == []

# Generated from tests/hybrid/test_files.py by tools/generate_sync.py. Edit that file.
"""Files of a desktop: what is written is read, whatever its name; what can't be done is told as what it is."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from drums import BadRequest
from drums.hybrid import (
    FileDenied,
    FileError,
    FileMissing,
    FileTaken,
    IsAFolder,
    NotAFolder,
)

if TYPE_CHECKING:
    import drums.hybrid

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
def test_what_is_written_is_read_whatever_its_name(tools: drums.hybrid.Tools, name: bytes, content: bytes) -> None:
    path = b"/home/user/round/" + name
    written = tools.files.write_bytes(path, content)
    assert written.size == len(content)
    assert tools.files.read_bytes(path) == content
    listed = tools.files.list("round")
    assert [entry.path for entry in listed] == [path.decode("utf-8", "surrogateescape")] == [written.path]
    assert tools.files.read_bytes(listed[0].path) == content
    tools.files.remove(path)
    assert tools.files.list("~/round") == []


@pytest.mark.parametrize("name", ODD_NAMES)
def test_no_name_is_interpreted(tools: drums.hybrid.Tools, name: str) -> None:
    files = tools.files
    folder, path = PurePosixPath("/home/user/odd"), PurePosixPath("/home/user/odd") / name
    files.write_text(path, "text")
    files.append(path, "!")
    assert files.read_text(path) == "text!"
    assert (files.stat(path)).name == name
    assert [entry.name for entry in files.list(folder)] == [name]
    assert [entry.name for entry in files.glob("odd/**")] == [name]
    files.copy(path, folder / "copy")
    files.remove(path)
    files.move(folder / "copy", path)
    files.mkdir(folder / "folder" / name)
    files.remove(folder / "folder", recursive=True)
    assert files.exists(path)
    assert [entry.path for entry in files.list(folder, recursive=True)] == [str(path)]
    assert not files.exists("hacked")
    assert not files.exists("odd/hacked")


def test_paths_begin_at_the_home_folder_unless_at_the_root(tools: drums.hybrid.Tools) -> None:
    for path in ("note", "~/note", "./note", f"{HOME}/note", b"note", PurePosixPath("note"), "Desktop/../note"):
        tools.files.write_text(path, str(path))
        assert tools.files.read_text(f"{HOME}/note") == str(path)
    assert (tools.files.stat("~")).path == HOME
    assert (tools.files.stat("/")).kind == "folder"


@pytest.mark.parametrize("path", ["", b"", "a\0b", "\ud800", "x" * 5000])
def test_what_is_no_path_is_refused(tools: drums.hybrid.Tools, path: str) -> None:
    with pytest.raises(BadRequest) as refused:
        tools.files.read_bytes(path)
    assert refused.value.sent == "no"


def test_a_text_keeps_its_line_ends_and_its_encoding(tools: drums.hybrid.Tools) -> None:
    tools.files.write_text("note", "a\r\nb\n", encoding="utf-16")
    assert tools.files.read_text("note", encoding="utf-16") == "a\r\nb\n"
    with pytest.raises(UnicodeDecodeError):
        tools.files.read_text("note")
    assert "a" in tools.files.read_text("note", errors="replace")


def test_a_part_of_a_file_is_read(tools: drums.hybrid.Tools) -> None:
    tools.files.write_bytes("note", b"0123456789")
    assert tools.files.read_bytes("note", offset=3, length=4) == b"3456"
    assert tools.files.read_bytes("note", offset=8, length=40) == b"89"
    assert tools.files.read_bytes("note", offset=30) == b""
    with pytest.raises(BadRequest):
        tools.files.read_bytes("note", offset=-1)


def test_a_file_that_is_replaced_keeps_its_permissions(tools: drums.hybrid.Tools) -> None:
    files = tools.files
    assert (files.write_text("run", "one")).mode == 0o644
    assert (files.write_text("run", "two", mode=0o750)).mode == 0o750
    assert (files.write_text("run", "three")).mode == 0o750
    assert [entry.name for entry in files.list("~") if "drums" in entry.name] == []


def test_what_a_link_leads_to_is_written_and_read(tools: drums.hybrid.Tools) -> None:
    files = tools.files
    files.write_text("note", "old")
    tools.shell.run("ln -s note link; ln -s nowhere dangling; ln -s circle circle")
    assert (files.write_text("link", "new")).path == f"{HOME}/note"
    assert (files.stat("link", follow=False)).target == "note"
    assert (files.stat("link")).kind == "file"
    assert files.read_text("note") == "new"
    assert files.exists("dangling")
    with pytest.raises(FileMissing):
        files.stat("dangling")
    assert (files.write_text("dangling", "made")).path == f"{HOME}/nowhere"
    with pytest.raises(FileError, match="symbolic links"):
        files.write_text("circle", "never")


def test_a_refusal_says_what_is_there(tools: drums.hybrid.Tools) -> None:
    files = tools.files
    files.write_text("note", "text")
    files.mkdir("folder/below")
    with pytest.raises(FileMissing) as missing:
        files.read_bytes("nothing")
    assert missing.value.guest_path == "nothing"
    assert "files.read_bytes()" in str(missing.value)
    for path, kind in (("folder", IsAFolder), ("note/below", NotAFolder), ("/etc/new", FileDenied)):
        with pytest.raises(kind):
            files.write_text(path, "never")
    with pytest.raises(FileMissing):
        files.write_text("no/folder", "never", parents=False)
    with pytest.raises(FileTaken):
        files.write_text("note", "never", overwrite=False)
    with pytest.raises(NotAFolder):
        files.list("note")
    with pytest.raises(IsAFolder):
        files.remove("folder")
    with pytest.raises(FileTaken):
        files.mkdir("note")
    with pytest.raises(FileTaken):
        files.mkdir("folder", exist_ok=False)
    with pytest.raises(FileMissing):
        files.mkdir("no/folder", parents=False)
    with pytest.raises(FileMissing):
        files.remove("nothing")
    files.remove("nothing", missing_ok=True)
    assert files.read_text("note") == "text"


@pytest.mark.parametrize("deed", ["move", "copy"])
def test_moving_and_copying_replace_files_only_and_only_when_asked(tools: drums.hybrid.Tools, deed: str) -> None:
    files = tools.files
    do = getattr(files, deed)
    files.write_text("one", "1", mode=0o600)
    files.write_text("two", "2")
    files.write_text("folder/inside", "3")
    with pytest.raises(FileTaken) as taken:
        do("one", "two")
    assert taken.value.guest_path == "two"
    assert (do("one", "two", overwrite=True)).mode == 0o600
    assert files.read_text("two") == "1"
    assert files.exists("one") == (deed == "copy")
    with pytest.raises(FileTaken):
        do("two", "folder", overwrite=True)
    with pytest.raises(FileMissing) as missing:
        do("nothing", "new")
    assert missing.value.guest_path == "nothing"
    with pytest.raises(FileMissing) as missing:
        do("two", "no/folder")
    assert missing.value.guest_path == "no"
    with pytest.raises(FileError, match="itself"):
        do("folder", "folder/below")
    do("folder", "other")
    assert files.read_text("other/inside") == "3"


def test_a_listing_has_all_below_and_no_more_than_asked(tools: drums.hybrid.Tools) -> None:
    files = tools.files
    for name in ("b", "a/1", "a/.hidden", "a/c/2"):
        files.write_text(f"tree/{name}", name)
    tools.shell.run("ln -s /etc tree/link")
    below = [entry.path.removeprefix(f"{HOME}/tree/") for entry in files.list("tree", recursive=True)]
    assert below == ["a", "a/.hidden", "a/1", "a/c", "a/c/2", "b", "link"]
    assert [entry.kind for entry in files.list("tree")] == ["folder", "file", "link"]
    with pytest.raises(FileError, match="more than 3 entries"):
        files.list("tree", recursive=True, limit=3)


def test_a_pattern_finds_what_a_shell_would(tools: drums.hybrid.Tools) -> None:
    files = tools.files
    for name in ("a.txt", "b.txt", "c.py", ".h.txt", "in/d.txt", "in/deep/e.txt", ".no/f.txt"):
        files.write_text(f"tree/{name}", "")

    def found(pattern: str) -> list[str]:
        return [entry.path.removeprefix(f"{HOME}/tree/") for entry in files.glob(pattern)]

    assert found("tree/*.txt") == ["a.txt", "b.txt"]
    assert found(f"{HOME}/tree/[ac].*") == ["a.txt", "c.py"]
    assert found("~/tree/**/*.txt") == ["a.txt", "b.txt", "in/d.txt", "in/deep/e.txt"]
    assert found("tree/.*.txt") == [".h.txt"]
    assert found("tree/in") == ["in"]
    assert found("tree/nothing*") == found("nothing/*") == found("tree/a.txt/*") == []

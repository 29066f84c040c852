"""The simulated disk behaves as the host's does, and shares what did not change."""

from __future__ import annotations

import errno
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from drums.local.machines.sim.files.disk import DISK_LIMIT_BYTES, FILE_LIMIT_BYTES, ROOT, USER, Disk
from drums.local.machines.sim.files.tree import File, Folder, Link

if TYPE_CHECKING:
    from collections.abc import Callable

names = st.sampled_from(["a", "b", "c"])
paths = st.lists(names, min_size=1, max_size=3).map(lambda parts: "/" + "/".join(parts))


def a_disk(actor: str = ROOT) -> Disk:
    return Disk(Folder(0o755, actor, 0.0), lambda: 1.0, actor)


class DiskBesideTheHosts(RuleBasedStateMachine):
    """Every operation has the same effect, and the same error, as on a folder of the host.

    Links are absolute and lead to what is inside, so that both see the same.
    """

    def __init__(self) -> None:
        super().__init__()
        self.disk = a_disk()
        self.top = Path(tempfile.mkdtemp())

    def teardown(self) -> None:
        shutil.rmtree(self.top)

    def real(self, path: str) -> Path:
        return self.top / path[1:]

    def both(self, ours: Callable[[], object], theirs: Callable[[], object]) -> None:
        expected, found = error_of(theirs), error_of(ours)
        assert found == expected, f"the disk says {name_of(found)}, the host {name_of(expected)}"

    @rule(path=paths)
    def make_folder(self, path: str) -> None:
        self.both(lambda: self.disk.make_folder(path), lambda: self.real(path).mkdir())

    @rule(path=paths)
    def make_folders(self, path: str) -> None:
        # pathlib words the case of a file on the way differently, so mkdir(2) is asked for each folder.
        def theirs() -> None:
            for depth in range(2, len(path.split("/")) + 1):
                step = self.real("/".join(path.split("/")[:depth]))
                if not step.is_dir():
                    step.mkdir()

        self.both(lambda: self.disk.make_folder(path, parents=True), theirs)

    @rule(path=paths, content=st.binary(max_size=4))
    def write(self, path: str, content: bytes) -> None:
        self.both(lambda: self.disk.write(path, content), lambda: self.real(path).write_bytes(content))

    @rule(path=paths, to=names)
    def link(self, path: str, to: str) -> None:
        self.both(lambda: self.disk.link(f"/{to}", path), lambda: self.real(path).symlink_to(self.top / to))

    @rule(source=paths, to=paths)
    def move(self, source: str, to: str) -> None:
        self.both(lambda: self.disk.move(source, to), lambda: self.real(source).rename(self.real(to)))

    @rule(path=paths)
    def remove(self, path: str) -> None:
        def theirs() -> None:
            real = self.real(path)
            real.rmdir() if real.is_dir() and not real.is_symlink() else real.unlink()

        self.both(lambda: self.disk.remove(path), theirs)

    @rule(path=paths)
    def read(self, path: str) -> None:
        self.both(lambda: self.disk.read(path), lambda: self.real(path).read_bytes())

    @invariant()
    def both_hold_the_same(self) -> None:
        assert contents(self.disk.root) == real_contents(self.top, self.top)


def error_of(act: Callable[[], object]) -> int | None:
    try:
        act()
    except OSError as error:
        return error.errno
    return None


def name_of(code: int | None) -> str:
    return "nothing" if code is None else errno.errorcode[code]


def contents(folder: Folder, at: str = "") -> dict[str, object]:
    found: dict[str, object] = {}
    for name, node in folder.entries.items():
        match node:
            case Folder():
                found |= {f"{at}/{name}": "folder", **contents(node, f"{at}/{name}")}
            case Link(target=target):
                found[f"{at}/{name}"] = ("link", target)
            case File(content=content):
                found[f"{at}/{name}"] = content
            case _:
                raise AssertionError(node)
    return found


def real_contents(top: Path, folder: Path) -> dict[str, object]:
    found: dict[str, object] = {}
    for path in folder.iterdir():
        name = "/" + str(path.relative_to(top))
        if path.is_symlink():
            found[name] = ("link", "/" + str(path.readlink().relative_to(top)))
        elif path.is_dir():
            found |= {name: "folder", **real_contents(top, path)}
        else:
            found[name] = path.read_bytes()
    return found


DiskBesideTheHosts.TestCase.settings = settings(stateful_step_count=25)
TestDiskBesideTheHosts = pytest.mark.skipif(sys.platform != "linux", reason="compares with Linux")(
    DiskBesideTheHosts.TestCase
)


def test_a_changed_disk_shares_the_folders_that_did_not_change() -> None:
    disk = a_disk()
    disk.make_folder("/kept/deep", parents=True)
    disk.make_folder("/changed")
    before = disk.root
    disk.write("/changed/file", b"new")
    assert disk.root.entries["kept"] is before.entries["kept"]
    assert before.below(["changed", "file"]) is None


@given(content=st.binary(max_size=20), other=st.binary(max_size=20))
def test_digests_are_equal_exactly_when_contents_are(content: bytes, other: bytes) -> None:
    one, two = a_disk(), Disk(Folder(0o755, ROOT, 7.0), lambda: 99.0, ROOT)
    one.write("/file", content)
    two.write("/file", other)
    assert (one.root.digest == two.root.digest) == (content == other)


@pytest.mark.parametrize(
    "change",
    [
        lambda disk: disk.set_mode("/f", 0o600),
        lambda disk: disk.move("/f", "/g"),
        lambda disk: disk.remove("/f"),
        lambda disk: disk.link("/f", "/l"),
        lambda disk: disk.make_folder("/d"),
    ],
)
def test_every_change_changes_the_digest(change: Callable[[Disk], None]) -> None:
    disk = a_disk()
    disk.write("/f", b"x")
    before = disk.root.digest
    change(disk)
    assert disk.root.digest != before


def a_users_disk() -> Disk:
    disk = a_disk()
    disk.make_folder("/system")
    disk.write("/system/readable", b"r")
    disk.write("/system/secret", b"s", 0o600)
    disk.actor = USER
    return disk


@pytest.mark.parametrize(
    ("act", "allowed"),
    [
        (lambda disk: disk.read("/system/readable"), True),
        (lambda disk: disk.read("/system/secret"), False),
        (lambda disk: disk.write("/system/readable", b""), False),
        (lambda disk: disk.write("/system/new", b""), False),
        (lambda disk: disk.remove("/system/readable"), False),
        (lambda disk: disk.move("/system/readable", "/system/other"), False),
    ],
)
def test_a_user_may_do_what_the_permissions_say(act: Callable[[Disk], object], allowed: bool) -> None:
    assert error_of(lambda: act(a_users_disk())) == (None if allowed else errno.EACCES)


def test_only_the_owner_changes_a_mode() -> None:
    assert error_of(lambda: a_users_disk().set_mode("/system/readable", 0o777)) == errno.EPERM


def test_a_folder_that_may_not_be_searched_hides_what_is_in_it() -> None:
    disk = a_users_disk()
    disk.actor = ROOT
    disk.set_mode("/system", 0o700)
    disk.actor = USER
    assert error_of(lambda: disk.read("/system/readable")) == errno.EACCES
    assert disk.find("/system/readable") is None


def test_links_that_go_in_a_circle_are_an_error() -> None:
    disk = a_disk()
    disk.link("/b", "/a")
    disk.link("/a", "/b")
    assert error_of(lambda: disk.read("/a")) == errno.ELOOP


def test_a_folder_is_not_copied_into_itself() -> None:
    disk = a_disk()
    disk.make_folder("/a")
    assert error_of(lambda: disk.copy("/a", "/a/b", recursive=True)) == errno.EINVAL


def test_a_disk_does_not_grow_beyond_its_limits() -> None:
    disk = a_disk()
    assert error_of(lambda: disk.write("/big", b"\0" * (FILE_LIMIT_BYTES + 1))) == errno.EFBIG
    block = b"\0" * FILE_LIMIT_BYTES
    for number in range(DISK_LIMIT_BYTES // FILE_LIMIT_BYTES):
        disk.write(f"/{number}", block)
    assert error_of(lambda: disk.write("/more", b"x")) == errno.ENOSPC
    assert error_of(lambda: disk.write("/" + "n" * 256, b"")) == errno.ENAMETOOLONG


def test_a_path_cannot_be_endlessly_deep() -> None:
    disk = a_disk()
    assert error_of(lambda: disk.make_folder("/d" * 1000, parents=True)) == errno.ENAMETOOLONG

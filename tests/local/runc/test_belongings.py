"""The inventory of a home folder that a hostile desktop has filled: complete or said not to be, and never beyond it."""

from __future__ import annotations

import os
import socket
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

if sys.platform != "linux":
    pytest.skip("real desktops are of Linux", allow_module_level=True)

from drums.local.machines.inventory import HOME, KEYFILE
from drums.local.machines.runc import belongings
from drums.local.machines.runc.belongings import inventory, programs_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def disk(tmp_path: Path) -> Path:
    """A desktop's disk with an empty home folder."""
    (tmp_path / "disk" / HOME[1:]).mkdir(parents=True)
    return tmp_path / "disk"


@pytest.fixture
def home(disk: Path) -> Path:
    return disk / HOME[1:]


def taken(disk: Path) -> dict[str, str]:
    found = inventory(disk, [])
    assert found.complete
    return dict(found.files)


def test_content_mode_and_kind_make_a_fingerprint_and_times_do_not(disk: Path, home: Path) -> None:
    (home / "a").write_text("one")
    (home / "folder").mkdir()
    (home / "link").symlink_to("/etc/passwd")
    before = taken(disk)
    assert before.keys() == {f"{HOME}/a", f"{HOME}/folder", f"{HOME}/link"}

    (home / "a").write_text("one")
    os.utime(home / "a", (0, 0))
    assert taken(disk) == before

    (home / "a").write_text("two")
    (home / "folder").chmod(0o700)
    (home / "link").unlink()
    (home / "link").symlink_to("/etc/shadow")
    after = taken(disk)
    assert after.keys() == before.keys()
    assert all(after[path] != before[path] for path in before)

    (home / "a").chmod(0o600)
    assert taken(disk) != after


def test_a_change_that_keeps_size_and_time_is_seen(disk: Path, home: Path) -> None:
    file = home / "a"
    file.write_bytes(b"x" * 10)
    times = file.stat()
    before = taken(disk)
    file.write_bytes(b"y" * 10)
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert taken(disk) != before


def test_a_large_file_is_told_apart_without_being_read(disk: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(belongings, "WHOLE_FILE_BYTES", 100)
    file = home / "large"
    file.write_bytes(b"x" * 200)
    times = file.stat()
    before = taken(disk)
    file.write_bytes(b"y" * 200)
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert taken(disk) != before


def test_links_are_not_followed_and_pipes_not_waited_for(disk: Path, home: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "key").write_text("of the host")
    (home / "to_folder").symlink_to(secret)
    (home / "to_file").symlink_to(secret / "key")
    (home / "up").symlink_to("../../../secret")
    os.mkfifo(home / "pipe")
    with socket.socket(socket.AF_UNIX) as listening:
        here = os.open(home, os.O_RDONLY)
        try:
            listening.bind(f"/proc/self/fd/{here}/socket")
        finally:
            os.close(here)
        found = taken(disk)
    assert found.keys() == {f"{HOME}/{name}" for name in ("to_folder", "to_file", "up")}
    before = dict(found)
    (secret / "key").write_text("changed on the host")
    assert taken(disk) == before


@pytest.mark.parametrize("place", [".config", ".config/glib-2.0", ".config/glib-2.0/settings", KEYFILE])
def test_settings_are_not_read_through_a_link(disk: Path, home: Path, tmp_path: Path, place: str) -> None:
    outside = tmp_path / "outside"
    below = KEYFILE.removeprefix(place).strip("/")
    target = outside / below if below else outside
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text("[org/host]\nsecret=true\n")
    (home / place).parent.mkdir(parents=True, exist_ok=True)
    (home / place).symlink_to(outside)
    assert inventory(disk, []).settings == {}


def test_settings_are_those_of_the_keyfile(disk: Path, home: Path) -> None:
    (home / KEYFILE).parent.mkdir(parents=True)
    (home / KEYFILE).write_text("[org/gnome/desktop/session]\nidle-delay=uint32 0\n")
    assert inventory(disk, []).settings == {"org.gnome.desktop.session.idle-delay": "uint32 0"}


def test_the_cache_folder_is_not_looked_at(disk: Path, home: Path) -> None:
    (home / ".cache").mkdir()
    (home / ".cache" / "much").write_text("x")
    (home / "folder" / ".cache").mkdir(parents=True)
    assert taken(disk).keys() == {f"{HOME}/folder", f"{HOME}/folder/.cache"}


@pytest.mark.parametrize("limit", ["ENTRY_LIMIT", "HASHED_BYTES_LIMIT", "DEPTH_LIMIT"])
def test_what_is_more_than_the_limits_is_not_complete(
    disk: Path, home: Path, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr(belongings, limit, 3)
    deep = home / "a" / "b" / "c" / "d" / "e"
    deep.mkdir(parents=True)
    (deep / "file").write_text("more than three")
    found = inventory(disk, ["xterm"])
    assert not found.complete
    assert found.programs == {"xterm": 1}


def test_a_walk_that_takes_too_long_is_not_complete(disk: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "a").write_text("one")
    monkeypatch.setattr(belongings, "TIME_LIMIT_S", -1.0)
    assert not inventory(disk, []).complete


@given(
    st.binary(min_size=1, max_size=20).filter(lambda name: not {0, ord("/")} & set(name) and name not in {b".", b".."})
)
def test_any_name_can_be_told_as_json(name: bytes) -> None:
    assert belongings._text(os.fsdecode(name)).encode()


def test_a_program_is_named_by_its_file_and_one_that_ended_is_left_out() -> None:
    assert programs_of([2**22 + 1]) == []
    (own,) = programs_of([os.getpid()])
    assert "python" in own

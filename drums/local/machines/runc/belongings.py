"""The inventory of a real desktop: its home folder, settings and programs, read on the host.

The desktop runs meanwhile and may be hostile: links are never followed, pipes and devices never opened, and every
folder is opened from the one above it, so that nothing in the desktop makes the host read anything else. Invariant: a
fingerprint differs where the content does. Large files are told apart by size, inode and time of change, which the
desktop's user can't set.
"""

from __future__ import annotations

import hashlib
import os
import stat
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from drums.local.machines.inventory import (
    CACHE_FOLDER,
    ENTRY_LIMIT,
    HASHED_BYTES_LIMIT,
    HOME,
    KEYFILE,
    KEYFILE_BYTES_LIMIT,
    Inventory,
    counted,
    program_name,
    settings_of,
)

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Sequence

WHOLE_FILE_BYTES = 16 * 1024 * 1024
"""Larger files are not read."""
DEPTH_LIMIT = 64
TIME_LIMIT_S = 20.0
CHUNK_BYTES = 1024 * 1024
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class _Enough(Exception):
    """There is more than the limits allow."""


class _Look:
    """One walk through a home folder, within the limits."""

    def __init__(self) -> None:
        self.files: dict[str, str] = {}
        self._until = time.monotonic() + TIME_LIMIT_S
        self._bytes_left = HASHED_BYTES_LIMIT

    def folder(self, opened: int, path: str, depth: int = 0) -> None:
        """Everything below an open folder.

        Raises:
            _Enough: There is more than the limits allow.
        """
        with os.scandir(opened) as listing:
            entries = list(listing)
        for entry in entries:
            if depth == 0 and entry.name == CACHE_FOLDER:
                continue
            if len(self.files) >= ENTRY_LIMIT or time.monotonic() > self._until:
                raise _Enough
            below = f"{path}/{_text(entry.name)}"
            try:
                self._entry(opened, entry.name, below, depth)
            except OSError as fault:  # it went, or became something else, while it was looked at
                self.files[below] = f"unreadable {fault.errno}"

    def _entry(self, above: int, name: str, path: str, depth: int) -> None:
        facts = os.stat(name, dir_fd=above, follow_symlinks=False)
        about = f"{stat.S_IMODE(facts.st_mode):o} {facts.st_uid}"
        if stat.S_ISDIR(facts.st_mode):
            self.files[path] = f"folder {about}"
            if depth >= DEPTH_LIMIT:
                raise _Enough
            with _opened(name, FOLDER, above) as folder:
                self.folder(folder, path, depth + 1)
        elif stat.S_ISREG(facts.st_mode):
            self.files[path] = f"file {about} {self._content(above, name)}"
        elif stat.S_ISLNK(facts.st_mode):
            self.files[path] = f"link {_text(os.readlink(name, dir_fd=above))}"

    def _content(self, above: int, name: str) -> str:
        with _opened(name, FILE, above) as file:
            facts = os.fstat(file)
            if not stat.S_ISREG(facts.st_mode):
                return "no file any more"
            if facts.st_size > WHOLE_FILE_BYTES:
                return f"{facts.st_size} {facts.st_ino} {facts.st_ctime_ns}"
            self._bytes_left -= facts.st_size
            if self._bytes_left < 0:
                raise _Enough
            return hashlib.sha256(_read(file, WHOLE_FILE_BYTES)).hexdigest()


def inventory(disk: Path, programs: Iterable[str]) -> Inventory:
    """What is in the home folder on a desktop's disk, besides these programs that it runs.

    Raises:
        OSError: There is no such folder.
    """
    look = _Look()
    with _opened(str(disk) + HOME, FOLDER) as home:
        settings = settings_of(_keyfile(home))
        try:
            look.folder(home, HOME)
        except _Enough:
            return Inventory(look.files, settings, counted(programs), complete=False)
    return Inventory(look.files, settings, counted(programs))


def programs_of(pids: Iterable[int]) -> list[str]:
    """What these processes, by the host's numbers, run; one that ends meanwhile is left out."""
    found: list[str] = []
    for pid in pids:
        try:
            found.append(program_name(_text(str(Path(f"/proc/{pid}/exe").readlink()))))
        except OSError:
            continue
    return found


def _keyfile(home: int) -> bytes | None:
    """The settings' file; None where there is none that can be read without following a link."""
    *folders, name = KEYFILE.split("/")
    return _file_below(home, folders, name)


def _file_below(above: int, folders: Sequence[str], name: str) -> bytes | None:
    try:
        if folders:
            with _opened(folders[0], FOLDER, above) as folder:
                return _file_below(folder, folders[1:], name)
        with _opened(name, FILE, above) as file:
            return _read(file, KEYFILE_BYTES_LIMIT) if stat.S_ISREG(os.fstat(file).st_mode) else None
    except OSError:
        return None


def _read(file: int, limit: int) -> bytes:
    """An open file's content, up to a limit; it may grow while it is read."""
    parts: list[bytes] = []
    while limit > 0 and (part := os.read(file, min(limit, CHUNK_BYTES))):
        parts.append(part)
        limit -= len(part)
    return b"".join(parts)


@contextmanager
def _opened(name: str, flags: int, above: int | None = None) -> Generator[int]:
    opened = os.open(name, flags, dir_fd=above)
    try:
        yield opened
    finally:
        os.close(opened)


def _text(name: str) -> str:
    """A name as JSON can have it: what is no UTF-8 is shown by its bytes."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")

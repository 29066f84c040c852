"""The host's side of uploads and downloads: where content comes from and where it goes.

Invariant: a name that came from a desktop never leads out of the folder that the host's user chose, whatever it is and
whatever links lie in that folder.
"""

from __future__ import annotations

import os
import secrets
import stat
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Final, Protocol

from drums.hybrid.errors import HostFileError, UnsafeName

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

WINDOWS: Final = sys.platform == "win32"
_DEVICES: Final = frozenset(
    {
        "con",
        "prn",
        "aux",
        "nul",
        "conin$",
        "conout$",
        *(f"{port}{n}" for port in ("com", "lpt") for n in "0123456789¹²³"),
    }
)
_NOT_IN_WINDOWS: Final = frozenset('<>:"\\|?*')


class Source(Protocol):
    """Content that goes into a desktop."""

    @property
    def size(self) -> int:
        """Bytes of it."""
        ...

    def part(self, offset: int, length: int) -> bytes:
        """A part of it."""
        ...


class Sink(Protocol):
    """Where content from a desktop goes."""

    def put(self, offset: int, data: bytes) -> None:
        """Take a part."""
        ...

    def part(self, offset: int, length: int) -> bytes:
        """Give a part back, to be checked."""
        ...


class Memory:
    """Content in memory; a `Source` and a `Sink`.

    Args:
        data: What it holds.
    """

    def __init__(self, data: bytes = b"") -> None:
        self._data = bytearray(data)

    @property
    def size(self) -> int:
        """Bytes of it."""
        return len(self._data)

    def part(self, offset: int, length: int) -> bytes:
        """A part of it."""
        return bytes(memoryview(self._data)[offset : offset + length])

    def put(self, offset: int, data: bytes) -> None:
        """Take a part; parts may come in any order."""
        missing = offset - len(self._data)
        if missing > 0:
            self._data.extend(bytes(missing))
        self._data[offset : offset + len(data)] = data

    def content(self) -> bytes:
        """All of it."""
        return bytes(self._data)


class HostFile:
    """A file of the host that is read; a `Source`. Each part is read anew, so threads may ask at once.

    Args:
        path: The file.

    Raises:
        HostFileError: It can't be read, or is no file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        with told_of(path):
            facts = path.stat()
            if not stat.S_ISREG(facts.st_mode):
                raise HostFileError(str(path), "it is no file")
        self.size: int = facts.st_size
        self.mode: int = stat.S_IMODE(facts.st_mode) & 0o777

    def part(self, offset: int, length: int) -> bytes:
        """A part of it."""
        with told_of(self._path), self._path.open("rb") as file:
            file.seek(offset)
            return file.read(length)


class NewHostFile:
    """A file of the host that is written beside its place and put there when it is whole; a `Sink`.

    Args:
        path: Where it will be. Its folder must exist.
        overwrite: Whether a file there may be replaced.

    Raises:
        HostFileError: It can't be written, or there is something already.
    """

    def __init__(self, path: Path, *, overwrite: bool) -> None:
        self._path = path
        self._overwrite = overwrite
        self._part: Path = path.with_name(f".drums-{secrets.token_hex(8)}.part")
        with told_of(path):
            if path.is_dir() and not path.is_symlink():
                raise HostFileError(str(path), "it is a folder")
            if not overwrite and os.path.lexists(path):
                raise HostFileError(str(path), "there is something already; give overwrite=True to replace it")
            self._part.touch(exist_ok=False)

    def put(self, offset: int, data: bytes) -> None:
        """Take a part; parts may come in any order, from several threads."""
        with told_of(self._path), self._part.open("r+b") as file:
            file.seek(offset)
            file.write(data)

    def part(self, offset: int, length: int) -> bytes:
        """Give a part back."""
        with told_of(self._path), self._part.open("rb") as file:
            file.seek(offset)
            return file.read(length)

    def finish(self, mode: int) -> int:
        """Put it in its place, for whom the host's new files are; to be executed where it is in the desktop.

        Args:
            mode: Its permission bits in the desktop.

        Returns:
            Its size in bytes.
        """
        with told_of(self._path):
            facts = self._part.stat()
            if mode & 0o100:
                usual = stat.S_IMODE(facts.st_mode)
                self._part.chmod(usual | (usual & 0o444) >> 2)
            if self._overwrite:
                self._part.replace(self._path)
            else:
                os.link(self._part, self._path)
        return facts.st_size

    def drop(self) -> None:
        """Forget what is not in its place."""
        with suppress(OSError):
            self._part.unlink()


def is_folder(path: Path) -> bool:
    """Whether a folder of the host can be reached at a path."""
    with told_of(path):
        return path.is_dir()


def make_folder_for(path: Path) -> None:
    """Make the folders above a path of the host that are missing."""
    with told_of(path):
        path.parent.mkdir(parents=True, exist_ok=True)


class HostFolder:
    """A folder of the host that gets files with names from a desktop.

    Args:
        path: The folder; links on the way to it are the host's user's own choice.
    """

    def __init__(self, path: Path) -> None:
        with told_of(path):
            path.mkdir(parents=True, exist_ok=True)
            self._root = path.resolve(strict=True)

    def place(self, names: Sequence[str]) -> Path:
        """The path of names below the folder, one in the other.

        Raises:
            UnsafeName: One leads elsewhere, or is none that the host can have.
        """
        path = self._root
        for name in names:
            why = why_unsafe(name, windows=WINDOWS)
            if why is not None:
                raise UnsafeName(str(path / "…"), f"the desktop has the name {name!r}, and {why}")
            path /= name
        return path

    def make_folder(self, names: Sequence[str]) -> None:
        """Make a folder and those above it, below this one; none of them may be a link.

        Raises:
            UnsafeName: One is, or leads elsewhere.
        """
        for depth in range(1, len(names) + 1):
            path = self.place(names[:depth])
            with told_of(path):
                if path.is_symlink():
                    raise UnsafeName(str(path), "there is a link, which nothing from a desktop is written through")
                path.mkdir(exist_ok=True)


def why_unsafe(name: str, *, windows: bool) -> str | None:
    """Why a host must not have a file of this name; None if it may.

    Args:
        name: One name, from a desktop.
        windows: Whether the host is Windows, whose rules are many.
    """
    if name in {"", ".", ".."} or "/" in name or "\0" in name:
        return "it is no name of a file"
    if not windows:
        return None
    if any(char in _NOT_IN_WINDOWS or ord(char) < 0x20 for char in name):
        return "Windows has no such character in a name"
    if name[-1] in ". ":
        return "Windows drops its end"
    if name.split(".", 1)[0].rstrip(" ").lower() in _DEVICES:
        return "on Windows it is a device"
    return None


def tree_of(folder: Path) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]], list[tuple[str, ...]]]:
    """What is in a folder of the host: names of the folders, of the files, and of what is neither, such as links.

    Raises:
        HostFileError: It can't be read.
    """
    folders: list[tuple[str, ...]] = []
    files: list[tuple[str, ...]] = []
    others: list[tuple[str, ...]] = []
    todo: list[tuple[str, ...]] = [()]
    while todo:
        names = todo.pop()
        with told_of(folder.joinpath(*names)), os.scandir(folder.joinpath(*names)) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                below = (*names, entry.name)
                if entry.is_dir(follow_symlinks=False):
                    folders.append(below)
                    todo.append(below)
                else:
                    (files if entry.is_file(follow_symlinks=False) else others).append(below)
    return sorted(folders), sorted(files), sorted(others)


class told_of:  # noqa: N801  used like a function
    """What the system says of a host's file, as a `HostFileError`.

    Args:
        path: The file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, fault: BaseException | None, trace: object) -> None:
        if isinstance(fault, OSError | ValueError):
            reason = fault.strerror if isinstance(fault, OSError) and fault.strerror else str(fault)
            raise HostFileError(str(self._path), reason) from fault

"""A disk as just-bash's commands see it: its file system protocol, in coroutines, with the text of any bytes.

It decides nothing about files; disk.py does. Invariant: bytes survive being read as text and written back, whatever
they are (surrogateescape), and every access lets others have their turn.
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from just_bash import FsStat

from drums.local.machines.sim.files.tree import File, Folder, Link, Node

if TYPE_CHECKING:
    from drums.local.machines.sim.files.disk import Disk
    from drums.local.machines.sim.pace import Pace


class ShellFs:
    """just-bash's `IFileSystem` over a disk."""

    def __init__(self, disk: Disk, pace: Pace) -> None:
        self.disk = disk
        self._pace = pace

    async def read_file(self, path: str, encoding: str = "utf-8") -> str:
        """A file's text."""
        return (await self.read_file_bytes(path)).decode(encoding, "surrogateescape")

    async def read_file_bytes(self, path: str) -> bytes:
        """A file's bytes."""
        await self._pace.step()
        return self.disk.read(path)

    async def write_file(self, path: str, content: str | bytes, encoding: str = "utf-8") -> None:
        """Make or replace a file."""
        await self._pace.step()
        self.disk.write(path, content if isinstance(content, bytes) else content.encode(encoding, "surrogateescape"))

    async def append_file(self, path: str, content: str | bytes) -> None:
        """Add to the end of a file, which is made if it is missing."""
        await self._pace.step()
        added = content if isinstance(content, bytes) else content.encode("utf-8", "surrogateescape")
        before = self.disk.read(path) if self.disk.find(path) is not None else b""
        self.disk.write(path, before + added)

    async def exists(self, path: str) -> bool:
        """Whether anything can be reached there, links followed."""
        await self._pace.step()
        return self.disk.find(path) is not None

    async def is_file(self, path: str) -> bool:
        """Whether a file can be reached there."""
        await self._pace.step()
        return isinstance(self.disk.find(path), File)

    async def is_directory(self, path: str) -> bool:
        """Whether a folder can be reached there."""
        await self._pace.step()
        return self.disk.is_folder(path)

    async def mkdir(self, path: str, recursive: bool = False) -> None:
        """Make a folder."""
        await self._pace.step()
        self.disk.make_folder(path, parents=recursive)

    async def readdir(self, path: str) -> list[str]:
        """The names in a folder, sorted."""
        await self._pace.step()
        return list(self.disk.entries(path))

    async def rm(self, path: str, recursive: bool = False, force: bool = False) -> None:
        """Remove a file or folder; `force` takes a missing one as done."""
        await self._pace.step()
        try:
            self.disk.remove(path, recursive)
        except FileNotFoundError:
            if not force:
                raise

    async def stat(self, path: str) -> FsStat:
        """What is there, links followed."""
        await self._pace.step()
        return _stat(self.disk.look(path))

    async def lstat(self, path: str) -> FsStat:
        """What is there, a link itself."""
        await self._pace.step()
        return _stat(self.disk.look(path, follow=False))

    async def chmod(self, path: str, mode: int) -> None:
        """Change permission bits."""
        await self._pace.step()
        self.disk.set_mode(path, mode)

    async def symlink(self, target: str, link_path: str) -> None:
        """Make a symbolic link."""
        await self._pace.step()
        self.disk.link(target, link_path)

    async def link(self, existing_path: str, new_path: str) -> None:
        """Make a second file of the same content: the simulator knows no hard links."""
        await self._pace.step()
        self.disk.copy(existing_path, new_path)

    async def readlink(self, path: str) -> str:
        """Where a symbolic link points."""
        await self._pace.step()
        node = self.disk.look(path, follow=False)
        if not isinstance(node, Link):
            raise OSError("Invalid argument")
        return node.target

    async def utimes(self, path: str, atime: float, mtime: float) -> None:  # noqa: ARG002  times of access are not kept
        """Change the time of the last change."""
        await self._pace.step()
        self.disk.set_time(path, mtime)

    async def realpath(self, path: str) -> str:
        """The path with links followed."""
        await self._pace.step()
        return self.disk.real_path(path)

    async def cp(self, src: str, dest: str, recursive: bool = False) -> None:
        """Copy a file or folder."""
        await self._pace.step()
        self.disk.copy(src, dest, recursive)

    async def mv(self, src: str, dest: str) -> None:
        """Rename a file or folder."""
        await self._pace.step()
        self.disk.move(src, dest)

    def resolve_path(self, base: str, path: str) -> str:
        """`path` as seen from `base`, without `.` and `..`."""
        return posixpath.normpath("/" + posixpath.join(base, path).lstrip("/"))


def _stat(node: Node) -> FsStat:
    return FsStat(
        is_file=isinstance(node, File),
        is_directory=isinstance(node, Folder),
        is_symbolic_link=isinstance(node, Link),
        mode=node.mode,
        size=node.size_bytes if isinstance(node, File) else 0,
        mtime=node.mtime,
    )

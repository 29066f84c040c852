"""A desktop's disk: paths, links, owners, permissions and limits over the immutable tree.

It is what the shell, the windows and the daemon read and write files through. Invariant: nothing in it reaches the
host's file system, and a desktop cannot grow beyond its limits.
"""

from __future__ import annotations

import errno
import posixpath
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .tree import File, Folder, Link, Node

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = "root"
USER = "user"
HOME = "/home/user"
DESKTOP_FOLDER = f"{HOME}/Desktop"

DISK_LIMIT_BYTES = 256 * 1024 * 1024
FILE_LIMIT_BYTES = 128 * 1024 * 1024
NODE_LIMIT = 100_000
_NAME_LIMIT_BYTES = 255
_DEPTH_LIMIT = 128
_MAX_LINKS = 40

READ, WRITE, SEARCH = 4, 2, 1


_FAILURES: dict[int, tuple[type[OSError], str]] = {
    errno.ENOENT: (FileNotFoundError, "No such file or directory"),
    errno.ENOTDIR: (NotADirectoryError, "Not a directory"),
    errno.EISDIR: (IsADirectoryError, "Is a directory"),
    errno.EEXIST: (FileExistsError, "File exists"),
    errno.EACCES: (PermissionError, "Permission denied"),
    errno.EPERM: (PermissionError, "Operation not permitted"),
    errno.ENOTEMPTY: (OSError, "Directory not empty"),
    errno.EINVAL: (OSError, "Invalid argument"),
    errno.EBUSY: (OSError, "Device or resource busy"),
    errno.ELOOP: (OSError, "Too many levels of symbolic links"),
    errno.EFBIG: (OSError, "File too large"),
    errno.ENOSPC: (OSError, "No space left on device"),
    errno.ENAMETOOLONG: (OSError, "File name too long"),
}


def failure(code: int) -> OSError:
    """An error whose text is exactly what Linux says, on any host: the shell's commands print it after the path."""
    kind, text = _FAILURES[code]
    error = kind(text)
    error.errno = code
    return error


@dataclass
class Disk:
    """The files of one desktop, and who is using them."""

    root: Folder
    now: Callable[[], float]
    """The desktop's time, for what changes."""
    actor: str = USER
    """Who reads and writes; `root` may do everything."""

    # Reading.

    def look(self, path: str, follow: bool = True) -> Node:
        """The node at an absolute path.

        Raises:
            OSError: It does not exist (ENOENT), a folder on the way is none (ENOTDIR) or may not be searched (EACCES).
        """
        _, node = self._resolve(path, follow)
        if node is None:
            raise failure(errno.ENOENT)
        return node

    def find(self, path: str, follow: bool = True) -> Node | None:
        """The node at an absolute path; None where none can be reached."""
        try:
            return self._resolve(path, follow)[1]
        except OSError:
            return None

    def is_folder(self, path: str) -> bool:
        """Whether a folder can be reached there."""
        return isinstance(self.find(path), Folder)

    def read(self, path: str) -> bytes:
        """A file's content."""
        node = self.look(path)
        if isinstance(node, Folder):
            raise failure(errno.EISDIR)
        self._demand(node, READ)
        assert isinstance(node, File)  # noqa: S101  links were followed
        return node.content

    def entries(self, path: str) -> dict[str, Node]:
        """A folder's entries by name, sorted."""
        node = self.look(path)
        if not isinstance(node, Folder):
            raise failure(errno.ENOTDIR)
        self._demand(node, READ)
        return dict(sorted(node.entries.items()))

    def real_path(self, path: str) -> str:
        """The path with every link followed; the last part need not exist."""
        return "/" + "/".join(self._resolve(path, follow=True)[0])

    # Writing.

    def write(self, path: str, content: bytes, mode: int = 0o644) -> None:
        """Make or replace a file. Its folder must exist; an existing file keeps its mode and owner."""
        if len(content) > FILE_LIMIT_BYTES:
            raise failure(errno.EFBIG)
        names, node = self._resolve(path, follow=True)
        if isinstance(node, Folder) or path.endswith("/"):
            raise failure(errno.EISDIR)
        if isinstance(node, File):
            self._demand(node, WRITE)
            new = replace(node, content=content, mtime=self.now())
        else:
            new = File(mode, self.actor, self.now(), content)
        self._put(names, new, old=node)

    def make_folder(self, path: str, parents: bool = False) -> None:
        """Make a folder; with `parents`, all that are missing on the way, and an existing one is no error."""
        if parents:
            steps = [part for part in path.split("/") if part]
            for depth in range(1, len(steps) + 1):
                step = "/" + "/".join(steps[:depth])
                if not self.is_folder(step):
                    self.make_folder(step)
            return
        names, node = self._resolve(path, follow=False)
        if node is not None:
            raise failure(errno.EEXIST)
        self._put(names, Folder(0o755, self.actor, self.now()))

    def link(self, target: str, path: str) -> None:
        """Make a symbolic link."""
        names, node = self._resolve(path, follow=False)
        if node is not None:
            raise failure(errno.EEXIST)
        self._put(names, Link(0o777, self.actor, self.now(), target))

    def remove(self, path: str, recursive: bool = False) -> None:
        """Remove what is at a path; a folder with entries only if `recursive`."""
        names, node = self._resolve(path, follow=False)
        if node is None:
            raise failure(errno.ENOENT)
        if isinstance(node, Folder) and node.entries and not recursive:
            raise failure(errno.ENOTEMPTY)
        self._put(names, None)

    def move(self, source: str, target: str) -> None:
        """Rename, replacing a file or an empty folder of the same kind, as rename(2) does."""
        from_names, node = self._resolve(source, follow=False)
        to_names, old = self._resolve(target, follow=False)
        if node is None:
            raise failure(errno.ENOENT)
        if from_names == to_names:
            return
        if to_names[: len(from_names)] == from_names:
            raise failure(errno.EINVAL)
        if from_names[: len(to_names)] == to_names:
            raise failure(errno.ENOTEMPTY)
        if isinstance(old, Folder) and not isinstance(node, Folder):
            raise failure(errno.EISDIR)
        if old is not None and isinstance(node, Folder) and not isinstance(old, Folder):
            raise failure(errno.ENOTDIR)
        if isinstance(old, Folder) and old.entries:
            raise failure(errno.ENOTEMPTY)
        self._demand_parent(to_names)
        before = self.root
        try:
            self._put(from_names, None)
            self._put(to_names, node)
        except OSError:
            self.root = before
            raise

    def copy(self, source: str, target: str, recursive: bool = False) -> None:
        """Copy a file, or with `recursive` a folder with all that is in it; the copy belongs to who makes it."""
        node = self.look(source)
        if isinstance(node, Folder):
            if not recursive:
                raise failure(errno.EISDIR)
            if (self.real_path(target) + "/").startswith(self.real_path(source) + "/"):
                raise failure(errno.EINVAL)
            if not self.is_folder(target):
                self.make_folder(target)
            for name in self.entries(source):
                self.copy(posixpath.join(source, name), posixpath.join(target, name), recursive=True)
            return
        self.write(target, self.read(source), node.mode)

    def clone(self, source: str, target: str) -> None:
        """Copy what is at a path as it is: links, times and permissions are kept; the copy belongs to who makes it."""
        node = self.look(source, follow=False)
        names, old = self._resolve(target, follow=False)
        if isinstance(old, Folder):
            raise failure(errno.EISDIR)
        if names[: len(self._resolve(source, follow=False)[0])] == self._resolve(source, follow=False)[0]:
            raise failure(errno.EINVAL)
        self._put(names, self._taken_over(node), old=old)

    def _taken_over(self, node: Node) -> Node:
        """A node and all below it as the one who copies it has it."""
        if not isinstance(node, Link):
            self._demand(node, READ)
        if isinstance(node, Folder):
            entries = {name: self._taken_over(entry) for name, entry in node.entries.items()}
            return replace(node, owner=self.actor, entries=entries)
        return replace(node, owner=self.actor)

    def set_mode(self, path: str, mode: int) -> None:
        """Change the permission bits; only the owner may."""
        self._alter(path, mode=mode & 0o7777)

    def set_time(self, path: str, mtime: float) -> None:
        """Change the time of the last change; only the owner may."""
        self._alter(path, mtime=mtime)

    def _alter(self, path: str, mode: int | None = None, mtime: float | None = None) -> None:
        names, node = self._resolve(path, follow=True)
        if node is None:
            raise failure(errno.ENOENT)
        if self.actor not in {ROOT, node.owner}:
            raise failure(errno.EPERM)
        new = replace(node, mode=node.mode if mode is None else mode, mtime=node.mtime if mtime is None else mtime)
        if names:
            self.root = self.root.with_entry(names, new, self._parent(names).mtime)

    # Inside.

    def _put(self, names: tuple[str, ...], node: Node | None, old: Node | None = None) -> None:
        """Put a node at a resolved place, or remove what is there."""
        if not names:
            raise failure(errno.EBUSY)
        too_long = len(names[-1].encode("utf-8", "surrogateescape")) > _NAME_LIMIT_BYTES or len(names) > _DEPTH_LIMIT
        if node is not None and too_long:
            raise failure(errno.ENAMETOOLONG)
        # Replacing a file's content needs no right on its folder.
        if old is None or node is None:
            self._demand_parent(names)
        changed = self.root.with_entry(names, node, self.now() if old is None else self._parent(names).mtime)
        if node is not None and (changed.size_bytes > DISK_LIMIT_BYTES or changed.count > NODE_LIMIT):
            raise failure(errno.ENOSPC)
        self.root = changed

    def _parent(self, names: tuple[str, ...]) -> Node:
        parent = self.root.below(names[:-1])
        assert parent is not None  # noqa: S101  _resolve came past it
        return parent

    def _demand_parent(self, names: tuple[str, ...]) -> None:
        parent = self.root.below(names[:-1])
        if not isinstance(parent, Folder):
            raise failure(errno.ENOENT if parent is None else errno.ENOTDIR)
        self._demand(parent, WRITE)

    def _demand(self, node: Node, right: int) -> None:
        if not self._may(node, right):
            raise failure(errno.EACCES)

    def _may(self, node: Node, right: int) -> bool:
        if self.actor == ROOT:
            return True
        return bool(node.mode & (right << 6 if node.owner == self.actor else right))

    def _resolve(self, path: str, follow: bool) -> tuple[tuple[str, ...], Node | None]:
        """Where a path leads, with links followed (the last one if `follow`), and what is there.

        A missing last part gives None; a missing part on the way is ENOENT.
        """
        todo = [part for part in path.split("/") if part not in {"", "."}][::-1]
        done: list[str] = []
        node: Node | None = self.root
        links = 0
        while todo:
            name = todo.pop()
            if name == "..":
                if done:
                    done.pop()
                node = self.root.below(done)
                continue
            if isinstance(node, Folder):
                self._demand(node, SEARCH)
                node = node.entries.get(name)
            else:
                raise failure(errno.ENOENT if node is None else errno.ENOTDIR)
            if isinstance(node, Link) and (todo or follow):
                links += 1
                if links > _MAX_LINKS:
                    raise failure(errno.ELOOP)
                todo += [part for part in node.target.split("/") if part not in {"", "."}][::-1]
                if node.target.startswith("/"):
                    done = []
                node = self.root.below(done)
                continue
            done.append(name)
        return tuple(done), node

"""A file tree of immutable nodes: folders, files and links, shared by every desktop that has not changed them.

It knows no paths, no permissions and no current time. Invariant: a node never changes; a change makes a new node and
new folders above it, so copying a whole disk is copying one reference, and a digest is computed once for each node.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


@dataclass(frozen=True)
class Node:
    """What files, folders and links have in common."""

    mode: int
    """Permission bits, as in `chmod`."""
    owner: str
    mtime: float
    """Seconds since 1970 by the desktop's clock, when it last changed."""

    @cached_property
    def digest(self) -> bytes:
        """What makes this node and all below it what it is. Times are left out: they differ between equal desktops."""
        parts = [type(self).__name__.encode(), oct(self.mode).encode(), self.owner.encode(), *self._substance()]
        hashed = hashlib.blake2b(digest_size=16)
        for part in parts:
            hashed.update(len(part).to_bytes(8, "big"))
            hashed.update(part)
        return hashed.digest()

    @property
    def size_bytes(self) -> int:
        """Content in this node and all below it."""
        return 0

    def _substance(self) -> Iterator[bytes]:
        raise NotImplementedError


N = TypeVar("N", bound=Node)


@dataclass(frozen=True)
class File(Node):
    """A file."""

    content: bytes = b""

    @property
    def size_bytes(self) -> int:
        """Length of the content."""
        return len(self.content)

    def _substance(self) -> Iterator[bytes]:
        yield self.content


@dataclass(frozen=True)
class Link(Node):
    """A symbolic link."""

    target: str = ""

    def _substance(self) -> Iterator[bytes]:
        yield self.target.encode("utf-8", "surrogateescape")


@dataclass(frozen=True)
class Folder(Node):
    """A folder; its entries are in the order in which they were made."""

    entries: Mapping[str, Node] = field(default_factory=dict[str, Node])

    @cached_property
    def _size_bytes(self) -> int:
        return sum(entry.size_bytes for entry in self.entries.values())

    @property
    def size_bytes(self) -> int:
        """Content of all files below."""
        return self._size_bytes

    @cached_property
    def count(self) -> int:
        """Nodes below."""
        return sum(1 + (entry.count if isinstance(entry, Folder) else 0) for entry in self.entries.values())

    def _substance(self) -> Iterator[bytes]:
        for name in sorted(self.entries):
            yield name.encode("utf-8", "surrogateescape")
            yield self.entries[name].digest

    def with_entry(self, names: Sequence[str], node: Node | None, mtime: float) -> Folder:
        """This folder with `node` at the place that `names` lead to, or with nothing there for None.

        Every folder on the way must exist. The folder that holds the place gets `mtime`.
        """
        name, *rest = names
        entries = dict(self.entries)
        if rest:
            below = entries[name]
            if not isinstance(below, Folder):
                raise NotADirectoryError(name)
            entries[name] = below.with_entry(rest, node, mtime)
            return replace(self, entries=entries)
        if node is None:
            del entries[name]
        else:
            entries[name] = node
        return replace(self, entries=entries, mtime=mtime)

    def below(self, names: Sequence[str]) -> Node | None:
        """The node that `names` lead to, links not followed; None where there is none."""
        node: Node = self
        for name in names:
            if not isinstance(node, Folder) or name not in node.entries:
                return None
            node = node.entries[name]
        return node

"""Files of the desktop; the host's files are out of reach.

Names and contents come from the desktop and are told as such. A listing is JSON.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from drums.mcp._envelope import TEXT_LIMIT, Answer
from drums.mcp._tools._base import Toolset, tool

if TYPE_CHECKING:
    from collections.abc import Sequence

    from drums.hybrid import FileInfo

MOST_ENTRIES = 500
MOST_BYTES = 1_000_000
"""The largest text that a model may write at once, in bytes of UTF-8 at most."""

GuestPath = Annotated[
    str, Field(min_length=1, max_length=4096, description="A path in the desktop; relative to the home folder, or ~/…")
]
Content = Annotated[str, Field(max_length=MOST_BYTES)]


class FileTools(Toolset):
    """Files and folders."""

    @tool("Read a file", reads=True)
    async def read_file(
        self,
        path: GuestPath,
        offset: Annotated[int, Field(ge=0, description="Where to begin, in bytes.")] = 0,
        length: Annotated[int, Field(ge=1, le=TEXT_LIMIT, description="Bytes at most.")] = TEXT_LIMIT,
    ) -> Answer:
        """Read a text file of the desktop, or a part of it. Bytes that are no text are replaced."""
        found = await self._tools.files.stat(path)
        data = await self._tools.files.read_bytes(path, offset=offset, length=length)
        cut = offset + len(data) < found.size
        facts = {"size": found.size, "offset": offset, "length": len(data)}
        return Answer(facts, data.decode("utf-8", "replace"), truncated=cut)

    @tool("Write a file", destroys=True, repeats=True)
    async def write_file(self, path: GuestPath, content: Content, overwrite: bool = True) -> Answer:
        """Make or replace a text file of the desktop, with the folders it needs."""
        made = await self._tools.files.write_text(path, content, overwrite=overwrite)
        return Answer({"size": made.size})

    @tool("Append to a file")
    async def append_file(self, path: GuestPath, content: Content) -> Answer:
        """Add text to the end of a file of the desktop, which is made if it is missing."""
        made = await self._tools.files.append(path, content)
        return Answer({"size": made.size})

    @tool("List a folder", reads=True)
    async def list_folder(self, path: GuestPath = "~", recursive: bool = False) -> Answer:
        """List a folder of the desktop: name, kind, size in bytes."""
        return _listed(await self._tools.files.list(path, recursive=recursive))

    @tool("Find files", reads=True)
    async def find_files(self, pattern: GuestPath) -> Answer:
        """Find what matches a pattern with *, ?, [abc] and ** (any folders), such as ~/Documents/**/*.txt."""
        return _listed(await self._tools.files.glob(pattern))

    @tool("Look at a file's properties", reads=True)
    async def stat_file(self, path: GuestPath) -> Answer:
        """Tell what is at a path: kind, size in bytes, permissions, time, owner."""
        return _listed([await self._tools.files.stat(path)])

    @tool("Make a folder", repeats=True)
    async def make_folder(self, path: GuestPath) -> Answer:
        """Make a folder in the desktop, with those above it."""
        await self._tools.files.mkdir(path)
        return Answer()

    @tool("Move or rename", destroys=True)
    async def move_file(self, path: GuestPath, to: GuestPath, overwrite: bool = False) -> Answer:
        """Move or rename a file or folder. `to` is its new path, not the folder to put it in."""
        await self._tools.files.move(path, to, overwrite=overwrite)
        return Answer()

    @tool("Copy", destroys=True)
    async def copy_file(self, path: GuestPath, to: GuestPath, overwrite: bool = False) -> Answer:
        """Copy a file or folder. `to` is the copy's path, not the folder to put it in."""
        await self._tools.files.copy(path, to, overwrite=overwrite)
        return Answer()

    @tool("Remove", destroys=True)
    async def remove_file(self, path: GuestPath, recursive: bool = False) -> Answer:
        """Remove a file, or with `recursive` a folder with all that is in it."""
        await self._tools.files.remove(path, recursive=recursive)
        return Answer()


def _listed(found: Sequence[FileInfo]) -> Answer:
    rows = [
        {
            "path": _printable(one.path),
            "kind": one.kind,
            "size": one.size,
            "mode": oct(one.mode),
            "modified": one.modified,
            "owner": one.owner,
        }
        | ({} if one.target is None else {"target": _printable(one.target)})
        for one in found[:MOST_ENTRIES]
    ]
    return Answer({"entries": len(found)}, json.dumps(rows, ensure_ascii=False), truncated=len(found) > MOST_ENTRIES)


def _printable(path: str) -> str:
    """A path without halves of characters, which JSON can't carry."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")

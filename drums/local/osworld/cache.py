"""Files that tasks name by URL: found in a folder of the host, and fetched into it where that is allowed.

The folder is laid out as OSWorld lays out its own, `<task id>/<uuid of the URL>_<name>`, so that one that OSWorld
has filled, or that was copied from another machine, is used as it is. Invariant: without leave nothing is
fetched, and a file that is there is whole: it gets its name only once all of it is written.
"""

from __future__ import annotations

import asyncio
import os
import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from uuid import NAMESPACE_URL, uuid5
from weakref import WeakValueDictionary

from .errors import TaskError, TaskMalformed
from .fetching import FILE_LIMIT_BYTES, CannotFetch, fetch

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

CACHE_VARIABLE = "DRUMS_OSWORLD_CACHE"
_SAFE_ID = re.compile(r"(?!\.)[A-Za-z0-9._-]{1,128}")
_NAME_LENGTH = 150


class FileUnavailable(TaskError):
    """A file that a task names by URL is neither in the cache nor to be had."""


@dataclass(frozen=True, slots=True)
class CachedFile:
    """A file of a task, and where the cache has it or would have it."""

    url: str
    path: Path

    @property
    def there(self) -> bool:
        """Whether the cache has it."""
        return self.path.is_file()


class FileCache:
    """The folder of fetched files.

    Args:
        folder: Where it is; it need not exist. None: where `default_folder` says.
        fetch: How a URL is fetched into a file; None: not at all.
    """

    def __init__(self, folder: Path | None = None, fetch: Callable[[str, Path], None] | None = None) -> None:
        self.folder: Path = folder or default_folder(os.environ)
        self._fetch = fetch
        self._locks: WeakValueDictionary[Path, asyncio.Lock] = WeakValueDictionary()

    @classmethod
    def online(cls, folder: Path | None = None) -> FileCache:
        """One that fetches what is missing."""
        return cls(folder, fetch)

    @property
    def fetches(self) -> bool:
        """Whether it fetches what is missing."""
        return self._fetch is not None

    def file(self, task_id: str, url: str, name: str, where: str) -> CachedFile:
        """A task's file, by its URL and the name that the task gives it.

        Raises:
            TaskMalformed: The id or the name can't be part of a path; `where` in the task it stands.
        """
        if not _SAFE_ID.fullmatch(task_id):
            raise TaskMalformed("task.id", "can't name a folder of the cache: letters, digits, '.', '_' and '-' can")
        base = PurePosixPath(name).name
        if not base or base == ".." or "\0" in base or len(base.encode()) > _NAME_LENGTH:
            raise TaskMalformed(where, f"expected a path that ends in a file's name, got {name[:40]!r}")
        return CachedFile(url, self.folder / task_id / f"{uuid5(NAMESPACE_URL, url)}_{base}")

    async def content(self, file: CachedFile) -> bytes:
        """What is in the file, fetched first where that is needed and allowed.

        Raises:
            FileUnavailable: It can't be had.
        """
        await self.have(file)
        try:
            return await asyncio.to_thread(_read, file.path)
        except OSError as error:
            raise FileUnavailable(f"{file.path} can't be read: {error.strerror or error}") from error

    async def have(self, file: CachedFile) -> None:
        """See to it that the cache has the file.

        Raises:
            FileUnavailable: It can't be had.
        """
        async with self._locks.setdefault(file.path, asyncio.Lock()):
            if file.there:
                return
            if self._fetch is None:
                raise FileUnavailable(absent(file))
            try:
                await asyncio.to_thread(self._fetch, file.url, file.path)
            except (CannotFetch, OSError) as error:
                raise FileUnavailable(f"{file.url} could not be fetched: {error}") from error


def absent(file: CachedFile) -> str:
    """That a file is missing, and what to do."""
    return f"the file {file.url} is not in the cache; put it at {file.path}, or start the daemon with --allow-downloads"


def default_folder(environ: Mapping[str, str]) -> Path:
    """`DRUMS_OSWORLD_CACHE`, or `drums/osworld` in the user's cache folder."""
    if named := environ.get(CACHE_VARIABLE):
        return Path(named).expanduser().absolute()
    base = environ.get("XDG_CACHE_HOME")
    return (Path(base) if base and Path(base).is_absolute() else Path.home() / ".cache") / "drums" / "osworld"


def _read(path: Path) -> bytes:
    with path.open("rb") as file:
        content = file.read(FILE_LIMIT_BYTES + 1)
    if len(content) > FILE_LIMIT_BYTES:
        raise OSError(f"it is larger than {FILE_LIMIT_BYTES} bytes")
    return content

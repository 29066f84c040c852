"""What the readers of steps and getters need to know of the task that they read, and what they gather of it.

Invariant: every file that a task names by URL is in `files` once the task is read.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .cache import CachedFile, FileCache
from .errors import TaskUnsupported
from .packfile import PackFile

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from .fields import Fields


@dataclass(frozen=True, slots=True)
class Reading:
    """The reading of one task."""

    task_id: str
    cache: FileCache = field(default_factory=FileCache)
    assets: Traversable | None = None
    """The pack's folder of files; None where the task is from no pack."""
    accessible: bool = False
    """Whether what it looks at is what programs tell of their widgets."""
    files: list[CachedFile] = field(default_factory=list[CachedFile])
    """The files that it names by URL, as far as it was read."""
    kept: set[str] = field(default_factory=set[str])
    """The names under which its closing steps keep what commands print."""

    def cached(self, fields: Fields, url_field: str, name: str, name_field: str) -> CachedFile:
        """A file that a field names by URL."""
        return self.cached_as(fields.text(url_field), name, fields.at(name_field))

    def cached_as(self, url: str, name: str, where: str) -> CachedFile:
        """The file of that URL; `where` in the task its name stands."""
        file = self.cache.file(self.task_id, url, name, where)
        self.files.append(file)
        return file

    def asset(self, fields: Fields, field_name: str) -> PackFile:
        """A file of the pack.

        Raises:
            TaskMalformed: The name leads out of the pack's folder of files, or to none.
            TaskUnsupported: The task is from no pack, so it may name no file of this host.
        """
        name, where = fields.text(field_name), fields.at(field_name)
        if self.assets is None:
            what = "files of this host can only be named by a task of a pack"
            raise TaskUnsupported(f"{where}: {what}", what)
        return PackFile.of(self.assets, name, where)

"""Where a daemon's tasks come from: its own pack, a checkout of OSWorld, packs of the user's; and the cache of files.

It finds folders and reads no task. Invariant: a folder that was named and holds no tasks is an error, never an empty
set of tasks.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .cache import FileCache
from .errors import TaskError
from .library import TaskLibrary, own_pack

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from importlib.resources.abc import Traversable

OSWORLD_VARIABLE = "DRUMS_OSWORLD"
"""Names a checkout of OSWorld where no option does."""
_BELOW = ("evaluation_examples/examples", "examples", ".")


class NoTasks(TaskError):
    """A folder that was named holds no tasks."""


@dataclass(frozen=True, slots=True)
class TaskSources:
    """Where tasks come from, beside our own pack."""

    osworld: Path | None = None
    """A checkout of OSWorld: its root, its `evaluation_examples` or the `examples` in that."""
    packs: tuple[Path, ...] = ()
    """Folders of tasks; a later one's task replaces an earlier one's of the same id, also OSWorld's and our own."""
    cache: Path | None = None
    """The folder of files that tasks name by URL; None: the default one."""
    allow_downloads: bool = False
    """Whether files that are missing there are fetched."""

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> TaskSources:
        """What the environment names."""
        named = environ.get(OSWORLD_VARIABLE)
        return cls(osworld=Path(named).expanduser().absolute() if named else None)

    def library(self) -> TaskLibrary:
        """The tasks.

        Raises:
            NoTasks: A folder that was named holds none.
            TaskMalformed: A file in one is no task.
        """
        cache = FileCache.online(self.cache) if self.allow_downloads else FileCache(self.cache)
        return TaskLibrary([*self._packs()], cache=cache)

    def _packs(self) -> Iterator[Traversable]:
        yield own_pack()
        if self.osworld is not None:
            yield examples_in(self.osworld)
        for pack in self.packs:
            if not _holds_tasks(pack):
                raise NoTasks(f"{pack} holds no tasks: a pack has a folder for each domain, and <id>.json files in it")
            yield pack


def examples_in(checkout: Path) -> Path:
    """The folder of tasks in a checkout of OSWorld.

    Raises:
        NoTasks: There is none.
    """
    for below in _BELOW:
        if _holds_tasks(folder := checkout / below):
            return folder
    raise NoTasks(f"{checkout} holds no tasks: name a checkout of OSWorld, or the evaluation_examples in it")


def _holds_tasks(folder: Path) -> bool:
    return next(folder.glob("*/*.json"), None) is not None

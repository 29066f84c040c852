"""The tasks that a daemon knows by id: its own small pack, and any folder laid out like OSWorld's.

It reads files and finds ids; what a task means is task.py's. Invariant: a task is listed whether or not it is
supported, so that its id always gives the reason why it cannot be used.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING

from .errors import AmbiguousTask, TaskMalformed, UnknownTask
from .fields import Fields
from .task import LoadedTask, TaskSummary, read_summary, read_task

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from importlib.resources.abc import Traversable

    from .fields import Json

PREFIX_LENGTH = 8
"""The fewest characters of an id that stand for it."""


@dataclass(frozen=True, slots=True)
class _Entry:
    summary: TaskSummary
    raw: Mapping[str, object]


def own_pack() -> Traversable:
    """The pack that comes with the daemon: one folder a domain, one file a task."""
    return files("drums.local.osworld") / "pack"


class TaskLibrary:
    """Tasks by id.

    Args:
        packs: Folders with one folder a domain and in it one `<id>.json` a task (in a checkout of OSWorld:
            `evaluation_examples/examples`). A later pack's task replaces an earlier one's of the same id. None: our
            own pack.

    Raises:
        TaskMalformed: A file in a pack is no task.
    """

    def __init__(self, packs: Sequence[Traversable] | None = None) -> None:
        self._entries: dict[str, _Entry] = {}
        for pack in [own_pack()] if packs is None else packs:
            self._entries |= _read_pack(pack)

    def __len__(self) -> int:
        return len(self._entries)

    def summaries(self, domain: str | None = None) -> list[TaskSummary]:
        """The tasks, or those of one domain, by domain and id."""
        found = [entry.summary for entry in self._entries.values() if domain in {None, entry.summary.domain}]
        return sorted(found, key=lambda summary: (summary.domain, summary.id))

    def raw(self, task_id: str) -> Mapping[str, object]:
        """A task's JSON by its id or the beginning of it.

        Raises:
            UnknownTask: No task has it.
            AmbiguousTask: Several have it.
        """
        return self._entries[self._full_id(task_id)].raw

    def find(self, task_id: str) -> LoadedTask:
        """The task with this id, or with an id that begins like this (8 characters or more).

        Raises:
            UnknownTask: No task has it.
            AmbiguousTask: Several have it.
            TaskUnsupported: It uses something that is not built here.
        """
        entry = self._entries[self._full_id(task_id)]
        return read_task(entry.raw, entry.summary.domain)

    def load(self, task: Mapping[str, object]) -> LoadedTask:
        """A task object that a user handed in.

        Raises:
            TaskMalformed: It is not an OSWorld task.
            TaskUnsupported: It uses something that is not built here.
        """
        return read_task(dict(task))

    def _full_id(self, task_id: str) -> str:
        if task_id in self._entries:
            return task_id
        matches = [full for full in self._entries if full.startswith(task_id)] if len(task_id) >= PREFIX_LENGTH else []
        if not matches:
            raise UnknownTask(task_id)
        if len(matches) > 1:
            raise AmbiguousTask(task_id, sorted(matches))
        return matches[0]


def _read_pack(pack: Traversable) -> dict[str, _Entry]:
    domains = sorted((entry for entry in pack.iterdir() if entry.is_dir()), key=lambda entry: entry.name)
    entries = [_read_file(file, domain.name) for domain in domains for file in _json_files(domain)]
    return {entry.summary.id: entry for entry in entries}


def _json_files(folder: Traversable) -> list[Traversable]:
    return sorted((file for file in folder.iterdir() if file.name.endswith(".json")), key=lambda file: file.name)


def _read_file(file: Traversable, domain: str) -> _Entry:
    try:
        raw: Json = json.loads(file.read_text(encoding="utf-8"))
        summary = read_summary(raw, domain)
    except (ValueError, TaskMalformed) as error:
        raise TaskMalformed(f"{domain}/{file.name}", str(error)) from error
    return _Entry(summary, Fields.of(raw, "task").values)

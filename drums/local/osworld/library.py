"""The tasks that a daemon knows by id: its own small pack, and any folder laid out like OSWorld's.

It reads files and finds ids; what a task means is task.py's. Invariant: a task is listed whether or not it is
supported, so that its id always gives the reason why it cannot be used.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING

from .cache import FileCache
from .errors import AmbiguousTask, TaskMalformed, UnknownTask
from .fields import Fields
from .packfile import FOLDER
from .task import LoadedTask, TaskSummary, read_summary, read_task

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from importlib.resources.abc import Traversable

    from .fields import Json

PREFIX_LENGTH = 8
"""The fewest characters of an id that stand for it."""
_ENDING, _PROOF_ENDING = ".json", ".proof.json"


@dataclass(frozen=True, slots=True)
class _Entry:
    summary: TaskSummary
    raw: Mapping[str, object]
    assets: Traversable
    digest: str


@dataclass(frozen=True, slots=True)
class TaskSet:
    """Which tasks these are: results of two sets can only be compared where the digests are the same."""

    tasks: int
    digest: str
    """SHA-256 of all tasks, however their files are laid out and written, in hexadecimal."""


def own_pack() -> Traversable:
    """The pack that comes with the daemon: one folder a domain, one file a task."""
    return files("drums.local.osworld") / "pack"


class TaskLibrary:
    """Tasks by id.

    Args:
        packs: Folders with one folder a domain and in it one `<id>.json` a task (in a checkout of OSWorld:
            `evaluation_examples/examples`); the folder `files` is no domain, and what ends in `.proof.json` no task.
            A later pack's task replaces an earlier one's of the same id. None: our own pack.
        cache: Where the files are that tasks name by URL; None: the default folder, and nothing is fetched.

    Raises:
        TaskMalformed: A file in a pack is no task.
    """

    def __init__(self, packs: Sequence[Traversable] | None = None, *, cache: FileCache | None = None) -> None:
        self.cache: FileCache = cache or FileCache()
        self._entries: dict[str, _Entry] = {}
        for pack in [own_pack()] if packs is None else packs:
            self._entries |= _read_pack(pack)
        self.task_set: TaskSet = _task_set(self._entries.values())

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

    def find(self, task_id: str, *, demand_files: bool = True) -> LoadedTask:
        """The task with this id, or with an id that begins like this (8 characters or more).

        Args:
            task_id: The id.
            demand_files: Whether the files that it names by URL have to be there, or to be had.

        Raises:
            UnknownTask: No task has it.
            AmbiguousTask: Several have it.
            TaskUnsupported: It uses something that is not built here, or lacks a file.
        """
        return self._read(self._entries[self._full_id(task_id)], demand_files=demand_files)

    def load(self, task: Mapping[str, object], *, demand_files: bool = True) -> LoadedTask:
        """A task object that a user handed in. One that is a pack's, word for word, may use the pack's files.

        Args:
            task: The object.
            demand_files: As in `find`.

        Raises:
            TaskMalformed: It is not an OSWorld task.
            TaskUnsupported: It uses something that is not built here, or lacks a file.
        """
        known = self._entries.get(str(task.get("id")))
        if known is not None and known.raw == task:
            return self._read(known, demand_files=demand_files)
        return _demanding(read_task(dict(task), cache=self.cache), demand_files=demand_files)

    def _read(self, entry: _Entry, *, demand_files: bool) -> LoadedTask:
        loaded = read_task(entry.raw, entry.summary.domain, cache=self.cache, assets=entry.assets)
        return _demanding(loaded, demand_files=demand_files)

    def _full_id(self, task_id: str) -> str:
        if task_id in self._entries:
            return task_id
        matches = [full for full in self._entries if full.startswith(task_id)] if len(task_id) >= PREFIX_LENGTH else []
        if not matches:
            raise UnknownTask(task_id)
        if len(matches) > 1:
            raise AmbiguousTask(task_id, sorted(matches))
        return matches[0]


def _demanding(task: LoadedTask, *, demand_files: bool) -> LoadedTask:
    if demand_files:
        task.demand_files()
    return task


def _read_pack(pack: Traversable) -> dict[str, _Entry]:
    folders = (entry for entry in pack.iterdir() if entry.name != FOLDER and entry.is_dir())
    assets = pack / FOLDER
    entries = [
        _read_file(file, domain.name, assets)
        for domain in sorted(folders, key=lambda entry: entry.name)
        for file in _task_files(domain)
    ]
    return {entry.summary.id: entry for entry in entries}


def _task_files(folder: Traversable) -> list[Traversable]:
    found = (file for file in folder.iterdir() if file.name.endswith(_ENDING) and not file.name.endswith(_PROOF_ENDING))
    return sorted(found, key=lambda file: file.name)


def _read_file(file: Traversable, domain: str, assets: Traversable) -> _Entry:
    try:
        raw: Json = json.loads(file.read_text(encoding="utf-8"))
        json.dumps(raw, ensure_ascii=False, allow_nan=False).encode()  # whoever asks for the task gets it as JSON again
        summary = read_summary(raw, domain)
    except (ValueError, OSError, RecursionError, TaskMalformed) as error:
        raise TaskMalformed(f"{domain}/{file.name}", str(error)) from error
    return _Entry(summary, Fields.of(raw, "task").values, assets, _digest(raw))


def _digest(raw: Json) -> str:
    return hashlib.sha256(json.dumps(raw, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _task_set(entries: Iterable[_Entry]) -> TaskSet:
    lines = sorted(f"{entry.summary.domain}/{entry.summary.id} {entry.digest}\n" for entry in entries)
    return TaskSet(len(lines), hashlib.sha256("".join(lines).encode()).hexdigest())

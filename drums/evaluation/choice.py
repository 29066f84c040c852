"""Which tasks a run plays: chosen by id, prefix, domain, `all` or a file; and the hash that says which they were.

It reads files that the user names, and asks the server for everything else. Invariant: what names no task, or more than
one by mistake, is refused before a desktop is made.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from drums._core.arguments import refused

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import drums.aio
    from drums.records import TaskSummary

ALL = "all"
SHORTEST_PREFIX = 8
AT_A_TIME = 16
"""Tasks that are read at the same time."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """One task of a run."""

    id: str
    domain: str
    instruction: str
    task: Mapping[str, Any]
    """The whole task."""
    own: bool = False
    """Whether it came from the user's file, so that the server does not know it by its id."""


async def chosen_tasks(client: drums.aio.Client, words: Sequence[str]) -> list[Chosen]:
    """The tasks that the words name, each once, in order.

    Args:
        client: The server that knows the tasks.
        words: Ids or prefixes of 8 characters or more, domains, `all`, or paths of files: a `.json` with a task, with a
            list of ids or with ids by domain as OSWorld has it, or any other text file with a word a line.

    Raises:
        BadRequest: A word names no task, or several; or a file can't be read.
    """
    listed = await client.tasks()
    wanted: dict[str, Chosen | None] = {}
    for word in words:
        if isinstance(file := _file(word), Chosen):
            wanted[file.id] = file
            continue
        for name in [word] if file is None else file:
            wanted |= {task_id: None for task_id in _named(name, listed) if task_id not in wanted}
    if not wanted:
        raise refused("there is no task to play", hint="Name tasks with --tasks; client.tasks() lists them")
    ids = [task_id for task_id, own in wanted.items() if own is None]
    domains = {summary.id: summary.domain or "" for summary in listed}
    read: dict[str, Chosen] = {}
    for task_id, task in zip(ids, await client.map(client.task, ids, workers=AT_A_TIME), strict=True):
        if isinstance(task, BaseException):
            raise task
        read[task_id] = _chosen(dict(task), domains.get(task_id, ""))
    return [own or read[task_id] for task_id, own in wanted.items()]


def hash_of(tasks: Iterable[Mapping[str, Any]]) -> str:
    """`sha256:…` over the tasks, whatever their order and that of their fields."""
    texts = sorted(json.dumps(task, sort_keys=True, ensure_ascii=False, separators=(",", ":")) for task in tasks)
    return f"sha256:{hashlib.sha256(chr(10).join(texts).encode('utf-8', 'surrogatepass')).hexdigest()}"


def _named(word: str, listed: Sequence[TaskSummary]) -> list[str]:
    """Ids that a word names."""
    if word == ALL:
        return [summary.id for summary in listed]
    if any(summary.id == word for summary in listed):
        return [word]
    if in_domain := [summary.id for summary in listed if summary.domain == word]:
        return in_domain
    begin_so = [summary.id for summary in listed if len(word) >= SHORTEST_PREFIX and summary.id.startswith(word)]
    if len(begin_so) > 1:
        hint = f"Give more of the id: {', '.join(begin_so[:5])}"
        raise refused(f"{len(begin_so)} tasks begin with {word}", hint=hint)
    if not begin_so:
        domains = ", ".join(sorted({summary.domain or "" for summary in listed}))
        hint = f"The domains are {domains}; `all` takes every task"
        raise refused(f"{word!r} is no task, no domain and no file", hint=hint)
    return begin_so


def _file(word: str) -> Chosen | list[str] | None:
    """What the file of that name holds; None where the word names none."""
    path = Path(word)
    if path.suffix not in {".json", ".txt"} and not ("/" in word and path.is_file()):
        return None
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as fault:
        raise refused(f"the file of tasks {word} can't be read: {fault}") from fault
    if path.suffix != ".json":
        lines = (line.partition("#")[0].strip() for line in text.splitlines())
        return [line for line in lines if line]
    try:
        held: object = json.loads(text)
    except (ValueError, RecursionError) as fault:
        raise refused(f"the file of tasks {word} is not JSON: {fault}") from fault
    if isinstance(held, dict):
        fields = cast("dict[str, Any]", held)
        if isinstance(fields.get("id"), str) and "evaluator" in fields:
            return _chosen(fields, path.parent.name, own=True)
        by_domain = [cast("list[object]", ids) if isinstance(ids, list) else [ids] for ids in fields.values()]
        held = [task_id for ids in by_domain for task_id in ids]
    ids = cast("list[object]", held) if isinstance(held, list) else [held]
    if not all(isinstance(task_id, str) for task_id in ids):
        raise refused(f"the file {word} holds neither a task nor ids of tasks")
    return [str(task_id) for task_id in ids]


def _chosen(task: dict[str, Any], domain: str, *, own: bool = False) -> Chosen:
    return Chosen(str(task.get("id")), domain or "none", str(task.get("instruction") or ""), task, own)

"""What a `task` argument may be: an OSWorld task, a JSON file that holds one, or the id of one that the server knows.

It reads a file and nothing else. The one invariant: a text is taken for a file only when it ends in `.json`; any
other text is an id and never touches the file system, so that a name which comes from a model can't make the SDK read
a file of another kind.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias, cast

from drums._core.arguments import encodable, identifier, refused, shown

TaskSource: TypeAlias = Mapping[str, Any] | str | os.PathLike[str]
"""A task, the path of its file, or its id (a prefix of at least 8 characters will do)."""

LONGEST_FILE = 8 * 1024 * 1024
"""Bytes; no task file comes near it, and the server takes no larger body."""


def task_of(source: object) -> dict[str, Any] | str:
    """The task itself, or the id to ask the server for.

    Raises:
        BadRequest: It is none of the three, or the file holds no task.
    """
    if isinstance(source, Mapping):
        return _checked(dict(cast("Mapping[str, Any]", source)), "task")
    if isinstance(source, os.PathLike):
        return _from_file(Path(cast("os.PathLike[str]", source)))
    if isinstance(source, str) and source.lower().endswith(".json"):
        return _from_file(Path(source))
    if isinstance(source, str):
        return identifier(source, "task")
    raise refused(f"task must be a task as a dict, the path of a JSON file or a task id, not {shown(source)}")


def _from_file(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            raw = file.read(LONGEST_FILE + 1)
    except (OSError, ValueError) as fault:
        why = fault.strerror if isinstance(fault, OSError) else str(fault)
        raise refused(f"the task file {path} can't be read: {why}") from fault
    if len(raw) > LONGEST_FILE:
        raise refused(f"the task file {path} is larger than {LONGEST_FILE} bytes")
    try:
        task = json.loads(raw)
    except (ValueError, RecursionError) as fault:
        raise refused(f"the task file {path} is not JSON: {fault}") from fault
    if not isinstance(task, dict):
        raise refused(f"the task file {path} holds no JSON object")
    return _checked(cast("dict[str, Any]", task), f"the task file {path}")


def _checked(task: dict[str, Any], what: str) -> dict[str, Any]:
    """The task, as it can be sent."""
    task_id = task.get("id")
    if not isinstance(task_id, str) or not task_id or not encodable(task_id):
        raise refused(f"{what} must have a text `id`, as every OSWorld task has")
    try:
        json.dumps(task, allow_nan=False).encode("utf-8")
    except (TypeError, ValueError, RecursionError) as fault:
        raise refused(f"{what} can't be sent as JSON: {fault}") from fault
    return task

"""Tasks for the tests: one that is sound, and ways to change it."""

from __future__ import annotations

import copy
from typing import Any

Json = Any


def a_task(**changes: Json) -> dict[str, Json]:
    """A small sound task; `changes` replace its top-level fields."""
    task = {
        "id": "11111111-2222-3333-4444-555555555555",
        "snapshot": "os",
        "instruction": "Make a folder called done on the Desktop.",
        "related_apps": ["os"],
        "config": [{"type": "execute", "parameters": {"command": ["mkdir", "-p", "/home/user/Desktop/start"]}}],
        "evaluator": an_evaluator(),
    }
    return {**task, **changes}


def an_evaluator(**changes: Json) -> dict[str, Json]:
    """The evaluator of `a_task`; `changes` replace its fields."""
    evaluator = {
        "func": "exact_match",
        "result": {"type": "vm_command_line", "command": "ls ~/Desktop", "shell": True},
        "expected": {"type": "rule", "rules": {"expected": "done\nstart\n"}},
    }
    return {**evaluator, **changes}


def printing(text: str) -> dict[str, Json]:
    """A getter whose value is `text`."""
    return {"type": "vm_command_line", "command": ["printf", "%s", text]}


def expecting(value: Json) -> dict[str, Json]:
    """What a checker compares with."""
    return {"type": "rule", "rules": {"expected": value}}


def with_change(task: Json, path: list[str | int], value: Json) -> Json:
    """A copy of a task with one place in it changed; `...` takes it away."""
    changed = copy.deepcopy(task)
    place = changed
    for step in path[:-1]:
        place = place[step]
    if value is ...:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return changed

"""What the SDK checks of a caller's arguments before it sends anything.

Each check returns the value as it goes into a request, or raises `BadRequest` with `sent == "no"`; the message names
the argument as the caller wrote it. It knows nothing of actions (`drums.actions`) and of tasks (`task_source`). A
bool is never taken for a number.
"""

from __future__ import annotations

import math
from typing import Any

from drums.errors import BadRequest


def refused(what: str, *, hint: str | None = None) -> BadRequest:
    """The error for an argument that is wrong; nothing was sent."""
    return BadRequest(400, what, sent="no", hint=hint)


def count(value: Any, name: str) -> int:
    """How many: a whole number from 1."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise refused(f"{name} must be a whole number, not {shown(value)}")
    if value < 1:
        raise refused(f"{name} must be at least 1, not {value}")
    return value


def seconds(value: Any, name: str) -> float | None:
    """A span: finite seconds from 0, or None for the server's own."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise refused(f"{name} must be a number of seconds, not {shown(value)}")
    if not math.isfinite(value) or value < 0:
        raise refused(f"{name} must be 0 or more seconds and finite, not {value}")
    return value


def some_seconds(value: Any, name: str) -> float:
    """A span that has to be given."""
    span = seconds(value, name)
    if span is None:
        raise refused(f"{name} must be a number of seconds")
    return span


def text(value: Any, name: str) -> str:
    """Words: not empty, and encodable as UTF-8."""
    if not isinstance(value, str) or not value.strip():
        raise refused(f"{name} must be a text that is not empty, not {shown(value)}")
    if not encodable(value):
        raise refused(f"{name} holds half a character (a lone surrogate)")
    return str(value)


def identifier(value: Any, name: str) -> str:
    """An id, as one segment of a path: `.` and `..` would lead to another path."""
    found = text(value, name)
    if found in {".", ".."}:
        raise refused(f"{name} must be an id, not {found!r}")
    return found


def flag(value: Any, name: str) -> bool:
    """Yes or no: a bool and nothing that only looks like one."""
    if not isinstance(value, bool):
        raise refused(f"{name} must be True or False, not {shown(value)}")
    return value


def encodable(value: str) -> bool:
    """Whether a text can be sent at all."""
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def shown(value: object) -> str:
    """A wrong value as the message quotes it: short, and never the inside of an object."""
    if value is None or isinstance(value, bool | int | float):
        return str(value)
    if isinstance(value, str):
        return repr(value if len(value) <= 40 else value[:39] + "…")
    return f"a {type(value).__name__}"

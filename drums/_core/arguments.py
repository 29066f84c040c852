"""What the SDK checks of a caller's arguments before it sends anything.

Each check returns the value as it goes into a request, or raises `BadRequest` with `sent == "no"`; the message names
the argument as the caller wrote it. It knows nothing of actions (`drums.actions`) and of tasks (`task_source`). A
bool is never taken for a number.
"""

from __future__ import annotations

import re
from typing import Any, Final

from drums.errors import BadRequest

LONGEST_S: Final = 1e9
"""Seconds of a lease at most, 31 years; for more there is 0, which means no limit."""

LONGEST_WAIT_S: Final = 86_400.0
"""Seconds that a server may be asked to wait for something at most."""

MOST: Final = 1_000_000
"""Children or records that one request may ask for at most; servers allow far less."""


def refused(what: str, *, hint: str | None = None) -> BadRequest:
    """The error for an argument that is wrong; nothing was sent."""
    return BadRequest(400, what, sent="no", hint=hint)


def count(value: Any, name: str) -> int:
    """How many: a whole number from 1."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise refused(f"{name} must be a whole number, not {shown(value)}")
    if not 1 <= value <= MOST:
        raise refused(f"{name} must be 1 to {MOST}, not {shown(value)}")
    return value


def seconds(value: Any, name: str, most: float = LONGEST_S) -> float | None:
    """A span: seconds from 0 to `most`, or None for the server's own."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise refused(f"{name} must be a number of seconds, not {shown(value)}")
    if not 0 <= value <= most:
        raise refused(f"{name} must be 0 to {most:.0f} seconds, not {shown(value)}")
    return value


def some_seconds(value: Any, name: str) -> float:
    """A span that has to be given."""
    span = seconds(value, name)
    if span is None:
        raise refused(f"{name} must be a number of seconds")
    return span


def text(value: Any, name: str, most: int = 10_000) -> str:
    """Words: not empty, not endless, and encodable as UTF-8."""
    if not isinstance(value, str) or not value.strip():
        raise refused(f"{name} must be a text that is not empty, not {shown(value)}")
    if len(value) > most:
        raise refused(f"{name} must be at most {most} characters long, not {len(value)}")
    if not encodable(value):
        raise refused(f"{name} holds half a character (a lone surrogate)")
    return str(value)


def identifier(value: Any, name: str) -> str:
    """An id, as one segment of a path: `.` and `..` would lead to another path."""
    found = text(value, name)
    if found in {".", ".."}:
        raise refused(f"{name} must be an id, not {found!r}")
    return found


def new_name(value: Any, name: str) -> str:
    """An id that the caller chooses: letters, digits, `.`, `_` and `-`."""
    found = text(value, name, 128)
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", found):
        raise refused(f"{name} must be letters, digits, '.', '_' and '-', a letter or digit first, not {shown(found)}")
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
    if value is None or isinstance(value, bool | float):
        return str(value)
    if isinstance(value, int):
        return str(value) if abs(value) < 10**15 else "one of more than 15 digits"
    if isinstance(value, str):
        return repr(value if len(value) <= 40 else value[:39] + "…")
    return f"a {type(value).__name__}"

"""Spans of time, short ids and the like, as people read and write them.

Pure. Invariant: what can't be read is shown as `-` and never stops a command.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from drums.records import Slot

NOTHING = "-"
SHORT = 8
"""Characters of a task's id that are enough to name it."""
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
_SPAN = re.compile(r"(\d+(?:\.\d+)?)([smhd]?)", re.ASCII)


def seconds_of(text: str) -> float:
    """Seconds that a text such as `90`, `15m`, `2h` or `1d` means.

    Raises:
        BadParameter: It means none.
    """
    found = _SPAN.fullmatch(text.strip())
    if found is None:
        message = f"{text!r} is no span of time; write 90, 15m, 2h or 1d"
        raise typer.BadParameter(message)
    return float(found[1]) * _UNITS[found[2] or "s"]


def age_s(since: str | None, now: datetime | None = None) -> float | None:
    """Seconds since a moment (RFC 3339); None where the moment is not known."""
    try:
        then = datetime.fromisoformat(since or "")
    except ValueError:
        return None
    if then.tzinfo is None:
        return None
    return max(((now or datetime.now(UTC)) - then).total_seconds(), 0.0)


def span(seconds: float | None) -> str:
    """So many seconds in one unit: `12s`, `5m`, `3h`, `2d`."""
    if seconds is None:
        return NOTHING
    unit = next((unit for unit, size in reversed(_UNITS.items()) if seconds >= 2 * size), "s")
    return f"{seconds / _UNITS[unit]:.0f}{unit}"


def lease(seconds: float | None) -> str:
    """A lease; 0 is none."""
    return "none" if seconds == 0 else span(seconds)


def since(moment: str | None) -> str:
    """How long ago a moment was."""
    return span(age_s(moment))


def task_of(record: Slot) -> str:
    """The short id of a desktop's task."""
    return str(record.task.get("id"))[:SHORT] if record.task is not None else NOTHING


def verdict_of(record: Slot) -> str:
    """The verdict of a desktop's episode, with the gates that are not passed."""
    if record.validity is None:
        return NOTHING
    gates = record.validity.gates or []
    return f"{record.validity.verdict} ({', '.join(map(str, gates))})" if gates else str(record.validity.verdict)


def megabytes(size: int | None) -> str:
    """Bytes as megabytes."""
    return NOTHING if size is None else f"{size / 1e6:.1f}"


def count(number: int, what: str) -> str:
    """So many of something: `1 desktop`, `2 desktops`."""
    return f"{number} {what}{'' if number == 1 else 's'}"

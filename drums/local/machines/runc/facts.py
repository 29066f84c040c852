"""What is recorded beside a saved state and a running desktop, so that the next daemon and the gates can rely on it.

Invariant: a record is written whole or not at all, and as the last deed of making what it describes.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from pathlib import Path

Window = tuple[int, int, int, int, int]
"""id, x, y, width, height. Titles are left out: a clock in one changes it from second to second."""


@dataclass(frozen=True, slots=True)
class StateFacts:
    """A captured desktop."""

    image: str
    """The installed image whose `/usr` it uses."""
    processes: list[tuple[int, str]]
    """Number in the desktop and name, of each process."""
    session: dict[str, int]
    """The processes without which it is no desktop, by name."""
    windows: list[list[Window]]
    """The windows just before and just after the capture; what was captured is one of them."""
    home: str
    """Digest of the home folder."""
    size_bytes: int
    made_at: float = 0.0


@dataclass(frozen=True, slots=True)
class DesktopFacts:
    """A running desktop."""

    slot: str
    source: str
    """The state or image that it came from."""
    init: int
    """Its first process, by the host's number."""
    started: int
    boot: str
    state: StateFacts
    home: str
    """Digest of its home folder before anything in it ran."""
    memory_bytes: int
    pids: int
    cpus: float
    disk_bytes: int
    tries: int = 1
    """How often it was restored until it came up."""
    tree: list[tuple[int, int, str]] = field(default_factory=list[tuple[int, int, str]])
    """Number in the desktop, start time and name of each process when it came up."""


Record = TypeVar("Record", StateFacts, DesktopFacts)


def write(path: Path, record: StateFacts | DesktopFacts) -> None:
    """Write a record so that it is there whole or not at all."""
    draft = path.with_suffix(".draft")
    draft.write_text(json.dumps(asdict(record)))
    os.replace(draft, path)  # noqa: PTH105 - the atomic call by its own name


def read_state(path: Path) -> StateFacts | None:
    """A state's record; None when it is half made."""
    raw = load(path)
    return None if raw is None else state_of(raw)


def read_desktop(path: Path) -> DesktopFacts | None:
    """A desktop's record; None when it is half made."""
    raw = load(path)
    if raw is None:
        return None
    tree = [(int(pid), int(started), str(name)) for pid, started, name in raw["tree"]]
    fields: dict[str, Any] = {**raw, "state": state_of(raw["state"]), "tree": tree}
    return DesktopFacts(**fields)


def state_of(raw: dict[str, Any]) -> StateFacts:
    """A state's record from its JSON."""
    processes = [(int(pid), str(name)) for pid, name in raw["processes"]]
    windows = [[window_of(row) for row in rows] for rows in raw["windows"]]
    fields: dict[str, Any] = {**raw, "processes": processes, "windows": windows}
    return StateFacts(**fields)


def window_of(row: list[Any]) -> Window:
    """A window from JSON."""
    number, x, y, width, height = row
    return int(number), int(x), int(y), int(width), int(height)


def load(path: Path) -> dict[str, Any] | None:
    """A record's JSON."""
    try:
        return dict(json.loads(path.read_text()))
    except FileNotFoundError:
        return None


def pid_of_runc(state: str) -> int:
    """The first process of a container, from what `runc state` prints."""
    return int(json.loads(state)["pid"])
